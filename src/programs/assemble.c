/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file runs ptxas and a disassembler in a scratch folder. cc/sass.c reads what they print.
 */
#include "programs/programs.h"

#include "base/lines.h"
#include "cc/elf.h"
#include "os/fd.h"
#include "programs/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CUBIN_MOST = 64 << 20, FIELD = 1000 };

static int number_before(const char *text, const char *what)
{
    const char *at = strstr(text, what), *from = at;
    while (from && from > text && strchr("0123456789 ", from[-1]))
        from--;
    return at && from < at ? atoi(from) : -1;
}

static void read_usage(struct sass *s, const char *said)
{
    s->registers = number_before(said, " registers");
    s->shared = number_before(said, " bytes smem");
    s->stack = number_before(said, " bytes stack frame");
    s->spill_stores = number_before(said, " bytes spill stores");
    s->spill_loads = number_before(said, " bytes spill loads");
}

/* A program that does not run can be told from one that refuses its input: it was killed, or it
 * ended without a word, or it never began. */
static bool did_not_answer(const struct child_result *r)
{
    return r->end == CHILD_KILLED ||
           (r->end == CHILD_EXITED &&
            (r->code == CHILD_NOT_BEGUN || (r->code != 0 && !r->err.len && !r->out.len)));
}

/* The error is the first line that the program printed, without its name or the path of our file.
 * 1: it refuses what it was given. -1: it did not say why it ended. */
static int refused(const char *who, const struct child_result *r, const char *folder,
                   struct err *e)
{
    char first[300], nothing[40];
    const char *said = r->err.len ? buf_text(&r->err) : r->out.len ? buf_text(&r->out) : nothing;
    snprintf(nothing, sizeof nothing, "it said nothing (status %d)", r->code);
    snprintf(first, sizeof first, "%.*s", (int)strcspn(said, "\n"), said);
    const char *words = strstr(first, ": "), *ours = strstr(first, folder);
    fail(e, "%s refuses: %s", who,
         words && (ours || strncmp(first, who, strlen(who)) == 0) ? words + 2 : first);
    return did_not_answer(r) ? -1 : 1;
}

/* In tests, ptxas has crashed where the next one answered. So it is asked twice. */
static int ask(const struct child *c, struct child_result *r, struct err *e)
{
    if (child_run(c, r, e) != 0)
        return -1;
    if (r->end != CHILD_KILLED)
        return 0;
    child_result_free(r);
    return child_run(c, r, e);
}

static int run_tool(const struct sass_want *w, const char *const *argv, const char *who,
               const char *folder, struct child_result *r, struct err *e)
{
    struct rules rules;
    rules_begin(&rules, CONFINE_ALONE);
    rules_run(&rules, argv[0]);
    rules_add(&rules, folder, CONFINE_READ | CONFINE_WRITE);
    const struct child c = {.argv = argv, .scratch = folder, .deadline = w->deadline,
                            .stop = w->stop, .progress = w->progress, .most = PRINT_MOST,
                            .confined = w->safe ? &rules.to : NULL,
                            .memory = w->memory};
    if (ask(&c, r, e) != 0)
        return -1;
    if (r->end == CHILD_STOPPED)
        return fail(e, "interrupted");
    if (r->end == CHILD_KILLED) {
        char name[20];
        child_signal_name(r->code, name);
        return fail(e, "%s crashed (%s); this is not a verdict on your code: try a smaller kernel",
                    who, name);
    }
    if (r->end != CHILD_EXITED)
        return fail_limit(e, "%s was stopped: it took too long, or printed too much", who);
    return r->code == 0 ? 0 : refused(who, r, folder, e);
}

static int write_ptx(const struct sass_want *w, const char *folder, struct err *e)
{
    return fd_make_file(folder, "in.ptx", w->ptx, w->size) == 0
               ? 0 : fail(e, "cannot write into a temporary folder");
}

/* Assembles the kernel `entry`, or all kernels if it is NULL; `part`: the PTX calls functions that
 * other PTX has. Adds what ptxas printed to `said`. */
static int run_ptxas(const struct sass_want *w, const char *ptxas, const char *folder,
                     const char *cubin, const char *entry, bool part, struct buf *said,
                     struct err *e)
{
    char arch[32], ptx[SCRATCH_PATH + 20];
    struct child_result r = {0};
    snprintf(arch, sizeof arch, "-arch=sm_%u", w->arch);
    snprintf(ptx, sizeof ptx, "%s/in.ptx", folder);
    const char *const argv[] = {ptxas, arch, "-v", "-o", cubin, ptx, "--generate-line-info",
                                entry ? "--entry" : part ? "-c" : NULL, entry, NULL};
    int rc = run_tool(w, argv, "ptxas", folder, &r, e);
    if (rc == 0)
        buf_add(said, buf_text(&r.err), r.err.len);
    child_result_free(&r);
    return rc;
}

static int assemble(const struct sass_want *w, const char *ptxas, const char *folder,
                    const char *cubin, struct sass *s, struct err *e)
{
    struct buf said = {0};
    int rc = write_ptx(w, folder, e);
    if (rc == 0)
        rc = run_ptxas(w, ptxas, folder, cubin, w->kernel, false, &said, e);
    if (rc == 0)
        read_usage(s, buf_text(&said));
    buf_free(&said);
    return rc;
}

/* Since 7.0 an instruction has 16 bytes, and its lowest 12 bits say what it does. */
static unsigned count_instructions(struct span code)
{
    enum { SIZE = 16, OPCODE = 0xfff, NOP = 0x918 };
    size_t n = code.n / SIZE;
    while (n && (bytes_at(code, (n - 1) * SIZE, 2) & OPCODE) == NOP)
        n--;
    return (unsigned)n;
}

/* Measures the code that the cubin has for the kernel. */
static void measure(const char *cubin, const char *kernel, unsigned arch, struct sass *s)
{
    char name[FIELD];
    struct buf file = {0};
    struct elf elf;
    struct elf_section section;
    snprintf(name, sizeof name, ".text.%.900s", kernel);
    if (scratch_read(cubin, CUBIN_MOST, &file) == 0 &&
        elf_open(&elf, (struct span){buf_text(&file), file.len}) &&
        elf_named(&elf, name, &section)) {
        s->bytes = (unsigned)section.bytes.n;
        s->instructions = arch >= 70 ? count_instructions(section.bytes) : 0;
    }
    buf_free(&file);
}

static int disassemble(const struct sass_want *w, const char *program, const char *name,
                       const char *folder, const char *cubin, struct sass *s, struct err *e)
{
    bool by_nvdisasm = strcmp(name, "nvdisasm") == 0;
    const char *const nvdisasm[] = {program, "--print-code", "--print-line-info", cubin, NULL};
    const char *const cuobjdump[] = {program, "-sass", cubin, NULL};
    struct child_result r = {0};
    int rc = run_tool(w, by_nvdisasm ? nvdisasm : cuobjdump, name, folder, &r, e);
    if (rc == 0)
        rc = sass_read(s, buf_text(&r.out), r.out.len, w->kernel) == 0 ? 0 : fail_memory(e);
    if (rc == 0 && !s->count)
        rc = fail(e, "%s printed no instructions of %.100s", name, w->kernel);
    s->disassembler = name;
    child_result_free(&r);
    return rc == 0 ? 0 : -1;
}

static int make_in(const struct sass_want *w, const char *ptxas, const char *folder,
                   struct sass *s, struct err *e)
{
    static const char *const names[] = {"nvdisasm", "cuobjdump", NULL};
    char cubin[SCRATCH_PATH + 20], program[COMPILER_PATH];
    snprintf(cubin, sizeof cubin, "%s/out.cubin", folder);
    if (assemble(w, ptxas, folder, cubin, s, e) != 0)
        return -1;
    measure(cubin, w->kernel, w->arch, s);
    if (w->usage_only)
        return 0;
    for (const char *const *name = names; *name; name++)
        if (tool_find(*name, w->safe, program))
            return disassemble(w, program, *name, folder, cubin, s, e);
    return 0;
}

static int find_ptxas(const struct sass_want *w, char ptxas[COMPILER_PATH], struct err *e)
{
    if (w->safe && !confine_version())
        return fail(e, "under --safe ptxas can't be used: this system has no Landlock to confine it");
    if (tool_find("ptxas", w->safe, ptxas))
        return 0;
    if (tool_find("ptxas", false, ptxas))
        return fail(e, "the ptxas here is a script, and --safe runs no shell");
    return fail(e, "there is no ptxas here, which makes SASS of PTX: it comes with NVIDIA's "
                "CUDA Toolkit, as does nvdisasm, which shows it; `ptx` needs neither");
}

int program_assemble(const struct sass_want *w, struct sass *s, struct err *e)
{
    char ptxas[COMPILER_PATH];
    struct scratch scratch;
    sigset_t before;
    memset(s, 0, sizeof *s);
    s->registers = s->shared = s->stack = s->spill_stores = s->spill_loads = -1;
    if (find_ptxas(w, ptxas, e) != 0)
        return -1;
    if (scratch_make(&scratch, e) != 0)
        return -1;
    signals_hold(&before);
    int rc = make_in(w, ptxas, scratch.path, s, e);
    scratch_remove(&scratch);
    signals_release(&before);
    return rc;
}

/* ---- registers of all kernels ----------------------------------------------------------- */

static struct print128 print_usage(const struct sass_want *w, const char *ptxas)
{
    char how[80];
    snprintf(how, sizeof how, "usage %s sm_%u", PACKAGE_VERSION, w->arch);
    return print_add(print_file(print_text(print_start, how), ptxas), w->ptx, w->size);
}

static int ask_usage(const struct sass_want *w, const char *ptxas, struct buf *said, struct err *e)
{
    char cubin[SCRATCH_PATH + 20];
    struct scratch scratch;
    sigset_t before;
    if (scratch_make(&scratch, e) != 0)
        return -1;
    snprintf(cubin, sizeof cubin, "%s/out.cubin", scratch.path);
    signals_hold(&before);
    int rc = write_ptx(w, scratch.path, e);
    if (rc == 0)
        rc = run_ptxas(w, ptxas, scratch.path, cubin, NULL, false, said, e);
    if (rc > 0)
        rc = run_ptxas(w, ptxas, scratch.path, cubin, NULL, true, said, e);
    scratch_remove(&scratch);
    signals_release(&before);
    return rc;
}

int program_usage(const struct sass_want *w, struct buf *said, struct err *e)
{
    char ptxas[COMPILER_PATH];
    struct compiled kept = {.compiler = "ptxas"};
    if (find_ptxas(w, ptxas, e) != 0)
        return 1;
    const struct print128 print = print_usage(w, ptxas);
    int rc = cache_read(w->cache, print, &kept);
    if (rc != 0) {
        snprintf(kept.compiler, sizeof kept.compiler, "ptxas");
        rc = ask_usage(w, ptxas, &kept.ptx, e);
        if (rc == 0)
            cache_write(w->cache, print, &kept);
    }
    if (rc == 0)
        buf_add(said, buf_text(&kept.ptx), kept.ptx.len);
    compiled_free(&kept);
    return rc;
}
