/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The labs' kernels of a page, their PTX and their sources. They are a third of all that is to be
 * loaded, and the prompt does not need them. So they are a file of their own (build-aux/embed), and
 * the page gives its bytes when the first kernel is asked for.
 */
#include "os/asset.h"

#include <emscripten.h>

extern unsigned char assets_apart[];
extern const size_t assets_apart_size;

/* Module.kernels() returns the bytes of the file as a Uint8Array, or null. */
EM_JS(int, page_kernels, (unsigned char *to, size_t size), {
    const bytes = Module["kernels"] ? Module["kernels"]() : null;
    if (!bytes || bytes.length !== size)
        return 0;
    HEAPU8.set(bytes, to);
    return 1;
});

const char asset_cure[] = "load the page anew when you are online";

bool asset_here(const struct asset *a)
{
    static bool loaded;
    const bool apart = a->data >= assets_apart && a->data < assets_apart + assets_apart_size;
    if (apart && !loaded)
        loaded = page_kernels(assets_apart, assets_apart_size);
    return !apart || loaded;
}
