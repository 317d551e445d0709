/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The debug information that a compiler wrote into PTX: its sections as bytes, and .debug_info as a
 * tree of entries, as the DWARF standard has them. This header is for src/step/ alone.
 *
 * The text may be anyone's. Every number is checked against the bytes that there are; what does not
 * fit ends the reading there, and what was read before stays.
 */
#ifndef STEP_DEBUG_H
#define STEP_DEBUG_H

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in a section that holds an address: of a label, of a variable or of a section. */
struct debug_symbol {
    size_t at;
    const char *name;
    uint64_t offset; /* that is added to it */
};

struct debug_section {
    const char *name; /* ".debug_info" */
    unsigned char *bytes;
    size_t count, capacity;
    struct debug_symbol *symbols; /* in the order of their places */
    size_t symbol_count, symbol_capacity;
};

/* A label of the text outside of sections, or a part of it: `line` is where it stands. */
struct debug_label {
    const char *name;
    int line;
};

/* Numbers of the DWARF standard, as far as they are needed here. */
enum {
    TAG_ARRAY = 0x01, TAG_CLASS = 0x02, TAG_ENUM = 0x04, TAG_PARAMETER = 0x05, TAG_BLOCK = 0x0b,
    TAG_MEMBER = 0x0d, TAG_POINTER = 0x0f, TAG_REFERENCE = 0x10, TAG_UNIT = 0x11,
    TAG_STRUCT = 0x13, TAG_TYPEDEF = 0x16, TAG_UNION = 0x17, TAG_INHERITANCE = 0x1c,
    TAG_INLINED = 0x1d, TAG_RANGE = 0x21, TAG_BASE = 0x24, TAG_CONST = 0x26, TAG_ENUMERATOR = 0x28,
    TAG_FUNCTION = 0x2e, TAG_VARIABLE = 0x34, TAG_VOLATILE = 0x35, TAG_RESTRICT = 0x37,
    TAG_RVALUE_REFERENCE = 0x42
};
enum {
    AT_LOCATION = 0x02, AT_NAME = 0x03, AT_SIZE = 0x0b, AT_LOW = 0x11, AT_HIGH = 0x12,
    AT_CONST_VALUE = 0x1c, AT_UPPER_BOUND = 0x2f, AT_ORIGIN = 0x31, AT_ADDRESS_CLASS = 0x33,
    AT_COUNT = 0x37, AT_MEMBER_AT = 0x38, AT_LINE = 0x3b, AT_ENCODING = 0x3e, AT_SPECIFICATION = 0x47,
    AT_TYPE = 0x49, AT_RANGES = 0x55, AT_CALL_LINE = 0x59, AT_LINKAGE = 0x6e, AT_LINKAGE_OLD = 0x2007
};

struct debug_value {
    unsigned what; /* AT_NAME ... */
    enum { DEBUG_NUMBER, DEBUG_ADDRESS, DEBUG_TEXT, DEBUG_BYTES, DEBUG_ENTRY, DEBUG_LIST } kind;
    bool is_signed;
    uint64_t number;    /* also: which entry; where in the section of lists */
    const char *symbol; /* ADDRESS; LIST: its section */
    const char *text;
    size_t at, count;   /* BYTES: in .debug_info */
};

struct debug_entry {
    unsigned tag, values;
    size_t at;     /* in .debug_info */
    size_t number; /* among the entries */
    struct debug_value *value;
    struct debug_entry *child, *next, *parent;
};

struct debug {
    struct arena memory;
    struct debug_section *sections;
    size_t section_count, section_capacity;
    struct debug_label *labels; /* by name */
    size_t label_count, label_capacity;
    struct debug_entry *first;  /* the unit */
    struct debug_entry **entries; /* all, in the order of their places */
    size_t entry_count, entry_capacity;
};

int debug_read(struct debug *, const char *text, size_t size); /* -1: memory is out */
void debug_free(struct debug *);

const struct debug_section *debug_section_named(const struct debug *, const char *name);
/* NULL: it has no such value. */
const struct debug_value *debug_find(const struct debug_entry *, unsigned what);
/* The same; an entry that stands for a part of another one has what that has. */
const struct debug_value *debug_find_through(const struct debug *, const struct debug_entry *,
                                             unsigned what);
const struct debug_entry *debug_entry_at(const struct debug *, uint64_t at);
const char *debug_symbol_at(const struct debug_section *, size_t at, uint64_t *offset);
int debug_label_line(const struct debug *, const char *name); /* 0: there is none */

/* Reads numbers from bytes. After the end it gives 0, and `bad` is set. */
struct debug_reader {
    const struct debug_section *in;
    size_t at, end;
    bool bad;
};
uint64_t debug_fixed(struct debug_reader *, unsigned bytes);
uint64_t debug_leb(struct debug_reader *, bool is_signed);

#endif
