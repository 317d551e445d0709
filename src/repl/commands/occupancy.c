/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `occupancy`: how many blocks of a launch an SM holds at once, and what binds: for numbers or for
 * a kernel, on the card in use or on another. A GPU's driver is asked for the same.
 */
#include "base/num.h"
#include "repl/commands.h"
#include "repl/reading.h"
#include "labkit/occupancy/occupancy.h"

#include <stdio.h>
#include <string.h>

struct occupancy_options {
    int threads, regs, smem; /* threads and regs: 0 where not given */
    const char *on, *variant, *guess, *kernel;
    bool exercise;
};

/* The kernel or the numbers, and the card. */
struct subject {
    struct device_props other; /* of another card */
    const struct device_props *card;
    bool other_card;           /* not the one in use */
    const void *kernel;        /* the device's own; NULL: numbers alone */
    struct kernel_info info;
    char name[120];
    uint64_t dynamic_shared;
    const char *registers_by;  /* "driver", "ptxas"; NULL: given, or not known */
    char unknown[ERR_TEXT];    /* why a kernel's registers aren't known; else empty */
    struct occupancy_want want;
};

/* ---- finding the kernel ----------------------------------------------------------------- */

/* A lab's kernel: of a variant, or its first. */
static int find_lab(struct session *s, const struct command *lab, const char *variant,
                    struct subject *of, struct report *r)
{
    void *module;
    struct text_file cu, ptx = lab_of_variant(lab->lab, variant, &cu);
    char file[64];
    const struct lab_variant *v = variant ? lab_variant_named(lab->lab, variant)
                                          : lab->lab->variants;
    lab_module_of(ptx, file);
    if (lab_module(s, file, &module, r))
        return -1;
    while (!variant && v && v->name && !v->kernel)
        v++;
    if (variant && !v)
        return no_variant(lab, cu, variant, r);
    if (variant && !v->kernel)
        return report_fail(r, "%s %s runs on the host, so it uses no SM", lab->name,
                           variant);
    of->kernel = v && v->name ? device_find_kernel(s->device, module, v->kernel, &of->info)
                              : s->device->ops->kernel_at(s->device, module, 0, &of->info);
    snprintf(of->name, sizeof of->name, "%.90s", of->kernel ? of->info.name : lab->name);
    return of->kernel ? 0
                      : report_fail(r, "%s%s%s has no kernel of its own", lab->name,
                                    variant ? " " : "", variant ? variant : "");
}

/* A lab's kernel by its own name: in the module whose PTX has it. */
static int find_lab_kernel(struct session *s, const char *name, struct subject *of,
                           struct report *r)
{
    void *module;
    struct text_file cu, ptx = lab_of_kernel(name, &cu);
    char file[64];
    if (!ptx.name)
        return reading_no_such(shell_of(s), name, r);
    lab_module_of(ptx, file);
    if (lab_module(s, file, &module, r))
        return -1;
    of->kernel = device_find_kernel(s->device, module, name, &of->info);
    snprintf(of->name, sizeof of->name, "%.90s", name);
    return of->kernel ? 0 : report_fail(r, "%.60s is only declared in the PTX; it has no code",
    name);
}

static int find_kernel(struct session *s, const struct occupancy_options *o, struct subject *of,
                       struct report *r)
{
    struct reading_wish wish;
    struct err ignored;
    int64_t threads;
    const char *name = o->kernel, *variant = o->variant;
    if (num_int(name, 1, 1024, &threads, &ignored) == 0)
        return report_fail(r, "`%.60s` is not a kernel: did you mean --threads %.60s?", name, name);
    if (reading_wish(shell_of(s), name, &wish, r))
        return -1;
    if (wish.lab)
        return find_lab(s, wish.lab, variant, of, r);
    if (variant)
        return report_fail(r, "only labs have variants; `occupancy %.80s` is enough", name);
    if (!wish.kernel)
        return find_lab_kernel(s, name, of, r);
    of->kernel = wish.kernel->kernel;
    of->info = wish.kernel->info;
    snprintf(of->name, sizeof of->name, "%.90s", wish.kernel->shown);
    return 0;
}

/* ---- its registers ---------------------------------------------------------------------- */

/* PTX has a register for each value. Only ptxas knows how many registers a kind of card needs. If
 * it can't say, they stay unknown. */
static int ask_ptxas(struct session *s, const struct occupancy_options *o, struct subject *of,
                     struct report *r)
{
    struct reading_ptx found;
    struct sass sass = {.registers = -1};
    struct err e = {0};
    const unsigned arch = (unsigned)(of->card->major * 10 + of->card->minor);
    int rc = reading_ptx_open(&found, shell_of(s), o->kernel, o->variant, r);
    if (rc == 0 && reading_assemble(&found, shell_of(s), arch, true, &sass, &e) != 0) {
        snprintf(of->unknown, sizeof of->unknown, "%s", e.text);
        rc = s->stop ? report_fail_err(r, &e) : 0;
    } else if (rc == 0 && sass.registers > 0) {
        of->want.registers = sass.registers;
        of->registers_by = "ptxas";
    }
    reading_ptx_close(&found);
    sass_free(&sass);
    return rc;
}

static int find_registers(struct session *s, const struct occupancy_options *o, struct subject *of,
                          struct report *r)
{
    of->want.registers = o->regs;
    if (o->regs || !of->kernel)
        return 0;
    if (!of->info.registers || of->other_card)
        return ask_ptxas(s, o, of, r);
    of->want.registers = (int)of->info.registers;
    of->registers_by = "driver";
    return 0;
}

/* ---- what is asked ---------------------------------------------------------------------- */

static int read_subject(struct session *s, const struct occupancy_options *o, struct subject *of,
                        struct report *r)
{
    *of = (struct subject){.card = &s->device->props};
    if (o->on) {
        of->other = card_props(card_named(o->on));
        of->card = &of->other;
    }
    of->other_card = of->card != &s->device->props;
    if (!o->kernel && !o->threads)
        return report_fail(r, "occupancy needs a block size or a kernel: write occupancy "
                              "--threads 256, or occupancy trap");
    if (o->kernel && find_kernel(s, o, of, r))
        return -1;
    of->want.threads = o->threads ? o->threads : 256;
    of->dynamic_shared = (uint64_t)o->smem;
    of->want.shared = of->dynamic_shared + of->info.static_shared;
    return find_registers(s, o, of, r);
}

/* ---- what is told ----------------------------------------------------------------------- */

static void say_subject(const struct subject *of, const struct session *s, struct report *r)
{
    char head[200];
    int n = snprintf(head, sizeof head, "%s%s%d threads per block", of->name,
                     of->kernel ? ": " : "", of->want.threads);
    if (of->want.registers)
        n += snprintf(head + n, sizeof head - (size_t)n, ", %d registers per thread",
                      of->want.registers);
    if (of->want.shared)
        n += snprintf(head + n, sizeof head - (size_t)n, ", %llu B shared",
                      (unsigned long long)of->want.shared);
    if (of->other_card)
        snprintf(head + n, sizeof head - (size_t)n, ", on %s", of->card->name);
    say_head(r, s, head);
}

static void say_registers(const struct subject *of, struct report *r)
{
    if (of->registers_by) {
        say_item(r, "registers", "%d per thread, as %s says for sm_%d%d", of->want.registers,
                 of->registers_by[0] == 'd' ? "the driver" : of->registers_by, of->card->major,
                 of->card->minor);
        json_text(&r->result, "registers_from", of->registers_by);
    } else if (!of->want.registers) {
        say_item(r, "registers", "not known, so they don't count here: %s",
                 of->unknown[0] ? of->unknown : "ptxas doesn't say");
        say_item(r, "", "up to %d per thread cost no block; --regs counts them",
                 occupancy_most_registers(of->card, &of->want));
    }
}

/* What the driver says, where there is one. */
static int ask_driver(struct session *s, const struct subject *of, int expected, bool given,
                      struct report *r)
{
    struct err e = {0};
    int blocks;
    if (!of->kernel || of->other_card || given || !s->device->ops->blocks_per_sm)
        return 0;
    if (s->device->ops->blocks_per_sm(s->device, of->kernel, (unsigned)of->want.threads,
                                      of->dynamic_shared, &blocks, &e))
        return report_fail_err(r, &e);
    json_int(&r->result, "driver_blocks", blocks);
    json_bool(&r->result, "ok", blocks == expected);
    say_item(r, "driver", "%d: %s", blocks, blocks == expected ? "the same" : "NOT THE SAME");
    return blocks == expected ? 0 : report_fail(r, "the driver says %d blocks, the arithmetic "
                                                "here %d; please report this", blocks, expected);
}

static int run_occupancy(struct session *s, const void *given, struct report *r)
{
    const struct occupancy_options *o = given;
    struct subject of;
    if (o->exercise || o->guess)
        return occupancy_exercise(r, o->guess);
    if (read_subject(s, o, &of, r))
        return -1;
    const struct occupancy_told told = occupancy_tell(of.card, &of.want);
    const int idle = told.is.warps_per_block * of.card->warp_size - of.want.threads;
    say_subject(&of, s, r);
    if (of.kernel)
        json_text(&r->result, "kernel", of.name);
    facts_json(occupancy_facts, &told, &r->result);
    say_occupancy(r, &told);
    if (idle)
        say_item(r, "lanes", "%d of each block's last warp have no thread", idle);
    if (of.kernel)
        say_registers(&of, r);
    int failed = ask_driver(s, &of, told.is.blocks, o->regs, r);
    say_occupancy_by_threads(r, &told);
    lab_explain(r, "occupancy", occupancy_case(&told.is), occupancy_facts, &told);
    return failed;
}

const struct command command_occupancy = {
    .name = "occupancy", .kind = CLASS_READING,
    .summary = "how many blocks an SM holds at once, and which limit it reaches",
    .options = (const struct arg_spec[]){
        {OPTION(struct occupancy_options, threads), .value = "T", .type = ARG_INT, .lo = 1,
         .hi = 1024, .help = "threads per block; for a kernel, 256 if not given"},
        {OPTION(struct occupancy_options, regs), .value = "R", .type = ARG_INT, .lo = 1, .hi = 255,
         .help = "registers per thread; for a kernel, if not given, the number that the driver "
                 "or ptxas reports"},
        {OPTION(struct occupancy_options, smem), .value = "BYTES", .type = ARG_INT, .lo = 0,
         .hi = 1 << 20, .initial = "0",
         .help = "bytes of shared memory per block; for a kernel, in addition to its own"},
        {OPTION(struct occupancy_options, on), .value = "CARD", .type = ARG_CHOICE,
         .choices = card_names, .help = "calculate for another card than the one in use"},
        {OPTION(struct occupancy_options, variant), .value = "NAME", .type = ARG_TEXT,
         .help = "the variant of a lab"},
        {OPTION(struct occupancy_options, exercise),
         .help = "check the answers of a lecture about an old GPU (G80, 2006)"},
        {OPTION(struct occupancy_options, guess), .value = "A,B,C", .type = ARG_TEXT,
         .help = "your own answers to the exercise"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "KERNEL", BIND(struct occupancy_options, kernel), .type = ARG_KERNEL,
         .help = "a lab, or a kernel of a lab or of your own"}, {0}},
    .size = sizeof(struct occupancy_options),
    .run = run_occupancy};
