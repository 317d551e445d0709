/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes version 1.0, and reads versions 1 to 3 if an array here can hold what they describe:
 * little endian numbers, row after row, at most three dimensions.
 */
#include "own/npy.h"

#include "base/lines.h"
#include "os/fd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_MOST = 1 << 16, HEAD_ALIGN = 64 };

bool npy_named(const char *path)
{
    return ends_in(path, ".npy");
}

/* ---- writing --------------------------------------------------------------------------- */

void npy_write_head(struct buf *out, enum element type, const uint64_t dims[3])
{
    struct buf text = {0};
    buf_printf(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (%" PRIu64 ",",
               element_npy(type), dims[0]);
    for (int i = 1; i < 3 && dims[i]; i++)
        buf_printf(&text, "%s%" PRIu64, i == 1 ? " " : ", ", dims[i]);
    buf_puts(&text, "), }");
    while ((10 + text.len + 1) % HEAD_ALIGN && !text.failed)
        buf_putc(&text, ' ');
    buf_putc(&text, '\n');
    buf_add(out, "\x93NUMPY\x01\x00", 8);
    buf_putc(out, (char)(text.len & 0xFF));
    buf_putc(out, (char)(text.len >> 8));
    buf_add(out, buf_text(&text), text.len);
    out->failed = out->failed || text.failed;
    buf_free(&text);
}

/* ---- reading --------------------------------------------------------------------------- */

static int no_npy(const char *path, const char *why, struct err *e)
{
    return fail(e, "`%.200s` can't be read as .npy: %s", path, why);
}

/* What is behind 'key': in the dictionary, or NULL. */
static const char *value_of(const char *head, const char *key)
{
    const char *at = strstr(head, key);
    if (!at)
        return NULL;
    at += strlen(key);
    at += strspn(at, " ");
    if (*at != ':')
        return NULL;
    return at + 1 + strspn(at + 1, " ");
}

static int read_type(const char *head, const char *path, struct npy *n, struct err *e)
{
    const char *at = value_of(head, "'descr'");
    if (!at || *at != '\'' || strlen(at) < 5 || at[4] != '\'')
        return no_npy(path, "its elements are not plain numbers", e);
    if (at[1] == '>')
        return no_npy(path, "it is big endian; save it with a type like '<f4'", e);
    if (strncmp(at + 2, "b1", 2) == 0) {
        n->type = ELEMENT_U8;
        return 0;
    }
    for (int i = 0; element_names[i]; i++)
        if (element_npy((enum element)i)[0] &&
            strncmp(element_npy((enum element)i) + 1, at + 2, 2) == 0) {
            n->type = (enum element)i;
            return 0;
        }
    return fail(e, "`%.200s` can't be read as .npy: it holds '%.3s', and an array here holds "
                "whole numbers of 1 to 8 bytes, f2, f4 or f8", path, at + 1);
}

static int read_shape(const char *head, const char *path, struct npy *n, struct err *e)
{
    const char *at = value_of(head, "'shape'");
    int dims = 0;
    n->count = 1;
    if (!at || *at++ != '(')
        return no_npy(path, "it has no shape", e);
    for (at += strspn(at, " "); *at && *at != ')'; at += strspn(at, ", ")) {
        char *end;
        errno = 0;
        uint64_t v = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : 0;
        if (v == 0 || errno || v > (UINT64_C(1) << 48) / n->count)
            return no_npy(path, "its shape has no elements, or too many", e);
        if (dims == 3)
            return no_npy(path, "it has more than three dimensions", e);
        n->dims[dims++] = v;
        n->count *= v;
        at = end;
    }
    if (dims == 0)
        n->dims[0] = 1;
    const char *order = value_of(head, "'fortran_order'");
    if (dims > 1 && order && strncmp(order, "True", 4) == 0)
        return no_npy(path, "it lies column by column; save it in C order, row by row", e);
    return 0;
}

int npy_read_head(int fd, const char *path, struct npy *n, struct err *e)
{
    unsigned char lead[12];
    *n = (struct npy){.type = ELEMENT_U8};
    if (fd_read(fd, lead, 10) != 10 || memcmp(lead, "\x93NUMPY", 6) != 0)
        return no_npy(path, "it doesn't begin as NumPy writes it", e);
    const bool wide = lead[6] > 1;
    if (lead[6] < 1 || lead[6] > 3 || (wide && fd_read(fd, lead + 10, 2) != 2))
        return no_npy(path, "its version is none of 1, 2 and 3", e);
    size_t length = lead[8] | (size_t)lead[9] << 8;
    if (wide)
        length |= (size_t)lead[10] << 16 | (size_t)lead[11] << 24;
    if (length > HEAD_MOST)
        return no_npy(path, "its head is too long", e);
    char *head = calloc(1, length + 1);
    if (!head)
        return fail_memory(e);
    n->start = (wide ? 12 : 10) + length;
    int rc = fd_read(fd, head, length) == (ssize_t)length
                 ? 0 : no_npy(path, "it ends within its head", e);
    if (rc == 0)
        rc = read_type(head, path, n, e);
    if (rc == 0)
        rc = read_shape(head, path, n, e);
    free(head);
    return rc;
}
