/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detects a script that is really CUDA C or PTX. Without this, each line of such a file would give
 * an error, or it would even run: `return 0;` names a lab. The first line that is neither blank nor
 * a comment decides. It is C if it begins with one of the words below. None of these words is a
 * command. If a word is an alias, it counts as a command.
 */
#include "repl/files-named.h"

#include <string.h>
#include <unistd.h>

/* ---- sources -------------------------------------------------------------------------- */

bool source_named(const char *path)
{
    return ends_in(path, ".cu") || ends_in(path, ".cuh") || ends_in(path, ".ptx");
}

/* Writes the path as one word of a command. */
static void put_word(struct buf *out, const char *path)
{
    const char *lead = *path == '-' ? "./" : ""; /* "-x" alone would be an option */
    if (path[strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-")]) {
        buf_printf(out, "\"%s", lead);
        for (const char *at = path; *at; at++) {
            buf_puts(out, *at == '"' || *at == '\\' || *at == '$' ? "\\" : "");
            buf_putc(out, *at);
        }
        buf_putc(out, '"');
    } else {
        buf_printf(out, "%s%s", lead, path);
    }
}

/* Can the file be read? If it can't, an error says so. */
static bool can_read(struct shell *sh, const char *path)
{
    struct err e;
    int fd = shell_open_plain(sh, path, &e);
    if (fd >= 0) {
        close(fd);
        return true;
    }
    shell_complain(sh, e.text, 0);
    sh->unreadable = true;
    return false;
}

void shell_load(struct shell *sh, const char *path)
{
    struct buf line = {0};
    if (!can_read(sh, path))
        return;
    buf_puts(&line, "load ");
    put_word(&line, path);
    shell_run_line(sh, buf_text(&line), line.len);
    buf_free(&line);
    if (sh->session.stop && !sh->prompting)
        sh->interrupted = true;
    sh->session.stop = 0;
}

/* ---- scripts -------------------------------------------------------------------------- */

/* Skips a comment of C at the start of the text. false: the text does not start with one. */
static bool skip_comment(struct span *rest)
{
    struct span line, ahead = *rest;
    if (!next_line(&ahead, &line))
        return false;
    line = trim(line);
    if (begins(line, "//")) {
        *rest = ahead;
        return true;
    }
    if (!begins(line, "/*"))
        return false;
    const char *end = memchr(line.at, '*', line.n);
    const char *last = rest->at + rest->n;
    for (end += 1; end + 1 < last && !(end[0] == '*' && end[1] == '/');)
        end++;
    end = end + 1 < last ? end + 2 : last;
    *rest = (struct span){end, (size_t)(last - end)};
    return true;
}

/* Is the line an #include? It needs a test of its own, because # begins a comment in a script. */
static bool is_include(struct span line)
{
    struct span word = line.n && *line.at == '#' ? trim((struct span){line.at + 1, line.n - 1})
                                                 : (struct span){line.at, 0};
    if (!begins(word, "include"))
        return false;
    word = trim((struct span){word.at + 7, word.n - 7});
    return begins(word, "<") || begins(word, "\"");
}

static bool begins_c(struct span line)
{
    static const char *const words[] = {
        "auto", "bool", "char", "class", "const", "constexpr", "dim3", "double", "enum", "extern",
        "float", "inline", "int", "long", "namespace", "short", "signed", "size_t", "static",
        "struct", "template", "typedef", "typename", "union", "unsigned", "using", "void",
        "volatile", "__constant__", "__device__", "__global__", "__host__", "__managed__",
        "__shared__", NULL};
    size_t n = 0;
    while (n < line.n && in_word(line.at[n]))
        n++;
    for (const char *const *w = words; *w; w++)
        if (strlen(*w) == n && memcmp(line.at, *w, n) == 0)
            return true;
    return false;
}

static bool begins_ptx(struct span line)
{
    return begins(line, ".version ") || begins(line, ".target ") || begins(line, ".visible ") ||
           begins(line, ".entry ");
}

static bool is_alias(const struct shell *sh, struct span line)
{
    for (unsigned i = 0; i < sh->alias_count; i++) {
        size_t n = strlen(sh->aliases[i].name);
        if (begins(line, sh->aliases[i].name) && (line.n == n || !in_word(line.at[n])))
            return true;
    }
    return false;
}

/* The language of the text: "CUDA C" or "PTX". NULL: it may be a script. */
static const char *kind_of(const struct shell *sh, struct span rest)
{
    struct span line;
    if (begins(rest, "\xEF\xBB\xBF"))
        rest = (struct span){rest.at + 3, rest.n - 3};
    for (bool comments = false;;) {
        if (skip_comment(&rest)) {
            comments = true;
            continue;
        }
        if (!next_line(&rest, &line))
            return comments ? "CUDA C" : NULL;
        line = trim(line);
        if (is_include(line))
            return "CUDA C";
        if (line.n && *line.at != '#')
            return is_alias(sh, line) ? NULL
                   : begins_c(line)   ? "CUDA C"
                   : begins_ptx(line) ? "PTX"
                                      : NULL;
    }
}

int script_check(struct shell *sh, struct span beginning, const char *path, struct err *e)
{
    const char *kind = kind_of(sh, beginning);
    const char *ending = kind && *kind == 'P' ? "ptx" : "cu";
    if (!kind)
        return 0;
    if (source_named(path))
        return fail(e, "`%.300s` is %s, not a script of commands; `load` loads its kernels", path,
                    kind);
    if (*path == '<')
        return fail(e, "this is %s, not a script of commands; save it as NAME.%s, and "
                    "`cudalab NAME.%s` loads its kernels", kind, ending, ending);
    return fail(e, "`%.300s` is %s, not a script of commands; name it NAME.%s, and "
                "`cudalab NAME.%s` loads its kernels", path, kind, ending, ending);
}
