/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of our libraries that take the place of NVIDIA's. The program's author has not
 * written them. So what they do wrong is told at the line that called the library.
 */
#include "run/run.h"

#include "cudalab_runtime_types.h"

#include <stdio.h>
#include <string.h>

/* A module of a library has its name in angle brackets in place of a path. */
static const struct { const char *path, *name, *note; } known[] = {
    {"<cuBLAS>", "cuBLAS",
     "cudalab's own plain loops did the work of cuBLAS. They add in another order than NVIDIA's "
     "library, so the last digits may differ. NVIDIA's library has other counts and times."},
    {"<cuRAND>", "cuRAND",
     "cudalab computed the normal numbers of cuRAND. They may differ from NVIDIA's in the last "
     "digits. NVIDIA's library has other counts and times."},
};

const char *run_library_of(const struct unit *u)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(u->path, known[i].path) == 0)
            return known[i].name;
    return NULL;
}

int32_t run_load_library(struct run *r, struct run_message *m, const struct buf *bytes)
{
    char path[40];
    const char *text = buf_text(bytes);
    const size_t name = strnlen(text, bytes->len);
    if (name == bytes->len || name > 20)
        return cudaErrorInvalidValue;
    snprintf(path, sizeof path, "<%s>", text);
    const struct span ptx = {text + name + 1, bytes->len - name - 1};
    int32_t error = run_load_text(r, path, SPAN(""), ptx);
    m->number[0] = error ? 0 : r->module_count;
    return error;
}

void run_blame_caller(struct run *r, const struct run_message *m, const struct run_kernel *k,
                      struct fault *f)
{
    const struct run_place at = run_place_of(r, m);
    char message[sizeof f->message];
    snprintf(message, sizeof message, "in %s: %.*s", k->library, (int)sizeof message - 20,
             f->message);
    memcpy(f->message, message, sizeof f->message);
    snprintf(f->at.file, sizeof f->at.file, "%s", at.file);
    f->at.line = at.line;
    f->has_place = at.line > 0;
    f->of_host = true;
    f->has_other = false;
    f->ptx_line = 0;
    f->cure = "library";
}

int32_t run_library_mistake(struct run *r, const struct run_message *m, const struct buf *bytes)
{
    const struct run_place at = run_place_of(r, m);
    const char *kind = buf_text(bytes);
    const size_t n = strnlen(kind, bytes->len);
    if (n < bytes->len && fault_kind_named(kind)) /* a program can write anything there */
        run_mistake(r, kind, &at, false, "%.*s", (int)(bytes->len - n - 1), kind + n + 1);
    return 0;
}

const char *run_library_note(const struct run *r, unsigned number)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        bool used = false;
        for (unsigned k = 0; k < r->kernel_count && !used; k++)
            used = r->kernels[k]->launches && r->kernels[k]->library == known[i].name;
        if (used && number-- == 0)
            return known[i].note;
    }
    return NULL;
}
