/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binds arguments to parameters. A pointer takes an array of its type, an element of one, null, or
 * an address as a number. A number must fit. A struct is given by its fields or its bytes. Textures
 * and surfaces are made of arrays and exist during the launch.
 */
#include "own/bind.h"

#include "base/lines.h"
#include "own/arrays.h"
#include "own/fields.h"
#include "own/texture.h"
#include "own/type-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 100 };

/* One parameter or a field of one, and what is given for it. */
struct binding {
    struct session *session;
    const struct unit *unit;
    const struct unit_kernel *kernel;
    const struct own_call *call;
    struct device_param param;
    const uint64_t *dims;   /* the sizes of a field that is an array */
    unsigned dim_count;
    bool is_typed;          /* the type is from C, not from the PTX */
    char type[TYPE_ROOM];   /* as C or the PTX has it, without const */
    char label[TYPE_ROOM + 80]; /* "argument 2, `const float* x`," */
    char path[PATH_ROOM];   /* the field, "pair[1].a"; "": the whole parameter */
    const char *text;
    int column;
    struct arena *memory;
    struct own_bound *bound;
    struct err *e;
};

/* ---- types ---------------------------------------------------------------------------- */

/* May a pointer to such a type get this array? Signs don't matter, and arrays of bytes fit any
 * pointer. *exactly: it has that very type, so that it can be proposed in place of another. */
static bool array_suits(const struct array *a, const char *pointee_type, bool *exactly)
{
    char scalar[ELEMENT_NAME];
    enum element want;
    element_of_vector(pointee_type, scalar);
    bool known = a->type_known && element_named(scalar, &want) == 0;
    *exactly = known && want == a->type;
    if (!known)
        return true; /* void, a struct, a class: any bytes will do */
    if (element_size(want) != element_size(a->type))
        return want == ELEMENT_U8 || want == ELEMENT_I8 || a->type == ELEMENT_U8;
    if (want == ELEMENT_BF16 || a->type == ELEMENT_BF16) /* their bits may lie in an array of u16 */
        return want == a->type || element_kind(a->type) != KIND_FLOAT;
    return (element_kind(want) == KIND_FLOAT) == (element_kind(a->type) == KIND_FLOAT);
}

/* ---- failing -------------------------------------------------------------------------- */

static int wrong(const struct binding *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
static int wrong(const struct binding *b, const char *fmt, ...)
{
    char text[ERR_TEXT - 380];
    WITH_ARGS(fmt, vsnprintf(text, sizeof text, fmt, args));
    if (b->path[0])
        return fail_at(b->e, 0, b->column, "%s field `%s`, %s", b->label, b->path, text);
    return fail_at(b->e, 0, b->column, "%s %s", b->label, text);
}

static void set_label(struct binding *b, unsigned index, const char *type)
{
    const char *name = unit_param_name(b->kernel, index);
    snprintf(b->label, sizeof b->label, "argument %u, `%.150s%s%.60s`,", index + 1, type,
             name ? " " : "", name ? name : "");
}

static int write_value(const struct binding *b, unsigned char *block, const void *bytes, size_t n)
{
    memcpy(block + b->param.offset, bytes, n);
    return 0;
}

/* ---- pointers ------------------------------------------------------------------------- */

static bool is_null(const char *text)
{
    return strcmp(text, "null") == 0 || strcmp(text, "nullptr") == 0 || strcmp(text, "NULL") == 0;
}

static int wrong_array(const struct binding *b, const struct array *a, const char *want)
{
    const struct arrays *own = b->session->own;
    const char *other = NULL;
    bool exactly;
    for (unsigned i = 0; own && i < own->count; i++)
        if (array_suits(own->all[i], want, &exactly) && exactly &&
            !array_hidden(b->session, own->all[i]))
            other = own->all[i]->name;
    if (other)
        return wrong(b, "can't be `%.60s`, an array of %s: did you mean %.60s?", a->name,
                     element_names[a->type], other);
    return wrong(b, "can't be `%.60s`, an array of %s; make an array of its type: `array NAME "
                 "%.60s %" PRIu64 "`", a->name, element_names[a->type], want, a->count);
}

/* Reads x, x+10 or &x[10] as an array and an element of it. */
static int array_and_offset(const struct binding *b, struct array **a, int64_t *offset)
{
    char name[TYPE_ROOM], number[64];
    struct err why;
    const char *text = b->text + (b->text[0] == '&');
    const char *sign = text + strcspn(text, "+-["), *end = text + strlen(text);
    size_t n = (size_t)(sign - text);
    while (n && text[n - 1] == ' ')
        n--;
    *offset = 0;
    if (n >= sizeof name)
        return wrong(b, "is too long to be the name of an array");
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    if (!(*a = array_or_near(b->session, name, &why)))
        return wrong(b, "wants an array: %s", why.text);
    if (!*sign)
        return 0;
    if (*sign == '[' && (b->text[0] != '&' || end[-1] != ']'))
        return wrong(b, "can't be `%.60s`: write %.60s+ELEMENTS for what comes from there on",
                     b->text, name);
    const char *digits = sign + 1 + strspn(sign + 1, " ");
    size_t k = (size_t)(end - digits) - (*sign == '[');
    if (k >= sizeof number)
        return wrong(b, "has no number after `%.60s`", name);
    snprintf(number, sizeof number, "%.*s", (int)k, digits);
    if (num_int(number, INT32_MIN, INT64_C(1) << 40, offset, &why) != 0)
        return wrong(b, "`%.60s`: %s", b->text, why.text);
    if (*sign == '-')
        *offset = -*offset;
    return 0;
}

static int bind_pointer(const struct binding *b, unsigned char *block)
{
    char want[TYPE_ROOM];
    struct array *a = NULL;
    struct err why;
    int64_t offset;
    uint64_t address = 0;
    bool exactly;
    if (is_null(b->text))
        return write_value(b, block, &address, 8);
    if (num_looks(b->text)) {
        if (num_uint(b->text, 0, UINT64_MAX, &address, &why) != 0)
            return wrong(b, "needs an array, null or a whole number as address: %s", why.text);
        return write_value(b, block, &address, 8);
    }
    if (array_and_offset(b, &a, &offset) != 0)
        return -1;
    if (type_pointee(b->type, want) && !array_suits(a, want, &exactly))
        return wrong_array(b, a, want);
    address = a->address + (uint64_t)(offset * (int64_t)element_size(a->type));
    return write_value(b, block, &address, 8);
}

/* ---- numbers -------------------------------------------------------------------------- */

/* The element type of a parameter that is a number. *either: its sign is not known. */
static int number_type(const struct binding *b, enum element *type, bool *either)
{
    static const enum element by_size[9] = {[1] = ELEMENT_U8, [2] = ELEMENT_U16,
                                            [4] = ELEMENT_U32, [8] = ELEMENT_U64};
    const char *ptx = b->param.type[0] == '.' ? b->param.type + 1 : b->param.type;
    *either = ptx[0] != 'f'; /* an enum, a typedef, or only PTX: either sign */
    if (element_named(b->type, type) == 0 && element_size(*type) == b->param.size) {
        *either = *either && !b->is_typed;
        return 0;
    }
    if (b->param.is_array || b->param.size > 8 || !by_size[b->param.size])
        return -1;
    *type = ptx[0] == 'f' ? (b->param.size == 8 ? ELEMENT_F64 : ELEMENT_F32)
                          : by_size[b->param.size];
    return 0;
}

/* Is its type a number's? Else it may be a pointer to a function, or a type of the file. */
static bool is_number_type(const struct binding *b)
{
    enum element type;
    return b->is_typed && element_named(b->type, &type) == 0;
}

static enum element signed_twin(enum element type)
{
    return type == ELEMENT_U8    ? ELEMENT_I8
           : type == ELEMENT_U16 ? ELEMENT_I16
           : type == ELEMENT_U32 ? ELEMENT_I32
                                 : ELEMENT_I64;
}

/* 16777217 would be another number as a float. Decimals are rounded, as compilers do. */
static int check_exact(const struct binding *b, enum element type, const void *value)
{
    struct err ignored;
    int64_t v;
    if (element_kind(type) != KIND_FLOAT || b->text[strcspn(b->text, ".eE")] ||
        num_int(b->text, INT64_MIN, INT64_MAX, &v, &ignored) != 0)
        return 0;
    double real = element_real(type, value);
    if (real >= -9.2e18 && real <= 9.2e18 && (int64_t)real == v)
        return 0;
    return wrong(b, "can't hold %.40s exactly; write it with a point to have it rounded", b->text);
}

/* The elements of the call's first array: what a kernel most often wants for its n. */
static uint64_t usual_number(const struct binding *b)
{
    for (unsigned i = 0; i < b->call->arg_count; i++) {
        const struct array *a = array_named(b->session, b->call->args[i].text);
        if (a)
            return a->count;
    }
    return 1000;
}

/* A name stands where a number must: the whole call, with a number in its place. */
static int names_no_number(const struct binding *b)
{
    struct buf right = {0};
    const struct own_call *c = b->call;
    buf_printf(&right, "launch %.80s<<<%.80s>>>(", c->kernel.text, c->sizes);
    for (unsigned i = 0; i < c->arg_count; i++)
        if (c->args[i].text == b->text)
            buf_printf(&right, "%s%" PRIu64, i ? ", " : "", usual_number(b));
        else
            buf_printf(&right, "%s%.60s", i ? ", " : "", c->args[i].text);
    int rc = wrong(b, "needs a number, and `%.60s` is not one. Write the number itself: %s)",
                   b->text, buf_text(&right));
    buf_free(&right);
    return rc;
}

/* The kernel says int, and the message i32. */
static int wrong_value(const struct binding *b, enum element type, const char *why)
{
    const char *name = element_names[type], *at = strstr(why, name);
    struct buf text = {0};
    if (!b->is_typed || !at)
        return wrong(b, "%s", why);
    buf_printf(&text, "%.*s%.60s%s", (int)(at - why), why, b->type, at + strlen(name));
    int rc = wrong(b, "%s", buf_text(&text));
    buf_free(&text);
    return rc;
}

static int not_a_number(const struct binding *b, enum element type, const char *why)
{
    const struct array *a = array_named(b->session, b->text);
    if (a)
        return wrong(b, "needs a number, and `%.60s` is an array; it has %" PRIu64 " elements",
                     b->text, a->count);
    if (is_letter(b->text[0]) && !b->path[0])
        return names_no_number(b);
    return wrong_value(b, type, why);
}

static int bind_number(const struct binding *b, enum element type, bool either,
                       unsigned char *block)
{
    unsigned char value[ELEMENT_BYTES];
    struct err why, ignored;
    const char *text = b->text;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        text = text[0] == 't' ? "1" : "0";
    size_t n = strlen(text);
    char bare[80], letter[8];
    if (n == 3 && text[0] == '\'' && text[2] == '\'') {
        snprintf(letter, sizeof letter, "%d", (unsigned char)text[1]);
        text = letter;
    } else if (n > 1 && n < sizeof bare && strchr("fF", text[n - 1]) && strchr(text, '.')) {
        snprintf(bare, sizeof bare, "%.*s", (int)n - 1, text); /* 1.5f, as in C */
        text = bare;
    }
    if (strcmp(b->type, "bool") == 0 && strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
        return not_a_number(b, type, "is true or false");
    if (element_parse(type, text, value, &why) != 0 &&
        (!either || element_parse(signed_twin(type), text, value, &ignored) != 0))
        return not_a_number(b, type, why.text);
    if (check_exact(b, type, value) != 0)
        return -1;
    return write_value(b, block, value, element_size(type));
}

/* ---- structs -------------------------------------------------------------------------- */

static struct own_field whole_of(const struct binding *b)
{
    return (struct own_field){.type = b->type, .size = b->param.size, .dims = b->dims,
                          .dim_count = b->dim_count};
}

/* Writes "{x, n, in}". If there are many fields, writes the first ones and "...". */
static void put_fields(const struct own_field *fields, unsigned count, struct buf *out)
{
    enum { SHOWN = 8 };
    for (unsigned i = 0; i < count && i < SHOWN; i++)
        buf_printf(out, "%s%.30s", i ? ", " : "{", fields[i].name);
    buf_puts(out, count > SHOWN ? ", ...}" : "}");
}

static int wants_bytes(const struct binding *b)
{
    const struct own_field whole = whole_of(b);
    struct own_field *fields;
    struct buf list = {0};
    unsigned count;
    if (fields_of(b->unit, &whole, b->memory, &fields, &count) != 0)
        return wrong(b, "takes %u bytes: write bytes: and %u hexadecimal digits, lowest byte "
                     "first%s", b->param.size, 2 * b->param.size,
                     b->unit->compiler[0] ? "" : ". The file is PTX, which names no fields");
    put_fields(fields, count, &list);
    int rc = wrong(b, "takes %u bytes: write %s, its %u field%s, or bytes: and %u hexadecimal "
                   "digits, lowest byte first", b->param.size, buf_text(&list), count,
                   count == 1 ? "" : "s", 2 * b->param.size);
    buf_free(&list);
    return rc;
}

static int bind_bytes(const struct binding *b, unsigned char *block)
{
    const char *hex = b->text + 6;
    if (strlen(hex) != 2 * (size_t)b->param.size)
        return wants_bytes(b);
    for (unsigned i = 0; i < b->param.size; i++) {
        int high = hex_value(hex[2 * i]), low = hex_value(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            return wants_bytes(b);
        block[b->param.offset + i] = (unsigned char)(high << 4 | low);
    }
    return 0;
}

static int bind_value(struct binding *b, unsigned char *block);

static int bind_field(const struct binding *b, const struct own_field *f,
                      const struct call_text *item, unsigned char *block)
{
    struct binding part = *b;
    part.param = (struct device_param){.name = f->name, .type = "", .size = f->size,
                                       .offset = b->param.offset + f->offset};
    part.dims = f->dims;
    part.dim_count = f->dim_count;
    part.is_typed = true;
    part.text = item->text;
    part.column = item->column;
    type_bare(f->type, part.type);
    snprintf(part.path, sizeof part.path, "%.60s%s%.30s", b->path,
             b->path[0] && f->name[0] != '[' ? "." : "", f->name);
    return bind_value(&part, block);
}

/* {x, 3, {1, 2}} */
static int bind_fields(const struct binding *b, unsigned char *block)
{
    const struct own_field whole = whole_of(b);
    struct own_field *fields;
    struct call_text *items;
    unsigned count, given;
    if (fields_of(b->unit, &whole, b->memory, &fields, &count) != 0)
        return wants_bytes(b);
    if (fields_split(b->text, b->column, b->memory, &items, &given, b->e) != 0)
        return -1;
    if (given != count)
        return wrong(b, "has %u field%s, `%s` to `%s`, and {} holds %u", count,
                     count == 1 ? "" : "s", fields[0].name, fields[count - 1].name, given);
    for (unsigned i = 0; i < count; i++)
        if (bind_field(b, &fields[i], &items[i], block) != 0)
            return -1;
    return 0;
}

/* ---- textures ------------------------------------------------------------------------- */

static int bind_texture(const struct binding *b, unsigned char *block)
{
    struct device *d = b->session->device;
    struct sim_texture t;
    bool surface;
    uint64_t handle = 0;
    struct err why;
    if (b->param.size != 8 || b->param.is_array || type_is_pointer(b->type))
        return wrong(b, "is not a texture object: that is a cudaTextureObject_t, 64 bits");
    struct own_bound *to = b->bound;
    if (mem_grow(&allocator_libc, (void **)&to->handles, &to->room, to->count,
                 sizeof *to->handles) < 0)
        return fail_memory(b->e);
    if (texture_parse(b->session, b->text, &t, &surface, &why) != 0 ||
        d->ops->texture_create(d, &t, surface, &handle, &why) != 0)
        return wrong(b, "%s", why.text);
    to->handles[to->count++] = handle;
    return write_value(b, block, &handle, sizeof handle);
}

void call_unbind(struct session *s, struct own_bound *b)
{
    struct err ignored;
    for (unsigned i = 0; i < b->count; i++)
        s->device->ops->texture_destroy(s->device, b->handles[i], &ignored);
    mem_free(&allocator_libc, b->handles, b->room * sizeof *b->handles);
    *b = (struct own_bound){0};
}

/* ---- all of them ---------------------------------------------------------------------- */

static int bind_value(struct binding *b, unsigned char *block)
{
    enum element type;
    bool either;
    if (strncmp(b->text, "bytes:", 6) == 0)
        return bind_bytes(b, block);
    if (b->text[0] == '{')
        return bind_fields(b, block);
    if (b->dim_count)
        return wants_bytes(b);
    if (texture_typed(b->text))
        return bind_texture(b, block);
    bool names_array = !num_looks(b->text) && array_named(b->session, b->text);
    bool pointer_perhaps = b->param.size == 8 && !b->param.is_array && !is_number_type(b);
    if (pointer_perhaps && is_null(b->text))
        return bind_pointer(b, block);
    if (b->param.size == 8 && !b->param.is_array && type_is_pointer(b->type))
        return bind_pointer(b, block);
    if (number_type(b, &type, &either) != 0)
        return wants_bytes(b);
    /* With only PTX, 64 bits may be a pointer or a number. */
    if (!b->is_typed && b->param.size == 8 && either &&
        (names_array || !num_looks(b->text)))
        return bind_pointer(b, block);
    return bind_number(b, type, either, block);
}

static int wrong_count(const struct unit_kernel *k, const struct own_call *c, struct err *e)
{
    struct buf signature = {0};
    unsigned want = k->info.param_count;
    unit_signature(k, &signature);
    int column = c->arg_count > want ? c->args[want].column : c->end_column;
    fail_at(e, 0, column, "%.300s takes %u argument%s, not %u", buf_text(&signature), want,
            want == 1 ? "" : "s", c->arg_count);
    buf_free(&signature);
    return -1;
}

static int bind_argument(struct binding *b, unsigned index, unsigned char *block)
{
    const char *type = unit_param_type(b->kernel, index);
    b->param = b->kernel->info.params[index];
    b->is_typed = b->kernel->is_cxx || b->kernel->params;
    type_bare(type, b->type);
    set_label(b, index, type);
    return bind_value(b, block);
}

int call_bind(struct session *s, const struct unit *u, const struct unit_kernel *k,
              const struct own_call *c, unsigned char *block, struct own_bound *bound,
              struct err *e)
{
    struct arena memory = {0};
    int failed = 0;
    if (c->arg_count != k->info.param_count)
        return wrong_count(k, c, e);
    for (unsigned i = 0; i < c->arg_count && !failed; i++) {
        struct binding b = {.session = s, .unit = u, .kernel = k, .call = c,
                            .text = c->args[i].text, .column = c->args[i].column,
                            .bound = bound, .memory = &memory, .e = e};
        failed = bind_argument(&b, i, block);
    }
    arena_free(&memory);
    return failed;
}
