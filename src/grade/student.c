/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names are read from the part that only the platform writes. So a student whose name has digits or
 * underscores is understood too.
 */
#include "grade/student.h"

#include "base/near.h"

#include <string.h>

static struct span part(struct span s, size_t from, size_t to)
{
    return (struct span){s.at + from, to - from};
}

/* The digits that end where the text ends, with a _ before them. false: there are none. */
static bool ends_in_number(struct span s, struct span *before, struct span *number)
{
    size_t at = s.n;
    while (at && is_digit(s.at[at - 1]))
        at--;
    if (at == s.n || at < 2 || s.at[at - 1] != '_')
        return false;
    *before = part(s, 0, at - 1);
    *number = part(s, at, s.n);
    return true;
}

bool student_of_moodle(struct span item, struct student_name *out)
{
    static const char mark[] = "_assignsubmission_";
    const size_t n = sizeof mark - 1;
    for (size_t at = 0; at + n <= item.n; at++) {
        *out = (struct student_name){.late = false};
        if (memcmp(item.at + at, mark, n) != 0 ||
            !ends_in_number(part(item, 0, at), &out->student, &out->id))
            continue;
        const struct span rest = part(item, at + n, item.n); /* file_x.cu, onlinetext_ */
        const char *bar = memchr(rest.at, '_', rest.n);
        if (bar)
            out->file = part(rest, (size_t)(bar + 1 - rest.at), rest.n);
        return true;
    }
    return false;
}

/* Takes what stands before the next _. */
static bool next_part(struct span *rest, struct span *taken)
{
    const char *bar = memchr(rest->at, '_', rest->n);
    if (!bar || bar == rest->at)
        return false;
    const size_t n = (size_t)(bar - rest->at);
    *taken = part(*rest, 0, n);
    *rest = part(*rest, n + 1, rest->n);
    return true;
}

static bool is_number(struct span s)
{
    size_t i = 0;
    while (i < s.n && is_digit(s.at[i]))
        i++;
    return s.n && i == s.n;
}

bool student_of_canvas(struct span item, struct student_name *out)
{
    struct span number;
    *out = (struct student_name){.file = item, .numbered = true};
    if (!next_part(&out->file, &out->student) || !next_part(&out->file, &out->id))
        return false;
    out->late = same_text(out->id, "LATE");
    if (out->late && !next_part(&out->file, &out->id))
        return false;
    return is_number(out->id) && next_part(&out->file, &number) && is_number(number) && out->file.n;
}

struct span student_without_ending(struct span name)
{
    for (size_t at = name.n; at > 1; at--)
        if (name.at[at - 1] == '.')
            return part(name, 0, at - 1);
    return name;
}

bool student_ends_in(struct span name, const char *const *endings)
{
    for (; *endings; endings++) {
        const size_t n = strlen(*endings);
        size_t same = 0;
        while (name.n > n && same < n && near_lower(name.at[name.n - n + same]) == (*endings)[same])
            same++;
        if (same == n)
            return true;
    }
    return false;
}

unsigned student_attempt(struct span name, struct span *before, struct span *ending)
{
    enum { DIGITS_MOST = 2 };
    const struct span stem = student_without_ending(name);
    size_t at = stem.n;
    unsigned attempt = 0;
    while (at && is_digit(stem.at[at - 1]))
        at--;
    *before = stem;
    *ending = part(name, stem.n, name.n);
    if (at < 2 || stem.at[at - 1] != '-' || at == stem.n || stem.n - at > DIGITS_MOST)
        return 0;
    for (size_t i = at; i < stem.n; i++)
        attempt = 10 * attempt + (unsigned)(stem.at[i] - '0');
    if (attempt)
        *before = part(stem, 0, at - 1);
    return attempt;
}
