/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens libcuda.so.1. A function that an older driver lacks is replaced by one that returns
 * DRIVER_NOT_FOUND, so callers check a status and never a pointer.
 */
#include "dev/gpu/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char library_name[] = "libcuda.so.1";

/* It is called through pointers of every type in driver.def, so it uses none of its arguments. */
static int not_found(void)
{
    return DRIVER_NOT_FOUND;
}

/* dlsym returns an object's pointer, and ISO C can't convert it to a function's. */
int driver_function(void *library, const char *name, void *function, size_t size)
{
    void *symbol = dlsym(library, name);
    if (symbol)
        memcpy(function, &symbol, size);
    return symbol ? 0 : -1;
}

static void find_or_replace(void *library, const char *name, void *function, size_t size)
{
    int (*missing)(void) = not_found;
    if (driver_function(library, name, function, size) != 0)
        memcpy(function, &missing, size);
}

int driver_open(struct driver *d, struct err *e)
{
    d->library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (!d->library)
        return fail(e, "there is no NVIDIA driver here (no %s)", library_name);
#define DRIVER(name, parameters) find_or_replace(d->library, #name, &d->name, sizeof d->name);
#include "dev/gpu/driver.def"
#undef DRIVER
    return 0;
}

int driver_is_there(void)
{
    void *library = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return 0;
    dlclose(library);
    return 1;
}

void driver_describe(const struct driver *d, int status, char *text, size_t size)
{
    const char *name = NULL, *says = NULL;
    if (d->cuGetErrorName(status, &name) != DRIVER_OK || !name)
        snprintf(text, size, "error %d of the driver", status);
    else if (d->cuGetErrorString(status, &says) != DRIVER_OK || !says)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s, %s", name, says);
}
