/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What compilers made for a hand-in, kept between two gradings. A process that a hand-in may take
 * over never has the user's own cache. It has a folder of its own, which is empty except for what
 * was made for this hand-in before. Afterwards all entries of this folder become one entry of the
 * cache.
 *
 * That entry has all bytes of the hand-in in place of a log. It is used only for a hand-in that has
 * the same bytes. So whatever a hostile hand-in leaves there, it leaves for itself alone. This does
 * not depend on the fingerprint, of which somebody could make two with the same value.
 *
 * Nothing in the folder is trusted. An entry of it counts if it is a regular file of ours with the
 * name of an entry. The process that reads it later checks what is in it.
 */
#include "programs/programs.h"

#include "os/fd.h"
#include "programs/backend.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MOST = 64, BYTES_MOST = 12 << 20, DIGITS = 32 };

static const char ending[] = ".made";
enum { NAME_SIZE = DIGITS + sizeof ending };

struct made_names {
    char at[FILES_MOST][NAME_SIZE];
    unsigned count;
    bool too_many;
};

/* As cache.c names them: 32 digits, and the ending. */
static bool is_name(const char *name)
{
    return strspn(name, "0123456789abcdef") == DIGITS && strcmp(name + DIGITS, ending) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void list_names(DIR *d, struct made_names *n)
{
    for (const struct dirent *e; (e = readdir(d)) && !n->too_many;) {
        n->too_many = is_name(e->d_name) && n->count == FILES_MOST;
        if (is_name(e->d_name) && !n->too_many)
            memcpy(n->at[n->count++], e->d_name, NAME_SIZE);
    }
    qsort(n->at, n->count, NAME_SIZE, by_name);
}

/* Adds a file to the text: its name, its size, a new line, and its bytes. */
static bool add_file(int folder, const char *name, struct buf *text)
{
    struct buf bytes = {0};
    struct stat info;
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool good = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                info.st_uid == geteuid() && info.st_nlink == 1 &&
                fd_read_all(fd, BYTES_MOST, &bytes) == FD_WHOLE && !bytes.failed &&
                text->len + bytes.len < BYTES_MOST;
    if (good) {
        buf_printf(text, "%s %zu\n", name, bytes.len);
        buf_add(text, buf_text(&bytes), bytes.len);
    }
    if (fd >= 0)
        close(fd);
    buf_free(&bytes);
    return good;
}

static bool read_folder(const char *path, struct buf *text)
{
    struct made_names *n = calloc(1, sizeof *n);
    DIR *d = n ? opendir(path) : NULL;
    bool good = d != NULL;
    if (d)
        list_names(d, n);
    for (unsigned i = 0; good && i < n->count; i++)
        good = add_file(dirfd(d), n->at[i], text);
    good = good && !n->too_many && n->count && !text->failed;
    if (d)
        closedir(d);
    free(n);
    return good;
}

/* Takes the next file off the text. */
static bool next_file(struct span *text, char name[NAME_SIZE], struct span *bytes)
{
    size_t size;
    int used = 0;
    struct span line;
    char head[NAME_SIZE + 24];
    if (!next_line(text, &line) || line.n >= sizeof head)
        return false;
    snprintf(head, sizeof head, "%.*s", (int)line.n, line.at);
    if (strlen(head) <= NAME_SIZE || head[NAME_SIZE - 1] != ' ' ||
        sscanf(head + NAME_SIZE, "%zu%n", &size, &used) != 1 || head[NAME_SIZE + used] ||
        size > text->n)
        return false;
    head[NAME_SIZE - 1] = '\0';
    memcpy(name, head, NAME_SIZE);
    *bytes = (struct span){text->at, size};
    *text = (struct span){text->at + size, text->n - size};
    return is_name(name);
}

static bool write_folder(struct span text, const char *path)
{
    char name[NAME_SIZE];
    struct span bytes;
    while (text.n)
        if (!next_file(&text, name, &bytes) || fd_make_file(path, name, bytes.at, bytes.n) != 0)
            return false;
    return true;
}

/* Another cudalab or another compiler makes something else. */
struct print128 made_print(struct span of)
{
    struct compilers have;
    compilers_find(true, &have);
    struct print128 p = print_text(print_start, "made for a hand-in " PACKAGE_VERSION);
    p = print_file(print_file(p, "/proc/self/exe"), have.nvrtc);
    return print_add(print_file(p, have.clang), of.at, of.n);
}

void made_take(struct span of, const char *folder, struct buf *made)
{
    struct compiled kept = {.refused = false};
    if (cache_read(cache_of_graded, made_print(of), &kept) == 0 && kept.log.len == of.n &&
        memcmp(buf_text(&kept.log), of.at, of.n) == 0 &&
        write_folder((struct span){buf_text(&kept.ptx), kept.ptx.len}, folder))
        buf_add(made, buf_text(&kept.ptx), kept.ptx.len);
    compiled_free(&kept);
}

void made_keep(struct span of, const char *folder, const struct buf *made)
{
    struct compiled now = {.compiler = "hand-in"};
    if (read_folder(folder, &now.ptx) && buf_add(&now.log, of.at, of.n) == 0 &&
        !(now.ptx.len == made->len && memcmp(buf_text(&now.ptx), buf_text(made), made->len) == 0))
        cache_write(cache_of_graded, made_print(of), &now);
    compiled_free(&now);
}
