/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What names.c, flow.c, bools.c and types.c share. This header is for src/step/ alone.
 */
#ifndef STEP_SCOPES_H
#define STEP_SCOPES_H

#include "ptx/ptx.h"
#include "step/debug.h"
#include "step/names.h"

/* Lines of the PTX: from low on, up to the one before high. */
struct scope_range {
    int low, high;
};

struct name_scope {
    struct name_scope *parent, *next;
    unsigned depth;
    const char *function;
    bool is_inlined;
    int call_line;
    unsigned range_count; /* 0: wherever its parent is */
    struct scope_range *range;
};

struct location {
    struct scope_range range; /* of a list */
    unsigned first;           /* the first one in the list that is the same place */
    enum name_where where;
    const char *place;
    uint64_t offset;
    const struct ptx_variable *variable; /* with `index`, the register */
    uint32_t index;
    bool is_found; /* by bools.c, or it is none: no range of it begins or ends */
};

/* This instruction makes the value that is assigned to a bool. */
struct bool_made {
    uint32_t at;
    unsigned location;
    bool again; /* the same value as the one before, in one more register */
};

struct scope_variable {
    struct scope_variable *next;
    const struct name_scope *scope;
    const char *name;
    const struct name_type *type;
    int line;
    bool is_parameter;
    bool is_list; /* each location has a range; else the only one holds in the whole scope */
    struct location *location;
    unsigned location_count;
    size_t capacity;
    bool is_searched, is_lost; /* a bool: its assignments were looked for; one was not found */
    struct bool_made *made;    /* in no order */
    size_t made_count, made_capacity;
    struct name_flow *states; /* for each instruction; NULL: not worked out yet */
};

struct scoped_function {
    const struct ptx_function *ptx;
    struct name_scope *scope, *scopes; /* the outermost; all others */
    struct scope_variable *variables;
    struct flow *flow;       /* NULL: not worked out yet */
    struct bool_code *bools; /* the same */
};

struct debug_names {
    struct debug debug;
    struct arena memory;
    struct ptx_module *ptx;
    struct scoped_function **functions; /* by number; NULL: nothing is known */
    struct name_type **types;           /* by entry */
    names_source *source;               /* NULL: there is none */
    void *source_ctx;
};

bool scope_holds(const struct name_scope *, int line);
/* The first instruction on this line of the PTX or behind it. */
uint32_t instruction_at(const struct ptx_function *, int line);
bool location_same(const struct location *, const struct location *);
enum { HELD_MOST = 64 }; /* of a variable's places so many are followed */
/* A register of a variable: its location's number; -1: it is none, or there are too many. */
int location_find(const struct scope_variable *, const struct ptx_operand *);
int location_add(struct debug_names *, struct scope_variable *, const struct ptx_operand *);

/* types.c: NULL: there is none, or memory is out */
const struct name_type *name_type_of(struct debug_names *, uint64_t at);

/* bools.c: adds the places of a bool that the debug information leaves out, or says that it is lost. */
void bools_find(struct debug_names *, struct scoped_function *, struct scope_variable *);

/* flow.c: what holds before instruction `at`. *where: NULL if it is nowhere. */
enum name_state flow_state(struct debug_names *, struct scoped_function *, struct scope_variable *,
                           uint32_t at, const struct location **where);
bool instruction_writes(const struct ptx_instruction *, const struct location *register_of);

#endif
