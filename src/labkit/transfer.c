/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a program calls for its arrays; see transfer.h. Nothing is called here: on each device
 * the lab's arrays are cudalab's own.
 */
#include "labkit/transfer.h"

#include "labkit/run.h"

const char *const transfer_names[] = {"managed", "copy", "pinned", "mapped", NULL};
const char *const transfer_how[] = {"by pages that are touched", "by cudaMemcpy",
                                    "by cudaMemcpy, pinned", "over the bus, uncopied"};

const char *transfer_refused(enum transfer_kind kind, const struct device_props *p)
{
    if (kind == BY_PAGES && p->major < 3)
        return "managed memory needs compute capability 3.0; this device takes --mem copy";
    if (kind == BY_MAPPING && p->can_map_host == 0)
        return "this device can't map memory of the host; it takes --mem copy";
    return NULL;
}

uint64_t transfer_bytes(const struct transfer_array *a, bool in)
{
    uint64_t bytes = 0;
    for (; a->name; a++)
        bytes += (in ? a->in : a->out) ? a->bytes : 0;
    return bytes;
}

/* ---- calls ------------------------------------------------------------------------------ */

/* One kind of call for each array: $ is its name, # its bytes. */
struct step {
    const char *call, *waits;
};

static const struct step memory[4][2] = {
    [BY_PAGES] = {{"cudaMallocManaged(&$, #)", "one address for both sides"}},
    [BY_COPIES] = {{"h$ = malloc(#)", "pageable memory of the host"},
                   {"cudaMalloc(&d$, #)", "the host waits for the address"}},
    [BY_PINNED_COPIES] = {{"cudaMallocHost(&h$, #)", "pinned: the system can't move it away"},
                          {"cudaMalloc(&d$, #)", "the host waits for the address"}},
    [BY_MAPPING] = {{"cudaHostAlloc(&h$, #, cudaHostAllocMapped)",
                     "pinned memory of the host, which the device can reach"},
                    {"cudaHostGetDevicePointer(&d$, h$, 0)",
                     "the device's own address of the same bytes"}},
};
static const struct step endings[4][2] = {
    [BY_PAGES] = {{"cudaFree($)", "the host waits for kernels that still run"}},
    [BY_COPIES] = {{"cudaFree(d$)", "the host waits for kernels that still run"},
                   {"free(h$)", "memory of the host"}},
    [BY_PINNED_COPIES] = {{"cudaFree(d$)", "the host waits for kernels that still run"},
                          {"cudaFreeHost(h$)", "memory of the host"}},
    [BY_MAPPING] = {{"cudaFreeHost(h$)", "memory of the host, under both addresses"}},
};
static const struct step copy_in = {"cudaMemcpy(d$, h$, #, cudaMemcpyHostToDevice)",
                                    "the host waits until it may change its memory again"};
static const struct step copy_out = {"cudaMemcpy(h$, d$, #, cudaMemcpyDeviceToHost)",
                                     "the copy waits for the kernel, the host for the copy"};

static const char *keep(struct transfer *t, struct buf *text)
{
    char *kept = arena_text(&t->memory, buf_text(text), text->len);
    buf_free(text);
    return kept;
}

static void add(struct transfer *t, const char *call, const char *moves, const char *waits)
{
    if (t->count + 1 < TRANSFER_CALLS)
        t->calls[t->count++] = (struct host_call){call, moves, waits};
}

static const char *fill_in(struct transfer *t, const char *call, const struct transfer_array *a)
{
    struct buf text = {0};
    for (; *call; call++)
        if (*call == '$')
            buf_puts(&text, a->name);
        else if (*call == '#')
            buf_printf(&text, "%zu", a->bytes);
        else
            buf_putc(&text, *call);
    return keep(t, &text);
}

/* "3,988 bytes to the device" */
static const char *bytes_told(struct transfer *t, uint64_t bytes, const char *where)
{
    char n[NUM_TEXT];
    struct buf text = {0};
    buf_printf(&text, "%s bytes %s", num_group((int64_t)bytes, n), where);
    return keep(t, &text);
}

/* Written out for the first array; the others are named behind it. */
static void add_for_all(struct transfer *t, const struct step *step)
{
    struct buf waits = {0};
    const struct transfer_array *a = t->arrays;
    if (!step->call)
        return;
    const char *call = fill_in(t, step->call, a++);
    for (int k = 0; a[k].name; k++)
        buf_printf(&waits, "%s%s", k ? ", " : "likewise for ", a[k].name);
    buf_printf(&waits, "%s%s", a->name ? "; " : "", step->waits);
    add(t, call, NULL, keep(t, &waits));
}

static bool copies(const struct transfer *t)
{
    return t->kind == BY_COPIES || t->kind == BY_PINNED_COPIES;
}

/* What no call moves: the kernel's own loads and stores, or pages that somebody touches. */
static void add_launch(struct transfer *t, const char *launch)
{
    const char *moves = NULL;
    uint64_t in = transfer_bytes(t->arrays, true);
    if (t->kind == BY_MAPPING)
        moves = bytes_told(t, in, "over the bus, as the kernel reads them");
    else if (t->kind == BY_PAGES && t->major < 6)
        moves = bytes_told(t, in, "to the device, with all other managed memory");
    else if (t->kind == BY_PAGES)
        moves = bytes_told(t, in, "to the device, by pages that it touches");
    add(t, launch, moves, "the host does not wait: the call returns at once");
    if (!copies(t) && !t->forgets)
        add(t, "cudaDeviceSynchronize()", NULL, "the host waits for the kernel");
}

static void add_result(struct transfer *t, const struct transfer_array *a)
{
    if (copies(t)) {
        add(t, fill_in(t, copy_out.call, a), bytes_told(t, a->bytes, "to the host"),
            copy_out.waits);
        return;
    }
    add(t, fill_in(t, t->kind == BY_PAGES ? "the host reads $[i]" : "the host reads h$[i]", a),
        bytes_told(t, a->bytes,
                   t->kind == BY_PAGES ? "to the host, by pages that it touches"
                                       : "over the bus, as the kernel writes them"),
        t->forgets ? "nobody waited: the kernel may not have begun"
                   : "the kernel is done: the values are there");
}

const struct host_call *transfer_calls(struct transfer *t, const char *launch)
{
    t->count = 0;
    t->memory = (struct arena){0};
    for (int k = 0; k < 2; k++)
        add_for_all(t, &memory[t->kind][k]);
    for (const struct transfer_array *a = t->arrays; a->name; a++)
        if (copies(t) && a->in)
            add(t, fill_in(t, copy_in.call, a), bytes_told(t, a->bytes, "to the device"),
                copy_in.waits);
    add_launch(t, launch);
    for (const struct transfer_array *a = t->arrays; a->name; a++)
        if (a->out)
            add_result(t, a);
    for (int k = 0; k < 2; k++)
        add_for_all(t, &endings[t->kind][k]);
    t->calls[t->count] = (struct host_call){NULL, NULL, NULL};
    for (unsigned i = 0; i < t->count; i++)
        if (!t->calls[i].call || !t->calls[i].waits)
            return NULL;
    return t->calls;
}

void transfer_free(struct transfer *t)
{
    if (t->count)
        arena_free(&t->memory);
    t->count = 0;
}
