/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Images that a program loads itself, and those that it makes while it runs: by NVRTC, or by the
 * driver's linker. What is made here is known again by its bytes when it is loaded. So findings in
 * it name lines of the text that NVRTC was given, and the cubin that NVRTC made is run as the PTX
 * that it made too.
 */
#include "run/run.h"

#include "base/mem.h"
#include "cc/fatbin.h"
#include "cc/jit.h"

#include "cudalab_runtime_types.h"

#include <stdio.h>
#include <string.h>

enum { PARTS_MOST = 1000, TEXTS_MOST = 4000 };

/* A text with its own name: of NVRTC, or what the program gave the linker. */
struct run_part { char name[150]; struct buf source, ptx; };

struct run_made {
    struct buf ptx, cubin;
    struct run_part *parts;
    unsigned count;
};

static void free_parts(struct run_part *parts, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        buf_free(&parts[i].source);
        buf_free(&parts[i].ptx);
    }
    mem_free(&allocator_libc, parts, count * sizeof *parts);
}

void run_forget_made(struct run *r)
{
    for (unsigned i = 0; i < r->made_count; i++) {
        buf_free(&r->made[i].ptx);
        buf_free(&r->made[i].cubin);
        free_parts(r->made[i].parts, r->made[i].count);
    }
    mem_free(&allocator_libc, r->made, r->made_count * sizeof *r->made);
    buf_free(&r->left);
}

/* Takes the parts. NULL: there is no memory. */
static struct run_made *add_made(struct run *r, struct run_part *parts, unsigned count)
{
    struct run_made *grown = mem_resize(&allocator_libc, r->made, r->made_count * sizeof *grown,
                                        (r->made_count + 1) * sizeof *grown);
    if (!grown) {
        free_parts(parts, count);
        return NULL;
    }
    r->made = grown;
    grown[r->made_count] = (struct run_made){.parts = parts, .count = count};
    return &grown[r->made_count++];
}

static struct span span_of_buf(const struct buf *b)
{
    return (struct span){buf_text(b), b->len};
}

static bool is_same(struct span image, const struct buf *made)
{
    return made->len && image.n >= made->len && memcmp(image.at, made->data, made->len) == 0 &&
           (image.n == made->len || image.at[made->len] == '\0');
}

static const struct run_made *find_made(const struct run *r, struct span image)
{
    for (unsigned i = r->made_count; i-- > 0;)
        if (is_same(image, &r->made[i].ptx) || is_same(image, &r->made[i].cubin))
            return &r->made[i];
    return NULL;
}

/* What is told of a request that failed, and of PTX. */
static int32_t leave(struct run *r, struct run_message *m, int32_t error, const char *text)
{
    buf_clear(&r->left);
    buf_puts(&r->left, text);
    m->number[1] = r->left.len;
    return error;
}

int32_t run_give_left(const struct run *r, struct buf *answer)
{
    return buf_add(answer, buf_text(&r->left), r->left.len) == 0 ? 0 : cudaErrorMemoryAllocation;
}

/* ---- loading --------------------------------------------------------------------------- */

/* The PTX that an image has: its own text, or that of a fat binary. */
static int32_t find_ptx(struct run *r, struct span image, struct buf *ptx, struct err *e)
{
    static const char elf[] = "\177ELF", fat_magic[] = "\x50\xed\x55\xba";
    const struct go_on *go_on = r->session.device->go_on;
    bool is_text = image.n < 4 || (memcmp(image.at, elf, 4) != 0 &&
                                   memcmp(image.at, fat_magic, 4) != 0);
    if (is_text)
        return buf_add(ptx, image.at, strnlen(image.at, image.n)) == 0
                   ? 0 : cudaErrorMemoryAllocation;
    struct fatbin fat;
    int32_t error = cudaErrorInvalidKernelImage;
    if (fatbin_read(image, &fat, go_on, e) == 0) {
        const struct fat_entry *entry = run_choose_ptx(r, &fat);
        error = entry ? fat_unpack(entry, ptx, go_on, e) == 0 ? 0 : cudaErrorInvalidKernelImage
                      : cudaErrorNoKernelImageForDevice;
        if (!entry) {
            fail(e, "the program loads machine code (SASS) for one kind of GPU, and no PTX that "
                    "this device can run: make a file of PTX for it, with nvcc -ptx");
            run_note_lacking(r, e->text);
        }
    }
    fatbin_free(&fat);
    return error;
}

/* No two units have the same path. */
static void name_unit(const struct run *r, const char *name, char path[200])
{
    snprintf(path, 200, "%s", name);
    for (unsigned i = 2; unit_of_path(&r->session, path); i++)
        snprintf(path, 200, "%s #%u", name, i);
}

static int32_t load(struct run *r, struct run_message *m, const struct run_part *parts,
                    unsigned count)
{
    struct err e = {0};
    struct unit_from *from = mem_alloc(&allocator_libc, count * sizeof *from);
    char(*paths)[200] = mem_alloc(&allocator_libc, count * sizeof *paths);
    int32_t error = from && paths ? 0 : cudaErrorMemoryAllocation;
    for (unsigned i = 0; i < count && !error; i++) {
        const struct run_part *p = &parts[i];
        name_unit(r, p->name, paths[i]);
        from[i] = (struct unit_from){.path = paths[i], .linked = count > 1};
        buf_add(&from[i].ptx, buf_text(&p->ptx), p->ptx.len);
        buf_add(&from[i].source, buf_text(&p->source), p->source.len);
    }
    if (!error)
        error = run_load_parts(r, from, count, &e);
    m->number[0] = r->module_count;
    mem_free(&allocator_libc, from, from ? count * sizeof *from : 0);
    mem_free(&allocator_libc, paths, paths ? count * sizeof *paths : 0);
    return error ? leave(r, m, error, e.text) : 0;
}

/* PTX of the program's own is its own source, like a file of PTX that `load` gets. */
static int32_t load_own(struct run *r, struct run_message *m, const char *path, struct span image)
{
    struct err e = {0};
    struct run_part p = {.name = "PTX"};
    int32_t error = find_ptx(r, image, &p.ptx, &e);
    if (*path)
        snprintf(p.name, sizeof p.name, "%s", path);
    buf_add(&p.source, buf_text(&p.ptx), p.ptx.len);
    error = error ? leave(r, m, error, e.text) : load(r, m, &p, 1);
    buf_free(&p.source);
    buf_free(&p.ptx);
    return error;
}

int32_t run_image(struct run *r, struct run_message *m, const struct buf *bytes)
{
    const char *path = buf_text(bytes), *end = path + bytes->len;
    const char *image = path + strlen(path) + 1;
    if (image > end)
        return cudaErrorInvalidValue;
    const struct span all = {image, (size_t)(end - image)};
    const struct run_made *made = find_made(r, all);
    m->number[1] = 0;
    return made ? load(r, m, made->parts, made->count) : load_own(r, m, path, all);
}

/* ---- linking --------------------------------------------------------------------------- */

/* A part of the request that the linker is given: two sizes, a name, an image. */
static int32_t take_part(struct run *r, struct span *rest, struct run_part *parts,
                         unsigned *count, struct err *e)
{
    uint64_t sizes[2];
    if (rest->n < sizeof sizes)
        return cudaErrorInvalidValue;
    memcpy(sizes, rest->at, sizeof sizes);
    rest->at += sizeof sizes;
    rest->n -= sizeof sizes;
    if (sizes[0] > rest->n || sizes[1] > rest->n - sizes[0])
        return cudaErrorInvalidValue;
    const struct span name = {rest->at, (size_t)sizes[0]};
    const struct span image = {rest->at + sizes[0], (size_t)sizes[1]};
    rest->at += sizes[0] + sizes[1];
    rest->n -= (size_t)(sizes[0] + sizes[1]);
    const struct run_made *made = find_made(r, image);
    if (*count + (made ? made->count : 1) > PARTS_MOST)
        return cudaErrorInvalidValue;
    for (unsigned i = 0; made && i < made->count; i++) {
        struct run_part *p = &parts[(*count)++];
        const struct run_part *of = &made->parts[i];
        snprintf(p->name, sizeof p->name, "%s", of->name);
        buf_add(&p->source, buf_text(&of->source), of->source.len);
        buf_add(&p->ptx, buf_text(&of->ptx), of->ptx.len);
    }
    if (made)
        return 0;
    struct run_part *p = &parts[(*count)++];
    snprintf(p->name, sizeof p->name, "%.*s", name.n ? (int)name.n : 3, name.n ? name.at : "PTX");
    int32_t error = find_ptx(r, image, &p->ptx, e);
    buf_add(&p->source, buf_text(&p->ptx), p->ptx.len);
    return error;
}

static int32_t link_parts(const struct run_part *parts, unsigned count, struct buf *out,
                          struct err *e)
{
    struct ptx_part all[PARTS_MOST];
    struct ptx_linked linked = {.origins = NULL};
    for (unsigned i = 0; i < count; i++)
        all[i] = (struct ptx_part){parts[i].name, buf_text(&parts[i].ptx)};
    if (count == 1)
        return buf_add(out, buf_text(&parts->ptx), parts->ptx.len);
    int rc = ptx_link(all, count, &linked, e);
    if (rc == 0)
        buf_add(out, buf_text(&linked.text), linked.text.len);
    ptx_linked_free(&linked);
    return rc == 0 ? 0 : cudaErrorInvalidPtx;
}

int32_t run_link(struct run *r, struct run_message *m, const struct buf *bytes)
{
    struct err e = {0};
    struct span rest = span_of_buf(bytes);
    unsigned count = 0;
    struct run_part *parts = mem_alloc(&allocator_libc, PARTS_MOST * sizeof *parts);
    struct buf ptx = {0};
    int32_t error = parts ? 0 : cudaErrorMemoryAllocation;
    m->number[1] = 0;
    if (parts)
        memset(parts, 0, PARTS_MOST * sizeof *parts);
    while (!error && rest.n)
        error = take_part(r, &rest, parts, &count, &e);
    if (!error)
        error = link_parts(parts, count, &ptx, &e);
    if (parts) /* free_parts() gets what is used alone */
        parts = mem_resize(&allocator_libc, parts, PARTS_MOST * sizeof *parts,
                           count * sizeof *parts);
    struct run_made *made = error ? NULL : add_made(r, parts, count);
    if (!made) {
        if (error)
            free_parts(parts, count);
        buf_free(&ptx);
        return leave(r, m, error ? error : cudaErrorMemoryAllocation, e.text);
    }
    made->ptx = ptx;
    return leave(r, m, 0, buf_text(&made->ptx));
}

/* ---- compiling ------------------------------------------------------------------------- */

/* The texts of the request, one behind the other. -1: there are not so many. */
static int read_texts(const struct buf *bytes, const char **texts, unsigned count)
{
    const char *at = buf_text(bytes), *end = at + bytes->len;
    for (unsigned i = 0; i < count; i++) {
        if (at >= end)
            return -1;
        texts[i] = at;
        at += strlen(at) + 1;
    }
    return 0;
}

/* A finding has a name and a line. So texts that differ have names that differ. */
static void choose_name(const struct run *r, const char *name, const char *source, char shown[150])
{
    bool is_other = true;
    snprintf(shown, 150, "%.140s", name);
    for (unsigned n = 2; is_other; n++) {
        const struct unit *u = unit_of_path(&r->session, shown);
        is_other = u && strcmp(buf_text(&u->source), source) != 0;
        for (unsigned i = 0; i < r->made_count && !is_other; i++)
            is_other = r->made[i].count == 1 && strcmp(r->made[i].parts->name, shown) == 0 &&
                       strcmp(buf_text(&r->made[i].parts->source), source) != 0;
        if (is_other)
            snprintf(shown, 150, "%.130s (%u)", name, n);
    }
}

static int32_t keep_made(struct run *r, const struct jit_want *w, const struct jitted *j)
{
    struct run_part *part = mem_alloc(&allocator_libc, sizeof *part);
    if (!part)
        return cudaErrorMemoryAllocation;
    *part = (struct run_part){.name = ""};
    snprintf(part->name, sizeof part->name, "%s", w->shown);
    buf_puts(&part->source, w->source);
    buf_add(&part->ptx, buf_text(&j->ptx), j->ptx.len);
    struct run_made *made = add_made(r, part, 1);
    if (!made)
        return cudaErrorMemoryAllocation;
    buf_add(&made->ptx, buf_text(&j->ptx), j->ptx.len);
    buf_add(&made->cubin, buf_text(&j->cubin), j->cubin.len);
    return 0;
}

static uint64_t add_piece(struct buf *out, const struct buf *piece, bool is_text)
{
    const size_t before = out->len;
    buf_add(out, buf_text(piece), piece->len);
    if (is_text)
        buf_add(out, "", 1);
    return out->len - before;
}

static int32_t compile(struct run *r, struct run_message *m, struct jit_want *w)
{
    struct err e = {0};
    struct jitted j = {0};
    char shown[150];
    const double limit = budget_limit(&r->session.budget);
    choose_name(r, w->name, w->source, shown);
    w->shown = shown;
    w->deadline = limit > 0 ? r->session.budget.command_began + limit : 0;
    w->stop = r->session.budget.stop;
    int32_t error = 0;
    if (!r->jit || r->jit(r->ctx, w, &j, &e) != 0) {
        report_remark(r->report, "%s", r->jit ? e.text : "this cudalab was built without NVRTC");
        error = cudaErrorNotSupported;
    }
    if (!error && !j.result)
        error = keep_made(r, w, &j);
    buf_clear(&r->left);
    m->number[0] = (uint64_t)j.result;
    m->number[2] = add_piece(&r->left, &j.log, true);
    m->number[3] = j.ptx.len ? add_piece(&r->left, &j.ptx, true) : 0;
    m->number[4] = add_piece(&r->left, &j.cubin, false);
    m->number[5] = add_piece(&r->left, &j.names, false);
    m->number[1] = r->left.len;
    jitted_free(&j);
    return r->left.failed ? cudaErrorMemoryAllocation : error;
}

int32_t run_jit(struct run *r, struct run_message *m, const struct buf *bytes)
{
    enum { OPTIONS, HEADERS, EXPRESSIONS };
    const uint64_t *n = m->number;
    if (n[OPTIONS] > TEXTS_MOST || n[HEADERS] > TEXTS_MOST || n[EXPRESSIONS] > TEXTS_MOST)
        return cudaErrorInvalidValue;
    const unsigned count = (unsigned)(2 + n[OPTIONS] + 2 * n[HEADERS] + n[EXPRESSIONS]);
    const char **texts = mem_alloc(&allocator_libc, count * sizeof *texts);
    int32_t error = texts ? cudaErrorInvalidValue : cudaErrorMemoryAllocation;
    if (texts && read_texts(bytes, texts, count) == 0) {
        struct jit_want w = {.name = texts[0], .source = texts[1], .options = texts + 2,
                             .headers = texts + 2 + n[OPTIONS],
                             .expressions = texts + 2 + n[OPTIONS] + 2 * n[HEADERS],
                             .option_count = (unsigned)n[OPTIONS],
                             .header_count = (unsigned)n[HEADERS],
                             .expression_count = (unsigned)n[EXPRESSIONS]};
        error = compile(r, m, &w);
    }
    mem_free(&allocator_libc, texts, texts ? count * sizeof *texts : 0);
    return error;
}

/* NVRTC's version, and the architectures that it knows. */
int32_t run_compiler(struct run *r, struct run_message *m, struct buf *answer)
{
    struct err e;
    struct jitted j = {0};
    const struct jit_want w = {.stop = r->session.budget.stop};
    int32_t error = r->jit && r->jit(r->ctx, &w, &j, &e) == 0 ? 0 : cudaErrorNotSupported;
    m->number[0] = (uint64_t)j.major;
    m->number[1] = (uint64_t)j.minor;
    m->number[2] = j.arch_count;
    buf_add(answer, (const char *)j.archs, j.arch_count * sizeof j.archs[0]);
    jitted_free(&j);
    return answer->failed ? cudaErrorMemoryAllocation : error;
}
