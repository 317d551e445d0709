/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each option becomes one line, its letter and its text. What the command itself says comes first,
 * so its folders are searched first, and a macro that it defines is not defined by the setting.
 */
#include "repl/compile-options.h"

#include "base/lines.h"

#include <string.h>
#include <sys/stat.h>

/* nvcc hands them to a shell, and a newline ends one. */
static int check_plain(char kind, const char *text, struct err *e)
{
    for (const char *at = text; *at; at++)
        if (strchr("\"\\`$", *at) || (unsigned char)*at < ' ')
            return fail(e, "-%c: compilers can't use `%.300s`: leave out quotes, $ and \\", kind,
                        text);
    return *text && strlen(text) < COMPILE_OPTION - 10
               ? 0
               : fail(e, "-%c: `%.100s` is %s", kind, text, *text ? "too long" : "empty");
}

static int put_define(const char *text, struct buf *out, struct err *e)
{
    size_t n = strcspn(text, "=");
    bool is_name = n && !(text[0] >= '0' && text[0] <= '9');
    for (size_t i = 0; i < n; i++)
        is_name = is_name && in_word(text[i]);
    if (!is_name)
        return fail(e, "-D takes NAME or NAME=VALUE, and `%.*s` is not a name",
                    (int)(n < 100 ? n : 100), text);
    buf_printf(out, "D%s\n", text);
    return 0;
}

/* Under --safe a compiler reads only what --allow names. */
static int put_folder(const struct shell *sh, const char *text, struct buf *out, struct err *e)
{
    struct stat info;
    if (stat(text, &info) != 0 || !S_ISDIR(info.st_mode))
        return fail(e, "-I takes a folder, and `%.300s` is none", text);
    if (sh->safe && !shell_allows(sh, text, e))
        return -1;
    buf_printf(out, "I%s%s\n", text[0] == '-' ? "./" : "", text);
    return 0;
}

static int put_option(const struct shell *sh, char kind, const char *text, struct buf *out,
                      struct err *e)
{
    if (check_plain(kind, text, e) != 0)
        return -1;
    return kind == 'I' ? put_folder(sh, text, out, e) : put_define(text, out, e);
}

/* ---- the settings ----------------------------------------------------------------------- */

/* Folders are separated as in PATH, macros by commas. false: there are no more. */
static bool next_item(char kind, const char **list, char item[COMPILE_OPTION])
{
    if (!**list)
        return false;
    size_t n = strcspn(*list, kind == 'I' ? ":" : ",");
    size_t kept = n < COMPILE_OPTION - 1 ? n : COMPILE_OPTION - 1;
    memcpy(item, *list, kept);
    item[kept] = '\0';
    *list += n + ((*list)[n] != '\0');
    return true;
}

/* Is this folder, or a macro of this name, among those that the command was given? */
static bool is_given(const struct arg_many *given, char kind, const char *item)
{
    size_t n = kind == 'I' ? strlen(item) : strcspn(item, "=");
    for (unsigned i = 0; i < given->count; i++) {
        const char *text = given->text[i];
        if (strncmp(text, item, n) == 0 && (!text[n] || (kind == 'D' && text[n] == '=')))
            return true;
    }
    return false;
}

static int put_options(const struct shell *sh, const struct arg_many *given, char kind,
                       const char *setting, struct buf *out, struct err *e)
{
    char item[COMPILE_OPTION];
    for (unsigned i = 0; i < given->count; i++)
        if (put_option(sh, kind, given->text[i], out, e) != 0)
            return -1;
    while (next_item(kind, &setting, item))
        if (!is_given(given, kind, item) && put_option(sh, kind, item, out, e) != 0)
            return -1;
    return 0;
}

int compile_options_check(const struct shell *sh, char kind, const char *list, struct err *e)
{
    const struct arg_many none = {.count = 0};
    struct buf ignored = {0};
    int rc = put_options(sh, &none, kind, list, &ignored, e);
    buf_free(&ignored);
    return rc;
}

int compile_options(struct shell *sh, const struct compile_given *given, struct buf *out,
                    struct err *e)
{
    const struct settings *set = &sh->session.settings;
    if (put_options(sh, &given->folders, 'I', set->include, out, e) != 0 ||
        put_options(sh, &given->macros, 'D', set->define, out, e) != 0)
        return -1;
    return out->failed ? fail_memory(e) : 0;
}
