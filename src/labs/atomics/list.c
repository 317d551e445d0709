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

static const struct fact facts[] = {
    {.name = "op", FACT_AT(struct atomic_kind, name)},
    {FACT(struct atomic_kind, function)},
    {.name = "int_global", FACT_AT(struct atomic_kind, since.global), .if_set = true},
    {.name = "int_shared", FACT_AT(struct atomic_kind, since.shared), .if_set = true},
    {.name = "int64_global", FACT_AT(struct atomic_kind, since.wide), .if_set = true},
    {.name = "float", FACT_AT(struct atomic_kind, since.f32), .if_set = true},
    {.name = "double", FACT_AT(struct atomic_kind, since.f64), .if_set = true},
    {.name = NULL},
};

static void since_cell(const struct session *s, const char *since, struct table *t)
{
    if (!since) {
        table_cell(t, "-");
        return;
    }
    bool here = is_here(&s->device->props, since);
    table_cell_in(t, here ? INK_PLAIN : INK_BAD, "%s%s", since, here ? "" : " no");
}

void say_atomic_kinds(struct report *r, const struct session *s)
{
    static const struct table_column of[] = {{.head = "function"},
                                             {.head = "int: global", .right = true},
                                             {.head = "shared", .right = true},
                                             {.head = "64 bits", .right = true},
                                             {.head = "float", .right = true},
                                             {.head = "double", .right = true}};
    struct slots none = {0};
    struct table t;
    say_head(r, s, "Atomics, and the compute capability that each came with");
    table_begin(&t, of, 6, 2);
    for (const struct atomic_kind *k = atomic_kinds; k < atomic_kinds + ATOMIC_KINDS; k++) {
        table_cell(&t, "%s", k->function);
        since_cell(s, k->since.global, &t);
        since_cell(s, k->since.shared, &t);
        since_cell(s, k->since.wide, &t);
        since_cell(s, k->since.f32, &t);
        since_cell(s, k->since.f64, &t);
        table_note(&t, "%s", k->does);
    }
    facts_json_rows(facts, "ops", atomic_kinds, ATOMIC_KINDS, sizeof atomic_kinds[0], &r->result);
    say_table(r, &t);
    lab_explain_slots(r, "atomics", "list", &none);
}
