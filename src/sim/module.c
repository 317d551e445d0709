/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a PTX tree to a module that can be launched from: variables get memory, functions are
 * decoded, and each kernel learns what everything it can reach (reach.c) needs. Each step takes
 * time in proportion to the text, and asks now and then whether to go on.
 */
#include "sim/decode/decode.h"

#include "cxx/name.h"

#include <string.h>

enum { MOST_CODE_OF_ALL = 1 << 26 };

int module_goes_on(struct sim_module *m, uint64_t work)
{
    enum { OFTEN = 1 << 12 }; /* instructions, names and the like, each a microsecond or so */
    m->work += work;
    if (m->work < OFTEN)
        return 0;
    m->work = 0;
    return go_on(&m->sim->go_on, &m->sim->err);
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
    v = v ? v : ptx_variable_named(m->ptx, name);
    int64_t number = v ? -1 : module_function(m, name);
    if (!v && number < 0)
        return -1;
    *address = v ? v->place : module_point(m, (uint32_t)number);
    return 0;
}

static int set_initial_value(struct sim_module *m, struct allocation *a, const struct ptx_variable *v)
{
    unsigned size = ptx_type_size(v->type);
    for (uint64_t i = 0; i < v->init_count && (i + 1) * size <= a->size; i++) {
        const struct ptx_init *from = &v->init[i];
        uint64_t bits = (uint64_t)from->offset;
        if (from->symbol) {
            uint64_t address;
            if (module_goes_on(m, 1) < 0)
                return -1;
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

/* Faults name memory by this: ns::table, where the PTX has _ZN2ns5tableE. */
static int place_variable(struct sim_module *m, const struct ptx_variable *v,
                          struct allocation **a)
{
    struct arena scratch = {.from = &m->sim->allocator};
    const char *readable = cxx_variable(v->name, &scratch);
    const uint64_t align = v->align < 256 ? 256 : v->align;
    const char *name = readable ? readable : v->name;
    struct sim *s = m->sim;
    uint64_t address;
    void *host;
    int rc = -1;
    enum sim_place_answer answer = SIM_PLACE_OWN;
    if (s->place_variable && v->space != PTX_CONST)
        answer = s->place_variable(s->place_ctx, v->name, v->is_managed, variable_size(v),
                                   &address, &host);
    switch (answer) {
    case SIM_PLACE_OWN:
        rc = memory_allocate(s, &s->arrays, variable_size(v), align, name, a);
        break;
    case SIM_PLACED:
        rc = memory_allocate_at(s, address, variable_size(v), name, host, a);
        break;
    case SIM_NO_PLACE:
        rc = sim_fail(s, v->line, "there is no room for the variable %s", name);
        break;
    }
    arena_free(&scratch);
    return rc;
}

static int place_all(struct sim_module *m)
{
    for (struct ptx_variable *v = NULL; (v = next_placed(m, v));) {
        struct allocation *a;
        if (module_goes_on(m, 1) < 0 || place_variable(m, v, &a) < 0)
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
    m->variables = arena_alloc(&m->arena, (m->variable_count + 1) * sizeof *m->variables);
    if (!m->variables)
        return sim_fail(m->sim, 0, "out of memory");
    for (struct ptx_variable *v = NULL; (v = next_placed(m, v));) {
        uint32_t hint = 0;
        struct allocation *a = memory_find(m->sim, v->place, &hint);
        if (a && set_initial_value(m, a, v) < 0)
            return -1;
        m->variables[i++] = (struct sim_variable){
            .name = v->name, .space = v->space == PTX_CONST ? SIM_CONST : SIM_GLOBAL,
            .type = (enum sim_type)v->type, .address = v->place, .size = variable_size(v),
            .hidden = v->in || hidden_name(v->name)};
    }
    return 0;
}

/* ---- kernels ------------------------------------------------------------------------- */

int64_t module_function(const struct sim_module *m, const char *name)
{
    const struct ptx_function *f = ptx_function_named(m->ptx, name);
    return f ? (int64_t)f->number : -1;
}

int module_reserve(struct sim_module *m, uint32_t more)
{
    if (m->count + (uint64_t)more <= m->capacity)
        return 0;
    uint64_t wider = m->capacity ? m->capacity : 1024, count = m->count + (uint64_t)more;
    if (count > MOST_CODE_OF_ALL)
        return sim_fail(m->sim, 0, "this comes to more than %d instructions", MOST_CODE_OF_ALL);
    while (wider < count)
        wider *= 2;
    struct insn *code = arena_alloc(&m->arena, wider * sizeof *code);
    struct sim_instruction *shown = arena_alloc(&m->arena, wider * sizeof *shown);
    if (!code || !shown)
        return sim_fail(m->sim, 0, "out of memory");
    if (m->count) {
        memcpy(code, m->code, m->count * sizeof *code);
        memcpy(shown, m->shown, m->count * sizeof *shown);
    }
    m->code = code;
    m->shown = shown;
    m->capacity = (uint32_t)wider;
    return 0;
}

/* Parameters up to the first that is too much: that one closes the kernel. */
static int show_params(struct sim_module *m, struct sim_kernel *k, struct function *f)
{
    enum { MOST_PARAM_BYTES = 1 << 16, MOST_PARAMS = 1 << 16 };
    struct sim_param *p = arena_alloc(&m->arena, (f->ptx->param_count + 1) * sizeof *p);
    uint64_t bytes = 0;
    unsigned i = 0;
    if (!p)
        return sim_fail(m->sim, 0, "out of memory");
    for (struct ptx_variable *v = f->ptx->params; v; v = v->next) {
        v->place = layout_take(&bytes, variable_size(v), variable_align(v));
        bool full = bytes > MOST_PARAM_BYTES || i == MOST_PARAMS;
        if (full || v->space != PTX_PARAM || v->range) {
            f->closed = full ? "its parameters take more than 65536 bytes"
                             : "unsupported: a parameter outside .param";
            f->closed_line = v->line;
            f->lacks = !full;
            break;
        }
        p[i++] = (struct sim_param){
            .name = v->name, .type = (enum sim_type)v->type, .offset = (unsigned)v->place,
            .size = (unsigned)variable_size(v), .align = (unsigned)variable_align(v),
            .is_array = v->is_array};
        f->params_bytes = (uint32_t)bytes;
    }
    k->params = p;
    k->param_count = i;
    k->param_bytes = f->params_bytes;
    return 0;
}

static void show_needs(struct sim_module *m, struct sim_kernel *k, struct function *f)
{
    module_reach(m, f, false);
    k->static_shared = shared_measure(m).fixed;
    for (uint32_t i = 0; i < m->reached_count; i++) {
        struct function *g = &m->functions[m->reached[i]];
        if (g->closed && !k->closed && g->reached == REACHED) {
            k->closed = g->closed;
            k->closed_line = g->closed_line;
            k->closed_file = g->closed_file;
            k->closed_source_line = g->closed_source_line;
            k->lacks = g->lacks;
        }
        if (g->undefined && !k->undefined && g->reached == REACHED)
            k->undefined = g->undefined;
        if (g->capability > k->needs_capability && g->reached == REACHED) {
            k->needs_capability = g->capability;
            k->needs_what = g->capability_what;
        }
        k->cooperative |= g->grid_sync;
        k->reads_clock |= g->reads_clock;
        k->needs_clock |= g->needs_clock;
    }
    memcpy(k->cluster, f->ptx->cluster, sizeof k->cluster);
    if ((k->cluster[0] || f->ptx->explicit_cluster) && k->needs_capability <= 90) {
        k->needs_capability = 90;
        k->needs_what = "a cluster of blocks";
    }
    if (f->ptx->blocks_are_clusters && !k->closed) {
        k->closed = "unsupported: a grid that is counted in clusters (.blocksareclusters)";
        k->closed_line = f->ptx->line;
        k->lacks = true;
    }
    k->needs_cluster = f->ptx->explicit_cluster && !k->cluster[0];
    k->name = f->ptx->name;
    k->local_bytes = f->local_bytes;
    k->line = f->ptx->code_count ? f->ptx->code[0].ptx_line : f->ptx->line;
}

static int make_functions(struct sim_module *m)
{
    uint32_t n = 0;
    for (struct ptx_function *p = m->ptx->functions; p; p = p->next)
        n++;
    m->functions = arena_alloc(&m->arena, (n + 1) * sizeof *m->functions);
    m->kernels = arena_alloc(&m->arena, (n + 1) * sizeof *m->kernels);
    m->kernel_function = arena_alloc(&m->arena, (n + 1) * sizeof *m->kernel_function);
    if (!m->functions || !m->kernels || !m->kernel_function)
        return sim_fail(m->sim, 0, "out of memory");
    for (struct ptx_function *p = m->ptx->functions; p; p = p->next)
        m->functions[m->function_count++].ptx = p;
    for (uint32_t i = 0; i < n; i++)
        if (m->functions[i].ptx->is_entry && m->functions[i].ptx->has_body) {
            m->kernel_function[m->kernel_count] = i;
            m->functions[i].kernel = (uint32_t)m->kernel_count;
            if (show_params(m, &m->kernels[m->kernel_count++], &m->functions[i]) < 0)
                return -1;
        }
    return 0;
}

/* The text may be parsed twice: the second time it is longer. */
static int parse(struct sim_module *m, const char *ptx, size_t length)
{
    if (m->ptx)
        ptx_free(m->ptx);
    m->ptx = ptx_parse(&m->sim->allocator, ptx, length, &m->sim->go_on, &m->sim->err);
    return m->ptx ? 0 : -1;
}

/* Puts what the device runtime has behind the text, if it calls for that. Kernels come last. */
static int add_runtime(struct sim_module *m, const char *ptx, size_t length, bool *added)
{
    const char *kernels = runtime_kernels_text(m->ptx);
    const char *functions = runtime_functions_text(m->ptx);
    *added = kernels != NULL;
    if (!kernels && !functions)
        return 0;
    kernels = kernels ? kernels : "";
    functions = functions ? functions : "";
    while (length && ptx[length - 1] == '\0')
        length--;
    const size_t first = strlen(functions), second = strlen(kernels);
    char *all = arena_alloc(&m->arena, length + first + second + 1);
    if (!all)
        return sim_fail(m->sim, 0, "out of memory");
    memcpy(all, ptx, length);
    memcpy(all + length, functions, first);
    memcpy(all + length + first, kernels, second + 1);
    return parse(m, all, length + first + second);
}

/* The last kernels are the runtime's, and no longer in the list of the module's. */
static void take_runtime(struct sim_module *m)
{
    m->kernel_count -= RUNTIME_KERNELS;
    m->runtime_kernels = m->kernels + m->kernel_count;
    for (int i = 0; i < RUNTIME_KERNELS; i++)
        m->runtime_kernels[i].name = runtime_name((enum runtime_kernel)i);
}

static int build(struct sim_module *m, const char *ptx, size_t length)
{
    bool runtime = false;
    if (parse(m, ptx, length) < 0 || add_runtime(m, ptx, length, &runtime) < 0 ||
        place_all(m) < 0 || make_functions(m) < 0 || show_variables(m) < 0 ||
        decode_files(m) < 0 || decode_variadic(m) < 0)
        return -1;
    for (uint32_t i = 0; i < m->function_count; i++)
        if (module_goes_on(m, 1) < 0 || decode_places(m, i) < 0)
            return -1;
    for (uint32_t i = 0; i < m->function_count; i++)
        if (m->functions[i].ptx->has_body && decode_function(m, i) < 0)
            return -1;
    if (reach_prepare(m) < 0)
        return -1;
    for (size_t i = 0; i < m->kernel_count; i++) {
        show_needs(m, &m->kernels[i], &m->functions[m->kernel_function[i]]);
        if (module_goes_on(m, m->reached_count + m->placed_count) < 0)
            return -1;
    }
    if (runtime)
        take_runtime(m);
    return 0;
}

struct sim_module *sim_module_load(struct sim *s, const char *path, const char *ptx, size_t length)
{
    struct sim_module *m = mem_alloc(&s->allocator, sizeof *m);
    s->err.text[0] = 0;
    s->err.line = 0;
    if (!m) {
        sim_fail(s, 0, "out of memory");
        return NULL;
    }
    m->sim = s;
    m->arena.from = &s->allocator;
    m->next = s->modules;
    s->modules = m;
    m->path = arena_text(&m->arena, path, strlen(path));
    if (!m->path || build(m, ptx, length) < 0) {
        module_free(m);
        if (!s->err.text[0])
            sim_fail(s, 0, "out of memory");
        return NULL;
    }
    return m;
}

void module_free(struct sim_module *m)
{
    struct sim *s = m->sim;
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
            memory_drop_later(s, a);
    }
    memory_drop_now(s);
    heap_forget(s, m);
    if (m->ptx)
        ptx_free(m->ptx);
    arena_free(&m->arena);
    mem_free(&s->allocator, m, sizeof *m);
}

int sim_module_unload(struct sim *s, struct sim_module *m)
{
    if (sim_not_running(s, "a module is unloaded") != 0)
        return -1;
    module_free(m);
    return 0;
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
    const struct ptx_function *f = ptx_function_named(m->ptx, name);
    return f && f->is_entry && f->has_body ? &m->kernels[m->functions[f->number].kernel] : NULL;
}

size_t sim_variable_count(const struct sim_module *m)
{
    return m->variable_count;
}

const struct sim_variable *sim_variable_at(const struct sim_module *m, size_t i)
{
    return i < m->variable_count ? &m->variables[i] : NULL;
}
