/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An NVML for machines without a GPU: the functions of src/dev/gpu/nvml.def. FAKE_NVML says what it
 * tells: busy (two other processes), hot (the clock is lower, since the card is too hot), blind (it
 * knows no card), mute (it finds the card and answers nothing). With none of these the card is
 * alone and runs at its full clock.
 */
#include "dev/gpu/nvml.h"

#include <stdlib.h>
#include <string.h>

#define NVML(name, parameters) int name parameters;
#include "dev/gpu/nvml.def"
#undef NVML

enum { FULL_MHZ = 1500, HOT_MHZ = 900, MEMORY_MHZ = 5000, UNKNOWN = 999, NOT_FOUND = 6 };

static int is(const char *how)
{
    const char *set = getenv("FAKE_NVML");
    return set && strcmp(set, how) == 0;
}

static int state(void)
{
    return is("mute") ? UNKNOWN : 0;
}

int nvmlInit_v2(void)
{
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *id, void **card)
{
    *card = (void *)nvmlInit_v2;
    return is("blind") || strcmp(id, "0000:01:00.0") != 0 ? NOT_FOUND : 0;
}

int nvmlDeviceGetClockInfo(void *card, int clock, unsigned *mhz)
{
    (void)card;
    *mhz = clock == NVML_MEMORY ? MEMORY_MHZ : is("hot") ? HOT_MHZ : FULL_MHZ;
    return state();
}

int nvmlDeviceGetMaxClockInfo(void *card, int clock, unsigned *mhz)
{
    (void)card;
    *mhz = clock == NVML_MEMORY ? MEMORY_MHZ : FULL_MHZ;
    return state();
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *card, unsigned long long *reasons)
{
    (void)card;
    *reasons = is("hot") ? NVML_SOFT_HEAT : 0;
    return state();
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *card, unsigned *count,
                                            struct nvml_process *processes)
{
    const unsigned there = is("busy") ? 3 : 1;
    (void)card;
    for (unsigned i = 0; i < there && i < *count; i++)
        processes[i] = (struct nvml_process){.pid = i + 1};
    const int fits = *count >= there;
    *count = there;
    return state() ? state() : fits ? 0 : NVML_TOO_FEW;
}
