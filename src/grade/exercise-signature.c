/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The signature of a kernel, as in C: saxpy(int n, float a, const float *x, float *y). The types are
 * those of arrays' elements, and pointers to them.
 */
#include "grade/exercise.h"

#include <stdio.h>
#include <string.h>

/* `const float *x`: all but the last word are the type. */
static int read_parameter(struct exercise_reading *in, struct span text, struct exercise_parameter *p)
{
    char type[80] = "";
    const char *const begin = text.at;
    *p = (struct exercise_parameter){.constant = false};
    text = trim(text);
    size_t n = text.n;
    while (n && in_word(text.at[n - 1]))
        n--;
    p->name = exercise_copy(in, text.at + n, text.n - n);
    if (!p->name)
        return -1;
    for (size_t i = 0; i < n;) {
        size_t k = 0;
        while (i + k < n && in_word(text.at[i + k]))
            k++;
        const struct span word = {text.at + i, k};
        if (text.at[i] == '*')
            p->pointer = true;
        else if (same_text(word, "const"))
            p->constant |= !p->pointer;
        else if (k && !same_text(word, "__restrict__") && !same_text(word, "volatile"))
            snprintf(type + strlen(type), sizeof type - strlen(type), "%s%.*s", type[0] ? " " : "",
                     (int)(k < 40 ? k : 40), word.at);
        else if (!k && !is_blank(text.at[i]))
            return fail_at(in->e, 0, (int)(text.at - in->r.text) + (int)i + 1,
                           "a parameter is a type and a name, as in const float *x");
        i += k ? k : 1;
    }
    const int column = (int)((text.n ? text.at : begin) - in->r.text) + 1;
    if (!p->name[0] || is_digit(p->name[0]) || !type[0])
        return fail_at(in->e, 0, column, "a parameter is a type and a name, as in const float *x");
    if (element_or_near(type, &p->type, in->e) != 0) {
        in->e->column = column;
        return -1;
    }
    return 0;
}

int exercise_read_signature(struct exercise_reading *in, const char *text)
{
    struct exercise *x = in->x;
    const char *open = strchr(text, '('), *close = strrchr(text, ')');
    const struct span name = trim((struct span){text, open ? (size_t)(open - text) : 0});
    if (!name.n || !close || close < open || trim((struct span){close + 1, strlen(close + 1)}).n)
        return fail_at(in->e, 0, (int)(text - in->r.text) + 1,
                       "a signature is the name of the kernel and its parameters, as in saxpy(int n, "
                       "float *y)");
    x->kernel = exercise_copy(in, name.at, name.n);
    if (!x->kernel)
        return -1;
    struct span rest = {open + 1, (size_t)(close - open - 1)};
    while (trim(rest).n) {
        const char *comma = memchr(rest.at, ',', rest.n);
        const size_t n = comma ? (size_t)(comma - rest.at) : rest.n;
        struct exercise_parameter p;
        if (read_parameter(in, (struct span){rest.at, n}, &p) != 0)
            return -1;
        for (unsigned i = 0; i < x->parameter_count; i++)
            if (strcmp(x->parameter[i].name, p.name) == 0)
                return fail_at(in->e, 0, (int)(rest.at - in->r.text) + 1,
                               "two parameters have the name %s", p.name);
        if (x->parameter_count == EXERCISE_PARAMETERS)
            return fail(in->e, "a kernel has at most %d parameters here", EXERCISE_PARAMETERS);
        struct exercise_parameter *to = exercise_add(x, &x->parameter, &x->parameter_count, sizeof p);
        if (!to)
            return fail_memory(in->e);
        *to = p;
        rest = (struct span){rest.at + n + (comma != NULL), rest.n - n - (comma != NULL)};
    }
    return 0;
}
