/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file opens one of NVIDIA's libraries under one of its names. It refuses a library that lacks
 * one of our functions, and names that function.
 */
#include "dev/gpu/vendor.h"

#include "dev/gpu/driver.h"

#include <dlfcn.h>

static int find_functions(const struct vendor_library *v, void *library, const char *name,
                          char *functions, struct err *e)
{
    for (const struct vendor_function *f = v->functions; f->name; f++)
        if (driver_function(library, f->name, functions + f->offset, sizeof(void *)) != 0)
            return fail(e, "the %s here, %s, has no %s; another version may", v->title, name,
                        f->name);
    return 0;
}

void *vendor_open(const struct vendor_library *v, void *functions, struct err *e)
{
    const char *const *name = v->names;
    void *library = NULL;
    while (*name && !(library = dlopen(*name, RTLD_NOW | RTLD_LOCAL)))
        name++;
    if (!library) {
        fail(e, "there is no %s here (no %s or %s); it comes with the CUDA Toolkit, and "
                "LD_LIBRARY_PATH may have to name its folder", v->title, v->names[0], v->names[1]);
        return NULL;
    }
    if (find_functions(v, library, *name, functions, e) == 0)
        return library;
    dlclose(library);
    return NULL;
}

int vendor_failed(const struct vendor_library *v, const char *call, int status, struct err *e)
{
    for (const struct vendor_status *s = v->statuses; s->says; s++)
        if (s->status == status)
            return fail(e, "%s of %s failed: %s", call, v->title, s->says);
    return fail(e, "%s of %s failed: status %d", call, v->title, status);
}
