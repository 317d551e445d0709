/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command `step`, and the life of what it begins; see stepping.h.
 */
#include "repl/step/stepping.h"

#include "repl/commands.h"
#include "repl/inner.h"
#include "repl/step/step.h"
#include "repl/step/variables.h"
#include "screen/wrap.h"
#include "step/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- the words before the commands ------------------------------------------------------------ */

static bool is_word_of_stepping(const char *name)
{
    for (const struct command *const *w = stepping_words; *w; w++)
        if (strcmp((*w)->name, name) == 0)
            return true;
    return false;
}

/* A command under another name. The help lists it under its own. */
static const struct command *synonym_of(struct stepped *st, const struct stepping_synonym *s)
{
    struct command *c = arena_alloc(&st->memory, sizeof *c);
    if (!c)
        return NULL;
    *c = *s->is;
    c->name = s->name;
    c->alias = NULL;
    c->kind = CLASS_BLOCK;
    return c;
}

static int put_words(struct stepped *st)
{
    size_t words = 0, others = 0, synonyms = 0, n = 0;
    while (stepping_words[words])
        words++;
    while (st->others[others])
        others++;
    while (stepping_synonyms[synonyms].name)
        synonyms++;
    st->commands = malloc((words + synonyms + others + 1) * sizeof(const struct command *));
    if (!st->commands)
        return -1;
    for (size_t i = 0; i < words; i++)
        st->commands[n++] = stepping_words[i];
    for (size_t i = 0; i < synonyms; i++)
        if (!(st->commands[n++] = synonym_of(st, &stepping_synonyms[i])))
            return -1;
    for (size_t i = 0; i < others; i++)
        if (!is_word_of_stepping(st->others[i]->name))
            st->commands[n++] = st->others[i];
    st->commands[n] = NULL;
    st->sh->session.commands = st->commands;
    return 0;
}

/* ---- life --------------------------------------------------------------------------------------- */

void stepping_end(struct shell *sh)
{
    struct stepped *st = sh->stepping;
    if (!st)
        return;
    stepper_end(st->stepper);
    names_free(st->names);
    if (sh->session.device->ops->look_ended)
        sh->session.device->ops->look_ended(sh->session.device);
    sh->session.commands = st->others;
    sources_free(&st->sources);
    arena_free(&st->memory);
    conditions_free(st);
    displays_free(st);
    free(st->commands);
    free(st->command);
    free(st->last);
    free(st);
    sh->stepping = NULL;
}

/* Ctrl-C and the limits of time stop a move. */
static int goes_on(void *self, struct err *e)
{
    const struct session *s = self;
    return budget_end(&s->budget) == BUDGET_LEFT ? 0 : fail(e, "stopped");
}

static int take(void *self, struct device *d, struct sim *sim, const struct sim_launch *launch,
                struct err *e)
{
    struct stepped *st = self;
    st->elsewhere = d != st->device;
    if (st->elsewhere) /* it goes away with the command */
        return fail(e, "this launch can't be stepped");
    st->stepper = stepper_begin(sim, launch, e);
    if (!st->stepper)
        return -1;
    stepper_stops_by(st->stepper, (struct go_on){goes_on, &st->sh->session});
    return 0;
}

struct stepped *stepping_of(struct session *s, struct report *r)
{
    struct stepped *st = shell_of(s)->stepping;
    if (!st)
        report_fail(r, "no launch is being stepped: begin with step launch k<<<1, 32>>>(x)");
    return st;
}

const char *stepping_again(const struct shell *sh)
{
    return sh->stepping ? sh->stepping->last : NULL;
}

/* ---- beginning ------------------------------------------------------------------------------------ */

static const struct unit *unit_of_kernel(const struct session *s, const struct sim_kernel *k)
{
    for (unsigned i = 0; s->units && i < s->units->count; i++)
        for (unsigned j = 0; j < s->units->all[i]->kernel_count; j++)
            if (s->units->all[i]->kernels[j].kernel == k)
                return s->units->all[i];
    return NULL;
}

/* The names and types of the kernel's parameters, as its source has them. */
static void read_declarations(struct stepped *st, const struct unit *u)
{
    enum { PARAMS_MOST = 64 };
    const struct sim_kernel *k = stepper_shape(st->stepper)->kernel;
    const struct text_file file = stepping_source(st, stepper_next(st->stepper));
    struct cxx_name name;
    int line;
    st->has_tokens = file.name && declare_read(file.text.at, file.text.n, &st->memory, &st->tokens) == 0;
    const bool cxx = cxx_read(k->name, &st->memory, &name) == 0;
    st->kernel = cxx ? name.qualified : k->name;
    for (unsigned i = 0; u && i < u->kernel_count; i++)
        if (u->kernels[i].kernel == k && u->kernels[i].params) {
            st->params = u->kernels[i].params;
            st->param_count = k->param_count;
            return;
        }
    struct declared *own =
        st->has_tokens ? arena_alloc(&st->memory, PARAMS_MOST * sizeof *own) : NULL;
    if (own && declared_kernel(&st->tokens, st->kernel, own, PARAMS_MOST, &line) ==
                   (int)k->param_count) {
        st->params = own;
        st->param_count = k->param_count;
    }
}

/* The launch of the inner command was given to the stepper. */
static int begun(struct stepped *st, const struct fault *found, struct report *r)
{
    struct shell *sh = st->sh;
    sh->stepping = st;
    st->others = sh->session.commands;
    const struct unit *u = unit_of_kernel(&sh->session, stepper_shape(st->stepper)->kernel);
    sources_init(&st->sources, sh, u);
    read_declarations(st, u);
    variables_begin(st, u);
    if (!st->command || put_words(st) != 0) {
        stepping_end(sh);
        return report_fail_memory(r);
    }
    const struct sim_fault *refused = step_look_fault(st->stepper);
    if (refused && stepper_place(st->stepper) == 0) {
        report_fail(r, "%s: %s", sim_fault_name(refused->kind), refused->message);
        stepping_end(sh);
        return -1;
    }
    if (!found)
        return stepping_show(st, STEP_THERE, r);
    if (!found->ends)
        say_wrapped(r, 0, "The launch begins again with the arrays as they are now.");
    return stepping_to_finding(st, found, r);
}

static int begin(struct shell *sh, const char *line, const struct fault *found, struct report *r)
{
    struct stepped *st = calloc(1, sizeof *st);
    struct caught caught;
    if (!st)
        return report_fail_memory(r);
    *st = (struct stepped){.sh = sh, .command = strdup(line), .device = sh->session.device};
    const struct launch_look look = {take, st};
    caught_begin(&caught, sh);
    sh->session.look = &look;
    inner_run(sh, line, &caught);
    sh->session.look = NULL;
    struct err e = caught.first;
    const bool failed = caught.errors > 0;
    caught_free(&caught);
    if (st->stepper)
        return begun(st, found, r);
    const bool elsewhere = st->elsewhere;
    free(st->command);
    free(st);
    if (elsewhere)
        return report_fail(r, "`%.60s` has a device of its own, whose launches can't be stepped: `load` "
                              "the file of the kernel, and step a launch of the kernel", line);
    return failed ? report_fail(r, "%s", e.text)
                  : report_fail(r, "`%.60s` launches no kernel that the simulator runs, so there is "
                                   "nothing to step", line);
}

/* `step` alone: the launch that the last finding is of. */
static int begin_at_finding(struct shell *sh, struct report *r)
{
    const struct found *f = &sh->found;
    const unsigned count = f->command ? f->report.fault_count : 0;
    unsigned i = 0;
    while (i < count && f->report.faults[i].benign)
        i++;
    if (i == count)
        return report_fail(r, "%s, so write what to step: step launch k<<<1, 32>>>(x), or step trap",
                           f->command ? "nothing was found in the last launch"
                                      : "there was no launch yet");
    if (f->launches > 1)
        return report_fail(r, "`%.60s` launched %u kernels: step the one that you mean", f->command,
                           f->launches);
    if (f->report.faults[i].of_host || f->report.faults[i].in_child)
        return report_fail(r, "this finding is not of a kernel that the host launched");
    const struct fault fault = f->report.faults[i]; /* the inner command may replace the list */
    char *line = strdup(f->command);
    if (!line)
        return report_fail_memory(r);
    const int rc = begin(sh, line, &fault, r);
    free(line);
    return rc;
}

struct step_options {
    struct arg_call line;
};

static int run_step(struct session *s, const void *given, struct report *r)
{
    const struct step_options *o = given;
    struct shell *sh = shell_of(s);
    struct err e = {0};
    if (sh->record.caught && !sh->replaying)
        return report_fail(r, "step can't run inside another command");
    if (!s->device->ops->look_ended)
        return report_fail(r, "the simulator steps, not a GPU: `set device sim` first");
    if (!o->line.text)
        return begin_at_finding(sh, r);
    char *line = inner_line(o->line.text);
    if (!line)
        return report_fail_memory(r);
    int rc = inner_check(sh, "step", line, &e) != 0 ? report_fail_err(r, &e)
                                                    : begin(sh, line, NULL, r);
    free(line);
    return rc;
}

const struct command command_step = {
    .name = "step", .kind = CLASS_KERNELS,
    .summary = "go through a launch step by step, forwards and backwards",
    .operands = (const struct arg_spec[]){
        {.name = "COMMAND", BIND(struct step_options, line), .type = ARG_LINE,
         .example = "launch k<<<1, 32>>>(x)",
         .help = "what launches the kernel: launch k<<<1, 32>>>(x), or a lab"}, {0}},
    .size = sizeof(struct step_options), .never_inside = true, .run = run_step};
