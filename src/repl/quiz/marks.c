/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often each question was answered, right and wrong. The file `quiz` in the state folder has a
 * line for each: LAB NAME RIGHT WRONG. Names, not numbers, so that it fits a later version. As with
 * `next`, only commands typed at a prompt read and write it; a script keeps its own.
 */
#include "repl/quiz/quiz.h"

#include "repl/user-file.h"

#include <stdio.h>
#include <string.h>

static bool remembers(const struct shell *sh)
{
    return shell_typed(sh) && sh->prompting && !sh->safe;
}

static void read_line(struct shell *sh, const char *line)
{
    char lab[64], name[64];
    unsigned right, wrong;
    struct quiz_item q;
    if (sscanf(line, "%63s %63s %u %u", lab, name, &right, &wrong) == 4 && right <= UINT16_MAX &&
        wrong <= UINT16_MAX && quiz_named(lab, name, &q))
        sh->quiz[q.index] = (struct quiz_marks){(uint16_t)right, (uint16_t)wrong};
}

/* A file that can't be read counts as missing, and a line that makes no sense as absent. */
void quiz_recall(struct shell *sh)
{
    struct buf path = {0}, text = {0};
    struct err ignored;
    if (sh->quiz_known || !remembers(sh))
        return;
    sh->quiz_known = true;
    user_state_file(&path, "quiz");
    if (path.len && shell_read_text(sh, buf_text(&path), &text, &ignored) == 0) {
        struct span rest = {buf_text(&text), text.len}, line;
        while (next_line(&rest, &line)) {
            char copy[200];
            snprintf(copy, sizeof copy, "%.*s", (int)(line.n < 199 ? line.n : 199), line.at);
            read_line(sh, copy);
        }
    }
    buf_free(&path);
    buf_free(&text);
}

/* If it can't be written, the marks are kept only until this session ends. */
static void keep(struct shell *sh)
{
    struct quiz_walk w = {.count = 0};
    struct quiz_item q;
    struct buf path = {0}, text = {0};
    struct err ignored;
    user_state_file(&path, "quiz");
    while (quiz_next(&w, &q)) {
        const struct quiz_marks *m = &sh->quiz[q.index];
        if (m->right || m->wrong)
            buf_printf(&text, "%.*s %.*s %u %u\n", (int)q.lab.n, q.lab.at, (int)q.name.n, q.name.at,
                       m->right, m->wrong);
    }
    if (path.len && !path.failed && !text.failed) {
        user_folders(path.data);
        shell_save_own(sh, path.data, buf_text(&text), text.len, &ignored);
    }
    buf_free(&path);
    buf_free(&text);
}

void quiz_mark(struct shell *sh, const struct quiz_item *q, bool right)
{
    struct quiz_marks *m = &sh->quiz[q->index];
    uint16_t *count = right ? &m->right : &m->wrong;
    quiz_recall(sh);
    *count += *count < UINT16_MAX;
    if (remembers(sh))
        keep(sh);
}
