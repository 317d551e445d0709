/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory on the card, in the process that works with it. Arrays lie in one range of addresses, the
 * arena, each at an offset of its own, with nothing mapped between them, so that an overrun of some
 * length is caught. The range is the first thing that the driver is asked for, and this process has
 * no random addresses (link.c). So the next process most often gets the same range, and pointers in
 * arrays stay good.
 */
#include "dev/gpu/process-parts.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct memory_kind on_device(const struct process *p)
{
    return (struct memory_kind){.type = MEMORY_PINNED, .place = {MEMORY_ON_DEVICE, p->device}};
}

static void release(struct process *p, const struct area *a)
{
    if (a->kind == AREA_PLAIN)
        p->d.cuMemFree_v2(a->address);
    if (a->kind != AREA_MAPPED)
        return;
    p->d.cuMemUnmap(a->address, a->bytes);
    p->d.cuMemRelease(a->handle);
}

static int map_area(struct process *p, struct area *a)
{
    const struct memory_kind kind = on_device(p);
    const struct memory_access access = {kind.place, MEMORY_READ_WRITE};
    int status = p->d.cuMemCreate(&a->handle, a->bytes, &kind, 0);
    if (status != DRIVER_OK)
        return status;
    status = p->d.cuMemMap(a->address, a->bytes, 0, a->handle, 0);
    if (status != DRIVER_OK) {
        p->d.cuMemRelease(a->handle);
        return status;
    }
    status = p->d.cuMemSetAccess(a->address, a->bytes, &access, 1);
    if (status != DRIVER_OK)
        release(p, a);
    return status;
}

static int refuse_room(struct process *p, uint64_t bytes, int status)
{
    size_t left = 0, total = 0;
    if (status != DRIVER_OUT_OF_MEMORY)
        return process_refuse(p, status, "%llu bytes on the GPU can't be had",
                              (unsigned long long)bytes);
    p->d.cuMemGetInfo_v2(&left, &total);
    snprintf(p->say, sizeof p->say,
             "%llu bytes are more than the GPU has left: %zu of %zu are free",
             (unsigned long long)bytes, left, total);
    return status;
}

static int find_memory(struct process *p, struct area *a, uint64_t offset)
{
    if (!p->arena) {
        a->kind = AREA_PLAIN;
        return p->d.cuMemAlloc_v2(&a->address, a->bytes);
    }
    a->bytes = (a->bytes + p->granule - 1) / p->granule * p->granule;
    a->address = p->arena + offset;
    if (offset > GPU_ARENA_BYTES || a->bytes > GPU_ARENA_BYTES - offset)
        return DRIVER_OUT_OF_MEMORY;
    return map_area(p, a);
}

int process_remember(struct process *p, const struct area *a)
{
    if (mem_grow(&allocator_libc, (void **)&p->areas, &p->area_capacity, p->area_count,
                 sizeof *p->areas) < 0)
        return -1;
    p->areas[p->area_count++] = *a;
    return 0;
}

int process_allocate(struct process *p, struct gpu_message *m, const char *payload)
{
    (void)payload;
    struct area a = {.bytes = m->bytes ? m->bytes : 1, .asked = m->bytes};
    int status = find_memory(p, &a, m->offset);
    if (status != DRIVER_OK)
        return refuse_room(p, m->bytes, status);
    status = p->d.cuMemsetD8_v2(a.address, 0, a.bytes);
    if (status == DRIVER_OK && process_remember(p, &a) != 0)
        status = DRIVER_OUT_OF_MEMORY;
    if (status != DRIVER_OK) {
        release(p, &a);
        return process_refuse(p, status, "an array can't be made");
    }
    m->address = a.address;
    return DRIVER_OK;
}

int process_free(struct process *p, struct gpu_message *m, const char *payload)
{
    (void)payload;
    for (size_t i = 0; i < p->area_count; i++)
        if (p->areas[i].address == m->address && p->areas[i].kind != AREA_VARIABLE) {
            p->areas[i].gone = true;
            break;
        }
    if (!process_keeps(p))
        process_release_areas(p);
    return DRIVER_OK;
}

void process_release_areas(struct process *p)
{
    for (size_t i = p->area_count; i-- > 0;)
        if (p->areas[i].gone) {
            release(p, &p->areas[i]);
            p->areas[i] = p->areas[--p->area_count];
        }
}

static int refuse_mirror(struct process *p)
{
    snprintf(p->say, sizeof p->say, "this computer has no memory left for copies of the arrays: %s",
             strerror(errno));
    return DRIVER_OUT_OF_MEMORY;
}

int process_upload(struct process *p, struct gpu_message *m, const char *payload)
{
    (void)payload;
    for (uint64_t done = 0; done < m->bytes;) {
        size_t n = m->bytes - done < PROCESS_STAGE ? (size_t)(m->bytes - done) : PROCESS_STAGE;
        ssize_t got = pread(p->mirror, p->stage, n, (off_t)(m->offset + done));
        if (got <= 0)
            return refuse_mirror(p);
        int status = p->d.cuMemcpyHtoD_v2(m->address + done, p->stage, (size_t)got);
        if (status != DRIVER_OK)
            return process_refuse(p, status, "bytes can't be copied to the GPU");
        done += (uint64_t)got;
    }
    int status = process_keep_store(p, m->address, m->bytes);
    return status == DRIVER_OK ? status
                               : process_refuse(p, status, "bytes can't be kept on the GPU");
}

int process_download(struct process *p, struct gpu_message *m, const char *payload)
{
    (void)payload;
    for (uint64_t done = 0; done < m->bytes;) {
        size_t n = m->bytes - done < PROCESS_STAGE ? (size_t)(m->bytes - done) : PROCESS_STAGE;
        int status = p->d.cuMemcpyDtoH_v2(p->stage, m->address + done, n);
        if (status != DRIVER_OK)
            return process_refuse(p, status, "bytes can't be copied from the GPU");
        ssize_t put = pwrite(p->mirror, p->stage, n, (off_t)(m->offset + done));
        if (put <= 0)
            return refuse_mirror(p);
        done += (uint64_t)put;
    }
    return DRIVER_OK;
}

/* Reserves addresses for all arrays. Without them the driver chooses an address for each. */
void process_choose_arena(struct process *p)
{
    enum { CHOOSES_ADDRESSES = 102 };
    const struct memory_kind kind = on_device(p);
    int can = 0;
    if (p->d.cuDeviceGetAttribute(&can, CHOOSES_ADDRESSES, p->device) != DRIVER_OK || !can ||
        p->d.cuMemGetAllocationGranularity(&p->granule, &kind, 0) != DRIVER_OK ||
        p->d.cuMemAddressReserve(&p->arena, GPU_ARENA_BYTES, 0, 0, 0) != DRIVER_OK)
        p->arena = 0;
}
