/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads .debug_line. The section is a list of units, one for each file that was compiled.
 * A unit has a header, tables of folders and files, and a program for a little machine. The machine
 * has an address, a file and a line. Most instructions change them; some also append a row: from
 * this address on, code comes from this line. Rows of code without a gap are a sequence. Within one
 * sequence addresses only grow.
 *
 * Reading runs each program once and keeps the sequences. Finding runs the one sequence that has
 * the address. Columns, statements and blocks are passed over.
 *
 * Nothing is trusted. What leads out of the section is 0, and every step takes at least one byte.
 */
#include "cc/host-lines.h"

#include "base/mem.h"
#include "cc/elf.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers ---------------------------------------------------------------------------- */

struct line_bytes {
    const unsigned char *at, *end;
};

static struct line_bytes bytes_of(struct span s)
{
    return (struct line_bytes){(const unsigned char *)s.at, (const unsigned char *)s.at + s.n};
}

static size_t left(const struct line_bytes *b)
{
    return (size_t)(b->end - b->at);
}

/* Cuts the next n bytes off; all that are left where there are fewer. */
static struct line_bytes take(struct line_bytes *b, uint64_t n)
{
    struct line_bytes taken = {b->at, n < left(b) ? b->at + n : b->end};
    b->at = taken.end;
    return taken;
}

/* A number of up to 8 bytes, the lowest byte first. */
static uint64_t number(struct line_bytes *b, unsigned size)
{
    uint64_t v = 0;
    struct line_bytes taken = take(b, size);
    if (left(&taken) == size)
        for (unsigned i = size; i-- > 0;)
            v = v << 8 | taken.at[i];
    return v;
}

/* A number in groups of 7 bits, the lowest group first (LEB128). `sign` tells whether the last
 * group's highest bit was set. */
static uint64_t groups(struct line_bytes *b, unsigned *bits, bool *sign)
{
    uint64_t v = 0;
    *bits = 0;
    *sign = false;
    while (b->at < b->end) {
        unsigned byte = *b->at++;
        if (*bits < 64)
            v |= (uint64_t)(byte & 0x7f) << *bits;
        *bits = *bits < 64 ? *bits + 7 : 64;
        *sign = byte & 0x40;
        if (!(byte & 0x80))
            break;
    }
    return v;
}

static uint64_t unsigned_groups(struct line_bytes *b)
{
    unsigned bits;
    bool sign;
    if (b->at < b->end && *b->at < 0x80) /* nearly always */
        return *b->at++;
    return groups(b, &bits, &sign);
}

/* A negative number comes as what it is modulo 2^64. */
static uint64_t signed_groups(struct line_bytes *b)
{
    unsigned bits;
    bool sign;
    uint64_t v = groups(b, &bits, &sign);
    return sign && bits < 64 ? v | ~UINT64_C(0) << bits : v;
}

/* ---- units ------------------------------------------------------------------------------ */

enum { OLDEST = 2, WITH_OPERATIONS = 4, WITH_FORMATS = 5, NEWEST = 5 }; /* versions of DWARF */

struct line_unit {
    struct line_bytes tables, program;
    const unsigned char *operands; /* how many each standard instruction has, from number 1 on */
    unsigned version;
    unsigned offset_size;   /* bytes that an offset into a section has: 4 or 8 */
    unsigned step;          /* the length of the CPU's shortest instruction */
    unsigned first_special; /* instructions from this number on are special */
    int line_base;          /* the least lines that a special instruction advances */
    unsigned line_range;    /* and how many such numbers there are */
};

/* Reads a unit's header; `all` is what follows its length. false: it can't be read. */
static bool read_header(struct line_bytes all, struct line_unit *u)
{
    u->version = (unsigned)number(&all, 2);
    if (u->version < OLDEST || u->version > NEWEST)
        return false;
    if (u->version >= WITH_FORMATS)
        take(&all, 2); /* the sizes of an address and of a segment's number */
    struct line_bytes header = take(&all, number(&all, u->offset_size));
    u->program = all;
    u->step = (unsigned)number(&header, 1);
    unsigned operations = u->version >= WITH_OPERATIONS ? (unsigned)number(&header, 1) : 1;
    take(&header, 1);
    unsigned base = (unsigned)number(&header, 1);
    u->line_base = base < 128 ? (int)base : (int)base - 256;
    u->line_range = (unsigned)number(&header, 1);
    u->first_special = (unsigned)number(&header, 1);
    /* On x86-64 and aarch64, an instruction is one operation. */
    if (!u->line_range || !u->first_special || operations > 1 ||
        left(&header) < u->first_special - 1)
        return false;
    u->operands = take(&header, u->first_special - 1).at;
    u->tables = header;
    return true;
}

/* Takes the next unit off a section. false: it can't be read, but those after it can. */
static bool next_unit(struct line_bytes *section, struct line_unit *u)
{
    const uint64_t reserved = 0xfffffff0, is_64 = 0xffffffff;
    uint64_t size = number(section, 4);
    *u = (struct line_unit){.offset_size = size == is_64 ? 8 : 4};
    if (size == is_64)
        size = number(section, 8);
    else if (size >= reserved)
        size = UINT64_MAX; /* nothing says where the next unit is */
    return read_header(take(section, size), u);
}

/* ---- the machine ------------------------------------------------------------------------ */

struct line_machine {
    struct line_bytes rest; /* of the program */
    uint64_t address, file;
    uint32_t line;
    uint64_t defined; /* files that the program itself added to the table */
    uint64_t wanted;  /* the one of them that is looked for, 1 is the first */
    struct line_bytes definition;
};

enum line_row { NO_ROW, A_ROW, LAST_ROW }; /* the last: where the code of a sequence ends */

/* At the start of a sequence. */
static void reset(struct line_machine *m)
{
    m->address = 0;
    m->file = 1;
    m->line = 1;
}

/* Runs an extended instruction. true: it ends the sequence. */
static bool extended(struct line_machine *m)
{
    enum { END_SEQUENCE = 1, SET_ADDRESS = 2, DEFINE_FILE = 3 };
    struct line_bytes operands = take(&m->rest, unsigned_groups(&m->rest));
    unsigned code = (unsigned)number(&operands, 1);
    size_t size = left(&operands);
    if (code == SET_ADDRESS && size <= 8)
        m->address = number(&operands, (unsigned)size);
    else if (code == DEFINE_FILE && ++m->defined == m->wanted)
        m->definition = operands;
    return code == END_SEQUENCE;
}

static void advance(const struct line_unit *u, struct line_machine *m, unsigned special)
{
    m->address += (uint64_t)(special / u->line_range) * u->step;
}

/* Runs instructions up to the next row. */
static enum line_row next_row(const struct line_unit *u, struct line_machine *m)
{
    enum { EXTENDED, COPY, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC };
    while (m->rest.at < m->rest.end) {
        unsigned code = *m->rest.at++;
        if (code >= u->first_special) {
            unsigned special = code - u->first_special;
            advance(u, m, special);
            m->line += (uint32_t)(u->line_base + (int)(special % u->line_range));
            return A_ROW;
        }
        switch (code) {
        case EXTENDED:
            if (extended(m))
                return LAST_ROW;
            break;
        case COPY: return A_ROW;
        case ADVANCE_PC: m->address += unsigned_groups(&m->rest) * u->step; break;
        case ADVANCE_LINE: m->line += (uint32_t)signed_groups(&m->rest); break;
        case SET_FILE: m->file = unsigned_groups(&m->rest); break;
        case CONST_ADD_PC: advance(u, m, 255 - u->first_special); break;
        case FIXED_ADVANCE_PC: m->address += number(&m->rest, 2); break;
        default: /* known or not: it changes nothing that counts here */
            for (unsigned n = u->operands[code - 1]; n > 0; n--)
                unsigned_groups(&m->rest);
        }
    }
    return NO_ROW;
}

/* ---- reading ---------------------------------------------------------------------------- */

static int add_code(struct host_lines *l, const struct host_code *code)
{
    /* No compiler writes a shorter sequence: it sets an address, appends a row, advances, ends. So
     * what is kept is never much larger than the section. */
    enum { SHORTEST = 11 + 1 + 1 + 3 };
    void *codes = l->codes;
    /* Linkers give address 0 to functions that they left out. */
    if (code->low == 0 || code->low >= code->high || l->count >= l->section.n / SHORTEST)
        return 0;
    if (mem_grow(&allocator_libc, &codes, &l->capacity, l->count, sizeof *l->codes) != 0)
        return -1;
    l->codes = codes;
    l->codes[l->count++] = *code;
    return 0;
}

/* Where in the section something is. */
static size_t place(const struct host_lines *l, const unsigned char *at)
{
    return (size_t)((const char *)at - l->section.at);
}

static int add_unit(struct host_lines *l, size_t at, const struct line_unit *u)
{
    struct line_machine m = {.rest = u->program};
    for (enum line_row row = LAST_ROW; row != NO_ROW;) {
        struct host_code code = {.unit = at, .program = place(l, m.rest.at)};
        reset(&m);
        row = next_row(u, &m);
        for (code.low = m.address; row == A_ROW; row = next_row(u, &m))
            code.high = m.address;
        if (row == LAST_ROW)
            code.high = m.address;
        if (add_code(l, &code) != 0) /* also of a sequence that is cut off */
            return -1;
    }
    return 0;
}

static int by_address(const void *a, const void *b)
{
    const struct host_code *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static int find_sections(struct span file, struct host_lines *l, struct err *e)
{
    struct elf elf;
    struct elf_section lines, packed, texts;
    if (!elf_open(&elf, file))
        return fail(e, "it is not a program of 64 bits");
    if (elf.type == ELF_OBJECT)
        return fail(e, "it is an object. Link it: only a program's code has addresses");
    bool is_packed = elf_named(&elf, ".zdebug_line", &packed);
    if (!elf_named(&elf, ".debug_line", &lines) && !is_packed)
        return fail(e, "it has no line numbers. Compile it with -g");
    if (is_packed || lines.flags & ELF_COMPRESSED)
        return fail(e, "its line numbers are compressed. Compile it without -gz");
    l->section = lines.bytes;
    if (elf_named(&elf, ".debug_line_str", &texts)) {
        if (texts.flags & ELF_COMPRESSED)
            return fail(e, "the names of its files are compressed. Compile it without -gz");
        l->line_texts = texts.bytes;
    }
    if (elf_named(&elf, ".debug_str", &texts) && !(texts.flags & ELF_COMPRESSED))
        l->texts = texts.bytes; /* compilers need it for line numbers only in split programs */
    return 0;
}

int host_lines_read(struct span file, struct host_lines *l, struct err *e)
{
    const struct span empty = {"", 0};
    *l = (struct host_lines){.section = empty, .line_texts = empty, .texts = empty};
    if (find_sections(file, l, e) != 0)
        return -1;
    struct line_bytes rest = bytes_of(l->section);
    while (left(&rest)) {
        struct line_unit u;
        size_t at = place(l, rest.at);
        if (next_unit(&rest, &u) && add_unit(l, at, &u) != 0)
            return fail_memory(e);
    }
    if (!l->count)
        return fail(e, "its line numbers can't be read. They are damaged, or newer than DWARF 5");
    qsort(l->codes, l->count, sizeof *l->codes, by_address);
    return 0;
}

void host_lines_free(struct host_lines *l)
{
    mem_free(&allocator_libc, l->codes, l->capacity * sizeof *l->codes);
    *l = (struct host_lines){0};
}

/* ---- names of files --------------------------------------------------------------------- */

/* An entry of the table of folders or of files: its name, and of a file its folder's number. */
struct line_entry {
    struct span name;
    uint64_t folder;
};
static const uint64_t none = UINT64_MAX; /* the number of no entry */

/* Takes a text that ends in NUL. false: there is none. */
static bool take_text(struct line_bytes *b, struct span *text)
{
    const unsigned char *end = left(b) ? memchr(b->at, '\0', left(b)) : NULL;
    if (!end)
        return false;
    *text = (struct span){(const char *)b->at, (size_t)(end - b->at)};
    b->at = end + 1;
    return true;
}

static struct span text_at(struct span section, uint64_t at)
{
    struct span text = {NULL, 0};
    struct line_bytes rest = bytes_of(section);
    take(&rest, at);
    take_text(&rest, &text);
    return text;
}

/* What follows a file's name, before DWARF 5: its folder, time and size. */
static uint64_t take_folder(struct line_bytes *b)
{
    uint64_t folder = unsigned_groups(b);
    unsigned_groups(b);
    unsigned_groups(b);
    return folder;
}

/* A table before DWARF 5: names from number 1 on, up to an empty one. `count` is how many it
 * has. true: the wanted one is among them. */
static bool old_table(struct line_bytes *b, bool of_files, uint64_t wanted,
                      struct line_entry *found, uint64_t *count)
{
    bool is_there = false;
    struct line_entry entry = {{NULL, 0}, 0};
    for (*count = 0; take_text(b, &entry.name) && entry.name.n;) {
        if (of_files)
            entry.folder = take_folder(b);
        if (++*count == wanted) {
            *found = entry;
            is_there = true;
        }
    }
    return is_there;
}

/* A file of a unit before DWARF 5. Its number may be above those of the table: then the program
 * defines it. */
static bool old_file(const struct line_unit *u, uint64_t wanted, struct line_entry *found)
{
    uint64_t count;
    struct line_bytes b = u->tables;
    old_table(&b, false, none, found, &count);
    if (old_table(&b, true, wanted, found, &count))
        return true;
    if (wanted <= count)
        return false;
    struct line_machine m = {.rest = u->program, .wanted = wanted - count};
    while (!m.definition.at && next_row(u, &m) != NO_ROW)
        continue;
    if (!m.definition.at || !take_text(&m.definition, &found->name))
        return false;
    found->folder = take_folder(&m.definition);
    return true;
}

enum line_form {
    FORM_BLOCK2 = 3, FORM_BLOCK4, FORM_DATA2, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_BLOCK,
    FORM_BLOCK1, FORM_DATA1, FORM_FLAG, FORM_SDATA, FORM_STRP, FORM_UDATA, FORM_SEC_OFFSET = 0x17,
    FORM_STRX = 0x1a, FORM_STRP_SUP = 0x1d, FORM_DATA16, FORM_LINE_STRP, FORM_STRX1 = 0x25,
    FORM_STRX2, FORM_STRX3, FORM_STRX4
};

/* A value in a table of DWARF 5: a number, a text, or the place of a text in a section. */
struct line_value {
    uint64_t number;
    struct span text;
    const struct span *section; /* NULL: the text is there already */
};

static struct span text_of(const struct line_value *v)
{
    return v->section ? text_at(*v->section, v->number) : v->text;
}

/* Takes a value of a form. Each takes at least one byte. false: the form is not known. */
static bool take_value(const struct host_lines *l, const struct line_unit *u, struct line_bytes *b,
                       uint64_t form, struct line_value *v)
{
    *v = (struct line_value){0};
    if (!left(b))
        return false;
    switch (form) {
    case FORM_STRING: return take_text(b, &v->text);
    case FORM_LINE_STRP:
    case FORM_STRP:
        v->section = form == FORM_STRP ? &l->texts : &l->line_texts;
        v->number = number(b, u->offset_size);
        return true;
    case FORM_STRP_SUP:
    case FORM_SEC_OFFSET: take(b, u->offset_size); return true;
    case FORM_DATA1:
    case FORM_FLAG:
    case FORM_STRX1: v->number = number(b, 1); return true;
    case FORM_DATA2:
    case FORM_STRX2: v->number = number(b, 2); return true;
    case FORM_STRX3: v->number = number(b, 3); return true;
    case FORM_DATA4:
    case FORM_STRX4: v->number = number(b, 4); return true;
    case FORM_DATA8: v->number = number(b, 8); return true;
    case FORM_DATA16: take(b, 16); return true; /* a checksum of the file */
    case FORM_UDATA:
    case FORM_SDATA: /* of no use here, and as long */
    case FORM_STRX: v->number = unsigned_groups(b); return true;
    case FORM_BLOCK: take(b, unsigned_groups(b)); return true;
    case FORM_BLOCK1: take(b, number(b, 1)); return true;
    case FORM_BLOCK2: take(b, number(b, 2)); return true;
    case FORM_BLOCK4: take(b, number(b, 4)); return true;
    default: return false;
    }
}

/* A table of DWARF 5: what each entry consists of, and the entries from number 0 on. true: the
 * wanted one is among them. After `none` the table that follows can be read. */
static bool new_table(const struct host_lines *l, const struct line_unit *u, struct line_bytes *b,
                      uint64_t wanted, struct line_entry *found)
{
    enum { PATH = 1, FOLDER = 2 };
    struct line_bytes formats = *b;
    unsigned parts = (unsigned)number(b, 1);
    take(&formats, 1);
    for (unsigned i = 0; i < 2 * parts; i++)
        unsigned_groups(b);
    uint64_t count = unsigned_groups(b);
    if (!parts)
        return false;
    for (uint64_t k = 0; k < count; k++) {
        struct line_bytes kinds = formats;
        struct line_value v, path = {0};
        *found = (struct line_entry){{NULL, 0}, 0};
        for (unsigned i = 0; i < parts; i++) {
            uint64_t kind = unsigned_groups(&kinds), form = unsigned_groups(&kinds);
            if (!take_value(l, u, b, form, &v)) {
                b->at = b->end; /* what follows can't be read either */
                return false;
            }
            if (kind == PATH)
                path = v;
            if (kind == FOLDER)
                found->folder = v.number;
        }
        if (k == wanted) {
            found->name = text_of(&path);
            return true;
        }
    }
    return false;
}

static bool is_absolute(struct span name)
{
    return name.n && name.at[0] == '/';
}

/* The name of a unit's file in its parts. */
static bool name_file(const struct host_lines *l, const struct line_unit *u, uint64_t number,
                      struct host_line *found)
{
    struct line_entry file = {{NULL, 0}, 0}, folder = file, root = file;
    struct line_bytes b = u->tables;
    uint64_t count;
    bool by_formats = u->version >= WITH_FORMATS;
    if (by_formats)
        new_table(l, u, &b, none, &folder);
    if (by_formats ? !new_table(l, u, &b, number, &file) : !old_file(u, number, &file))
        return false;
    if (!file.name.n)
        return false;
    found->file = file.name;
    if (is_absolute(file.name))
        return true;
    b = u->tables;
    if (!by_formats) {
        old_table(&b, false, file.folder, &folder, &count);
    } else if (new_table(l, u, &b, file.folder, &folder) && file.folder &&
               !is_absolute(folder.name)) {
        b = u->tables;
        new_table(l, u, &b, 0, &root);
    }
    found->folder = folder.name;
    found->root = root.name;
    return true;
}

/* ---- finding ---------------------------------------------------------------------------- */

static const struct host_code *code_at(const struct host_lines *l, uint64_t address)
{
    size_t low = 0, high = l->count; /* the last one that begins at or before the address */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->codes[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < l->codes[low - 1].high ? &l->codes[low - 1] : NULL;
}

bool host_lines_find(const struct host_lines *l, uint64_t address, struct host_line *found)
{
    const struct host_code *code = code_at(l, address);
    struct line_unit u;
    struct line_bytes section = bytes_of(l->section);
    *found = (struct host_line){.line = 0};
    if (!code)
        return false;
    take(&section, code->unit);
    if (!next_unit(&section, &u))
        return false;
    struct line_machine m = {.rest = {bytes_of(l->section).at + code->program, u.program.end}};
    reset(&m);
    struct line_machine before = m; /* the row whose code may have the address */
    for (bool open = false;; open = true) {
        enum line_row row = next_row(&u, &m);
        if (open && row != NO_ROW && before.address <= address && address < m.address)
            break;
        if (row != A_ROW)
            return false;
        before = m;
    }
    found->line = before.line;
    /* Line 0 is code that the compiler made for no line. */
    return before.line && name_file(l, &u, before.file, found);
}

int host_line_path(const struct host_line *h, struct buf *out)
{
    const struct span parts[] = {h->root, h->folder, h->file};
    for (int i = 0; i < 3; i++) {
        struct span part = parts[i];
        if (part.n && buf_add(out, part.at, part.n) != 0)
            return -1;
        if (part.n && i < 2 && part.at[part.n - 1] != '/' && buf_putc(out, '/') != 0)
            return -1;
    }
    return 0;
}
