/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choosing a device by name, and what `auto` takes.
 */
#include "dev/device.h"

#include "os/asset.h"
#include "base/buf.h"
#include "base/near.h"
#include "dev/gpu/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char device_default_profile[] = "h100";

void launch_result_free(struct launch_result *r)
{
    arena_free(&r->memory);
    *r = (struct launch_result){0};
}

bool launch_result_failed(const struct launch_result *r)
{
    for (unsigned i = 0; i < r->fault_count; i++)
        if (!r->faults[i].benign)
            return true;
    return false;
}

bool launch_result_ended(const struct launch_result *r)
{
    for (unsigned i = 0; i < r->fault_count; i++)
        if (r->faults[i].ends)
            return true;
    return false;
}

static struct device *unknown_profile(const char *name, struct err *e)
{
    struct buf all;
    struct near near;
    buf_init(&all);
    near_begin(&near, name);
    for (size_t i = 0; i < device_profile_count; i++) {
        near_try(&near, device_profiles[i].profile);
        buf_printf(&all, "%s%s", i ? ", " : "", device_profiles[i].profile);
    }
    if (near.best)
        fail(e, "no profile `%.40s`; did you mean sim:%s? There are: %s", name, near.best,
             buf_text(&all));
    else
        fail(e, "no profile `%.40s`; there are: %s", name, buf_text(&all));
    buf_free(&all);
    return NULL;
}

static struct device *open_sim(const char *profile, struct err *e)
{
    const struct device_props *props = device_profile(profile);
    return props ? sim_device_open(props, e) : unknown_profile(profile, e);
}

/* What the kernels inside the program are compiled for: 75 is compute capability 7.5. */
static int capability_of_kernels(void)
{
    const struct asset *any = asset_find("kernels/ptx/gpu-print.ptx");
    const char *target = any ? strstr((const char *)any->data, ".target sm_") : NULL;
    return target ? atoi(target + strlen(".target sm_")) : 0;
}

/* "gpu" or "gpu:N" */
static struct device *open_gpu(const char *spec, struct err *e)
{
    const char *number = spec[3] == ':' ? spec + 4 : "0";
    if (*number && strspn(number, "0123456789") == strlen(number) && strlen(number) < 5)
        return gpu_device_open(atoi(number), capability_of_kernels(), e);
    fail(e, "`%.40s`: after gpu: comes the GPU's number, as in gpu:0", spec);
    return NULL;
}

/* A GPU if one works; a driver is looked for first, since most laptops have none. */
static struct device *open_auto(char why[200], struct err *e)
{
    struct err no;
    struct device *gpu = NULL;
    if (!driver_is_there())
        fail(&no, "there is no NVIDIA driver here");
    else
        gpu = open_gpu("gpu", &no);
    if (gpu)
        snprintf(why, 200, "On the first GPU of this machine; --device sim takes the simulator.");
    else
        snprintf(why, 200, "On the simulator: %.180s.", no.text);
    return gpu ? gpu : open_sim(device_default_profile, e);
}

static struct device *unknown_spec(const char *spec, struct err *e)
{
    static const char *const names[] = {"auto", "sim", "gpu", NULL};
    const char *best = near_list(spec, names);
    if (!best && device_profile(spec))
        fail(e, "no device `%.40s`; the simulator takes that profile as sim:%.40s", spec, spec);
    else if (best)
        fail(e, "no device `%.40s`; did you mean %s? There are: auto, sim, sim:PROFILE, gpu, gpu:N",
             spec, best);
    else
        fail(e, "no device `%.40s`; there are: auto, sim, sim:PROFILE, gpu, gpu:N", spec);
    return NULL;
}

struct device *device_open(const char *spec, char why[200], struct err *e)
{
    why[0] = '\0';
    if (strcmp(spec, "auto") == 0)
        return open_auto(why, e);
    if (strcmp(spec, "sim") == 0)
        return open_sim(device_default_profile, e);
    if (strncmp(spec, "sim:", 4) == 0)
        return open_sim(spec + 4, e);
    if (strcmp(spec, "gpu") == 0 || strncmp(spec, "gpu:", 4) == 0)
        return open_gpu(spec, e);
    return unknown_spec(spec, e);
}

void device_close(struct device *d)
{
    if (d)
        d->ops->close(d);
}

const void *device_find_kernel(struct device *d, void *module, const char *name,
                               struct kernel_info *info)
{
    const void *kernel;
    for (size_t i = 0; (kernel = d->ops->kernel_at(d, module, i, info)); i++)
        if (strcmp(info->name, name) == 0)
            return kernel;
    return NULL;
}

uint64_t device_find_variable(struct device *d, void *module, const char *name)
{
    struct variable_info v;
    for (size_t i = 0; d->ops->variable_at(d, module, i, &v) == 0; i++)
        if (strcmp(v.name, name) == 0)
            return v.address;
    return 0;
}

bool device_drifts(const struct device_props *p)
{
    return p->major == 0 || p->major >= 7; /* 0: not known */
}
