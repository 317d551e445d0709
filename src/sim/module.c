/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a PTX tree to a module that can be launched from: variables get memory, functions are
 * decoded, and each kernel learns what everything it can reach needs.
 */
#include "sim/decode.h"

#include <string.h>

static uint64_t variable_size(const struct ptx_variable *v)
{
    return (uint64_t)ptx_type_size(v->type) * (v->vector ? v->vector : 1) * v->count;
}

/* ---- variables ----------------------------------------------------------------------- */

/* Names that compilers make up: string literals, tables, and anything with a $ in it. */
static bool hidden_name(const char *name)
{
    static const char *const starts[] = {"$",   "_$",       "__const", ".str", "__unnamed", "_ZTV",
                                         "_ZZ", "__cudart", "__str",   "_str", NULL};
    for (const char *const *s = starts; *s; s++)
        if (strncmp(name, *s, strlen(*s)) == 0)
            return true;
    return strchr(name, '$') != NULL || strncmp(name, "anon", 4) == 0;
}

static const struct ptx_variable *variable_named(const struct sim_module *m, const char *name)
{
    for (const struct ptx_variable *v = m->ptx->variables; v; v = v->next)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

uint64_t module_point(struct sim_module *m, uint32_t number)
{
    m->functions[number].pointed = true;
    return CODE_WINDOW + number * CODE_STEP;
}

/* The address of a variable or function of the module. */
static int symbol_address(struct sim_module *m, const char *name, uint64_t *address)
{
    const struct ptx_variable *v = variable_named(m, name);
    int64_t number = v ? -1 : module_function(m, name);
    if (!v && number < 0)
        return -1;
    *address = v ? v->place : module_point(m, (uint32_t)number);
    return 0;
}

static int fill(struct sim_module *m, struct allocation *a, const struct ptx_variable *v)
{
    unsigned size = ptx_type_size(v->type);
    for (uint64_t i = 0; i < v->init_count && (i + 1) * size <= a->size; i++) {
        const struct ptx_init *from = &v->init[i];
        uint64_t bits = (uint64_t)from->offset;
        if (from->symbol) {
            uint64_t address;
            if (symbol_address(m, from->symbol, &address) < 0)
                return sim_fail(m->sim, v->line, "%s refers to %s, which is not defined", v->name,
                                from->symbol);
            bits += address;
            bits >>= from->mask_shift ? from->mask_shift - 1 : 0;
        } else if (from->is_float && v->type == PTX_F32) {
            double d;
            memcpy(&d, &bits, 8);
            float f = (float)d;
            uint32_t narrow;
            memcpy(&narrow, &f, 4);
            bits = narrow;
        }
        memcpy(a->host + i * size, &bits, size > 8 ? 8 : size);
    }
    return 0;
}

static bool has_memory(const struct ptx_variable *v)
{
    return (v->space == PTX_GLOBAL || v->space == PTX_CONST) && !v->is_extern;
}

static int place_all(struct sim_module *m)
{
    for (struct ptx_variable *v = m->ptx->variables; v; v = v->next) {
        struct allocation *a;
        if (!has_memory(v))
            continue;
        if (memory_get(m->sim, &m->sim->arrays, variable_size(v),
                       v->align < 256 ? 256 : v->align, v->name, &a) < 0)
            return -1;
        a->module_owned = true;
        a->constant = v->space == PTX_CONST;
        v->place = a->address;
        m->variable_count++;
    }
    return 0;
}

static int show_variables(struct sim_module *m)
{
    size_t i = 0;
    m->variables = arena_get(&m->arena, (m->variable_count + 1) * sizeof *m->variables);
    if (!m->variables)
        return sim_fail(m->sim, 0, "out of memory");
    for (struct ptx_variable *v = m->ptx->variables; v; v = v->next) {
        uint32_t hint = 0;
        if (!has_memory(v))
            continue;
        struct allocation *a = memory_find(m->sim, v->place, &hint);
        if (a && fill(m, a, v) < 0)
            return -1;
        m->variables[i++] =
            (struct sim_variable){.name = v->name,
                                  .space = v->space == PTX_CONST ? SIM_CONST : SIM_GLOBAL,
                                  .type = (enum sim_type)v->type,
                                  .address = v->place,
                                  .size = variable_size(v),
                                  .hidden = hidden_name(v->name)};
    }
    return 0;
}

/* ---- kernels ------------------------------------------------------------------------- */

int64_t module_function(const struct sim_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->function_count; i++)
        if (strcmp(m->functions[i].ptx->name, name) == 0)
            return i;
    return -1;
}

int module_reserve(struct sim_module *m, uint32_t more)
{
    if (m->count + (uint64_t)more <= m->capacity)
        return 0;
    uint32_t wider = m->capacity ? m->capacity : 1024;
    while (wider < m->count + more)
        wider *= 2;
    struct insn *code = arena_get(&m->arena, wider * sizeof *code);
    struct sim_instruction *shown = arena_get(&m->arena, wider * sizeof *shown);
    if (!code || !shown)
        return sim_fail(m->sim, 0, "out of memory");
    if (m->count) {
        memcpy(code, m->code, m->count * sizeof *code);
        memcpy(shown, m->shown, m->count * sizeof *shown);
    }
    m->code = code;
    m->shown = shown;
    m->capacity = wider;
    return 0;
}

/* What a function that is reached reaches in turn; true if any of that is new. */
static bool reach_on(struct sim_module *m, const struct function *f)
{
    bool more = false;
    for (uint32_t k = 0; k < f->call_count; k++) {
        struct function *to = &m->functions[f->calls[k]];
        if (!to->reached || (to->reached == MAYBE_REACHED && f->reached == REACHED)) {
            to->reached = f->reached;
            more = true;
        }
    }
    for (uint32_t i = 0; f->through_pointer && i < m->function_count; i++) {
        struct function *to = &m->functions[i];
        if (to->pointed && !to->reached && to->ptx->has_body && !to->ptx->is_entry) {
            to->reached = MAYBE_REACHED;
            more = true;
        }
    }
    return more;
}

/* Mark what a kernel can reach, itself included. */
void module_reach(struct sim_module *m, const struct function *from)
{
    for (uint32_t i = 0; i < m->function_count; i++)
        m->functions[i].reached = NOT_REACHED;
    m->functions[from - m->functions].reached = REACHED;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < m->function_count; i++)
            more |= m->functions[i].reached && reach_on(m, &m->functions[i]);
    }
}

static int show_params(struct sim_module *m, struct sim_kernel *k, struct function *f)
{
    struct sim_param *p = arena_get(&m->arena, (f->ptx->param_count + 1) * sizeof *p);
    uint64_t at = 0;
    unsigned i = 0;
    if (!p)
        return sim_fail(m->sim, 0, "out of memory");
    for (struct ptx_variable *v = f->ptx->params; v; v = v->next, i++) {
        unsigned align = v->align ? v->align : ptx_type_size(v->type);
        uint64_t size = variable_size(v);
        align = align ? align : 1;
        at = (at + align - 1) / align * align;
        if (size > 1u << 16)
            return sim_fail(m->sim, v->line, "the parameter %s is too big", v->name);
        p[i] = (struct sim_param){.name = v->name,
                                  .type = (enum sim_type)v->type,
                                  .offset = (unsigned)at,
                                  .size = (unsigned)size,
                                  .align = align,
                                  .is_array = v->is_array};
        v->place = at;
        at += size;
    }
    k->params = p;
    k->param_count = i;
    k->param_bytes = (unsigned)at;
    f->params_bytes = (uint32_t)at;
    return 0;
}

static unsigned count_registers(const struct function *f)
{
    unsigned n = 0;
    for (const struct ptx_variable *v = f->ptx->variables; v; v = v->next)
        if (v->space == PTX_REG && v->type != PTX_PRED) {
            unsigned words = (ptx_type_size(v->type) + 3) / 4;
            n += words * (v->range ? v->range - 1 : 1); /* %r<17> is used from %r1 on */
        }
    return n;
}

static void show_needs(struct sim_module *m, struct sim_kernel *k, struct function *f)
{
    module_reach(m, f);
    k->static_shared = shared_measure(m).fixed;
    for (uint32_t i = 0; i < m->function_count; i++) {
        struct function *g = &m->functions[i];
        if (!g->reached)
            continue;
        if (g->closed && !k->closed && g->reached == REACHED) {
            k->closed = g->closed;
            k->closed_line = g->closed_line;
        }
        if (g->capability > k->needs_capability && g->reached == REACHED) {
            k->needs_capability = g->capability;
            k->needs_what = g->capability_what;
        }
        k->cooperative |= g->grid_sync;
    }
    memcpy(k->cluster, f->ptx->cluster, sizeof k->cluster);
    if ((k->cluster[0] || f->ptx->explicit_cluster) && k->needs_capability <= 90) {
        k->needs_capability = 90;
        k->needs_what = "a cluster of blocks";
    }
    if (f->ptx->blocks_are_clusters && !k->closed) {
        k->closed = "unsupported: a grid that is counted in clusters (.blocksareclusters)";
        k->closed_line = f->ptx->line;
    }
    k->needs_cluster = f->ptx->explicit_cluster && !k->cluster[0];
    k->name = f->ptx->name;
    k->local_bytes = f->local_bytes;
    k->registers = count_registers(f);
    k->line = f->ptx->code_count ? f->ptx->code[0].ptx_line : f->ptx->line;
}

static int make_functions(struct sim_module *m)
{
    uint32_t n = 0;
    for (struct ptx_function *p = m->ptx->functions; p; p = p->next)
        n++;
    m->functions = arena_get(&m->arena, (n + 1) * sizeof *m->functions);
    m->kernels = arena_get(&m->arena, (n + 1) * sizeof *m->kernels);
    m->kernel_function = arena_get(&m->arena, (n + 1) * sizeof *m->kernel_function);
    if (!m->functions || !m->kernels || !m->kernel_function)
        return sim_fail(m->sim, 0, "out of memory");
    for (struct ptx_function *p = m->ptx->functions; p; p = p->next)
        m->functions[m->function_count++].ptx = p;
    for (uint32_t i = 0; i < n; i++)
        if (m->functions[i].ptx->is_entry && m->functions[i].ptx->has_body) {
            m->kernel_function[m->kernel_count] = i;
            if (show_params(m, &m->kernels[m->kernel_count++], &m->functions[i]) < 0)
                return -1;
        }
    return 0;
}

static int build(struct sim_module *m, const char *ptx, size_t length)
{
    m->ptx = ptx_parse(&m->sim->allocator, ptx, length, &m->sim->err);
    if (!m->ptx || place_all(m) < 0 || make_functions(m) < 0 || show_variables(m) < 0)
        return -1;
    for (uint32_t i = 0; i < m->function_count; i++)
        if (decode_places(m, i) < 0)
            return -1;
    for (uint32_t i = 0; i < m->function_count; i++)
        if (m->functions[i].ptx->has_body && decode_function(m, i) < 0)
            return -1;
    for (size_t i = 0; i < m->kernel_count; i++)
        show_needs(m, &m->kernels[i], &m->functions[m->kernel_function[i]]);
    return 0;
}

struct sim_module *sim_module_load(struct sim *s, const char *path, const char *ptx, size_t length)
{
    struct sim_module *m = mem_get(&s->allocator, sizeof *m);
    s->err.text[0] = 0;
    s->err.line = 0;
    if (!m) {
        sim_fail(s, 0, "out of memory");
        return NULL;
    }
    m->sim = s;
    arena_init(&m->arena, &s->allocator);
    m->next = s->modules;
    s->modules = m;
    m->path = arena_text(&m->arena, path, strlen(path));
    if (!m->path || build(m, ptx, length) < 0) {
        sim_module_unload(s, m);
        if (!s->err.text[0])
            sim_fail(s, 0, "out of memory");
        return NULL;
    }
    return m;
}

void sim_module_unload(struct sim *s, struct sim_module *m)
{
    for (struct sim_module **at = &s->modules; *at; at = &(*at)->next)
        if (*at == m) {
            *at = m->next;
            break;
        }
    for (struct ptx_variable *v = m->ptx ? m->ptx->variables : NULL; v; v = v->next) {
        uint32_t hint = 0;
        struct allocation *a = has_memory(v) && v->place ? memory_find(s, v->place, &hint) : NULL;
        if (!a && has_memory(v) && v->place) /* of no bytes */
            a = memory_near(s, v->place);
        if (a && a->module_owned && a->address == v->place)
            memory_drop(s, a);
    }
    if (m->ptx)
        ptx_free(m->ptx);
    arena_free(&m->arena);
    mem_put(&s->allocator, m, sizeof *m);
}

size_t sim_kernel_count(const struct sim_module *m)
{
    return m->kernel_count;
}

const struct sim_kernel *sim_kernel_at(const struct sim_module *m, size_t i)
{
    return i < m->kernel_count ? &m->kernels[i] : NULL;
}

const struct sim_kernel *sim_kernel_find(const struct sim_module *m, const char *name)
{
    for (size_t i = 0; i < m->kernel_count; i++)
        if (strcmp(m->kernels[i].name, name) == 0)
            return &m->kernels[i];
    return NULL;
}

size_t sim_variable_count(const struct sim_module *m)
{
    return m->variable_count;
}

const struct sim_variable *sim_variable_at(const struct sim_module *m, size_t i)
{
    return i < m->variable_count ? &m->variables[i] : NULL;
}
