/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVRTC for a program of the student's: with its options, its headers and its names, and nothing of
 * ours. The library is opened by nvrtc-process.c.
 */
#include "programs/backend.h"
#include "programs/programs.h"
#include "programs/rules.h"

#include "base/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_text(struct buf *job, const char *text)
{
    buf_add(job, text, strlen(text) + 1);
}

/* Findings have lines only if the PTX has. */
static bool has_lines(const struct jit_want *w)
{
    static const char *const words[] = {"-lineinfo", "--generate-line-info", "-G",
                                        "--device-debug", NULL};
    for (unsigned i = 0; i < w->option_count; i++)
        for (int k = 0; words[k]; k++)
            if (strcmp(w->options[i], words[k]) == 0)
                return true;
    return false;
}

static void write_job(const struct jit_want *w, const char *library, struct buf *job)
{
    add_text(job, library);
    add_text(job, w->name ? w->name : "");
    add_text(job, w->source ? w->source : "");
    add_text(job, NVRTC_AS_TOLD);
    add_text(job, "");
    add_text(job, "");
    for (unsigned i = 0; i < w->option_count; i++)
        if (w->options[i][0])
            add_text(job, w->options[i]);
    if (!has_lines(w))
        add_text(job, "-lineinfo");
    add_text(job, "");
    for (unsigned i = 0; i < 2 * w->header_count; i++)
        add_text(job, w->headers[i]);
    add_text(job, "");
    for (unsigned i = 0; i < w->expression_count; i++)
        add_text(job, w->expressions[i]);
}

/* The first line: the result, the version, and the architectures. */
static const char *read_head(const char *text, struct jitted *out)
{
    char *end;
    out->result = (int)strtol(text, &end, 10);
    out->major = (int)strtol(end, &end, 10);
    out->minor = (int)strtol(end, &end, 10);
    while (*end == ' ' && out->arch_count < JIT_ARCHS_MOST)
        out->archs[out->arch_count++] = (int)strtol(end, &end, 10);
    return *end == '\n' ? end + 1 : NULL;
}

/* Lines name their file as the program does, and then as it is shown. */
static int name_lines(const struct jit_want *w, struct buf *ptx)
{
    const struct compile_want names = {.path = w->name ? w->name : "",
                                       .no_file = w->name && !strchr(w->name, '/')};
    if (!w->name || ptx_tidy_files(&names, ptx) != 0)
        return w->name ? -1 : 0;
    struct buf out = {0};
    struct span rest = {buf_text(ptx), ptx->len}, line;
    char old[400];
    snprintf(old, sizeof old, "\"%.390s\"", w->name);
    while (next_line(&rest, &line)) {
        const size_t whole = (size_t)(rest.at - line.at);
        const char *quote = begins(trim(line), ".file") ? memchr(line.at, '"', line.n) : NULL;
        if (!quote || (size_t)(line.at + line.n - quote) < strlen(old) ||
            memcmp(quote, old, strlen(old)) != 0) {
            buf_add(&out, line.at, whole);
            continue;
        }
        buf_add(&out, line.at, (size_t)(quote - line.at));
        buf_printf(&out, "\"%s\"", w->shown);
        quote += strlen(old);
        buf_add(&out, quote, (size_t)(rest.at - quote));
    }
    buf_free(ptx);
    *ptx = out;
    return out.failed ? -1 : 0;
}

/* Then the PTX, and each name, end with a NUL. The rest is the cubin. */
static int read_answer(const struct jit_want *w, const struct buf *answer, struct jitted *out)
{
    const char *at = answer->len ? read_head(buf_text(answer), out) : NULL;
    const char *end = buf_text(answer) + answer->len;
    if (!at || out->result)
        return at ? 0 : -1;
    for (unsigned i = 0; i <= w->expression_count && w->source; i++) {
        const char *nul = memchr(at, '\0', (size_t)(end - at));
        if (!nul)
            return -1;
        buf_add(i ? &out->names : &out->ptx, at, (size_t)(nul - at) + (i > 0));
        at = nul + 1;
    }
    buf_add(&out->cubin, at, (size_t)(end - at));
    return name_lines(w, &out->ptx) != 0 || out->cubin.failed || out->names.failed ? -1 : 0;
}

static int judge(const struct jit_want *w, const struct child_result *r, struct jitted *out,
                 struct err *e)
{
    buf_add(&out->log, buf_text(&r->err), r->err.len);
    switch (r->end) {
    case CHILD_EXITED: break;
    case CHILD_STOPPED: return fail(e, "interrupted");
    case CHILD_OUT_OF_TIME: return fail_limit(e, "NVRTC took too long; `set time-limit` allows more");
    default: return fail(e, "NVRTC was ended while it compiled");
    }
    return r->code == NVRTC_SERVED && read_answer(w, &r->out, out) == 0
               ? 0 : fail(e, "NVRTC can't be used here");
}

int program_jit(const struct jit_want *w, struct jitted *out, struct err *e)
{
    const char *const argv[] = {"/proc/self/exe", nvrtc_process_option, NULL};
    struct compilers have;
    struct buf job = {0};
    struct child_result r;
    compilers_find(w->safe, &have);
    if (!have.nvrtc[0])
        return fail(e, "the program compiles kernels by NVRTC, which is part of the CUDA Toolkit "
                       "and not on this computer");
    write_job(w, have.nvrtc, &job);
    if (job.failed) {
        buf_free(&job);
        return fail_memory(e);
    }
    struct rules rules;
    rules_begin(&rules, CONFINE_ALONE);
    rules_run(&rules, argv[0]);
    rules_toolkit(&rules, &have);
    rules.to.plain = w->files;
    const struct child c = {.argv = argv, .input = {job.data, job.len}, .deadline = w->deadline,
                            .stop = w->stop, .progress = w->progress, .most = PRINT_MOST,
                            .confined = w->safe ? &rules.to : NULL, .stays = true,
                            .memory = w->memory};
    int rc = -1;
    if (child_run(&c, &r, e) == 0) {
        rc = judge(w, &r, out, e);
        child_result_free(&r);
    }
    buf_free(&job);
    return rc;
}
