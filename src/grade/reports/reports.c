/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which form, and where to. The name of a student becomes a file's name: letters, digits, signs of
 * other scripts, and _ in place of all else. So no name leaves its folder or looks like an option.
 */
#include "base/near.h"
#include "grade/reports/form.h"
#include "os/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FORM(x) extern const struct mark_form form_##x;
#include "grade/reports/forms.def"
#undef FORM
static const struct mark_form *const forms[] = {
#define FORM(x) &form_##x,
#include "grade/reports/forms.def"
#undef FORM
};
enum { FORMS = sizeof forms / sizeof *forms };

/* ---- which ------------------------------------------------------------------------------- */

const char *mark_form_name(unsigned k)
{
    return k < FORMS ? forms[k]->name : NULL;
}

const char *mark_form_help(unsigned k)
{
    return k < FORMS ? forms[k]->help : NULL;
}

static const struct mark_form *unknown(const char *request, int n, struct err *e)
{
    struct buf list = {0}, word = {0};
    buf_printf(&word, "%.*s", n < 100 ? n : 100, request);
    struct near near = {.word = buf_text(&word)};
    for (unsigned k = 0; k < FORMS; k++) {
        near_try(&near, forms[k]->name);
        buf_printf(&list, "%s%s", k ? ", " : "", forms[k]->name);
    }
    if (near.best)
        fail(e, "there is no report `%s`; did you mean `%s`?", buf_text(&word), near.best);
    else
        fail(e, "there is no report `%s`; there are %s", buf_text(&word), buf_text(&list));
    buf_free(&list);
    buf_free(&word);
    return NULL;
}

const struct mark_form *mark_form_asked(const char *request, const char **place, struct err *e)
{
    const size_t n = strcspn(request, ":");
    *place = request[n] ? request + n + 1 : NULL;
    for (unsigned k = 0; k < FORMS; k++)
        if (same_text((struct span){request, n}, forms[k]->name)) {
            if (*place && strcmp(*place, "-") == 0)
                *place = NULL;
            if (!*place || **place)
                return forms[k];
            fail(e, "the name of a file is missing after `%s:`", forms[k]->name);
            return NULL;
        }
    return unknown(request, (int)n, e);
}

/* ---- one text ---------------------------------------------------------------------------- */

/* Feedback is cut more and more, until the platform can read all of it. */
static int write_within(const struct mark_form *f, struct form_ask *a, struct buf *out,
                        struct err *e)
{
    const size_t before = out->len;
    for (a->text_most = MARK_TEXT_MOST;; a->text_most /= 4) {
        f->write(a, out);
        if (out->failed)
            return fail_memory(e);
        if (!f->most || out->len - before <= f->most)
            return 0;
        out->len = before;
        out->data[before] = '\0';
        if (!a->text_most)
            return fail(e,
                        "a report in the form `%s` has at most %zu bytes, and this one is "
                        "longer even without feedback",
                        f->name, f->most);
    }
}

int marked_report(const struct marks *m, const struct marked *h, const struct mark_form *f,
                  struct buf *out, struct err *e)
{
    struct form_ask ask = {.marks = m, .of = h};
    const unsigned missing = marked_ungraded(m, h);
    if (f->by_part && marks_most(m) == 0)
        return fail(e, "no test of `%.200s` has points, but `%s` gives a part of them", m->exercise,
                    f->name);
    if (f->complete && missing)
        return fail(e, "`%.200s` has no report for %s: %u test%s not graded", h->student, f->name,
                    missing, missing == 1 ? " was" : "s were");
    return write_within(f, &ask, out, e);
}

/* ---- names of files ---------------------------------------------------------------------- */

enum { FILE_NAME_MOST = 120 };

static void put_file_name(struct buf *out, const char *student)
{
    size_t n = strlen(student);
    if (n > FILE_NAME_MOST)
        n = FILE_NAME_MOST;
    while (n < strlen(student) && ((unsigned char)student[n] & 0xC0) == 0x80)
        n--;
    for (size_t i = 0; i < n; i++) {
        const char c = student[i];
        const bool stays = in_word(c) || (unsigned char)c >= 0x80 || (i && (c == '-' || c == '.'));
        buf_putc(out, stays ? c : '_');
    }
}

/* All names of files, one behind the other with their NULs. Two students never share a file, also
 * where a system takes capitals for small letters: the later one gets a number. */
struct file_names {
    struct buf *name;
    unsigned count;
};

static bool is_taken(const struct file_names *names, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (near_same(buf_text(&names->name[i]), name))
            return true;
    return false;
}

static void free_names(struct file_names *names)
{
    for (unsigned i = 0; i < names->count; i++)
        buf_free(&names->name[i]);
    free(names->name);
}

static int make_names(const struct marks *m, struct file_names *names, struct err *e)
{
    *names = (struct file_names){calloc(m->count + 1, sizeof *names->name), m->count};
    for (unsigned i = 0; i < m->count && names->name; i++) {
        struct buf *name = &names->name[i];
        put_file_name(name, m->of[i]->student);
        const size_t n = name->len;
        for (unsigned k = 2; !name->failed && is_taken(names, i, buf_text(name)); k++) {
            name->len = n;
            buf_printf(name, "-%u", k);
        }
        if (name->failed) {
            free_names(names);
            return fail_memory(e);
        }
    }
    return names->name ? 0 : fail_memory(e);
}

/* ---- where to ---------------------------------------------------------------------------- */

static bool is_folder(const char *place)
{
    struct stat info;
    const size_t n = strlen(place);
    return place[n - 1] == '/' || (stat(place, &info) == 0 && S_ISDIR(info.st_mode));
}

/* The file of a student: {} is the name, and a folder has NAME.json. */
static void put_place(struct buf *path, const char *place, const char *name, const char *ending)
{
    const char *slot = strstr(place, "{}");
    if (slot) {
        buf_add(path, place, (size_t)(slot - place));
        put_place(path, name, "", "");
        put_place(path, slot + 2, name, "");
    } else if (*ending && is_folder(place)) {
        buf_printf(path, "%s%s%s.%s", place, place[strlen(place) - 1] == '/' ? "" : "/", name,
                   ending);
    } else {
        buf_puts(path, place);
    }
}

/* The folders that lead to a file. */
static int make_folders(char *path, struct err *e)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = mkdir(path, 0777) == 0 || errno == EEXIST || is_folder(path);
        const int why = errno;
        if (!made)
            fail(e, "cannot make the folder `%.300s`: %s", path, strerror(why));
        *slash = '/';
        if (!made)
            return -1;
    }
    return 0;
}

static int write_one(const struct marks *m, const struct marked *h, const struct mark_form *f,
                     const char *place, const char *name, struct err *e)
{
    struct buf text = {0}, path = {0};
    int rc = marked_report(m, h, f, &text, e);
    put_place(&path, place, name, f->ending);
    if (rc == 0)
        rc = path.failed ? fail_memory(e) : make_folders(path.data, e);
    if (rc == 0)
        rc = file_replace(path.data, buf_text(&text), text.len, e);
    buf_free(&text);
    buf_free(&path);
    return rc;
}

/* A file for each student. One that can't be written does not keep the others from theirs. */
static int write_each(const struct marks *m, const struct mark_form *f, const char *place,
                      struct err *e)
{
    struct file_names names;
    struct err first = {0}, now;
    unsigned failed = 0;
    if (make_names(m, &names, e) != 0)
        return -1;
    for (unsigned i = 0; i < m->count; i++)
        if (write_one(m, m->of[i], f, place, buf_text(&names.name[i]), &now) != 0 && !failed++)
            first = now;
    free_names(&names);
    if (failed > 1)
        return fail(e, "%u of %u reports could not be written. The first one: %.400s", failed,
                    m->count, first.text);
    return failed ? fail(e, "%s", first.text) : 0;
}

static int write_all(const struct marks *m, const struct mark_form *f, struct buf *out,
                     struct err *e)
{
    struct form_ask ask = {.marks = m, .text_most = MARK_TEXT_MOST};
    f->write(&ask, out);
    return out->failed ? fail_memory(e) : 0;
}

static int write_students(const struct marks *m, const struct mark_form *f, struct buf *out,
                          struct err *e)
{
    if (m->count > 1 && !f->joins)
        return fail(e,
                    "a report in the form `%s` has one student, but there are %u. Name a folder: "
                    "`%s:reports/`, or a file with {} in place of a student's name: "
                    "`%s:reports/{}.%s`",
                    f->name, m->count, f->name, f->name, f->ending);
    for (unsigned i = 0; i < m->count; i++) {
        buf_puts(out, i ? "\n" : "");
        if (marked_report(m, m->of[i], f, out, e) != 0)
            return -1;
    }
    return 0;
}

int marks_report(const struct marks *m, const struct mark_form *f, const char *place,
                 struct buf *out, struct err *e)
{
    struct buf text = {0};
    if (m->count == 0)
        return fail(e, "there are no hand-ins to report");
    if (place && f->one && (strstr(place, "{}") || is_folder(place)))
        return write_each(m, f, place, e);
    struct buf *to = place ? &text : out;
    int rc = f->one ? write_students(m, f, to, e) : write_all(m, f, to, e);
    if (rc == 0 && place)
        rc = file_replace(place, buf_text(&text), text.len, e);
    buf_free(&text);
    return rc;
}
