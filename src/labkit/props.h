/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device's properties for people and for JSON: every field with its name and unit, the
 * architecture behind a compute capability, and the two peaks that follow from the numbers.
 * What isn't known is left out everywhere.
 */
#ifndef LABKIT_PROPS_H
#define LABKIT_PROPS_H

#include "screen/facts.h"

/* inside: what a kernel on the device says of the same; NULL: none was asked. */
void say_props(struct report *, const struct device_props *, const char *inside);
/* The same under the names of cudaDeviceProp and cudaDeviceAttr, as a program gets them. */
void say_props_names(struct report *, const struct device_props *);
void json_props(struct json *, const struct device_props *); /* an element of an open array */
void put_devices(const struct device *, struct json *); /* "devices": all of this kind */
/* What explanations say of a device: threads at once, and its peaks. */
struct props_peaks {
    const char *name;
    int sms, threads;
    int64_t resident, gbs, gflops; /* gbs, gflops: 0 is not known */
    double balance;
};
struct props_peaks props_peaks(const struct device_props *);
extern const struct fact props_peak_facts[];
const char *architecture_of(const struct device_props *); /* "Hopper", or "unknown" */

/* Two transfers a memory clock; a fused multiply-add a core and clock is two operations. */
double peak_gb_s(const struct device_props *);              /* 0: not known */
double peak_gflop_s(const struct device_props *, int cores); /* cores: an SM's, float or double */

#endif
