/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The facts of a result, each said once. A command fills in a struct of what it found. One table
 * says of each fact where it lies in that struct, its name, and how it is written. The screen,
 * --json, the tables of several rows and the {name} slots of help texts all walk this table.
 *
 *     static const struct fact facts[] = {
 *         {FACT(struct found, area), .as = AS_VALUE},
 *         {FACT(struct found, error), .as = AS_ROUGH, WHEN(struct found, has_error)},
 *         {.label = "area", .says = "{area}    error {error}"},
 *         {.label = NULL},
 *     };
 *
 * A row can be a fact, a line of the screen, or both; a picture or a list is a function at its
 * place among the rows. In a text {area} is the value as the table writes it, {area:%.9g} is the
 * number in another format, {n:,} is 1,048,576, {blocks:%11s} is the text in another width,
 * {blocks block} is "1 block" or "4 blocks", {{ is a brace, and {ok?right|WRONG} is one of two
 * texts, which may have slots: the second where there is no such fact in this result, or its value
 * is false, 0, NULL or "". {column "head"?text|} is for texts below a table: the first where the
 * table has no such column or shows it, the second where the column had no room.
 */
#ifndef SCREEN_FACTS_H
#define SCREEN_FACTS_H

#include "base/lines.h"
#include "screen/picture.h"
#include "screen/report.h"

/* The C type of the member; FACT fills it in. */
enum fact_kind {
    FACT_NONE, FACT_BOOL, FACT_INT, FACT_UNSIGNED, FACT_INT64, FACT_UINT64, FACT_F32, FACT_F64,
    FACT_TEXT, FACT_CHARS, FACT_VERDICT
};

/* How a number is written in texts; in JSON it is always plain. */
enum fact_as {
    AS_PLAIN, /* an integer in digits, a float as the shortest text that reads back to it */
    AS_GROUP, /* 1,048,576 */
    AS_COUNT, /* 1,048,576 (2^20) */
    AS_VALUE, /* a whole number as AS_GROUP, any other by the format or as AS_PLAIN */
    AS_ROUGH, /* two digits */
    AS_BYTES, /* 48 KiB */
    AS_PERCENT, /* 12.5 for 0.125 */
    AS_HEX /* a mask of lanes: 0x000000ff, in JSON 0xff */
};

enum { FACT_EVERYWHERE, FACT_IN_JSON, FACT_IN_TEXT };

/* A judgement: painted on the screen, true or false in JSON. */
struct verdict {
    bool good;
    const char *text;
};

struct fact {
    const char *name; /* the JSON key and the slot; NULL: this row is only a line of the screen */
    enum fact_kind kind;
    size_t at;
    enum fact_as as;
    const char *format;       /* of a number in texts, as "%.7g"; NULL: by `as` */
    size_t when_at, when_size; /* the row counts where this member is not false, 0, NULL or "" */
    bool if_set;               /* the row counts where its own value is not */
    void (*put)(struct json *, const void *found);    /* a list or an object of JSON, by code */
    void (*draw)(struct report *, const void *found); /* a piece of the screen, by code */
    unsigned only;            /* FACT_IN_JSON or FACT_IN_TEXT */
    const char *label, *says; /* a line of the screen. label NULL: no line; says NULL: the value */
    const char *head;         /* a column of tables has this head; NULL: no column */
    bool stays;               /* the column stays even where no row has the fact */
    bool right, folds;        /* as in struct table_column */
    int gives_way;
    const char *tells;
};

#define FACT_AT(S, m) \
    .kind = _Generic(((S *)0)->m, bool: FACT_BOOL, int: FACT_INT, unsigned: FACT_UNSIGNED,    \
                     int64_t: FACT_INT64, uint64_t: FACT_UINT64, float: FACT_F32,             \
                     double: FACT_F64, const char *: FACT_TEXT, char *: FACT_CHARS,           \
                     struct verdict: FACT_VERDICT),                                           \
    .at = offsetof(S, m)
#define FACT(S, m) .name = #m, FACT_AT(S, m)
#define WHEN(S, m) .when_at = offsetof(S, m), .when_size = sizeof(((S *)0)->m)

/* The facts of `found` as members of a JSON object. */
void facts_json(const struct fact *, const void *found, struct json *);
/* Their lines, as say_item() writes them. The slots may be those of other tables too. */
struct slots;
void facts_say_slots(const struct fact *, const void *found, const struct slots *,
                     struct report *);
/* Both: lines with the slots of this table, and "result". */
void facts_tell(const struct fact *, const void *found, struct report *);

/* The columns of a table of rows; *mask remembers which facts have one. Returns their number. */
int facts_columns(const struct fact *, const void *rows, size_t count, size_t row_size,
                  struct table_column columns[TABLE_COLUMNS], uint64_t *mask);
/* The cells of one row. A fact that the row does not have is a dash. */
void facts_cells(const struct fact *, uint64_t mask, const void *row, const struct report *,
                 struct table *);
/* All rows: as a table of the screen, and as an array of JSON objects. */
void facts_say_rows(const struct fact *, const void *rows, size_t count, size_t row_size,
                    int indent, struct report *);
void facts_json_rows(const struct fact *, const char *key, const void *rows, size_t count,
                     size_t row_size, struct json *);

/* ---- texts with slots ------------------------------------------------------------------- */

/* The values of the {slots} of a text: those of tables of facts. */
enum { SLOT_TABLES = 4 };
struct slots {
    unsigned tables;
    const struct buf *left_out; /* table columns without room, as in struct report; or NULL */
    struct slot_table {
        const struct fact *facts;
        const void *found;
    } table[SLOT_TABLES];
};
void slots_facts(struct slots *, const struct fact *, const void *found);
/* Put text into out with every slot filled in. A slot without a value stays as it is.
 * Verdicts are painted for the report; NULL: they are not. */
void slots_fill(struct buf *out, const char *text, size_t n, const struct slots *,
                const struct report *);

#endif
