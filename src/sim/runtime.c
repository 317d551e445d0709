/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CUDA's device runtime: what device code calls to launch child grids, and to learn of its errors.
 *
 * A launch has two calls. The first one gives a buffer for the parameters, and checks the sizes. The
 * code then writes the parameters there. The second call names the buffer and the stream. A launch
 * that fails leaves an error code for its thread, as on a GPU, and the kernel goes on.
 *
 * A copy and a fill of memory are child grids as well, of the kernels in runtime-ptx.c. So they keep
 * their place in their stream, and checkers see each byte.
 */
#include "sim/reach.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TEXT_OF_(number) #number
#define TEXT_OF(number)  TEXT_OF_(number)

enum { NON_BLOCKING = 1 };

/* Error codes of CUDA, with the words that cudaGetErrorString has for them. */
enum {
    SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_CONFIGURATION = 9, TOO_DEEP = 65,
    TOO_MANY_PENDING = 69, NO_KERNEL = 98, NO_HANDLE = 400
};
static const struct error_text {
    uint32_t code;
    const char *name, *text;
} error_texts[] = {
    {SUCCESS, "cudaSuccess", "no error"},
    {INVALID_VALUE, "cudaErrorInvalidValue", "invalid argument"},
    {OUT_OF_MEMORY, "cudaErrorMemoryAllocation", "out of memory"},
    {INVALID_CONFIGURATION, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {TOO_DEEP, "cudaErrorLaunchMaxDepthExceeded",
     "launch would exceed maximum depth of nested launches"},
    {TOO_MANY_PENDING, "cudaErrorLaunchPendingCountExceeded",
     "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
    {NO_KERNEL, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {NO_HANDLE, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {UINT32_MAX, "unrecognized error code", "unrecognized error code"}};
enum { ERROR_TEXTS = sizeof error_texts / sizeof *error_texts };

/* A call by one lane. */
struct lane_call {
    struct warp *w;
    const struct call *c;
    unsigned lane;
};

static uint64_t value(const struct lane_call *k, unsigned i)
{
    return call_value(k->w, k->c, k->lane, i);
}

/* ---- errors -------------------------------------------------------------------------- */

static const struct error_text *error_text(uint64_t code)
{
    unsigned i = 0;
    while (i + 1 < ERROR_TEXTS && error_texts[i].code != code)
        i++;
    return &error_texts[i];
}

/* Keeps an error for the thread. A success leaves the last error as it is. */
static uint64_t note(const struct lane_call *k, uint32_t code)
{
    struct warp *w = k->w;
    if (code == SUCCESS)
        return code;
    if (!w->errors)
        w->errors = arena_alloc(&w->block->frames, LANES * sizeof *w->errors);
    if (w->errors)
        w->errors[k->lane] = code;
    else
        run_out_of_memory(w->launch);
    return code;
}

static uint64_t peek_error(const struct lane_call *k)
{
    return k->w->errors ? k->w->errors[k->lane] : SUCCESS;
}

static uint64_t take_error(const struct lane_call *k)
{
    const uint64_t code = peek_error(k);
    if (code)
        k->w->errors[k->lane] = SUCCESS;
    return code;
}

static bool is_own_file(const struct sim_module *m, const char *file)
{
    unsigned i = 1;
    while (i < m->ptx->file_count && m->ptx->files[i] != file)
        i++;
    return i < m->ptx->file_count && m->own_files[i];
}

/* The call in the student's code. A header of the compiler may have a function around the launch:
 * then it is the place where that function was called. */
static const struct sim_instruction *place_of(const struct lane_call *k)
{
    const struct sim_module *m = k->w->launch->module;
    const struct sim_instruction *inner = &m->shown[k->w->pc - 1], *at = inner;
    for (const struct frame *f = k->w->now->frame; !is_own_file(m, at->file); f = f->parent) {
        if (!f->parent)
            return inner;
        at = &m->shown[(f->others >> k->lane & 1 ? f->other[k->lane] : f->back).pc - 1];
    }
    return at;
}

/* A launch is refused; `why` says it for the screen. */
static void refuse(const struct lane_call *k, uint32_t code, const char *why)
{
    struct sim_run *r = k->w->launch;
    note(k, code);
    if (r->refused++)
        return;
    const struct sim_instruction *at = place_of(k);
    snprintf(r->why_refused, sizeof r->why_refused, "%s", why);
    r->first_refused = (struct sim_children){.error = error_text(code)->name,
                                             .why = r->why_refused, .file = at->file,
                                             .line = at->line};
}

struct sim_children sim_children(const struct sim_run *r)
{
    struct sim_children c = r->first_refused;
    c.grids = r->child_grids;
    c.kernels = sim_kernel_at(r->module, 0);
    c.of_kernel = r->child_kernels;
    c.kernel_count = r->child_kernels ? sim_kernel_count(r->module) : 0;
    c.refused = r->refused;
    return c;
}

/* The texts lie in memory of the device as long as the launch runs, names and sentences in turn. */
static uint64_t text_address(const struct lane_call *k, bool sentence)
{
    enum { ROOM = 128 };
    struct sim_run *r = k->w->launch;
    if (!r->error_texts) {
        struct allocation *a;
        if (memory_allocate(r->sim, &r->sim->arrays, ERROR_TEXTS * 2 * ROOM, 256,
                            "the texts of errors", &a) < 0) {
            run_out_of_memory(r);
            return 0;
        }
        a->module_owned = a->constant = true;
        for (unsigned n = 0; n < ERROR_TEXTS; n++) {
            char *at = (char *)a->host + (size_t)n * 2 * ROOM;
            snprintf(at, ROOM, "%s", error_texts[n].name);
            snprintf(at + ROOM, ROOM, "%s", error_texts[n].text);
        }
        r->error_texts = a->address;
    }
    const size_t i = (size_t)(error_text(value(k, 0)) - error_texts);
    return r->error_texts + i * 2 * ROOM + (sentence ? ROOM : 0);
}

static uint64_t error_string(const struct lane_call *k)
{
    return text_address(k, true);
}

static uint64_t error_name(const struct lane_call *k)
{
    return text_address(k, false);
}

/* ---- values -------------------------------------------------------------------------- */

/* Writes a value to where argument 0 points. */
static uint64_t give(const struct lane_call *k, const void *from, unsigned bytes)
{
    struct warp *w = k->w;
    const uint64_t address = value(k, 0);
    uint64_t left = 0;
    uint32_t hint = UINT32_MAX;
    unsigned char *to = reach_generic(w, k->lane, address, &left);
    struct allocation *a = to ? memory_find(w->launch->sim, address, &hint) : NULL;
    if (!to || left < bytes || (a && a->constant))
        return note(k, INVALID_VALUE);
    if (a && !reach_save_span(w, a, address, address + bytes))
        return OUT_OF_MEMORY;
    memcpy(to, from, bytes);
    return SUCCESS;
}

static uint64_t give_int(const struct lane_call *k, int v)
{
    return give(k, &v, sizeof v);
}

static uint64_t get_device(const struct lane_call *k)
{
    return give_int(k, 0);
}

static uint64_t get_device_count(const struct lane_call *k)
{
    return give_int(k, 1);
}

/* By the numbers of enum cudaDeviceAttr. */
static uint64_t get_attribute(const struct lane_call *k)
{
    const struct sim_limits *l = &k->w->launch->sim->limits;
    switch (value(k, 1)) {
    case 1: return give_int(k, (int)l->max_threads_per_block);
    case 2:
    case 3:
    case 4: return give_int(k, (int)l->max_block[value(k, 1) - 2]);
    case 5:
    case 6:
    case 7: return give_int(k, (int)l->max_grid[value(k, 1) - 5]);
    case 8: return give_int(k, (int)l->shared_per_block);
    case 9: return give_int(k, (int)l->constant_bytes);
    case 10: return give_int(k, LANES);
    case 16: return give_int(k, (int)l->multiprocessors);
    case 39: return give_int(k, (int)l->max_threads_per_sm);
    case 75: return give_int(k, l->capability / 10);
    case 76: return give_int(k, l->capability % 10);
    case 81: return give_int(k, (int)l->shared_per_sm);
    case 97: return give_int(k, (int)l->shared_per_block_optin);
    default: return note(k, INVALID_VALUE);
    }
}

/* By the numbers of enum cudaLimit. */
static uint64_t get_limit(const struct lane_call *k)
{
    const struct sim_limits *l = &k->w->launch->sim->limits;
    const uint64_t limits[] = {l->local_per_thread, l->printf_bytes,
                               heap_room(k->w->launch->sim), DEEPEST_GRID, MOST_PENDING};
    const uint64_t which = value(k, 1);
    if (which >= sizeof limits / sizeof *limits)
        return note(k, INVALID_VALUE);
    return give(k, &limits[which], sizeof *limits);
}

/* ---- streams and events -------------------------------------------------------------- */

static uint64_t create_handle(const struct lane_call *k)
{
    const uint64_t handle = STREAMS_MADE + k->w->launch->streams++;
    return give(k, &handle, sizeof handle);
}

static uint64_t create_stream(const struct lane_call *k)
{
    return value(k, 1) == NON_BLOCKING ? create_handle(k) : note(k, INVALID_VALUE);
}

/* A stream is for the grid that made it. */
static bool is_own(const struct sim_run *r, uint64_t handle)
{
    return handle - STREAMS_MADE >= r->grid->streams && handle - STREAMS_MADE < r->streams;
}

static uint64_t use_stream(const struct lane_call *k)
{
    return is_own(k->w->launch, value(k, 0)) ? SUCCESS : note(k, NO_HANDLE);
}

static uint64_t create_event(const struct lane_call *k)
{
    return create_handle(k);
}

static uint64_t use_event(const struct lane_call *k)
{
    return use_stream(k);
}

/* A stream waits for what was launched before it. So the order of the launches is one that obeys
 * all events. */
static uint64_t wait_event(const struct lane_call *k)
{
    k->w->launch->grid->in_order = true;
    return is_own(k->w->launch, value(k, 1)) ? SUCCESS : note(k, NO_HANDLE);
}

/* The stream of a launch, as a number that only launches of the same stream share. False: there is
 * no such stream. */
static bool find_stream(const struct lane_call *k, struct run_grid *g, uint64_t handle)
{
    enum { SHIFT = 60 };
    const struct warp *w = k->w;
    const uint64_t thread = w->block->index * w->launch->threads + w->index * LANES + k->lane;
    switch (handle) {
    case STREAM_NULL:
    case STREAM_LEGACY: g->stream = UINT64_C(1) << SHIFT | w->block->index; return true;
    case STREAM_PER_THREAD: g->stream = UINT64_C(2) << SHIFT | thread; return true;
    case STREAM_FIRE_AND_FORGET: g->stream = UINT64_C(3) << SHIFT | w->launch->child_grids;
        return true;
    case STREAM_TAIL: return true;
    default: g->stream = handle; return is_own(w->launch, handle);
    }
}

/* ---- launches ------------------------------------------------------------------------ */

static const struct sim_kernel *kernel_at(const struct sim_module *m, uint64_t address)
{
    const uint64_t number = (address - CODE_WINDOW) / CODE_STEP;
    const struct function *f = number < m->function_count ? &m->functions[number] : NULL;
    return f && address % CODE_STEP == 0 && f->ptx->is_entry && f->ptx->has_body
               ? &m->kernels[f->kernel]
               : NULL;
}

/* Would a device refuse the launch? What only the simulator can't do ends the whole launch. */
static bool is_refused(const struct lane_call *k, const struct run_grid *g)
{
    struct sim_run *r = k->w->launch;
    struct sim_launch l = {.kernel = g->kernel, .shared_bytes = g->shared_bytes};
    struct sim_fault why;
    memcpy(l.grid, g->size, sizeof l.grid);
    memcpy(l.block, g->block, sizeof l.block);
    if (g->depth > DEEPEST_GRID)
        refuse(k, TOO_DEEP, "more than " TEXT_OF(DEEPEST_GRID) " child grids would be nested");
    else if (!launch_refused(r->sim, &l, &why))
        return false;
    else if (why.kind == SIM_UNSUPPORTED) {
        struct sim_fault *f = run_fault(k->w, SIM_UNSUPPORTED, k->lane,
                                        "the child kernel %s can't run: %s", g->kernel->name,
                                        why.message);
        if (f)
            f->cure = why.cure;
    } else
        refuse(k, INVALID_CONFIGURATION, why.message);
    return true;
}

static int make_params(const struct lane_call *k, struct run_grid *g)
{
    g->params = mem_alloc(&k->w->launch->sim->allocator,
                          g->kernel->param_bytes + GRID_PARAMS_EXTRA);
    return g->params ? 0 : -1;
}

static int make_buffer(const struct lane_call *k, struct run_grid *g)
{
    struct sim_run *r = k->w->launch;
    const uint64_t bytes = g->kernel->param_bytes ? g->kernel->param_bytes : 1;
    struct allocation *a;
    if (memory_allocate_small(r->sim, bytes, 64, "the parameters of a child grid", &a) < 0)
        return -1;
    a->heap = true; /* it need not be restored */
    g->buffer = a->address;
    return make_params(k, g);
}

/* A grid of that kernel; its sizes are still to be filled in. NULL: it can't wait for its start. */
static struct run_grid *prepare(const struct lane_call *k, const struct sim_kernel *kernel)
{
    struct sim_run *r = k->w->launch;
    if (r->pending >= MOST_PENDING) {
        refuse(k, TOO_MANY_PENDING, TEXT_OF(MOST_PENDING) " child grids wait already");
        return NULL;
    }
    struct run_grid *g = child_prepare(r);
    if (g)
        g->kernel = kernel;
    else
        run_out_of_memory(r);
    return g;
}

/* cudaGetParameterBufferV2(kernel, grid, block, shared bytes): 0 where the launch is refused. */
static uint64_t take_buffer(const struct lane_call *k)
{
    struct sim_run *r = k->w->launch;
    const struct sim_kernel *kernel = kernel_at(r->module, value(k, 0));
    if (!kernel) {
        refuse(k, NO_KERNEL, "this kernel has no code in what was loaded");
        return 0;
    }
    struct run_grid *g = prepare(k, kernel);
    if (!g)
        return 0;
    call_read(k->w, k->c, k->lane, 1, g->size, sizeof g->size);
    call_read(k->w, k->c, k->lane, 2, g->block, sizeof g->block);
    g->shared_bytes = (uint32_t)value(k, 3);
    if (!is_refused(k, g)) {
        if (make_buffer(k, g) == 0)
            return g->buffer;
        run_out_of_memory(r);
    }
    child_drop(r, g);
    return 0;
}

/* A pointer to memory that only the parent can reach is a fault, though a GPU does not see it before
 * the child uses it. */
static bool points_at_own_memory(const struct lane_call *k, const struct run_grid *g)
{
    for (unsigned at = 0; at + 8 <= g->kernel->param_bytes; at += 8) {
        uint64_t v;
        memcpy(&v, g->params + at, sizeof v);
        const enum sim_space space = reach_space(k->w, v);
        const bool shared = space == SIM_SHARED || space == SIM_CLUSTER;
        if (!shared && space != SIM_LOCAL)
            continue;
        struct sim_fault *f = run_fault(
            k->w, SIM_OUT_OF_BOUNDS, k->lane,
            "the child kernel %s gets a pointer to %s memory, which only its parent%s can reach", g->kernel->name, shared ? "shared" : "local",
            shared ? "'s block" : " thread");
        if (f)
            f->cure = SIM_CURE_CHILD_POINTER;
        return true;
    }
    return false;
}

/* A grid that has its parameters takes its place in a stream. */
static uint64_t queue(const struct lane_call *k, struct run_grid *g, uint64_t handle)
{
    struct sim_run *r = k->w->launch;
    if (!find_stream(k, g, handle)) {
        child_drop(r, g);
        refuse(k, NO_HANDLE, "the grid has no such stream");
        return NO_HANDLE;
    }
    if (points_at_own_memory(k, g)) {
        child_drop(r, g);
        return INVALID_VALUE;
    }
    g->tail_launch = handle == STREAM_TAIL;
    child_queue(r, g);
    TELL(r, launch, at_now(k->w, UINT32_C(1) << k->lane), g->number);
    return SUCCESS;
}

/* cudaLaunchDeviceV2(buffer, stream) */
static uint64_t launch_child(const struct lane_call *k)
{
    struct sim_run *r = k->w->launch;
    struct run_grid *g = child_prepared(r, value(k, 0));
    struct allocation *a = g ? memory_near(r->sim, g->buffer) : NULL;
    if (!a)
        return note(k, INVALID_VALUE);
    memcpy(g->params, a->host, g->kernel->param_bytes);
    memory_drop(r->sim, a);
    g->buffer = 0;
    return queue(k, g, value(k, 1));
}

/* ---- memory -------------------------------------------------------------------------- */

static uint64_t allocate(const struct lane_call *k)
{
    const uint64_t address = heap_allocate(k->w, value(k, 1));
    const uint64_t given = give(k, &address, sizeof address);
    return address ? given : note(k, OUT_OF_MEMORY);
}

static uint64_t release(const struct lane_call *k)
{
    const uint64_t address = value(k, 0);
    return !address || heap_free(k->w, k->lane, address) ? SUCCESS : INVALID_VALUE;
}

/* A child grid that writes `count` bytes, of a kernel of the runtime. */
static uint64_t write_memory(const struct lane_call *k, enum runtime_kernel which, uint64_t count,
                             uint64_t what, uint64_t stream)
{
    struct sim_run *r = k->w->launch;
    const uint64_t params[] = {value(k, 0), count, what};
    const uint64_t blocks = count / RUNTIME_THREADS + (count % RUNTIME_THREADS != 0);
    if (!count)
        return SUCCESS;
    if (blocks > r->sim->limits.max_grid[0])
        return note(k, INVALID_VALUE);
    struct run_grid *g = prepare(k, &r->module->runtime_kernels[which]);
    if (!g)
        return peek_error(k);
    g->size[0] = (unsigned)blocks;
    g->block[0] = RUNTIME_THREADS;
    g->called = place_of(k);
    g->size[1] = g->size[2] = g->block[1] = g->block[2] = 1;
    if (is_refused(k, g) || make_params(k, g) != 0) {
        if (r->status == SIM_RUNNING && !peek_error(k))
            run_out_of_memory(r);
        child_drop(r, g);
        return peek_error(k);
    }
    memcpy(g->params, params, sizeof params);
    return queue(k, g, stream);
}

/* cudaMemcpyAsync(to, from, count, kind, stream): a device copies only within its own memory. */
static uint64_t copy_memory(const struct lane_call *k)
{
    enum { DEVICE_TO_DEVICE = 3, DEFAULT_KIND = 4 };
    const uint64_t kind = value(k, 3);
    if (kind != DEVICE_TO_DEVICE && kind != DEFAULT_KIND)
        return note(k, INVALID_VALUE);
    return write_memory(k, RUNTIME_COPY, value(k, 2), value(k, 1), value(k, 4));
}

/* cudaMemsetAsync(to, value, count, stream) */
static uint64_t fill_memory(const struct lane_call *k)
{
    return write_memory(k, RUNTIME_FILL, value(k, 2), value(k, 1), value(k, 3));
}

/* ---- all of them --------------------------------------------------------------------- */

static const struct runtime {
    const char *name;
    uint64_t (*run)(const struct lane_call *);
} functions[] = {
#define RUNTIME(name, does) {"__cudaCDP2" #name, does},
#include "sim/runtime.def"
#undef RUNTIME
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

int32_t runtime_function(const char *name)
{
    for (int i = 0; i < FUNCTIONS; i++)
        if (strcmp(name, functions[i].name) == 0)
            return CALL_RUNTIME - i;
    return -1;
}

enum after runtime_call(struct warp *w, const struct call *c, uint32_t mask)
{
    const struct runtime *f = &functions[CALL_RUNTIME - c->function];
    EACH_LANE(lane, mask) {
        const struct lane_call k = {w, c, lane};
        const uint64_t result = f->run(&k);
        if (w->launch->status == SIM_FAULTED)
            return FAULTED;
        call_give(w, c, lane, result);
    }
    return GO;
}
