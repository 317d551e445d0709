/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a PTX tree to a module that can be launched from: variables get memory, functions are
 * decoded, and each kernel learns what everything it can reach needs.
 */
#include "sim/decode.h"

#include <string.h>

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

static const struct ptx_variable *variable_named(const struct ptx_variable *v, const char *name)
{
    while (v && strcmp(v->name, name) != 0)
        v = v->next;
    return v;
}

uint64_t module_point(struct sim_module *m, uint32_t number)
{
    m->functions[number].pointed = true;
    return CODE_WINDOW + number * CODE_STEP;
}

/* The address of a variable or function that this variable's initial value names. */
static int symbol_address(struct sim_module *m, const struct ptx_variable *of, const char *name,
                          uint64_t *address)
{
    const struct ptx_variable *v = of->in ? variable_named(of->in->variables, name) : NULL;
    v = v ? v : variable_named(m->ptx->variables, name);
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
            if (symbol_address(m, v, from->symbol, &address) < 0)
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

/* The next variable with memory, of the module and then of its functions; the first after NULL.
 * An alias shares the variables of the function that it means. */
static struct ptx_variable *next_placed(const struct sim_module *m, struct ptx_variable *v)
{
    struct ptx_function *f = v && v->in ? v->in->next : m->ptx->functions;
    v = v ? v->next : m->ptx->variables;
    while ((v && !has_memory(v)) || (!v && f)) {
        if (v) {
            v = v->next;
        } else {
            v = f->variables && f->variables->in == f ? f->variables : NULL;
            f = f->next;
        }
    }
    return v;
}

static int place_all(struct sim_module *m)
{
    for (struct ptx_variable *v = NULL; (v = next_placed(m, v));) {
        struct allocation *a;
        if (memory_get(m->sim, variable_size(v), v->align < 256 ? 256 : v->align, v->name, &a) < 0)
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
    for (struct ptx_variable *v = NULL; (v = next_placed(m, v));) {
        uint32_t hint = 0;
        struct allocation *a = memory_find(m->sim, v->place, &hint);
        if (a && fill(m, a, v) < 0)
            return -1;
        m->variables[i++] =
            (struct sim_variable){.name = v->name,
                                  .space = v->space == PTX_CONST ? SIM_CONST : SIM_GLOBAL,
                                  .type = (enum sim_type)v->type,
                                  .address = v->place,
                                  .size = variable_size(v),
                                  .hidden = v->in || hidden_name(v->name)};
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

/* Every use of a shared variable by a reached function; used, e.g., as FOR_SHARED_USES(m, u). */
#define FOR_SHARED_USES(m, u)                                                                     \
    for (uint32_t i_ = 0; i_ < (m)->function_count; i_++)                                         \
        for (uint32_t k_ = 0; (m)->functions[i_].reached && k_ < (m)->functions[i_].shared_count; \
             k_++)                                                                                \
            for (struct shared_use *u = &(m)->functions[i_].shared[k_]; u; u = NULL)

/*
 * The shared memory of the kernel that module_reach() was asked for: variables of fixed size
 * in order of first use, then the dynamic part, where every extern [] one starts.
 */
size_t module_shared(struct sim_module *m, size_t *dynamic_at)
{
    uint64_t bytes = 0, align = 16;
    FOR_SHARED_USES(m, u)
    u->var->place = UINT64_MAX;
    FOR_SHARED_USES(m, u)
    {
        struct ptx_variable *v = u->var;
        if (v->open && variable_align(v) > align)
            align = variable_align(v);
        if (!v->open && v->place == UINT64_MAX)
            v->place = layout_take(&bytes, variable_size(v), variable_align(v));
    }
    uint64_t end = bytes;
    *dynamic_at = (size_t)layout_take(&end, 0, align);
    return (size_t)bytes;
}

/* The shared variable that a byte of shared memory lies in, or lies behind: for messages. */
const struct ptx_variable *module_shared_at(struct sim_module *m, uint64_t address,
                                            size_t dynamic_at)
{
    const struct ptx_variable *best = NULL;
    uint64_t best_place = 0;
    FOR_SHARED_USES(m, u)
    {
        uint64_t place = u->var->open ? dynamic_at : u->var->place;
        if (place <= address && (!best || place >= best_place)) {
            best = u->var;
            best_place = place;
        }
    }
    return best;
}

const struct ptx_variable *module_shared_holds(struct sim_module *m, uint64_t address,
                                               uint64_t *start)
{
    size_t dynamic_at;
    module_shared(m, &dynamic_at);
    const struct ptx_variable *v = module_shared_at(m, address, dynamic_at);
    *start = !v ? 0 : v->open ? dynamic_at : v->place;
    return v && (v->open || address - *start < variable_size(v)) ? v : NULL;
}

/* The constants that hold addresses of shared variables, as module_shared() placed them. */
void module_set_shared(struct sim_module *m, size_t dynamic_at)
{
    FOR_SHARED_USES(m, u)
    {
        uint64_t address = (u->var->open ? dynamic_at : u->var->place) + (uint64_t)u->offset;
        for (unsigned lane = 0; lane < LANES; lane++)
            memcpy(m->functions[i_].constants + u->constant + lane * u->bytes, &address, u->bytes);
    }
}

/* Parameters up to the first that is too much: that one closes the kernel. */
static int show_params(struct sim_module *m, struct sim_kernel *k, struct function *f)
{
    enum { MOST_PARAM_BYTES = 1 << 16 };
    struct sim_param *p = arena_get(&m->arena, (f->ptx->param_count + 1) * sizeof *p);
    uint64_t bytes = 0;
    unsigned i = 0;
    if (!p)
        return sim_fail(m->sim, 0, "out of memory");
    for (struct ptx_variable *v = f->ptx->params; v; v = v->next) {
        v->place = layout_take(&bytes, variable_size(v), variable_align(v));
        if (bytes > MOST_PARAM_BYTES || v->space != PTX_PARAM || v->range) {
            f->closed = bytes > MOST_PARAM_BYTES ? "its parameters take more than 65536 bytes"
                                                 : "unsupported: a parameter outside .param";
            f->closed_line = v->line;
            break;
        }
        p[i++] = (struct sim_param){.name = v->name,
                                    .type = (enum sim_type)v->type,
                                    .offset = (unsigned)v->place,
                                    .size = (unsigned)variable_size(v),
                                    .align = (unsigned)variable_align(v),
                                    .is_array = v->is_array};
        f->params_bytes = (uint32_t)bytes;
    }
    k->params = p;
    k->param_count = i;
    k->param_bytes = f->params_bytes;
    return 0;
}

static unsigned count_registers(const struct function *f)
{
    uint64_t n = 0;
    for (const struct ptx_variable *v = f->ptx->variables; v; v = v->next)
        if (v->space == PTX_REG && v->type != PTX_PRED) {
            unsigned words = (ptx_type_size(v->type) + 3) / 4;
            /* %r<17> is used from %r1 on */
            n += (uint64_t)words * v->vector * (v->range ? v->range - 1 : 1);
        }
    return n < UINT32_MAX ? (unsigned)n : UINT32_MAX;
}

static void show_needs(struct sim_module *m, struct sim_kernel *k, struct function *f)
{
    size_t dynamic_at;
    module_reach(m, f);
    k->static_shared = module_shared(m, &dynamic_at);
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
    for (struct ptx_variable *v = NULL; m->ptx && (v = next_placed(m, v));) {
        uint32_t hint = 0;
        struct allocation *a = v->place ? memory_find(s, v->place, &hint) : NULL;
        if (!a && v->place) /* of no bytes */
            a = memory_near(s, v->place);
        if (a && a->module_owned && a->address == v->place)
            memory_drop(s, a);
    }
    heap_forget(s, m);
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
