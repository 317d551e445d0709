/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of settings and the one way in and out of each type. Under --safe a bound given
 * at the start can be lowered, never raised.
 */
#include "repl/settings.h"

#include "base/near.h"
#include "base/num.h"
#include "cc/compile.h"
#include "repl/compile-options.h"
#include "labkit/ladder/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const switches[] = {"on", "off", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const themes[] = {"auto", "dark", "light", NULL};
static const char *const charsets[] = {"auto", "ascii", "utf8", NULL};
static const char *const devices[] = {"auto", "sim", "gpu", NULL};

#define SET(field) offsetof(struct shell, session.settings.field)
#define BUDGET(field) offsetof(struct shell, session.budget.field)

const struct setting settings_table[] = {
    {"device", SETTING_DEVICE, SET(device), 0, 0, devices, "auto",
     "where kernels run: auto, sim, sim:PROFILE or gpu[:N]", SAFE_FREE},
    {"seed", SETTING_UINT, SET(seed), 0, INT64_MAX, NULL, "1",
     "the number from which all random choices are computed", SAFE_FREE},
    {"schedule", SETTING_SCHEDULE, SET(schedule), 0, 0, schedule_names, "lockstep",
     "who runs when: lockstep, independent, random or random:SEED", SAFE_FREE},
    {"step-limit", SETTING_UINT, SET(step_limit), 1, INT64_MAX, NULL, "17179869184",
     "how many warp instructions a launch can execute on the simulator", SAFE_LOWER},
    {"time-limit", SETTING_SECONDS, BUDGET(command_s), 0, 1000000, NULL, "0",
     "seconds a command may take, 0 for no limit", SAFE_LOWER},
    {"session-time", SETTING_SECONDS, BUDGET(session_s), 0, 100000000, NULL, "0",
     "seconds this session may take, 0 for no limit", SAFE_LOWER},
    {"output-limit", SETTING_UINT, BUDGET(output), 0, INT64_MAX, NULL, "0",
     "bytes this session may write; one command may write a quarter; 0: no limit", SAFE_LOWER},
    {"memory-limit", SETTING_UINT, BUDGET(memory), 0, INT64_MAX, NULL, "0",
     "bytes of memory cudalab may have, 0 for no limit", SAFE_LOWER},
    {"threads", SETTING_INT, SET(threads), 0, SIM_CORES_MOST, NULL, "0",
     "processor cores that launches on the simulator and fills may use, 0 for all", SAFE_FREE},
    {"counters", SETTING_SWITCH, SET(counters), 0, 0, switches, "off",
     "show every counter after a launch", SAFE_FREE},
    {"volatile", SETTING_SWITCH, SET(volatile_on), 0, 0, switches, "off",
     "show what differs from run to run: times, addresses", SAFE_HELD},
    {"compiler", SETTING_CHOICE, SET(compiler), 0, 0, compiler_names, "auto",
     "the compiler that load and run use: auto, nvrtc, nvcc or clang", SAFE_FREE},
    {"build-cache", SETTING_SWITCH, SET(build_cache), 0, 0, switches, "on",
     "keep what compilers make, and use it again if nothing has changed", SAFE_FREE},
    {"arch", SETTING_INT, SET(arch), 0, 200, NULL, "0",
     "load compiles for this compute capability: 80 is 8.0, 0 follows the device", SAFE_FREE},
    {"include", SETTING_FOLDERS, SET(include), 0, 0, NULL, "",
     "folders where every load looks for headers, as in inc:lib, or none", SAFE_FREE},
    {"define", SETTING_MACROS, SET(define), 0, 0, NULL, "",
     "macros that every load defines, as in N=64,DEBUG, or none", SAFE_FREE},
    {"projector", SETTING_SWITCH, SET(projector), 0, 0, switches, "off",
     "lines of at most 72 columns and bold colours, for a lecture room", SAFE_FREE},
    {"plain", SETTING_SWITCH, SET(plain), 0, 0, switches, "off",
     "sentences in place of pictures, for a screen reader", SAFE_FREE},
    {"predict", SETTING_SWITCH, offsetof(struct shell, predict), 0, 0, switches, "off",
     "ask for a guess before a lab runs, at the prompt", SAFE_FREE},
    {"width", SETTING_INT, SET(width), 0, 400, NULL, "0",
     "columns of a line, 0 for the width of the terminal", SAFE_FREE},
    {"color", SETTING_CHOICE, SET(color), 0, 0, colors, "auto",
     "colours: auto, always or never", SAFE_HELD},
    {"theme", SETTING_CHOICE, SET(theme), 0, 0, themes, "auto",
     "the screen that colours are for: auto, dark or light", SAFE_FREE},
    {"charset", SETTING_CHOICE, SET(charset), 0, 0, charsets, "auto",
     "characters in pictures: auto, ascii or utf8", SAFE_HELD},
    {"echo", SETTING_SWITCH, offsetof(struct shell, echo), 0, 0, switches, "off",
     "show each command before it runs", SAFE_HELD},
    {"bail", SETTING_SWITCH, offsetof(struct shell, bail), 0, 0, switches, "off",
     "stop at the first command that fails", SAFE_HELD},
    {"json", SETTING_SWITCH, offsetof(struct shell, json), 0, 0, switches, "off",
     "print one JSON object for each command", SAFE_HELD},
    {0}};
_Static_assert(sizeof settings_table / sizeof *settings_table <= SETTINGS_MOST, "too many settings");

const char *setting_at_start(const struct setting *s)
{
    static const char *const said[][2] = {{"time-limit", "0 at a terminal, 60 in a script"},
                                          {"session-time", "0, or 600 with --safe"},
                                          {"output-limit", "0, or 64M with --safe"},
                                          {"memory-limit", "0, or 2G with --safe"},
                                          {"volatile", "on if the output is a terminal, else off"}};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++)
        if (strcmp(s->name, said[i][0]) == 0)
            return said[i][1];
    return s->initial;
}

const struct setting *setting_exact(const char *name)
{
    for (const struct setting *s = settings_table; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

const struct setting *setting_named(const char *name, struct err *e)
{
    const struct setting *found = setting_exact(name);
    struct near n = {.word = name};
    if (found)
        return found;
    for (const struct setting *s = settings_table; s->name; s++)
        near_try(&n, s->name);
    if (n.best)
        fail(e, "there is no setting `%.60s`: did you mean %s?", name, n.best);
    else
        fail(e, "there is no setting `%.60s`; `show` lists all settings", name);
    return NULL;
}

void setting_values(const struct setting *s, struct buf *out)
{
    switch (s->type) {
    case SETTING_SWITCH: buf_puts(out, "on or off"); break;
    case SETTING_INT:
    case SETTING_UINT:
        buf_printf(out, "a whole number from %" PRIu64 " to %" PRIu64, s->lo, s->hi);
        break;
    case SETTING_SECONDS: buf_printf(out, "seconds, 0 to %" PRIu64, s->hi); break;
    case SETTING_SCHEDULE: buf_puts(out, "lockstep, independent, random or random:SEED"); break;
    case SETTING_DEVICE: buf_puts(out, "auto, sim, sim:PROFILE, gpu or gpu:N"); break;
    case SETTING_FOLDERS: buf_puts(out, "folders, as in inc:lib, or none"); break;
    case SETTING_MACROS: buf_puts(out, "macros, as in N=64,DEBUG, or none"); break;
    case SETTING_CHOICE:
        for (unsigned k = 0; s->choices[k]; k++)
            buf_printf(out, "%s%s", !k ? "" : s->choices[k + 1] ? ", " : " or ", s->choices[k]);
        break;
    }
}

/* ---- putting -------------------------------------------------------------------------- */

static int wrong_value(const struct setting *s, const char *text, const char *why,
                       const char *near, struct err *e)
{
    struct buf values = {0};
    setting_values(s, &values);
    if (near)
        fail(e, "%s can't be `%.60s`: did you mean %s? (it takes %s)", s->name, text, near,
             buf_text(&values));
    else if (why)
        fail(e, "%s: %s (it takes %s)", s->name, why, buf_text(&values));
    else
        fail(e, "%s can't be `%.60s`: it takes %s", s->name, text, buf_text(&values));
    buf_free(&values);
    return -1;
}

static int one_of(const struct setting *s, const char *text, struct err *e)
{
    for (int k = 0; s->choices[k]; k++)
        if (strcmp(s->choices[k], text) == 0)
            return k;
    return wrong_value(s, text, NULL, near_list(text, s->choices), e);
}

/* The bound that --safe gives a setting; NULL: it has none. */
static const void *cap_of(const struct shell *sh, const struct setting *s)
{
    if (!sh->locked || s->under_safe != SAFE_LOWER)
        return NULL;
    return s->offset == SET(step_limit)
               ? (const void *)&sh->caps.step_limit
               : (const char *)&sh->caps.budget + (s->offset - BUDGET(command_s)) +
                     offsetof(struct budget, command_s);
}

static int put_uint(const struct shell *sh, const struct setting *s, const char *text,
                    uint64_t *out, struct err *e)
{
    struct err why;
    uint64_t v;
    if (num_uint(text, s->lo, s->hi, &v, &why) != 0)
        return wrong_value(s, text, why.text, NULL, e);
    const uint64_t *cap = cap_of(sh, s);
    if (cap && ((s->lo == 0 && v == 0) || v > *cap))
        return fail(e, "under --safe %s is at most %" PRIu64, s->name, *cap);
    *out = v;
    return 0;
}

static int put_seconds(const struct shell *sh, const struct setting *s, const char *text,
                       double *out, struct err *e)
{
    struct err why;
    char cap[NUM_TEXT];
    double v = 0;
    if (strcmp(text, "none") != 0 && num_real(text, &v, &why) != 0)
        return wrong_value(s, text, why.text, NULL, e);
    if (v < 0 || v > (double)s->hi)
        return wrong_value(s, text, NULL, NULL, e);
    const double *most = cap_of(sh, s);
    if (most && (v <= 0 || v > *most))
        return fail(e, "under --safe %s must be above 0 and at most %s", s->name,
                    num_f64(*most, cap));
    *out = v;
    return 0;
}

static int put_schedule(const char *text, char out[40], struct err *e)
{
    struct schedule_range range;
    if (schedule_read(text, &range, e) != 0)
        return -1;
    if (strlen(text) >= 40)
        return fail(e, "a schedule takes at most 39 letters, as in random:1..20");
    snprintf(out, 40, "%s", text);
    return 0;
}

static int put_list(const struct shell *sh, const struct setting *s, const char *text,
                    char out[LIST_BYTES], struct err *e)
{
    const char *list = strcmp(text, "none") == 0 ? "" : text;
    if (strlen(list) >= LIST_BYTES)
        return fail(e, "%s takes at most %d bytes", s->name, LIST_BYTES - 1);
    if (compile_options_check(sh, s->type == SETTING_FOLDERS ? 'I' : 'D', list, e) != 0)
        return -1;
    strcpy(out, list);
    return 0;
}

static int put_device(struct shell *sh, const struct setting *s, const char *text, struct err *e)
{
    char *spec = sh->session.settings.device, before[64];
    if (!*text || strlen(text) >= sizeof before)
        return wrong_value(s, text, NULL, NULL, e);
    if (sh->locked && strncmp(text, "sim", 3) != 0)
        return fail(e, "under --safe the device must be sim or sim:PROFILE");
    memcpy(before, spec, sizeof before);
    strcpy(spec, text);
    if (!sh->session.device || shell_open(sh, e) == 0)
        return 0;
    memcpy(spec, before, sizeof before);
    return -1;
}

/* What steers the report is the operator's: a hand-in could look like another one. */
static int check_held(const struct shell *sh, const struct setting *s, const char *text,
                      struct err *e)
{
    struct buf now = {0};
    if (!sh->locked || sh->replaying || s->under_safe != SAFE_HELD)
        return 0;
    setting_get(sh, s, &now);
    int rc = strcmp(buf_text(&now), text) == 0
                 ? 0
                 : fail(e, "under --safe %s can't change from %s", s->name, buf_text(&now));
    buf_free(&now);
    return rc;
}

int setting_put(struct shell *sh, const struct setting *s, const char *text, struct err *e)
{
    if (check_held(sh, s, text, e) != 0)
        return -1;
    void *field = (char *)sh + s->offset;
    uint64_t v;
    int k;
    switch (s->type) {
    case SETTING_SWITCH:
        k = one_of(s, text, e);
        if (k >= 0)
            *(bool *)field = k == 0;
        return k < 0 ? -1 : 0;
    case SETTING_CHOICE:
        k = one_of(s, text, e);
        if (k >= 0)
            strcpy(field, s->choices[k]);
        return k < 0 ? -1 : 0;
    case SETTING_UINT:
        return put_uint(sh, s, text, field, e);
    case SETTING_INT:
        if (put_uint(sh, s, text, &v, e) != 0)
            return -1;
        if (s->offset == SET(width) && v && v < 40)
            return fail(e, "width is 0, or from 40 to %" PRIu64, s->hi);
        *(int *)field = (int)v;
        return 0;
    case SETTING_SECONDS:
        return put_seconds(sh, s, text, field, e);
    case SETTING_SCHEDULE:
        return put_schedule(text, field, e);
    case SETTING_FOLDERS:
    case SETTING_MACROS:
        return put_list(sh, s, text, field, e);
    case SETTING_DEVICE:
        return put_device(sh, s, text, e);
    }
    return -1;
}

/* ---- getting -------------------------------------------------------------------------- */

void setting_get(const struct shell *sh, const struct setting *s, struct buf *out)
{
    const void *field = (const char *)sh + s->offset;
    char number[NUM_TEXT];
    switch (s->type) {
    case SETTING_SWITCH: buf_puts(out, *(const bool *)field ? "on" : "off"); break;
    case SETTING_INT: buf_printf(out, "%d", *(const int *)field); break;
    case SETTING_UINT: buf_printf(out, "%" PRIu64, *(const uint64_t *)field); break;
    case SETTING_SECONDS: buf_puts(out, num_f64(*(const double *)field, number)); break;
    default: buf_puts(out, field); break;
    }
}

void setting_json(const struct shell *sh, const struct setting *s, const char *key, struct json *j)
{
    const void *field = (const char *)sh + s->offset;
    switch (s->type) {
    case SETTING_SWITCH: json_bool(j, key, *(const bool *)field); break;
    case SETTING_INT: json_int(j, key, *(const int *)field); break;
    case SETTING_UINT: json_uint(j, key, *(const uint64_t *)field); break;
    case SETTING_SECONDS: json_f64(j, key, *(const double *)field); break;
    default: json_text(j, key, field); break;
    }
}

const char *setting_initial(const struct shell *sh, const struct setting *s)
{
    if (s->offset == SET(volatile_on) && sh->out_is_terminal)
        return "on";
    if (s->offset == BUDGET(command_s) && !sh->prompting)
        return "60";
    return s->initial;
}

int settings_reset(struct shell *sh, struct err *e)
{
    for (const struct setting *s = settings_table; s->name; s++)
        if (setting_put(sh, s, s->initial, e) != 0)
            return -1;
    return 0;
}
