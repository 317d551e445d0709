/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What NVIDIA's management library knows of a card and the driver does not: its clocks now, why
 * they are lower than they could be, and how many processes use it. The library is found at run
 * time, and cudalab does without where there is none. Nothing is set.
 */
#ifndef DEV_GPU_NVML_H
#define DEV_GPU_NVML_H

#include "dev/timing.h"

enum nvml_clock { NVML_SM = 1, NVML_MEMORY = 2 }; /* nvmlClockType_t */
enum nvml_reason {                                /* nvmlClocksThrottleReason... */
                   NVML_SETTING = 0x2,
                   NVML_POWER = 0x4,
                   NVML_HARDWARE = 0x8,
                   NVML_SOFT_HEAT = 0x20,
                   NVML_HARD_HEAT = 0x40,
                   NVML_BRAKE = 0x80
};
enum { NVML_TOO_FEW = 7 }; /* NVML_ERROR_INSUFFICIENT_SIZE: the count says how many there are */
struct nvml_process {
    unsigned pid;
    unsigned long long bytes;
    unsigned instances[2];
};

struct nvml { /* all zero: not open */
    bool tried;
    void *library, *card;
#define NVML(name, parameters) int(*name) parameters;
#include "dev/gpu/nvml.def"
#undef NVML
};

/* What there is to know now; -1 in all that is not known. `bus` names the card, as "0000:1B:00.0".
 */
struct timing_card nvml_look(struct nvml *, const char *bus);

#endif
