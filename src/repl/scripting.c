/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "repl/scripting.h"

#include "base/near.h"
#include "own/arrays.h"
#include "repl/inner.h"
#include "repl/screen.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the language asks of its host -------------------------------------------------- */

static int goes_on(void *self, struct err *e)
{
    struct shell *sh = self;
    return shell_done(sh) || sh->session.stop || shell_spent(sh) ? fail(e, "stopped") : 0;
}

/* Errors and objects have the place of the statement, not that of the block's end. */
static int enter(struct shell *sh, const struct statement *st)
{
    const int before = sh->place ? sh->place->line : 0;
    if (sh->place)
        sh->place->line = st->line;
    return before;
}

static void leave(struct shell *sh, int line)
{
    if (sh->place)
        sh->place->line = line;
}

static int run(void *self, const struct statement *st, struct err *e)
{
    struct shell *sh = self;
    if (goes_on(sh, e) != 0)
        return -1;
    const int before = enter(sh, st);
    shell_run_command(sh, st->text, st->column);
    leave(sh, before);
    return goes_on(sh, e);
}

static int find_array(void *self, const char *name, struct host_array *a, struct err *e)
{
    struct shell *sh = self;
    struct slice x;
    if (slice_parse(&sh->session, name, NULL, &x, e) != 0)
        return -1;
    *a = (struct host_array){.type = x.type, .count = slice_count(&x), .lo = x.lo,
                             .whole = x.of->count, .of = x.of,
                             .one = !x.whole && x.lo == x.hi && !strstr(name, "..")};
    memcpy(a->dims, x.of->dims, sizeof a->dims);
    return 0;
}

static int read_elements(void *self, const struct host_array *a, uint64_t first, uint64_t n, void *to,
                         struct err *e)
{
    struct shell *sh = self;
    const struct slice x = {.of = a->of, .type = a->type, .count = a->whole, .lo = a->lo,
                            .hi = a->lo + a->count - 1};
    struct report r;
    report_init(&r);
    const int rc = slice_read(&sh->session, &x, a->lo + first, n, to, &r);
    if (rc != 0) {
        *e = r.error;
        if (!e->text[0] && r.fault_count)
            fail_limit(e, "%s", r.faults[0].message);
    }
    report_free(&r);
    return rc;
}

int scripting_check_fault(void *self, const char *kind, struct err *e)
{
    struct near near = {.word = kind};
    (void)self;
    if (fault_kind_named(kind))
        return 0;
    for (const struct fault_kind *k = fault_kinds; k->name; k++)
        near_try(&near, k->name);
    return near.best ? fail(e, "there is no kind of fault `%.60s`: did you mean %s?", kind, near.best)
                     : fail(e, "there is no kind of fault `%.60s`; `help faults` lists them", kind);
}

static int open_file(void *self, const char *path, struct err *e)
{
    return shell_open_plain(self, path, e);
}

static void failed(void *self, const struct statement *st, const struct err *e)
{
    struct shell *sh = self;
    struct err at = *e;
    const int before = enter(sh, st);
    at.column = 0; /* the line was typed some time ago */
    shell_refuse_statement(sh, st, &at);
    leave(sh, before);
}

/* ---- a testcase has ended ---------------------------------------------------------------- */

static void tell_json(const struct script_test *t, struct json *j)
{
    json_text(j, "testcase", t->name);
    json_f64(j, "points", t->points);
    json_f64(j, "scored", t->state == TEST_PASSED ? t->points : 0);
    json_bool(j, "passed", t->state == TEST_PASSED);
    json_bool(j, "skipped", t->state == TEST_SKIPPED);
    json_bool(j, "hidden", t->hidden);
    json_uint(j, "checks", t->checks);
    if (t->needs)
        json_text(j, "needs", t->needs);
    json_lines(j, "feedback", buf_text(&t->feedback), t->feedback.len);
}

static void fill_test(struct shell *sh, const void *what, struct report *r)
{
    const struct script_test *t = what;
    char points[NUM_TEXT];
    (void)sh;
    num_f64(t->points, points);
    tell_json(t, &r->result);
    if (t->state == TEST_PASSED) {
        say(r, "passed: %s (%s point%s)\n", t->name, points, t->points == 1 ? "" : "s");
    } else if (t->state == TEST_SKIPPED) {
        say(r, "skipped: %s (it needs \"%s\")\n", t->name, t->needs);
    } else {
        buf_puts(&r->details, buf_text(&t->hint));
        report_fail(r, "testcase \"%.200s\" failed (0 of %s point%s)", t->name, points,
                    t->points == 1 ? "" : "s");
        r->cause = t->cause;
    }
}

static void tested(void *self, const struct statement *st, const struct script_test *t)
{
    struct shell *sh = self;
    const int before = enter(sh, st);
    shell_tell(sh, st->text, fill_test, t);
    leave(sh, before);
}

void scripting_sums_up(struct shell *sh)
{
    const struct script *s = &sh->script;
    unsigned passed = 0;
    double points = 0, scored = 0;
    char of[NUM_TEXT], all[NUM_TEXT];
    struct buf out = {0};
    for (unsigned i = 0; i < s->test_count; i++) {
        const bool right = s->tests[i].state == TEST_PASSED;
        passed += right;
        points += s->tests[i].points;
        scored += right ? s->tests[i].points : 0;
    }
    if (!s->test_count || sh->json)
        return;
    buf_printf(&out, "%u of %u testcase%s passed: %s of %s point%s\n", passed, s->test_count,
               s->test_count == 1 ? "" : "s", num_f64(scored, of), num_f64(points, all),
               points == 1 ? "" : "s");
    shell_put(sh, shell_out(sh), buf_text(&out), out.len, false);
    buf_free(&out);
}

/* ---- blocks ------------------------------------------------------------------------------ */

void scripting_open(struct shell *sh)
{
    sh->script.host = (struct script_host){
        .self = sh, .run = run, .array = find_array, .elements = read_elements,
        .check_fault = scripting_check_fault, .goes_on = goes_on, .open = open_file, .failed = failed,
        .tested = tested, .takes_all = true};
}

static void drop_block(struct shell *sh)
{
    statements_free(&sh->block);
    sh->block_skips = 0;
    sh->block_bad = false;
}

void scripting_close(struct shell *sh)
{
    drop_block(sh);
    script_free(&sh->script);
}

static bool is_of_block(enum statement_kind kind)
{
    return kind == STATEMENT_IF || kind == STATEMENT_ELSE || kind == STATEMENT_REPEAT ||
           kind == STATEMENT_TESTCASE || kind == STATEMENT_END;
}

/* `if --help` asks for the help, as with any command. */
static bool asks_for_help(const char *text, size_t n)
{
    struct span rest = trim((struct span){text, n});
    next_blank_word(&rest);
    rest = trim(rest);
    return same_text(rest, "--help") || same_text(rest, "-h");
}

bool scripting_takes(const struct shell *sh, const char *text, size_t n)
{
    return sh->block.deep || (is_of_block(statement_kind(text, n)) && !asks_for_help(text, n));
}

/* A block that begins where it can't be is passed over, with all up to its own end. */
static bool passes_over(struct shell *sh, enum statement_kind kind)
{
    if (!sh->block_skips)
        return false;
    if (kind == STATEMENT_END)
        sh->block_skips--;
    else if (is_of_block(kind) && kind != STATEMENT_ELSE)
        sh->block_skips++;
    return true;
}

/* A command that did not run may be `esle`. So all that did not run are looked at. */
static void look_at_rest(struct shell *sh, const struct statements *block, const bool *ran)
{
    struct err e;
    for (unsigned i = 0; i < block->count && goes_on(sh, &e) == 0; i++) {
        const struct statement *st = &block->all[i];
        if (st->kind == STATEMENT_COMMAND && !ran[i] && st->text[0] != '$' &&
            !inner_command(sh, st->text, &e)) {
            script_note(&sh->script, CAUSE_SCRIPT, e.text);
            failed(sh, st, &e);
        }
    }
}

static void run_block(struct shell *sh)
{
    struct statements block = sh->block;
    const bool bad = sh->block_bad;
    bool *const outer = sh->script.ran; /* of a block that runs this script */
    bool *ran = bad ? NULL : calloc(block.count, sizeof *ran);
    sh->block = (struct statements){0};
    drop_block(sh);
    sh->script.host.seed = (uint64_t)sh->session.settings.seed;
    if (!bad && !ran) {
        shell_complain(sh, "out of memory", 0);
        sh->failures++;
    }
    if (ran) {
        sh->script.ran = ran;
        script_run(&sh->script, &block);
        sh->script.ran = outer;
        look_at_rest(sh, &block, ran);
    }
    free(ran);
    statements_free(&block);
}

void scripting_add(struct shell *sh, const char *text, size_t n, int column)
{
    const enum statement_kind kind = statement_kind(text, n);
    const bool inside = sh->block.deep > 0;
    struct err e = {0};
    if (passes_over(sh, kind))
        return;
    if (statements_add(&sh->block, text, n, sh->place ? sh->place->line : 0, column, &e) != 0) {
        e.line = 0;
        e.column = inside ? 0 : column;
        shell_refuse_line(sh, text, n, &e);
        sh->block_bad = inside;
        sh->block_skips += inside && kind != STATEMENT_ELSE && kind != STATEMENT_END &&
                           is_of_block(kind);
        if (!inside)
            drop_block(sh);
        return;
    }
    if (!sh->block.deep)
        run_block(sh);
}

void scripting_ends(struct shell *sh)
{
    struct err e = {0};
    if (!sh->block.deep)
        return;
    if (statements_ended(&sh->block, &e) != 0) {
        const struct statement *open = &sh->block.all[sh->block.open[sh->block.deep - 1]];
        const int before = enter(sh, open);
        e.column = 0;
        shell_refuse_line(sh, open->text, strlen(open->text), &e);
        leave(sh, before);
    }
    drop_block(sh);
}

/* ---- variables --------------------------------------------------------------------------- */

char *scripting_expand(struct shell *sh, const char *command, char *expanded, struct err *e)
{
    const char *line = expanded ? expanded : command;
    struct buf out = {0};
    if (!script_expands(line) || statement_kind(line, strlen(line)) != STATEMENT_COMMAND)
        return expanded;
    if (script_expand(&sh->script, line, strlen(line), &out, e) != 0) {
        buf_free(&out);
        return expanded;
    }
    free(expanded);
    char *text = strdup(buf_text(&out));
    buf_free(&out);
    if (!text)
        fail_memory(e);
    return text;
}
