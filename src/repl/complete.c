/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion from the tables: commands, options, the values of choices, settings, help
 * topics, and names of files. Nothing is listed here that isn't listed somewhere else.
 */
#include "repl/complete.h"

#include "base/json-find.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/names.h"
#include "repl/lecture/play.h"
#include "repl/settings.h"
#include "own/arrays.h"
#include "text/topics.h"
#include "own/unit.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The line so far: its last command's whole words, and the piece that is being typed. */
struct typing {
    struct words w;
    unsigned before;   /* words that are complete */
    const char *piece;
    struct completions *out;
};

static void offer(struct typing *t, const char *name)
{
    struct completions *c = t->out;
    if (strncmp(name, t->piece, strlen(t->piece)) != 0)
        return;
    void *names = c->names;
    if (mem_grow(&allocator_libc, &names, &c->capacity, c->count, sizeof *c->names) != 0)
        return;
    c->names = names;
    if ((c->names[c->count] = strdup(name)))
        c->count++;
}

/* ---- sources of names ----------------------------------------------------------------- */

static void offer_commands(struct shell *sh, struct typing *t, bool labs_only)
{
    for (const struct command *const *c = sh->session.commands; *c; c++)
        if (!labs_only || (*c)->lab)
            offer(t, (*c)->name);
    for (unsigned i = 0; !labs_only && i < sh->alias_count; i++)
        offer(t, sh->aliases[i].name);
    for (unsigned i = 0; !labs_only && sh->play && play_words[i]; i++)
        offer(t, play_words[i]);
}

static void offer_settings(struct typing *t)
{
    for (const struct setting *s = settings_table; s->name; s++)
        offer(t, s->name);
}

static void offer_topics(struct shell *sh, struct typing *t)
{
    offer_commands(sh, t, false);
    offer_settings(t);
    struct topic_walk w = {.next = 0};
    while (topic_next(&w))
        offer(t, w.word);
}

/* `dir` is as it was typed, `at` where that is. */
static void offer_file(struct typing *t, const char *dir, const struct buf *at, const char *entry)
{
    struct buf name = {0}, path = {0};
    struct stat info;
    buf_printf(&name, "%s%s", dir, entry);
    buf_printf(&path, "%s%s", buf_text(at), entry);
    if (!path.failed && stat(path.data, &info) == 0 && S_ISDIR(info.st_mode))
        buf_putc(&name, '/');
    if (!name.failed)
        offer(t, name.data);
    buf_free(&path);
    buf_free(&name);
}

static bool fits(const char *name, const char *const *endings)
{
    for (; *endings; endings++)
        if (ends_in(name, *endings))
            return true;
    return ends_in(name, "/");
}

/* Files with one of these endings; all where none has, and folders always. */
static void keep_endings(struct completions *c, const char *const *endings)
{
    unsigned kept = 0, fitting = 0;
    for (unsigned i = 0; i < c->count; i++)
        fitting += fits(c->names[i], endings);
    for (unsigned i = 0; fitting && i < c->count; i++)
        if (fits(c->names[i], endings))
            c->names[kept++] = c->names[i];
        else
            free(c->names[i]);
    if (fitting)
        c->count = kept;
}

static void offer_files(struct shell *sh, struct typing *t, const char *const *endings)
{
    char dir[1000] = "";
    const char *slash = strrchr(t->piece, '/');
    size_t n = slash ? (size_t)(slash - t->piece) + 1 : 0;
    struct buf at = {0};
    if (sh->safe || n >= sizeof dir)
        return;
    memcpy(dir, t->piece, n);
    t->out->files = true;
    shell_home_path(dir, &at);
    DIR *d = opendir(n ? buf_text(&at) : ".");
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (entry->d_name[0] != '.' || t->piece[n] == '.')
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                offer_file(t, dir, &at, entry->d_name);
    if (d)
        closedir(d);
    buf_free(&at);
    if (endings)
        keep_endings(t->out, endings);
}

/* The simulator's profiles, and the GPUs that are known here. */
static void offer_devices(struct shell *sh, struct typing *t)
{
    const struct device_cards *here = sh->session.device->cards;
    char spec[80];
    for (size_t i = 0; i < card_count; i++) {
        snprintf(spec, sizeof spec, "sim:%.60s", card_list[i].profile);
        if (card_is_simulated(&card_list[i]))
            offer(t, spec);
    }
    for (int i = 0; here && i < here->count; i++) {
        snprintf(spec, sizeof spec, "gpu:%d", i);
        offer(t, spec);
    }
}

static void offer_setting_values(struct shell *sh, struct typing *t, const char *name)
{
    const struct setting *s = setting_exact(name);
    for (unsigned k = 0; s && s->choices && s->choices[k]; k++)
        offer(t, s->choices[k]);
    if (s && s->type == SETTING_DEVICE)
        offer_devices(sh, t);
}

/* `code LAB --variant`: the variants are those of the lab named before. */
static void offer_variants_of_words(struct shell *sh, struct typing *t)
{
    for (unsigned i = 1; i < t->before; i++) {
        const struct command *c = command_exact(sh, t->w.word[i]);
        for (unsigned k = 0; c && c->lab && c->lab->variants && c->lab->variants[k].name; k++)
            offer(t, c->lab->variants[k].name);
    }
}

/* Of `print x[` the name is done, and an index is the student's to choose. */
static void offer_arrays(struct shell *sh, struct typing *t)
{
    const struct arrays *own = sh->session.own;
    for (unsigned i = 0; own && i < own->count; i++)
        offer(t, own->all[i]->name);
}

/* `$n` in any command. */
static void offer_variables(struct shell *sh, struct typing *t)
{
    char name[100];
    for (unsigned i = 0; i < sh->script.variable_count; i++) {
        snprintf(name, sizeof name, "$%s", sh->script.variables[i].name);
        offer(t, name);
    }
}

static void offer_members(const struct buf *object, const char *path, const char *before,
                          struct typing *t)
{
    const struct span all = {buf_text(object), object->len};
    struct span inside, name, value;
    char whole[200];
    if (!object->len || !json_at(all, path, &inside))
        return;
    for (unsigned k = 0; json_member(inside, k, &name, &value); k++) {
        snprintf(whole, sizeof whole, "%s%.*s", before, (int)(name.n < 100 ? name.n : 100), name.at);
        offer(t, whole);
    }
}

/* What `expect` can judge: what the last command found, and the arrays. */
static void offer_found(struct shell *sh, struct typing *t)
{
    const struct script *s = &sh->script;
    offer_members(&s->object, "result", "", t);
    offer_members(&s->object, "", "", t);
    offer_members(&s->launched, "counters", "counters.", t);
    offer_members(&s->launched, "time", "time.", t);
    if (s->launched.len)
        offer(t, "faults");
    offer_arrays(sh, t);
}

/* Has this command a condition, or an expression? */
static bool judges(const struct command *c)
{
    return strcmp(c->name, "expect") == 0 || strcmp(c->name, "if") == 0 ||
           strcmp(c->name, "let") == 0;
}

static void offer_kernels(struct shell *sh, struct typing *t)
{
    const struct units *all = sh->session.units;
    for (unsigned i = 0; all && i < all->count; i++)
        for (unsigned k = 0; k < all->all[i]->kernel_count; k++)
            offer(t, all->all[i]->kernels[k].shown);
}

static void offer_choices(struct typing *t, const struct command *c, const struct arg_spec *spec)
{
    const char *choice;
    for (unsigned k = 0; (choice = command_choice(c, spec, k)); k++)
        offer(t, choice);
}

static void offer_values(struct shell *sh, struct typing *t, const struct command *c,
                         const struct arg_spec *spec)
{
    switch (spec->type) {
    case ARG_ARRAY:
    case ARG_ARRAYS: offer_arrays(sh, t); break;
    case ARG_CALL:
        offer_kernels(sh, t);
        t->out->calls = t->piece[0] != '-';
        break;
    case ARG_BINARY:
    case ARG_KERNEL:
        offer_kernels(sh, t);
        offer_commands(sh, t, true);
        if (spec->type == ARG_BINARY)
            offer_files(sh, t, spec->choices);
        break;
    case ARG_LINE: offer_commands(sh, t, false); break;
    case ARG_COMMAND: offer_commands(sh, t, c->kind == CLASS_READING); break;
    case ARG_TOPIC: offer_topics(sh, t); break;
    case ARG_REST:
        if (judges(c))
            offer_found(sh, t);
        break;
    case ARG_MANY:
        if (spec->choice)
            offer_choices(t, c, spec);
        else
            offer_files(sh, t, NULL);
        break;
    case ARG_FILE:
    case ARG_FILES: offer_files(sh, t, spec->choices); break;
    case ARG_SETTING: offer_settings(t); break;
    case ARG_PAIR: offer_variants_of_words(sh, t); break;
    case ARG_CHOICE:
    case ARG_TEXT: /* its choices are examples of what it can be */
        offer_choices(t, c, spec);
        if (spec->type == ARG_TEXT && strcmp(spec->name, "variant") == 0)
            offer_variants_of_words(sh, t);
        else if (strcmp(c->name, "set") == 0 && t->before > 1)
            offer_setting_values(sh, t, t->w.word[1]);
        break;
    default: break;
    }
}

/* ---- where in the command ------------------------------------------------------------- */

static const struct arg_spec *option_of(const struct command *c, const char *word)
{
    unsigned index;
    return *word == '-' ? command_option_named(c, word, strcspn(word, "="), &index) : NULL;
}

static bool is_typed(const struct typing *t, const char *name)
{
    for (unsigned i = 1; i < t->before; i++)
        if (strncmp(t->w.word[i], name, strlen(name)) == 0 &&
            strchr("=", t->w.word[i][strlen(name)]))
            return true;
    return false;
}

static void offer_options(struct typing *t, const struct command *c)
{
    char name[64];
    for (unsigned i = 0; i < command_option_count(c); i++)
        if (!is_typed(t, command_option_name(command_spec(c, i), name)))
            offer(t, name);
}

/* `help --`, `help trap --`: the options of all commands, or of the one named before. They are
 * words there. After - alone, a command's own options are offered, here none. */
static void offer_explained(struct shell *sh, struct typing *t)
{
    const struct command *of = t->before > 1 ? command_exact(sh, t->w.word[1]) : NULL;
    for (const struct command *const *c = sh->session.commands; *c; c++)
        if (!of || *c == of)
            offer_options(t, *c);
}

/* How many of the words behind an option are its own. */
static unsigned values_behind(const struct arg_spec *o, const char *word)
{
    unsigned all = o->type == ARG_FLAG ? 0 : o->type == ARG_PAIR ? 2 : 1;
    return all - (all && strchr(word, '='));
}

/* The option whose value comes next; NULL: none is waiting for one. */
static const struct arg_spec *waiting_option(const struct typing *t, const struct command *c)
{
    for (unsigned behind = 1; behind < t->before && behind <= 2; behind++) {
        const char *word = t->w.word[t->before - behind];
        const struct arg_spec *o = option_of(c, word);
        if (o)
            return values_behind(o, word) >= behind ? o : NULL;
    }
    return NULL;
}

/* The operand that would come next, NULL after the last. */
static const struct arg_spec *next_operand(const struct typing *t, const struct command *c)
{
    unsigned skip = 0;
    for (unsigned i = 1; i < t->before; i++) {
        const char *word = t->w.word[i];
        const struct arg_spec *o = option_of(c, word);
        if (!o)
            skip++;
        else
            i += values_behind(o, word);
    }
    const struct arg_spec *spec;
    for (unsigned i = command_option_count(c); (spec = command_spec(c, i)); i++)
        if (skip-- == 0 || spec->type == ARG_ARRAYS || spec->type == ARG_FILES)
            return spec;
    return NULL;
}

/* The word that names the command which this one runs; 0: it is not typed yet. */
static unsigned inner_at(struct shell *sh, const struct typing *t, const struct command *c)
{
    bool takes_line = false;
    for (unsigned i = command_option_count(c); command_spec(c, i); i++)
        takes_line = takes_line || command_spec(c, i)->type == ARG_LINE;
    for (unsigned i = 1; takes_line && i < t->before; i++) {
        const struct arg_spec *o = option_of(c, t->w.word[i]);
        if (o)
            i += values_behind(o, t->w.word[i]);
        else if (command_exact(sh, t->w.word[i]))
            return i;
    }
    return 0;
}

static void offer_for_command(struct shell *sh, struct typing *t, const struct command *c);

/* Its own words come next, or options of the outer command. */
static void offer_inner(struct shell *sh, struct typing *t, const struct command *outer,
                        unsigned at)
{
    const struct typing all = *t;
    t->w.word += at;
    t->w.column += at;
    t->w.quoted += at;
    t->w.count -= at;
    t->before -= at;
    offer_for_command(sh, t, command_exact(sh, t->w.word[0]));
    *t = all;
    if (t->piece[0] == '-' && !strchr(t->piece, '='))
        offer_options(t, outer);
}

static void offer_for_command(struct shell *sh, struct typing *t, const struct command *c)
{
    if (t->piece[0] == '$') {
        offer_variables(sh, t);
        return;
    }
    const unsigned inner = inner_at(sh, t, c);
    if (inner && !waiting_option(t, c)) {
        offer_inner(sh, t, c, inner);
        return;
    }
    const char *equals = t->piece[0] == '-' ? strchr(t->piece, '=') : NULL;
    const struct arg_spec *spec = waiting_option(t, c);
    if (equals) {
        spec = option_of(c, t->piece);
        t->out->from += (size_t)(equals + 1 - t->piece);
        t->piece = equals + 1;
        if (spec)
            offer_values(sh, t, c, spec);
    } else if (spec) {
        offer_values(sh, t, c, spec);
    } else if (t->piece[0] == '-') {
        offer_options(t, c);
        if (t->piece[1] && command_explains_options(c))
            offer_explained(sh, t);
    } else {
        spec = next_operand(t, c);
        if (spec)
            offer_values(sh, t, c, spec);
        if (!t->out->count && !*t->piece)
            offer_options(t, c);
    }
}

static void sort(struct completions *c)
{
    unsigned kept = 0;
    names_sort(c->names, c->count, sizeof *c->names);
    for (unsigned i = 0; i < c->count; i++) {
        if (kept && strcmp(c->names[kept - 1], c->names[i]) == 0)
            free(c->names[i]);
        else
            c->names[kept++] = c->names[i];
    }
    c->count = kept;
}

/* Inside the parentheses of a launch: a name of what it could be given. */
static void offer_arguments(struct shell *sh, struct typing *t, const char *command)
{
    size_t n = strlen(command), at = n;
    while (at && (isalnum((unsigned char)command[at - 1]) || command[at - 1] == '_'))
        at--;
    struct err e;
    const struct command *c = t->w.count ? command_find(sh, t->w.word[0], &e) : NULL;
    for (unsigned i = 0; c && i < command_spec_count(c); i++)
        if (command_spec(c, i)->type == ARG_CALL) {
            t->out->from -= n - at;
            t->piece = command + at;
            offer_arrays(sh, t);
        }
}

/* The last command of a line, with what closes it; from malloc. */
static char *closed(const char *text, size_t n, char by)
{
    size_t marks = by == '>' ? 3 : by ? 1 : 0;
    char *command = malloc(n + marks + 1);
    if (!command)
        return NULL;
    memcpy(command, text, n);
    memset(command + n, by, marks);
    command[n + marks] = '\0';
    return command;
}

/* What was typed of the last word, and what that word may be. */
static void offer_for_words(struct shell *sh, struct typing *t, size_t start, bool word_ended)
{
    struct err e;
    t->before = t->w.count;
    if (!word_ended && t->w.count) {
        t->before--;
        t->piece = t->w.word[t->before];
        t->out->from = start + (size_t)t->w.column[t->before] - 1 + t->w.quoted[t->before];
    }
    const struct command *c = t->before ? command_find(sh, t->w.word[0], &e) : NULL;
    if (!t->before)
        offer_commands(sh, t, false);
    else if (c)
        offer_for_command(sh, t, c);
}

int complete_line(struct shell *sh, const char *line, size_t n, struct completions *out)
{
    struct typing t = {.out = out, .piece = ""};
    struct err e;
    size_t start = 0, end;
    *out = (struct completions){.from = n};
    int mark;
    while ((mark = words_end(line, n, start, &end, &e)) == ';')
        start = end + 1;
    if (mark == '#')
        return 0;
    char open = mark < 0 ? words_open(line + start, n - start) : 0;
    char *command = closed(line + start, n - start, open);
    if (!command || words_split(command, &t.w, &e) != 0) {
        free(command);
        return -1;
    }
    command[n - start] = '\0';
    if (open == ')')
        offer_arguments(sh, &t, command);
    else if (open != '>')
        offer_for_words(sh, &t, start, !open && n > start && strchr(" \t", line[n - 1]));
    sort(out);
    words_free(&t.w);
    free(command);
    return 0;
}

void completions_json(const struct completions *c, struct json *j)
{
    json_uint(j, "from", c->from);
    json_array(j, "names");
    for (unsigned i = 0; i < c->count; i++)
        json_text(j, NULL, c->names[i]);
    json_end_array(j);
    json_bool(j, "calls", c->calls);
}

void completions_free(struct completions *c)
{
    for (unsigned i = 0; i < c->count; i++)
        free(c->names[i]);
    mem_free(&allocator_libc, c->names, c->capacity * sizeof *c->names);
    *c = (struct completions){0};
}
