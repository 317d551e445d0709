/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that begins as ELF files do is a program, whatever its name. Any other one is known as a
 * source by its ending, as nvcc knows it.
 */
#include "repl/run/whole-options.h"

#include "base/lines.h"
#include "cc/elf.h"
#include "repl/run/running.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const whole_yes_no[] = {"true", "false", NULL};

/* ---- files ----------------------------------------------------------------------------- */

static bool is_source(const char *path)
{
    static const char *const endings[] = {".cu", ".cpp", ".cc", ".cxx", ".c", NULL};
    for (int i = 0; endings[i]; i++)
        if (ends_in(path, endings[i]))
            return true;
    return false;
}

static int add_file(struct shell *sh, struct whole *w, const char *path, struct err *e)
{
    if (w->count == WHOLE_SOURCES)
        return fail(e, "a program can have %d sources at most", WHOLE_SOURCES);
    w->path[w->count++] = path;
    return shell_read_text(sh, path, &w->text[w->count - 1], e);
}

/* What can be run of the first file? */
static int check_first(struct whole *w, struct err *e)
{
    const char *path = w->path[0];
    const struct span bytes = {buf_text(&w->text[0]), w->text[0].len};
    struct elf elf;
    w->is_program = elf_is(bytes);
    if (elf_open(&elf, bytes) && (elf.type == ELF_PROGRAM || elf.type == ELF_SHARED) &&
        access(path, X_OK) != 0 && errno == EACCES)
        return fail(e, "`%.300s` may not be executed. `chmod +x` allows it", path);
    if (w->is_program || is_source(path))
        return 0;
    if (begins(bytes, "#!"))
        return fail(e, "`%.300s` is a script. `run` needs the program that it starts", path);
    return fail(e, "`%.300s` is neither a program nor a source, whose name would end in .cu, "
                ".cpp, .cc, .cxx or .c", path);
}

/* Only a file that is there is a source: other words may look like one. */
static bool is_another_source(const struct whole *w, unsigned word)
{
    struct stat info;
    const char *path = w->rest.word[word];
    return is_source(path) && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

int whole_read(struct shell *sh, const struct run_options *o, struct whole *w, struct err *e)
{
    *w = (struct whole){0};
    if (words_split(o->rest ? o->rest : "", &w->rest, e) != 0 ||
        add_file(sh, w, o->file, e) != 0 || check_first(w, e) != 0)
        return -1;
    while (!w->is_program && w->first < w->rest.count && is_another_source(w, w->first))
        if (add_file(sh, w, w->rest.word[w->first++], e) != 0)
            return -1;
    if (w->first < w->rest.count && !w->rest.quoted[w->first] &&
        strcmp(w->rest.word[w->first], "--") == 0)
        w->first++;
    return 0;
}

void whole_free(struct whole *w)
{
    words_free(&w->rest);
    for (unsigned i = 0; i < w->count; i++)
        buf_free(&w->text[i]);
}

/* ---- words ----------------------------------------------------------------------------- */

struct word_list { const char **word; unsigned count; struct arena *memory; struct err *e; };

static int add_word(struct word_list *l, const char *flag, const char *text)
{
    const size_t room = strlen(flag) + strlen(text) + 1;
    char *word = arena_alloc(l->memory, room);
    if (!word)
        return fail_memory(l->e);
    if (l->count + 1 == WHOLE_WORDS)
        return fail(l->e, "too many options for the compiler");
    snprintf(word, room, "%s%s", flag, text);
    l->word[l->count++] = word;
    l->word[l->count] = NULL;
    return 0;
}

/* `before`: a word of its own for each; NULL: none. */
static int add_each(struct word_list *l, const struct arg_many *all, const char *before,
                    const char *flag)
{
    for (unsigned i = 0; i < all->count; i++)
        if ((before && add_word(l, before, "") != 0) || add_word(l, flag, all->text[i]) != 0)
            return -1;
    return 0;
}

/* Each text may have several words. */
static int add_split(struct word_list *l, const struct arg_many *all)
{
    int rc = 0;
    for (unsigned i = 0; i < all->count && rc == 0; i++) {
        struct words words;
        if (words_split(all->text[i], &words, l->e) != 0)
            return -1;
        for (unsigned k = 0; k < words.count && rc == 0; k++)
            rc = add_word(l, "", words.word[k]);
        words_free(&words);
    }
    return rc;
}

int whole_words(const struct whole *w, const struct run_options *o, struct arena *memory,
                const char *words[WHOLE_WORDS], struct err *e)
{
    struct word_list l = {words, 0, memory, e};
    int rc = 0;
    words[0] = NULL;
    if (o->optimise.count) /* a call that is inlined has the line of the function it came from */
        rc = add_word(&l, "-O", o->optimise.text[o->optimise.count - 1]) ||
             add_word(&l, "-Xcompiler", "") || add_word(&l, "-fno-inline", "");
    if (o->std)
        rc = rc || add_word(&l, "-std=", o->std);
    if (o->rdc == 0)
        rc = rc || add_word(&l, "-rdc=true", "");
    if (o->debug)
        rc = rc || add_word(&l, "-G", "");
    rc = rc || add_each(&l, &o->folders, NULL, "-I") || add_each(&l, &o->macros, NULL, "-D") ||
         add_each(&l, &o->host, "-Xcompiler", "") || add_split(&l, &o->nvcc);
    for (unsigned i = 0; i < w->count && rc == 0; i++) /* -x.cu would be an option */
        rc = add_word(&l, w->path[i][0] == '-' ? "./" : "", w->path[i]);
    rc = rc || add_each(&l, &o->library_folders, NULL, "-L") ||
         add_each(&l, &o->libraries, NULL, "-l");
    return rc ? -1 : 0;
}

int whole_arguments(const struct whole *w, const char *program, const char *argv[WHOLE_ARGUMENTS],
                    struct err *e)
{
    unsigned n = 0;
    argv[n++] = program;
    for (unsigned i = w->first; i < w->rest.count; i++) {
        if (n == WHOLE_ARGUMENTS - 1)
            return fail(e, "too many arguments for the program");
        argv[n++] = w->rest.word[i];
    }
    argv[n] = NULL;
    return 0;
}
