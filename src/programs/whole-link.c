/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clang starts the linker as a process of its own, which a confined clang may not do. So clang only
 * says how it would start it, and the linker that is here is started so, confined as well. What
 * clang says comes from its reading of the student's options: it names no program that is started.
 */
#include "programs/backend.h"
#include "programs/whole.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

enum { SAID_MOST = 1 << 20 };

/* The last line that was said, which is the linker's. */
static char *last_line(char *text)
{
    size_t n = strlen(text);
    while (n && text[n - 1] == '\n')
        text[--n] = '\0';
    char *line = strrchr(text, '\n');
    return line ? line + 1 : text;
}

/* Takes a word in quotes off the line, in place. A backslash stands before a quote, a dollar and a
 * backslash. NULL: there are no more. */
static char *next_word(char **line)
{
    char *from = strchr(*line, '"'), *word = from ? from + 1 : NULL, *to = word;
    if (!word)
        return NULL;
    for (from = word; *from && *from != '"'; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *line = *from ? from + 1 : from;
    *to = '\0';
    return word;
}

static int link_by(const struct build_want *w, const char *linker, char *line, struct built *out,
                   struct err *e)
{
    const size_t room = (strlen(line) + 2) * sizeof(char *); /* a word has a quote at least */
    const char **words = mem_alloc(&allocator_libc, room);
    if (!words)
        return fail_memory(e);
    size_t n = 0;
    next_word(&line); /* the linker that clang would take */
    words[n++] = linker;
    for (char *word; (word = next_word(&line));)
        words[n++] = word;
    words[n] = NULL;
    int rc = n > 1 ? whole_run(w, "the linker", words, &out->linked, out, e)
                   : fail(e, "clang does not say how it links");
    mem_free(&allocator_libc, words, room);
    return rc;
}

int whole_link_confined(const struct build_want *w, const struct command_line *line,
                        struct built *out, struct err *e)
{
    struct child_result said = {.end = CHILD_EXITED};
    char linker[COMPILER_PATH];
    const char *words[LINE_WORDS + 1] = {line->words[0], "-###"};
    if (line_check(line, "clang", e) != 0)
        return -1;
    if (!tool_find("ld", true, linker))
        return fail(e, "there is no linker here: install g++ (on Debian and Ubuntu: apt install "
                    "g++)");
    for (unsigned i = 1; i < line->count; i++)
        words[i + 1] = line->words[i];
    words[line->count + 1] = NULL;
    int rc = whole_start(w, "clang", words, SAID_MOST, out, &said, e);
    if (rc == 0 && said.code != 0) {
        keep_log(&out->log, &said.err, out->folder);
        out->refused = true;
        rc = fail(e, "clang refused the program");
    }
    if (rc == 0)
        rc = said.err.len && !said.err.failed
                 ? link_by(w, linker, last_line(said.err.data), out, e)
                 : fail(e, "clang does not say how it links");
    child_result_free(&said);
    return rc;
}
