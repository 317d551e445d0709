/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs of many and of huge declarations, few bytes for each: a device function with parameters,
 * results and locals, a kernel that calls it with as many, and a guard among many predicates. Sums
 * of sizes come near powers of two on purpose. The kernel leaves FRAMES_VALUE in its array.
 */
#include "frames.h"

static uint64_t any_size(struct choices *c)
{
    static const unsigned char likely[] = {16, 24, 24, 24, 31, 32, 32};
    unsigned kind = choose(c, 16);
    uint64_t size = UINT64_C(1) << (kind < sizeof likely ? likely[kind] : choose(c, 36));
    return kind >= 12 ? choose(c, 512) : size + choose(c, 3) - 1;
}

/* So many of one size, in one list or as statements. */
static unsigned declare(struct buf *b, struct choices *c, const char *space, const char *name,
                        const char *between)
{
    static const unsigned counts[] = {1, 1, 2, 3, 255, 256, 256, 257};
    unsigned count = counts[choose(c, 8)], align = 1u << choose(c, 21);
    uint64_t size = any_size(c);
    for (unsigned i = 0; i < count; i++)
        buf_printf(b, "%s%s .align %u .b8 %s%u[%llu]", i ? between : "", space, align, name, i,
                   (unsigned long long)size);
    return count;
}

static void list(struct buf *b, const char *name, unsigned count)
{
    buf_puts(b, "(");
    for (unsigned i = 0; i < count; i++)
        buf_printf(b, "%s%s%u", i ? ", " : "", name, i);
    buf_puts(b, ")");
}

void frames_program(struct choices *c, struct buf *b)
{
    const struct choices before = *c;
    unsigned predicates = 1 + choose(c, 1 << 20), args;
    buf_puts(b, ".version 7.8\n.target sm_75\n.address_size 64\n.func (");
    declare(b, c, ".param", "r", ",\n");
    buf_puts(b, ") f(");
    struct choices of_args = *c;
    declare(b, c, ".param", "a", ",\n");
    buf_puts(b, ")\n{\n");
    declare(b, c, ".local", "v", ";\n");
    buf_printf(b, ";\nst.param.u8 [r0], 1;\nst.local.u8 [v0], 1;\nret;\n}\n"
               ".entry k(.param .u64 x)\n{\n.reg .b32 %%r<4>;\n.reg .b64 %%d<4>;\n"
               ".reg .pred %%p<%u>;\nld.param.u64 %%d1, [x];\nmov.u32 %%r1, 0;\n"
               "setp.eq.u32 %%p%u, 1, 1;\n@%%p%u mov.u32 %%r1, %d;\nst.global.u32 [%%d1], %%r1;\n",
               predicates, predicates - 1, predicates - 1, FRAMES_VALUE);
    struct choices again = before;
    choose(&again, 1 << 20);
    unsigned results = declare(b, &again, ".param", "s", ";\n");
    buf_puts(b, ";\n");
    args = declare(b, &of_args, ".param", "b", ";\n");
    buf_puts(b, ";\ncall ");
    list(b, "s", results);
    buf_puts(b, ", f, ");
    list(b, "b", args);
    buf_puts(b, ";\nret;\n}\n");
}
