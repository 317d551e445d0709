/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that works with the GPU describes the driver's cards as struct device_props, or says
 * in a sentence why there is none.
 */
#include "dev/gpu/process-parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- properties ------------------------------------------------------------------------ */

/* Which member gets the value of a CUdevice_attribute. */
struct attribute {
    int number;
    size_t offset, size;
};
#define ATTRIBUTE(number, member)                                                             \
    {number, offsetof(struct device_props, member),                                           \
     sizeof((const struct device_props *)0)->member}

static const struct attribute attributes[] = {
    ATTRIBUTE(1, max_threads_per_block),   ATTRIBUTE(2, max_block[0]),
    ATTRIBUTE(3, max_block[1]),            ATTRIBUTE(4, max_block[2]),
    ATTRIBUTE(5, max_grid[0]),             ATTRIBUTE(6, max_grid[1]),
    ATTRIBUTE(7, max_grid[2]),             ATTRIBUTE(8, shared_per_block),
    ATTRIBUTE(9, const_bytes),             ATTRIBUTE(10, warp_size),
    ATTRIBUTE(12, registers_per_block),    ATTRIBUTE(13, clock_khz),
    ATTRIBUTE(16, multiprocessors),        ATTRIBUTE(17, kernel_timeout),
    ATTRIBUTE(18, integrated),             ATTRIBUTE(19, can_map_host),
    ATTRIBUTE(21, max_texture_1d),         ATTRIBUTE(31, concurrent_kernels),
    ATTRIBUTE(32, ecc),                    ATTRIBUTE(36, memory_clock_khz),
    ATTRIBUTE(37, bus_bits),               ATTRIBUTE(38, l2_bytes),
    ATTRIBUTE(39, max_threads_per_sm),     ATTRIBUTE(40, copy_engines),
    ATTRIBUTE(75, major),                  ATTRIBUTE(76, minor),
    ATTRIBUTE(88, reads_host_pages),
    ATTRIBUTE(81, shared_per_sm),          ATTRIBUTE(82, registers_per_sm),
    ATTRIBUTE(97, shared_per_block_optin), ATTRIBUTE(106, max_blocks_per_sm),
    ATTRIBUTE(111, shared_reserved),
};

static void set_value(struct device_props *p, const struct attribute *a, int value)
{
    int64_t wide = value;
    char *to = (char *)p + a->offset;
    if (a->size == sizeof wide)
        memcpy(to, &wide, sizeof wide);
    else
        memcpy(to, &value, sizeof value);
}

static int describe(const struct driver *d, int device, struct device_card *card)
{
    struct device_props *p = &card->props;
    size_t bytes = 0;
    *p = (struct device_props){.kernel_timeout = -1, .integrated = -1, .can_map_host = -1,
                               .concurrent_kernels = -1, .ecc = -1, .registers_per_thread = 255};
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        int value;
        if (d->cuDeviceGetAttribute(&value, attributes[i].number, device) == DRIVER_OK)
            set_value(p, &attributes[i], value);
    }
    int status = d->cuDeviceTotalMem_v2(&bytes, device);
    p->global_bytes = bytes;
    return status ? status : d->cuDeviceGetName(card->name, DEVICE_NAME - 1, device);
}

/* ---- why there is none ----------------------------------------------------------------- */

static const char *forbidden_file(void)
{
    static const char *const nodes[] = {"/dev/nvidiactl", "/dev/nvidia-uvm", NULL};
    for (int i = 0; nodes[i]; i++)
        if (access(nodes[i], F_OK) == 0 && access(nodes[i], R_OK | W_OK) != 0)
            return nodes[i];
    return NULL;
}

static int none_found(struct process *p, int status)
{
    char text[200], *why = p->say;
    const size_t size = sizeof p->say;
    const char *hidden = getenv("CUDA_VISIBLE_DEVICES"), *node = forbidden_file();
    driver_describe(&p->d, status, text, sizeof text);
    if (node)
        snprintf(why, size, "there is no permission to use %s; whoever looks after this machine "
                            "can give it", node);
    else if (status == DRIVER_NO_DEVICE && hidden)
        snprintf(why, size, "the NVIDIA driver shows no GPU: CUDA_VISIBLE_DEVICES is set to "
                            "\"%.60s\"; without it all are seen", hidden);
    else if (status == DRIVER_NO_DEVICE)
        snprintf(why, size, "the NVIDIA driver finds no GPU in this machine");
    else if (status == DRIVER_VERSION_MISMATCH)
        snprintf(why, size, "the NVIDIA driver and its kernel module are of two versions; after "
                            "an update a restart of the machine fixes that");
    else if (status == DRIVER_NOT_FOUND)
        snprintf(why, size, "the NVIDIA driver here is too old: it lacks functions that cudalab "
                            "needs");
    else
        snprintf(why, size, "the NVIDIA driver doesn't work: %s", text);
    return status;
}

static int no_such_card(struct process *p, int wanted, int count)
{
    if (count == 1)
        snprintf(p->say, sizeof p->say, "there is no gpu:%d; the only GPU here is gpu:0", wanted);
    else
        snprintf(p->say, sizeof p->say, "there is no gpu:%d; the GPUs here are gpu:0 to gpu:%d",
                 wanted, count - 1);
    return DRIVER_INVALID_DEVICE;
}

int process_list_cards(struct process *p, int wanted, struct gpu_ready *ready)
{
    const struct driver *d = &p->d;
    struct device_cards *all = &ready->cards;
    int status = d->cuInit(0);
    if (status == DRIVER_OK)
        status = d->cuDriverGetVersion(&ready->driver_version);
    if (status == DRIVER_OK)
        status = d->cuDeviceGetCount(&all->count);
    if (status == DRIVER_OK && all->count == 0)
        status = DRIVER_NO_DEVICE;
    if (status != DRIVER_OK)
        return none_found(p, status);
    if (all->count > DEVICE_CARDS)
        all->count = DEVICE_CARDS;
    if (wanted >= all->count)
        return no_such_card(p, wanted, all->count);
    for (int i = 0; i < all->count && status == DRIVER_OK; i++) {
        int device;
        status = d->cuDeviceGet(&device, i);
        if (status == DRIVER_OK)
            status = describe(d, device, &all->at[i]);
    }
    return status == DRIVER_OK ? status : none_found(p, status);
}
