/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All atomics, and since which compute capability each is there: `atomics --list`.
 */
#include "labs/atomics/work.h"
#include "labkit/lab.h"

static bool is_here(const struct device_props *p, const char *since)
{
    return p->major * 10 + p->minor >= (since[0] - '0') * 10 + (since[2] - '0');
}

static void since_cell(const struct session *s, const char *since, const char *key, struct table *t,
                       struct json *j)
{
    if (!since) {
        table_cell(t, "-");
        return;
    }
    bool here = is_here(&s->device->props, since);
    table_cell_in(t, here ? INK_PLAIN : INK_BAD, "%s%s", since, here ? "" : " no");
    json_text(j, key, since);
}

void say_atomic_kinds(struct report *r, const struct session *s)
{
    static const struct table_column of[] = {{.head = "function"},
                                             {.head = "int: global", .right = true},
                                             {.head = "shared", .right = true},
                                             {.head = "64 bits", .right = true},
                                             {.head = "float", .right = true},
                                             {.head = "double", .right = true}};
    struct slots none;
    struct table t;
    struct json *j = &r->result;
    say_head(r, s, "Atomics, and the compute capability that each came with");
    table_begin(&t, of, 6, 2);
    json_array(j, "ops");
    for (const struct atomic_kind *k = atomic_kinds; k < atomic_kinds + ATOMIC_KINDS; k++) {
        json_object(j, NULL);
        json_text(j, "op", k->name);
        json_text(j, "function", k->function);
        table_cell(&t, "%s", k->function);
        since_cell(s, k->since.global, "int_global", &t, j);
        since_cell(s, k->since.shared, "int_shared", &t, j);
        since_cell(s, k->since.wide, "int64_global", &t, j);
        since_cell(s, k->since.f32, "float", &t, j);
        since_cell(s, k->since.f64, "double", &t, j);
        table_note(&t, "%s", k->does);
        json_end_object(j);
    }
    json_end_array(j);
    say_table(r, &t);
    slots_init(&none);
    lab_explain_slots(r, "atomics", "list", &none);
}
