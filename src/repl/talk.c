/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests are answered one by one. An answer begins with an object that says so: from there on
 * SIGINT stops what runs, and before it SIGINT does nothing. The last object has the key "end".
 * Between them are texts and the objects of commands, which are those of --json.
 *
 * All texts come here from shell_put(), so nothing that a command shows can miss this way.
 */
#include "repl/talk.h"

#include "base/json-check.h"
#include "base/json-find.h"
#include "repl/complete.h"
#include "repl/interrupt.h"
#include "repl/lecture/styled.h"
#include "repl/prompt.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* ---- saying --------------------------------------------------------------------------- */

int talk_object(struct shell *sh, const struct buf *object)
{
    return sink_write(&sh->out, buf_text(object), object->len);
}

static struct json begin(struct buf *out, const char *kind)
{
    struct json j;
    json_begin(&j, out);
    json_object(&j, NULL);
    json_text(&j, "talk", kind);
    return j;
}

/* -1: the object is not whole, so it is not sent; or it can't be written. */
static int send(struct shell *sh, struct json *j)
{
    json_end_object(j);
    buf_putc(j->out, '\n');
    const int rc = j->out->failed ? -1 : talk_object(sh, j->out);
    buf_free(j->out);
    return rc;
}

static int send_text(struct shell *sh, const char *kind, const char *text, size_t n)
{
    struct buf out = {0};
    struct json j = begin(&out, kind);
    json_bytes(&j, "text", text, n);
    return send(sh, &j);
}

int talk_tell(struct shell *sh, bool is_err, const char *text, size_t n)
{
    return n ? send_text(sh, is_err ? "err" : "out", text, n) : 0;
}

void talk_wrote(struct shell *sh, const char *path)
{
    struct json j = {.out = &sh->talk->written, .comma = sh->talk->written.len > 0};
    json_text(&j, NULL, path);
}

/* ---- requests ------------------------------------------------------------------------- */

/* A member of a request that is a text. false: there is none. */
static bool member(const struct buf *request, const char *name, struct buf *text)
{
    const struct span all = {buf_text(request), request->len};
    struct span value;
    return json_at(all, name, &value) &&
           json_string(value, text) == 0 && !text->failed && !memchr(buf_text(text), '\0', text->len);
}

/* Nobody can be asked where a request says "ask": false. */
static bool may_ask(const struct buf *request)
{
    const struct span all = {buf_text(request), request->len};
    struct span value;
    return !json_find(all, SPAN("ask"), &value) || !same_text(value, "false");
}

char *talk_ask(struct shell *sh, const char *question)
{
    struct talk *t = sh->talk;
    struct buf line = {0}, answer = {0};
    struct err e;
    int number;
    char *text = NULL;
    sh->session.stop = 0;
    if (t->asks && send_text(sh, "question", question, strlen(question)) == 0 &&
        reader_next(&t->in, &line, &number, &e) == READ_LINE &&
        json_check((struct span){buf_text(&line), line.len}, &e) == 0 &&
        member(&line, "answer", &answer)) {
        const struct span trimmed = trim((struct span){buf_text(&answer), answer.len});
        text = strndup(trimmed.at, trimmed.n);
    }
    buf_free(&answer);
    buf_free(&line);
    return text;
}

/* What the student typed, as several lines that are pasted at the prompt. */
static void answer_run(struct shell *sh, const struct buf *text, struct json *end)
{
    struct talk *t = sh->talk;
    prompt_run(sh, buf_text(text));
    json_bool(end, "ok", !t->failed);
    json_array(end, "files");
    if (t->written.len)
        json_raw(end, NULL, buf_text(&t->written), t->written.len);
    json_end_array(end);
}

/* A command whose text is for the program alone. */
static void answer_aside(struct shell *sh, const struct buf *text, struct json *end)
{
    struct caught c;
    caught_begin(&c, sh);
    record_run(sh, buf_text(text), &c);
    json_bool(end, "ok", !c.errors && !c.faults);
    json_bytes(end, "text", buf_text(&c.shown), c.shown.len);
    caught_free(&c);
}

static void answer_complete(struct shell *sh, const struct buf *text, struct json *end)
{
    struct completions c;
    if (complete_line(sh, buf_text(text), text->len, &c) != 0)
        c.count = 0;
    completions_json(&c, end);
    completions_free(&c);
}

static void answer_unfinished(struct shell *sh, const struct buf *text, struct json *end)
{
    const char open = prompt_open_end(buf_text(text), text->len);
    (void)sh;
    json_bool(end, "unfinished", open != 0);
}

/* What the last command showed, as a picture. */
static void answer_picture(struct shell *sh, const struct buf *theme, struct json *end)
{
    const struct record *k = &sh->record;
    struct buf svg = {0};
    if (k->shown.len)
        svg_screen(&svg, buf_text(&k->command), buf_text(&k->shown), k->shown.len,
                   strcmp(buf_text(theme), "dark") == 0);
    if (svg.failed)
        json_text(end, "error", "there is no memory for the picture");
    else
        json_bytes(end, "svg", buf_text(&svg), svg.len);
    buf_free(&svg);
}

static const struct {
    const char *name;
    void (*answer)(struct shell *, const struct buf *text, struct json *end);
} requests[] = {{"run", answer_run},
                {"aside", answer_aside},
                {"complete", answer_complete},
                {"unfinished", answer_unfinished},
                {"picture", answer_picture}};

static void answer(struct shell *sh, const struct buf *request)
{
    struct talk *t = sh->talk;
    struct buf out = {0}, text = {0}, first = {0};
    struct err e = {0};
    const bool is_json = json_check((struct span){buf_text(request), request->len}, &e) == 0;
    bool known = false;
    t->asks = is_json && may_ask(request);
    t->failed = false;
    buf_clear(&t->written);
    sh->session.stop = 0;
    struct json begins = begin(&first, "begin"), end = begin(&out, "end");
    send(sh, &begins);
    for (size_t i = 0; is_json && !known && i < sizeof requests / sizeof requests[0]; i++) {
        known = member(request, requests[i].name, &text);
        if (known)
            requests[i].answer(sh, &text, &end);
    }
    if (!known)
        json_text(&end, "error",
                  is_json ? "a request is an object with run, aside, complete, unfinished or "
                            "picture, and a text without NUL bytes"
                          : e.text);
    if (shell_done(sh))
        json_bool(&end, "over", true);
    sh->session.stop = 0;
    if (send(sh, &end) != 0 && !sh->out.error) { /* out of memory: the other side waits for it */
        struct json short_end = begin(&out, "end");
        send(sh, &short_end);
    }
    buf_free(&text);
}

/* ---- the conversation ----------------------------------------------------------------- */

int talk_begin(struct shell *sh, struct talk *t)
{
    *t = (struct talk){.failed = false};
    if (reader_open_fd(&t->in, STDIN_FILENO) != 0)
        return -1;
    t->in.budget = &sh->session.budget;
    sh->talk = t;
    sh->reads_stdin = true; /* no program that runs may read from there */
    signal(SIGINT, SIG_DFL); /* it is part of the protocol, also where the other program ignores it */
    return 0;
}

void talk_end(struct shell *sh)
{
    reader_close(&sh->talk->in);
    buf_free(&sh->talk->written);
    sh->talk = NULL;
}

/* A SIGINT that comes while a request is read is for nothing that runs. It waits, so the request is
 * read whole. */
static enum read_status read_request(struct shell *sh, struct buf *line, struct err *e)
{
    sigset_t interrupt, before;
    int number;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    sh->session.stop = 0;
    const enum read_status s = reader_next(&sh->talk->in, line, &number, e);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return s;
}

static void refuse(struct shell *sh, const char *why)
{
    struct buf out = {0};
    struct json end = begin(&out, "end");
    json_text(&end, "error", why);
    send(sh, &end);
}

void talk_serve(struct shell *sh)
{
    struct script_place place = {.name = NULL};
    struct buf line = {0}, out = {0};
    struct err e = {0};
    enum read_status s = READ_LINE;
    const int before = sh->failures; /* as at the prompt */
    sh->place = &place;
    struct json ready = begin(&out, "ready");
    json_text(&ready, "version", PACKAGE_VERSION);
    send(sh, &ready);
    while (!shell_done(sh) && !shell_spent(sh) && s != READ_END && s != READ_FAILED) {
        s = read_request(sh, &line, &e);
        if (s == READ_LINE)
            answer(sh, &line);
        else if (s == READ_BAD)
            refuse(sh, e.text);
    }
    buf_free(&line);
    sh->failures = before;
    sh->place = NULL;
}
