/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The instruction table by name. Each handle has its own index over the constant rows of
 * the instruction set that suits this processor; the rows themselves are shared.
 */
#include "sim/exec/op.h"
#include "sim/handle.h"

#include "base/hash.h"

#include <string.h>

static size_t hash(const char *name)
{
    uint64_t h = hash_bytes(HASH_START, name, strlen(name));
    return (size_t)(h ^ h >> 32);
}

static struct exec_set best_set(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return exec_avx2();
#endif
    return exec_base();
}

static void index_table(struct sim *s, struct op_table table)
{
    for (size_t i = 0; i < table.count; i++) {
        size_t at = hash(table.rows[i].name);
        while (s->ops[at & (s->op_slots - 1)])
            at++;
        s->ops[at & (s->op_slots - 1)] = &table.rows[i];
    }
}

static void index_rows(struct sim *s)
{
    memset(s->ops, 0, s->op_slots * sizeof *s->ops);
    index_table(s, s->exec.ops);
    index_table(s, rare_ops());
    index_table(s, image_ops());
    index_table(s, cluster_ops());
    index_table(s, mbarrier_ops());
    index_table(s, bulk_ops());
}

int ops_open(struct sim *s)
{
    s->exec = best_set();
    s->op_slots = 1024;
    while (s->op_slots < 2 * (s->exec.ops.count + rare_ops().count + image_ops().count +
                              cluster_ops().count + mbarrier_ops().count + bulk_ops().count))
        s->op_slots *= 2;
    s->ops = mem_alloc(&s->allocator, s->op_slots * sizeof *s->ops);
    if (!s->ops)
        return -1;
    index_rows(s);
    return 0;
}

int sim_use_plain(struct sim *s)
{
    if (s->modules)
        return sim_fail(s, 0, "the instruction set can't change once a module is loaded");
    s->exec = exec_base();
    index_rows(s);
    return 0;
}

const struct op *ops_find(const struct sim *s, const char *name)
{
    for (size_t at = hash(name);; at++) {
        const struct op *o = s->ops[at & (s->op_slots - 1)];
        if (!o || strcmp(o->name, name) == 0)
            return o;
    }
}

bool ops_know(const struct sim *s, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i < s->op_slots; i++) {
        const struct op *o = s->ops[i];
        if (o && strncmp(o->name, word, n) == 0 && (o->name[n] == '.' || !o->name[n]))
            return true;
    }
    return false;
}
