/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is kept for a hand-in of the folder that its worker had as a cache. The worker may have been
 * taken over, so there may be anything in this folder. And an entry of the cache may have anything
 * in it but a wrong fingerprint.
 */
#include "programs/backend.h"
#include "programs/programs.h"

#include "os/fd.h"
#include "os/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int tests_run;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++tests_run, what);
}

#ifdef WITH_PROGRAMS

struct place {
    char base[200], folder[240];
    unsigned folders;
};

static void must(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

/* An empty folder, as a worker gets one. */
static const char *new_folder(struct place *p)
{
    snprintf(p->folder, sizeof p->folder, "%s/%u", p->base, p->folders++);
    must(mkdir(p->folder, 0700) == 0, "mkdir");
    return p->folder;
}

static const char first[] = "00112233445566778899aabbccddeeff.made";
static const char second[] = "ffeeddccbbaa99887766554433221100.made";

static void put(const struct place *p, const char *name, const char *bytes, size_t n)
{
    must(fd_make_file(p->folder, name, bytes, n) == 0, name);
}

static struct span of_text(const char *text)
{
    return (struct span){text, strlen(text)};
}

static void keep(const struct place *p, const char *of)
{
    const struct buf nothing = {0};
    made_keep(of_text(of), p->folder, &nothing);
}

/* The names and bytes that a new folder gets, sorted by name. */
static void taken(struct place *p, const char *of, struct buf *out)
{
    struct buf made = {0};
    struct dirent **names = NULL;
    made_take(of_text(of), new_folder(p), &made);
    const int count = scandir(p->folder, &names, NULL, alphasort);
    buf_clear(out);
    for (int i = 0; i < count; i++) {
        char path[600];
        struct err e;
        snprintf(path, sizeof path, "%s/%s", p->folder, names[i]->d_name);
        if (names[i]->d_name[0] != '.') {
            buf_printf(out, "%s:", names[i]->d_name);
            must(file_read(path, 64 << 20, out, &e) == 0, path);
            buf_putc(out, ';');
        }
        free(names[i]);
    }
    free(names);
    buf_free(&made);
}

static bool takes(struct place *p, const char *of, const char *wanted)
{
    struct buf got = {0};
    taken(p, of, &got);
    const bool same = strcmp(buf_text(&got), wanted) == 0;
    if (!same)
        printf("# got: %.300s\n", buf_text(&got));
    buf_free(&got);
    return same;
}

static void test_whole(struct place *p)
{
    char wanted[200];
    new_folder(p);
    put(p, second, "two\n", 4);
    put(p, first, "one", 3);
    keep(p, "hand-in A");
    snprintf(wanted, sizeof wanted, "%s:one;%s:two\n;", first, second);
    ok(takes(p, "hand-in A", wanted), "all entries come back");
    ok(takes(p, "hand-in B", ""), "another hand-in gets none");
    ok(takes(p, "hand-in A ", "") && takes(p, "hand-in", ""), "nor does one with more or fewer bytes");
    new_folder(p);
    keep(p, "hand-in A");
    ok(takes(p, "hand-in A", wanted), "an empty folder changes nothing");
    new_folder(p);
    put(p, first, "", 0);
    keep(p, "hand-in A");
    snprintf(wanted, sizeof wanted, "%s:;", first);
    ok(takes(p, "hand-in A", wanted), "an empty entry is an entry");
}

/* Each in a folder with one entry: either that one is kept alone, or nothing is. */
static void test_strange(struct place *p)
{
    char wanted[200], path[600];
    static const char *const names[] = {"x", "00112233445566778899aabbccddeefg.made",
                                        "00112233445566778899aabbccddeeff.made.abcdef",
                                        "00112233445566778899aabbccddee.made",
                                        "00112233445566778899AABBCCDDEEFF.made"};
    snprintf(wanted, sizeof wanted, "%s:two;", second);
    new_folder(p);
    put(p, second, "two", 3);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put(p, names[i], "bad", 3);
    keep(p, "names");
    ok(takes(p, "names", wanted), "files of other names are left");

    new_folder(p);
    put(p, second, "two", 3);
    snprintf(path, sizeof path, "%s/%s", p->folder, first);
    must(symlink("/etc/passwd", path) == 0, "symlink");
    keep(p, "link");
    ok(takes(p, "link", ""), "a link is not followed");

    new_folder(p);
    put(p, second, "two", 3);
    put(p, "other", "bad", 3);
    snprintf(path, sizeof path, "%s/%s", p->folder, first);
    char other[600];
    snprintf(other, sizeof other, "%s/other", p->folder);
    must(link(other, path) == 0, "link");
    keep(p, "hard link");
    ok(takes(p, "hard link", ""), "a file with two names is not taken");

    new_folder(p);
    put(p, second, "two", 3);
    snprintf(path, sizeof path, "%s/%s", p->folder, first);
    must(mkfifo(path, 0600) == 0, "mkfifo");
    keep(p, "pipe");
    ok(takes(p, "pipe", ""), "a pipe is not waited for");

    new_folder(p);
    put(p, second, "two", 3);
    snprintf(path, sizeof path, "%s/%s", p->folder, first);
    must(mkdir(path, 0700) == 0, "mkdir");
    keep(p, "folder");
    ok(takes(p, "folder", ""), "a folder is no entry");
}

static void test_too_much(struct place *p)
{
    char name[60], path[600];
    new_folder(p);
    for (unsigned i = 0; i < 65; i++) {
        snprintf(name, sizeof name, "%032x.made", i);
        put(p, name, "x", 1);
    }
    keep(p, "many");
    ok(takes(p, "many", ""), "too many entries are not kept");
    new_folder(p);
    put(p, first, "one", 3);
    snprintf(path, sizeof path, "%s/%s", p->folder, second);
    put(p, second, "", 0);
    must(truncate(path, (off_t)20 << 30) == 0, "truncate");
    keep(p, "large");
    ok(takes(p, "large", ""), "20 GiB are not read");
    keep(&(struct place){.folder = "/nosuch"}, "no folder");
    ok(takes(p, "no folder", ""), "no folder, and no entry");
}

/* An entry of the cache with a good fingerprint, and with this in it. */
static void forge(const char *of, const char *text, size_t n)
{
    struct compiled c = {.compiler = "hand-in"};
    buf_puts(&c.log, of);
    buf_add(&c.ptx, text, n);
    cache_write(cache_of_graded, made_print(of_text(of)), &c);
    compiled_free(&c);
}

static void test_forged(struct place *p)
{
    static const struct { const char *text, *what; } all[] = {
        {"no entry at all", "without a size"},
        {"../../../../../../../../../../tmp/xx.made 3\nbad", "a name with folders"},
        {"00112233445566778899aabbccddeeff.made 4\nbad", "a size that is too large"},
        {"00112233445566778899aabbccddeeff.made -1\nbad", "a size below 0"},
        {"00112233445566778899aabbccddeeff.made 3 \nbad", "a blank behind the size"},
        {"00112233445566778899aabbccddeeff.made 99999999999999999999999\nbad", "no size"},
        {"00112233445566778899aabbccddeeff.made\n3\nbad", "a line break"},
        {"00112233445566778899aabbccddeeff_made 3\nbad", "another ending"},
        {"", "nothing"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        forge(all[i].what, all[i].text, strlen(all[i].text));
        ok(takes(p, all[i].what, ""), all[i].what);
    }
    char wanted[100];
    snprintf(wanted, sizeof wanted, "%s:one;", first);
    forge("good", "00112233445566778899aabbccddeeff.made 3\none", 43);
    ok(takes(p, "good", wanted), "one that is right comes back");
}

int main(void)
{
    struct place p = {.folders = 0};
    const char *in = getenv("TMPDIR");
    snprintf(p.base, sizeof p.base, "%.150s/cudalab-made-XXXXXX", in ? in : "/tmp");
    must(mkdtemp(p.base) != NULL, p.base);
    must(setenv("XDG_CACHE_HOME", p.base, 1) == 0, "setenv");
    test_whole(&p);
    test_strange(&p);
    test_too_much(&p);
    test_forged(&p);
    file_remove_folder(p.base);
    printf("1..%d\n", tests_run);
    return 0;
}

#else

int main(void)
{
    ok(true, "what compilers made # SKIP this build starts no programs");
    printf("1..%d\n", tests_run);
    return 0;
}

#endif
