/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command `step`, and the life of what it begins; see stepping.h.
 */
#include "repl/step/stepping.h"

#include "own/element.h"
#include "own/type-text.h"
#include "repl/commands.h"
#include "repl/inner.h"
#include "repl/step/step.h"
#include "repl/step/variables.h"
#include "screen/wrap.h"
#include "step/names.h"

#include <stdio.h>
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

static void free_stepped(struct stepped *st)
{
    struct device *d = st->kept ? st->device : st->sh->session.device;
    stepper_end(st->stepper);
    names_free(st->names);
    if (st->stepper) /* a GPU has the simulator of its launch until then */
        d->ops->look_ended(d);
    sources_free(&st->sources);
    if (st->end_kept)
        st->end_kept(st->kept);
    arena_free(&st->memory);
    conditions_free(st);
    displays_free(st);
    buf_free(&st->printed_before);
    buf_free(&st->names_launched);
    free(st->commands);
    free(st->command);
    free(st->last);
    free(st);
}

void stepping_end(struct shell *sh)
{
    struct stepped *st = sh->stepping;
    if (!st)
        return;
    sh->session.commands = st->others;
    sh->stepping = NULL;
    free_stepped(st);
}

void stepping_keep(struct shell *sh, struct session *of, void *what, void (*end)(void *what),
                   struct span printed)
{
    struct stepped *st = sh->session.look->self;
    if (!st->stepper) {
        end(what);
        return;
    }
    st->of = of;
    st->kept = what;
    st->end_kept = end;
    buf_add(&st->printed_before, printed.at, printed.n);
}

/* Ctrl-C and the limits of time stop a move. */
static int goes_on(void *self, struct err *e)
{
    const struct session *s = self;
    return budget_end(&s->budget) == BUDGET_LEFT ? 0 : fail(e, "stopped");
}

/* ---- which launch ------------------------------------------------------------------------------ */

/* Does `typed` name this kernel, perhaps without its namespaces, template arguments or parameters? */
static bool is_named(const char *shown, const char *typed)
{
    const size_t n = strlen(typed);
    const char *at = shown, *end = shown + strcspn(shown, "<(");
    while (at) {
        if (strncmp(at, typed, n) == 0 && (!at[n] || (at + n == end)))
            return true;
        const char *colons = strstr(at, "::");
        at = colons && colons < end ? colons + 2 : NULL;
    }
    return false;
}

enum { NAMES_MOST = 400 }; /* bytes of names that an error tells */

/* Once each, with commas between them. */
static void note_name(struct stepped *st, const char *name)
{
    struct buf *all = &st->names_launched;
    const size_t n = strlen(name);
    for (const char *at = buf_text(all); (at = strstr(at, name)) != NULL; at += n)
        if (!at[n] || strncmp(at + n, ", ", 2) == 0)
            return;
    if (all->len + n < NAMES_MOST)
        buf_printf(all, "%s%s", all->len ? ", " : "", name);
}

static bool wants(void *self, const struct launch_want *w)
{
    struct stepped *st = self;
    if (st->device)
        return false;
    st->launches++;
    note_name(st, w->name);
    st->fitting += !st->wanted->kernel || is_named(w->name, st->wanted->kernel);
    if (st->fitting < st->wanted->number)
        return false;
    st->own_kernel = w->kernel;
    snprintf(st->kernel_name, sizeof st->kernel_name, "%s", w->name);
    return true;
}

static int take(void *self, struct device *d, struct sim *sim, const struct sim_launch *launch,
                struct err *e)
{
    struct stepped *st = self;
    st->device = d;
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

static const struct unit *unit_of_kernel(const struct session *s, const void *k)
{
    for (unsigned i = 0; s->units && i < s->units->count; i++)
        for (unsigned j = 0; j < s->units->all[i]->kernel_count; j++)
            if (s->units->all[i]->kernels[j].kernel == k)
                return s->units->all[i];
    return NULL;
}

static bool is_number(const char *type)
{
    char bare[TYPE_ROOM];
    enum element known;
    type_bare(type, bare);
    return element_named(bare, &known) == 0;
}

/* Of a template the source has T*, where the name of the kernel has float*. */
static void fill_in(struct arena *memory, struct declared *d, const char *type)
{
    const char *star = strrchr(type, '*');
    if (!star && !d->is_pointer && !is_number(d->type))
        d->type = type;
    if (star && d->is_pointer && d->pointee && !is_number(d->pointee))
        d->pointee = arena_text(memory, type, (size_t)(star - type));
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
    struct declared *own = arena_alloc(&st->memory, PARAMS_MOST * sizeof *own);
    const bool cxx = cxx_read(k->name, &st->memory, &name) == 0;
    st->kernel = cxx ? name.qualified : k->name;
    bool known = false;
    for (unsigned i = 0; own && u && i < u->kernel_count && k->param_count <= PARAMS_MOST; i++)
        if (u->kernels[i].kernel == st->own_kernel && u->kernels[i].params) {
            memcpy(own, u->kernels[i].params, k->param_count * sizeof *own);
            known = true;
        }
    if (own && !known && st->has_tokens)
        known = declared_kernel(&st->tokens, st->kernel, own, PARAMS_MOST, &line) ==
                (int)k->param_count;
    if (!known)
        return;
    st->params = own;
    st->param_count = k->param_count;
    for (unsigned i = 0; cxx && name.param_count == k->param_count && i < k->param_count; i++)
        fill_in(&st->memory, &own[i], name.params[i]);
}

/* What has to be known before the launch is shown. */
static void say_beginning(struct stepped *st, const struct fault *found, struct report *r)
{
    const struct session *s = &st->sh->session;
    struct err ignored;
    buf_add(&r->output, buf_text(&st->printed_before), st->printed_before.len);
    if (strcmp(s->device->kind, st->device->kind) != 0 && !st->kept) {
        say_wrapped(r, 0, "The simulator steps a copy of this launch, with the arrays as they are on the "
                          "GPU.");
        json_bool(&r->result, "copy", true);
    }
    if (st->launches > 1) {
        say_wrapped(r, 0, "This is launch %u, of `%s`.", st->launches, st->kernel_name);
        json_uint(&r->result, "launch", st->launches);
    }
    if (found && strcmp(st->kernel_name, found->kernel) != 0)
        say_wrapped(r, 0, "The mistake was found in a launch of `%s`. This time launch %u is another one, "
                          "so the mistake may not be here.", found->kernel, st->launches);
    if (found && !found->ends && inner_command(st->sh, st->command, &ignored) == &command_launch)
        say_wrapped(r, 0, "The launch begins again with the arrays as they are now.");
}

/* The launch of the inner command was given to the stepper. */
static int begun(struct stepped *st, const struct fault *found, struct report *r)
{
    struct shell *sh = st->sh;
    sh->stepping = st;
    st->others = sh->session.commands;
    const struct unit *u = unit_of_kernel(st->of, st->own_kernel);
    sources_init(&st->sources, sh, u);
    read_declarations(st, u);
    variables_begin(st, u);
    if (put_words(st) != 0) {
        stepping_end(sh);
        return report_fail_memory(r);
    }
    const struct sim_fault *refused = step_look_fault(st->stepper);
    if (refused && stepper_place(st->stepper) == 0) {
        report_fail(r, "%s: %s", sim_fault_name(refused->kind), refused->message);
        stepping_end(sh);
        return -1;
    }
    say_beginning(st, found, r);
    return found ? stepping_to_finding(st, found, r) : stepping_show(st, STEP_THERE, r);
}

/* The command has ended, and no launch was taken. */
static int say_none(const struct stepped *st, struct report *r)
{
    const struct step_wanted *w = st->wanted;
    if (!st->launches)
        return report_fail(r, "`%.60s` launches no kernel that the simulator runs, so there is "
                              "nothing to step", st->command);
    if (!st->fitting)
        return report_fail(r, "`%.60s` launches no kernel `%.60s`: it launches %s", st->command, w->kernel,
                           buf_text(&st->names_launched));
    return report_fail(r, "`%.60s` makes %u launch%s%s%.60s, so there is no launch %u", st->command,
                       st->fitting, st->fitting == 1 ? "" : "es", w->kernel ? " of " : "",
                       w->kernel ? w->kernel : "", w->number);
}

static int begin(struct shell *sh, const char *line, const struct step_wanted *wanted,
                 const struct fault *found, struct report *r)
{
    struct stepped *st = calloc(1, sizeof *st);
    struct caught caught;
    if (!st || !(st->command = strdup(line))) {
        free(st);
        return report_fail_memory(r);
    }
    st->sh = sh;
    st->of = &sh->session;
    st->wanted = wanted;
    const struct launch_look look = {wants, take, st};
    caught_begin(&caught, sh);
    sh->session.look = &look;
    inner_run(sh, line, &caught);
    sh->session.look = NULL;
    int rc;
    if (st->stepper) {
        rc = begun(st, found, r);
    } else {
        buf_add(&r->details, buf_text(&caught.details), caught.details.len);
        rc = caught.errors ? report_fail_err(r, &caught.first) : say_none(st, r);
        r->cause = caught.cause;
        free_stepped(st);
    }
    caught_free(&caught);
    return rc;
}

/* `step` alone: the launch that the last finding is of. */
static int begin_at_finding(struct shell *sh, struct report *r)
{
    const struct found *f = &sh->found;
    const unsigned count = f->command ? f->report.fault_count : 0;
    const struct fault *first = NULL, *of_kernel = NULL;
    for (unsigned i = count; i-- > 0;) {
        const struct fault *at = &f->report.faults[i];
        first = at->benign ? first : at;
        of_kernel = at->benign || at->of_host || at->in_child || !at->launch ? of_kernel : at;
    }
    if (!first)
        return report_fail(r, "%s, so write what to step: step launch k<<<1, 32>>>(x), or step trap",
                           f->command ? "nothing was found in the last launch"
                                      : "there was no launch yet");
    if (!of_kernel)
        return report_fail(r, first->of_host ? "this mistake is in the host code, and only kernels can be "
                                               "stepped: `findings` shows its line"
                                             : "this finding is not of a kernel that the host launched");
    const struct fault fault = *of_kernel; /* the inner command may replace the list */
    const struct step_wanted wanted = {.number = fault.launch};
    char *line = strdup(f->command);
    if (!line)
        return report_fail_memory(r);
    const int rc = begin(sh, line, &wanted, &fault, r);
    free(line);
    return rc;
}

struct step_options {
    int64_t launch;
    bool launch_given;
    const char *kernel;
    struct arg_call line;
};

static int run_step(struct session *s, const void *given, struct report *r)
{
    const struct step_options *o = given;
    struct shell *sh = shell_of(s);
    struct err e = {0};
    if (sh->record.caught && !sh->replaying)
        return report_fail(r, "step can't run inside another command");
    if (!o->line.text && (o->launch_given || o->kernel))
        return report_fail(r, "write what launches the kernel, too, as in step --launch 2 run prog.cu");
    if (!o->line.text)
        return begin_at_finding(sh, r);
    char *line = inner_line(o->line.text);
    if (!line)
        return report_fail_memory(r);
    const struct step_wanted wanted = {.number = (unsigned)o->launch, .kernel = o->kernel};
    int rc = inner_check(sh, "step", line, &e) != 0 ? report_fail_err(r, &e)
                                                    : begin(sh, line, &wanted, NULL, r);
    free(line);
    return rc;
}

const struct command command_step = {
    .name = "step", .kind = CLASS_KERNELS,
    .summary = "go through a launch step by step, forwards and backwards",
    .options = (const struct arg_spec[]){
        {OPTION(struct step_options, launch), GIVEN(struct step_options, launch), .value = "N",
         .type = ARG_INT, .lo = 1, .hi = UINT32_MAX, .initial = "1",
         .help = "which launch of the command; default: the first"},
        {OPTION(struct step_options, kernel), .value = "NAME", .type = ARG_TEXT,
         .help = "count only the launches of this kernel"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "COMMAND", BIND(struct step_options, line), .type = ARG_LINE,
         .example = "launch k<<<1, 32>>>(x)",
         .help = "what launches the kernel: launch k<<<1, 32>>>(x), a lab, or run prog.cu"}, {0}},
    .size = sizeof(struct step_options), .never_inside = true, .run = run_step};
