/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replacing a function in the text of a module's PTX.
 */
#include "labkit/patch.h"

#include "os/asset.h"
#include <stdio.h>
#include <string.h>

/* The brace that closes the one at `at`. NULL: there is none. */
static const char *closing_brace(const char *at, const char *end)
{
    int depth = 0;
    for (; at < end; at++) {
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Where `name` stands before its parameters, as in no call. NULL: nowhere after `at`. */
static const char *next_signature(const char *at, const char *name)
{
    size_t n = strlen(name);
    while ((at = strstr(at, name)) != NULL) {
        const char *after = at + n;
        while (*after == ' ' || *after == '\n')
            after++;
        if (*after == '(')
            return at;
        at += n;
    }
    return NULL;
}

/* The definition of a device function: from its ".func" to the end of its body. */
static int find_function(const char *ptx, const char *end, const char *name, const char **first,
                         const char **last)
{
    for (const char *at = ptx; (at = next_signature(at, name)) != NULL; at++) {
        const char *body = at + strcspn(at, "{;");
        if (*body != '{')
            continue; /* only declared here */
        const char *func = at;
        while (func > ptx && strncmp(func, ".func", 5) != 0)
            func--;
        *first = func;
        *last = closing_brace(body, end);
        return func > ptx && *last ? 0 : -1;
    }
    return -1;
}

int module_patch(struct session *s, const char *module, const char *function,
                 const struct buf *body, struct report *r)
{
    char path[80];
    void *loaded;
    snprintf(path, sizeof path, "kernels/ptx/%s.ptx", module);
    const struct asset *asset = asset_find(path);
    const char *ptx = asset ? (const char *)asset->data : "", *first, *last;
    const char *end = ptx + (asset ? asset->size : 0);
    if (find_function(ptx, end, function, &first, &last))
        return report_fail(r, "%s has no function %s to put yours into; %s", path, function,
                           asset_cure);
    struct buf text = {0};
    buf_add(&text, ptx, (size_t)(first - ptx));
    buf_add(&text, buf_text(body), body->len);
    buf_add(&text, last + 1, (size_t)(end - last - 1));
    int failed = body->failed || text.failed
                     ? report_fail_limit(r, "out of memory; a shorter expression needs less")
                     : lab_module_text(s, module, buf_text(&text), text.len, &loaded, r);
    buf_free(&text);
    return failed;
}
