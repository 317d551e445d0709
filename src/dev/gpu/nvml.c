/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file opens NVIDIA's management library, and asks it.
 */
#include "dev/gpu/nvml.h"

#include "dev/gpu/vendor.h"

static const char *const names[] = {"libnvidia-ml.so.1", "libnvidia-ml.so", NULL};

static const struct vendor_function functions[] = {
#define NVML(name, parameters) {#name, offsetof(struct nvml, name)},
#include "dev/gpu/nvml.def"
#undef NVML
    {NULL, 0},
};

static const struct vendor_status statuses[] = {{0, NULL}};
static const struct vendor_library nvml = {"NVML", names, functions, statuses};

static bool is_open(struct nvml *n, const char *bus)
{
    struct err ignored;
    if (n->tried)
        return n->card != NULL;
    n->tried = true;
    n->library = vendor_open(&nvml, n, &ignored);
    if (!n->library || n->nvmlInit_v2() != 0 ||
        n->nvmlDeviceGetHandleByPciBusId_v2(bus, &n->card) != 0)
        n->card = NULL;
    return n->card != NULL;
}

static int clock_now(const struct nvml *n, enum nvml_clock which)
{
    unsigned mhz;
    return n->nvmlDeviceGetClockInfo(n->card, (int)which, &mhz) == 0 ? (int)mhz : -1;
}

static int clock_at_most(const struct nvml *n, enum nvml_clock which)
{
    unsigned mhz;
    return n->nvmlDeviceGetMaxClockInfo(n->card, (int)which, &mhz) == 0 ? (int)mhz : -1;
}

static int64_t slowed_by(const struct nvml *n)
{
    unsigned long long r;
    if (n->nvmlDeviceGetCurrentClocksThrottleReasons(n->card, &r) != 0)
        return -1;
    return (r & NVML_POWER ? SLOWED_BY_POWER : 0) |
           (r & (NVML_SOFT_HEAT | NVML_HARD_HEAT) ? SLOWED_BY_HEAT : 0) |
           (r & (NVML_HARDWARE | NVML_BRAKE) ? SLOWED_BY_HARDWARE : 0) |
           (r & NVML_SETTING ? SLOWED_BY_SETTING : 0);
}

/* This process is one of them. In a container it has another number there, so it is only counted.
 */
static int others(const struct nvml *n)
{
    enum { MOST = 64 };
    struct nvml_process all[MOST];
    unsigned count = MOST;
    const int status = n->nvmlDeviceGetComputeRunningProcesses_v3(n->card, &count, all);
    if ((status != 0 && status != NVML_TOO_FEW) || count == 0)
        return -1;
    return (int)count - 1;
}

struct timing_card nvml_look(struct nvml *n, const char *bus)
{
    if (!is_open(n, bus))
        return (struct timing_card){-1, -1, -1, -1, -1};
    return (struct timing_card){.sm_mhz = clock_now(n, NVML_SM),
                                .sm_mhz_most = clock_at_most(n, NVML_SM),
                                .memory_mhz = clock_now(n, NVML_MEMORY),
                                .others = others(n),
                                .slowed_by = slowed_by(n)};
}
