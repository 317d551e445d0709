/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file makes a GPU a struct device. Another process makes all calls to the driver: link.c
 * starts that process, and process.c is its code. This side keeps what must outlive that process.
 *
 * Every array and variable has a mirror: its bytes when they last were the same on both sides.
 * Before a launch the mirrors are brought up to date, except those that the card can fill again.
 * When the launch ends badly, the process is ended and the next one gets the bytes of the mirrors:
 * all is as before the launch.
 *
 * gpu.h says which file does what.
 */
#include "dev/gpu/gpu.h"

#include "dev/gpu/driver.h"
#include "os/asset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Addresses of variables begin at the second one. On a card without an arena, addresses of arrays
 * begin at the first one. */
#define FIRST_ADDRESS  UINT64_C(0x300000000000)
#define FIRST_VARIABLE UINT64_C(0x380000000000)

enum { ADDRESS_STEP = 2 << 20 }; /* so many addresses at least stay free between two arrays */

/* ---- memory ---------------------------------------------------------------------------- */

static int allocate_array(struct device *d, uint64_t bytes, const char *name, uint64_t *address,
                          struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    if (gpu_ensure_free(g, e) != 0)
        return -1;
    struct mirror *m = mirror_add(g, bytes, name, e);
    if (!m)
        return -1;
    m->address = g->arena + g->next_array;
    if (mirror_allocate(g, m, e) != 0) {
        mirror_remove(g, g->mirror_count - 1);
        return -1;
    }
    g->next_array += (bytes / ADDRESS_STEP + 2) * ADDRESS_STEP;
    *address = m->address;
    gpu_note_step(g, HOST_ALLOCATE, bytes);
    return 0;
}

static int free_array(struct device *d, uint64_t address, struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    struct gpu_message message = {.op = GPU_FREE};
    for (size_t i = 0; i < g->mirror_count; i++)
        if (g->mirrors[i]->address == address && !g->mirrors[i]->module) {
            message.address = g->mirrors[i]->there;
            if (gpu_textures_forget(g, g->mirrors[i], e) != 0)
                return -1;
            mirror_remove(g, i);
            return g->link.greeted ? gpu_request(g, &message, NULL, NULL, 0, e) : 0;
        }
    return fail(e, "no memory was allocated at 0x%llx", (unsigned long long)address);
}

static int write_array(struct device *d, uint64_t to, const void *from, uint64_t bytes, struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    struct mirror *m = bytes ? mirror_at(g, to, bytes, e) : NULL;
    if (!m)
        return bytes ? -1 : 0;
    if (gpu_ensure_free(g, e) != 0 || mirror_write(g, m, to - m->address, from, bytes, e) != 0)
        return -1;
    gpu_note_step(g, HOST_COPY_IN, bytes);
    return mirror_carry(g, GPU_UPLOAD, m, to - m->address, bytes, e);
}

static int fill_array(struct device *d, uint64_t to, uint64_t bytes, const struct device_fill *f,
                      struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    struct mirror *m = mirror_at(g, to, (size_t)bytes, e);
    if (!m)
        return -1;
    if (m->address != to || m->bytes != bytes)
        return 1;
    return gpu_ensure_free(g, e) == 0 ? mirror_fill(g, m, f, e) : -1;
}

static int read_array(struct device *d, void *to, uint64_t from, uint64_t bytes, struct err *e)
{
    struct gpu_device *g = gpu_of(d);
    struct mirror *m = bytes ? mirror_at(g, from, bytes, e) : NULL;
    if (!m)
        return bytes ? -1 : 0;
    const int given = gpu_given_read(g, to, from, bytes, e);
    if (given <= 0)
        return given;
    if (m->stale && (gpu_ensure(g, e) != 0 || mirror_freshen(g, m, e) != 0))
        return -1;
    gpu_note_step(g, HOST_COPY_OUT, bytes);
    if (mirror_read(g->link.mirror, m, from - m->address, to, bytes) != 0)
        return fail(e, "the copy of `%.60s` can't be read: %s", m->name ? m->name : "an array",
                    strerror(errno));
    return 0;
}

static int texture_create(struct device *d, const struct sim_texture *t, bool surface,
                          uint64_t *handle, struct err *e)
{
    return gpu_ensure_free(gpu_of(d), e) == 0 ? gpu_texture_make(gpu_of(d), t, surface, handle, e) : -1;
}

/* ---- modules --------------------------------------------------------------------------- */

static void *load(struct device *d, const char *path, const char *ptx, size_t n, struct err *e)
{
    return gpu_ensure_free(gpu_of(d), e) == 0 ? gpu_module_load(gpu_of(d), path, ptx, n, e) : NULL;
}

static int blocks_per_sm(struct device *d, const void *kernel, unsigned threads,
                         uint64_t dynamic_shared, int *blocks, struct err *e)
{
    const struct gpu_kernel_of *k = kernel;
    const char *name = k->module->kernels[k->number].name;
    struct gpu_message message = {.op = GPU_OCCUPANCY, .id = k->module->id, .offset = threads,
                                  .bytes = dynamic_shared, .payload = strlen(name) + 1};
    if (gpu_ensure(gpu_of(d), e) != 0 || gpu_request(gpu_of(d), &message, name, NULL, 0, e) != 0)
        return -1;
    *blocks = (int)message.bytes;
    return 0;
}

/* ---- opening and closing --------------------------------------------------------------- */

static void close_device(struct device *d)
{
    struct gpu_device *g = gpu_of(d);
    struct gpu_module *next;
    gpu_look_ended(d);
    gpu_link_kill(&g->link);
    for (struct gpu_module *m = g->modules; m; m = next) {
        next = m->next;
        gpu_module_unload(d, m);
    }
    while (g->mirror_count)
        mirror_remove(g, g->mirror_count - 1);
    mem_free(&allocator_libc, g->mirrors, g->mirror_capacity * sizeof g->mirrors[0]);
    mem_free(&allocator_libc, g->steps, g->step_capacity * sizeof g->steps[0]);
    mem_free(&allocator_libc, g->textures, g->texture_capacity * sizeof g->textures[0]);
    gpu_link_close(&g->link);
    device_close(g->twin);
    mem_free(&allocator_libc, g, sizeof *g);
}

static const struct device_ops gpu_ops = {.close = close_device,
                                          .allocate = allocate_array,
                                          .free = free_array,
                                          .write = write_array,
                                          .read = read_array,
                                          .fill = fill_array,
                                          .texture_create = texture_create,
                                          .texture_destroy = gpu_texture_destroy,
                                          .load = load,
                                          .unload = gpu_module_unload,
                                          .kernel_at = gpu_kernel_at,
                                          .blocks_per_sm = blocks_per_sm,
                                          .variable_at = gpu_variable_at,
                                          .launch = gpu_launch,
                                          .look_address = gpu_look_address,
                                          .look_ended = gpu_look_ended,
                                          .keep_launches = gpu_keep_launches,
                                          .time = gpu_time};

/* Returns the compute capability that the embedded kernels are compiled for: 75 is 7.5. */
static int capability_of_kernels(void)
{
    const struct asset *any = asset_find("kernels/ptx/gpu-print.ptx");
    const char *target = any ? strstr((const char *)any->data, ".target sm_") : NULL;
    return target ? atoi(target + strlen(".target sm_")) : 0;
}

/* Adds what the driver doesn't say, from NVIDIA's tables, for cards of a known capability. */
static void add_table_facts(struct device_props *p)
{
    const struct capability *c = capability_of(p->major, p->minor);
    if (c && c->major == p->major && c->minor == p->minor) {
        p->architecture = c->architecture;
        p->cores_per_sm = c->cores_per_sm;
        p->f64_per_sm = c->f64_per_sm;
    }
    for (size_t i = 0; i < card_count; i++)
        if (strcmp(card_list[i].name, p->name) == 0) {
            p->profile = card_list[i].profile;
            p->link_generation = card_list[i].link_generation;
            p->link_lanes = card_list[i].link_lanes;
        }
}

/* The names' pointers meant something only to the process that sent them. */
static void complete_cards(struct device_cards *all)
{
    for (int i = 0; i < all->count; i++) {
        all->at[i].props.name = all->at[i].name;
        add_table_facts(&all->at[i].props);
    }
}

static int greet(struct gpu_device *g, int card, const struct device_waits *waits, struct err *e)
{
    const int capability = capability_of_kernels();
    struct gpu_ready first;
    if (gpu_link_start(&g->link, e) != 0 || gpu_link_greet(&g->link, &first, waits, e) != 0)
        return -1;
    g->cards = first.cards;
    complete_cards(&g->cards);
    g->driver_version = first.driver_version;
    g->arena = first.arena ? first.arena : FIRST_ADDRESS;
    const struct device_card *c = &g->cards.at[card];
    g->base.props = c->props;
    int has = c->props.major * 10 + c->props.minor;
    if (has < capability)
        return fail(e, "gpu:%d, %s, has compute capability %d.%d, and the kernels here are "
                       "compiled for %d.%d and above",
                    card, c->name, has / 10, has % 10, capability / 10, capability % 10);
    g->twin = sim_device_open(&g->base.props, e);
    return g->twin ? 0 : -1;
}

static struct device *open_card(int card, const struct device_waits *waits, struct err *e)
{
    struct gpu_device *g = mem_alloc(&allocator_libc, sizeof *g);
    if (!g) {
        fail_memory(e);
        return NULL;
    }
    g->base = (struct device){.ops = &gpu_ops, .kind = "gpu", .card = card, .cards = &g->cards};
    g->next_variable = FIRST_VARIABLE;
    if (gpu_link_open(&g->link, card, e) == 0 && greet(g, card, waits, e) == 0)
        return &g->base;
    close_device(&g->base);
    return NULL;
}

static struct device *open_number(const char *number, const struct device_waits *waits,
                                  struct err *e)
{
    if (!number)
        return open_card(0, waits, e);
    if (*number && strspn(number, "0123456789") == strlen(number) && strlen(number) < 5)
        return open_card(atoi(number), waits, e);
    fail(e, "`gpu:%.36s`: after gpu: comes the GPU's number, as in gpu:0", number);
    return NULL;
}

/* Most laptops have no driver. There no process is started. */
static int find_driver(struct err *e)
{
    return driver_is_there() ? 0 : fail(e, "there is no NVIDIA driver here");
}

static int list_cards(struct device_cards *all, const struct device_waits *waits, struct err *e)
{
    struct gpu_link link;
    struct gpu_ready ready;
    if (find_driver(e) != 0 || gpu_link_open(&link, GPU_NO_CARD, e) != 0)
        return -1;
    int rc = gpu_link_start(&link, e) == 0 ? gpu_link_greet(&link, &ready, waits, e) : -1;
    gpu_link_close(&link);
    if (rc != 0)
        return -1;
    *all = ready.cards;
    complete_cards(all);
    return 0;
}

const struct device_kind device_gpu = {
    .name = "gpu",
    .which = "N",
    .chosen = "On the first GPU of this machine. --device sim takes the simulator.",
    .open = open_number,
    .find = find_driver,
    .list = list_cards,
    .option = gpu_process_option,
    .serve = gpu_process};
