/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This part of the process that works with the GPU fills large arrays there, and tells whether the
 * bytes of one have changed. Both are kernels of cudalab's own.
 */
#include "dev/gpu/process-parts.h"

#include "base/buf.h"
#include "dev/gpu/gpu.h"
#include "os/asset.h"

#include <string.h>

static int load(struct process *p)
{
    const struct asset *asset = asset_find("kernels/ptx/gpu-memory.ptx");
    struct buf text = {0};
    struct err e = {0};
    bool prints;
    int version = 0, status = p->d.cuDriverGetVersion(&version);
    if (p->memory_module || status != DRIVER_OK)
        return status;
    if (!asset || gpu_ptx((const char *)asset->data, asset->size, gpu_ptx_version(version), false,
                          &text, &prints, NULL, &e) != 0)
        status = DRIVER_INVALID_PTX;
    else
        status = p->d.cuModuleLoadDataEx(&p->memory_module, buf_text(&text), 0, NULL, NULL);
    buf_free(&text);
    return status;
}

/* Starts one of the kernels with a thread for every few elements, and waits for its end. The default
 * stream has what was set or copied before. */
static int run(struct process *p, const char *name, uint64_t elements, void **params)
{
    enum { THREADS = 256, EACH = 16, BLOCKS_MOST = 1 << 14 };
    const uint64_t blocks = elements / (THREADS * EACH) + 1;
    void *kernel;
    int status = load(p);
    if (status == DRIVER_OK)
        status = p->d.cuModuleGetFunction(&kernel, p->memory_module, name);
    if (status == DRIVER_OK)
        status = p->d.cuLaunchKernel(kernel, blocks < BLOCKS_MOST ? (unsigned)blocks : BLOCKS_MOST,
                                     1, 1, THREADS, 1, 1, 0, NULL, params, NULL);
    return status == DRIVER_OK ? p->d.cuStreamSynchronize(NULL) : status;
}

int process_fill(struct process *p, struct gpu_message *m, const char *payload)
{
    struct device_fill fill;
    memcpy(&fill, payload, sizeof fill);
    uint64_t n = m->bytes / fill.size;
    int status = run(p, "cudalab_fill", n, (void *[]){&m->address, &n, &fill});
    if (status == DRIVER_OK)
        status = process_keep_store(p, m->address, m->bytes);
    return status == DRIVER_OK ? status : process_refuse(p, status, "an array can't be filled");
}

int process_digest(struct process *p, struct gpu_message *m, const char *payload)
{
    uint64_t sums, *digest = process_reply(p, 2 * sizeof *digest);
    (void)payload;
    if (!digest)
        return process_refuse(p, DRIVER_OUT_OF_MEMORY, "there is no room for an answer");
    int status = p->d.cuMemAlloc_v2(&sums, 2 * sizeof *digest);
    if (status != DRIVER_OK)
        return process_refuse(p, status, "16 bytes on the GPU can't be had");
    status = p->d.cuMemsetD8_v2(sums, 0, 2 * sizeof *digest);
    if (status == DRIVER_OK)
        status = run(p, "cudalab_digest", m->bytes / sizeof *digest,
                     (void *[]){&m->address, &m->bytes, &sums});
    if (status == DRIVER_OK)
        status = p->d.cuMemcpyDtoH_v2(digest, sums, 2 * sizeof *digest);
    p->d.cuMemFree_v2(sums);
    return status == DRIVER_OK ? status : process_refuse(p, status, "an array can't be read");
}
