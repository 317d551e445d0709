/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An instruction as the outside sees it: its text, its place in the student's file, and what
 * observers may ask about it.
 */
#include "sim/decode/decode.h"

#include <string.h>

/* ---- files ------------------------------------------------------------------------------ */

/* Headers of the system and of compilers, wherever these are installed; and our stand-ins. */
static bool foreign_file(const char *file)
{
    static const char *const parts[] = {
        "/lib/clang/", "/include/cuda", "cuda/include/", "/targets/", "__nv_nvrtc_builtin",
        "kernels/cudalab_", "cudalab_device", "cudalab_math", "kernels/include/", NULL};
    bool found = strncmp(file, "/usr/", 5) == 0 || strncmp(file, "/opt/", 5) == 0;
    for (const char *const *p = parts; *p && !found; p++)
        found = strstr(file, *p) != NULL;
    return found;
}

/* The student's own file. An example in a help text is called help:NAME. */
static bool own_file(const char *file)
{
    static const char *const ends[] = {".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".hpp", NULL};
    const char *dot = file ? strrchr(file, '.') : NULL;
    return file && (strncmp(file, "help:", 5) == 0 ||
                    (dot && one_of(dot, ends) && !foreign_file(file)));
}

/* Is it one of these headers of the toolkit for cooperative groups? NVRTC gives no folder:
 * <reduce.h>. */
static bool groups_file(const char *file, const char *const *names)
{
    const char *slash = file ? strrchr(file, '/') : NULL, *name = slash ? slash + 1 : file;
    const bool bare = name && name[0] == '<';
    for (const char *const *n = names; *n && name; n++) {
        const size_t length = strlen(*n);
        if (strncmp(name + bare, *n, length) == 0 && strlen(name) == length + (bare ? 2 : 0))
            return bare || (foreign_file(file) && strstr(file, "/cooperative_groups"));
    }
    return false;
}

/* Their code exchanges values between the threads of a large tile. The other headers copy the
 * student's arrays. */
static const char *const tile_files[] = {"cooperative_groups.h", "reduce.h", "scan.h", "invoke.h",
                                         "coalesced_reduce.h", "coalesced_scan.h", NULL};
/* Its code waits for the other blocks of a grid. */
static const char *const sync_files[] = {"sync.h", NULL};

/* Is it a header of Thrust, CUB or libcu++? */
static bool library_file(const char *file)
{
    return file && foreign_file(file) &&
           (strstr(file, "/thrust/") || strstr(file, "/cub/") || strstr(file, "/cuda/std/"));
}

/* Finds out once for each file whose it is. */
int decode_files(struct sim_module *m)
{
    const size_t bytes = m->ptx->file_count + 1;
    m->own_files = arena_alloc(&m->arena, bytes * sizeof *m->own_files);
    m->tile_files = arena_alloc(&m->arena, bytes * sizeof *m->tile_files);
    m->sync_files = arena_alloc(&m->arena, bytes * sizeof *m->sync_files);
    m->library_files = arena_alloc(&m->arena, bytes * sizeof *m->library_files);
    if (!m->own_files || !m->tile_files || !m->sync_files || !m->library_files)
        return sim_fail(m->sim, 0, "out of memory");
    for (unsigned i = 0; i < m->ptx->file_count; i++) {
        m->own_files[i] = own_file(m->ptx->files[i]);
        m->cuda_barrier |= m->ptx->files[i] && strstr(m->ptx->files[i], "poll_tester.h");
        m->tile_files[i] = groups_file(m->ptx->files[i], tile_files);
        m->sync_files[i] = groups_file(m->ptx->files[i], sync_files);
        m->library_files[i] = library_file(m->ptx->files[i]);
    }
    return 0;
}

/* A file's number if there is a name for it; else 0, which has none. */
static unsigned file_of(const struct ptx_module *m, int number)
{
    return number > 0 && (unsigned)number < m->file_count ? (unsigned)number : 0;
}

/* ---- operands ------------------------------------------------------------------------- */

/* Rows have even numbers, predicates odd ones. */
static uint32_t register_number(const struct ptx_operand *o)
{
    unsigned size;
    if (is_predicate(o))
        return (uint32_t)(o->var->place + o->index) * 2 + 1;
    return o->kind == PTX_OP_REGISTER && o->var ? register_row(o, &size) / ROW_ALIGN * 2 : 0;
}

/* Lists the registers that an operand names in `out`, which may be NULL. The result is their
 * number. */
static uint32_t list_registers(const struct ptx_operand *o, uint32_t *out)
{
    const bool list = o->kind == PTX_OP_VECTOR;
    const struct ptx_operand *first = o->kind == PTX_OP_ADDRESS ? o->base : o;
    uint32_t n = !list;
    if (out && !list)
        out[0] = first ? register_number(first) : 0;
    if (o->pair) {
        if (out)
            out[n] = register_number(o->pair);
        n++;
    }
    for (unsigned i = 0; i < o->item_count; i++)
        n += list_registers(&o->items[i], out ? out + n : NULL);
    return n;
}

static uint32_t list_operands(const struct ptx_instruction *p, unsigned from, unsigned to,
                              uint32_t *out)
{
    uint32_t n = 0;
    for (unsigned i = from; i < to; i++)
        n += list_registers(&p->operands[i], out ? out + n : NULL);
    return n;
}

/* The operand that is an address. cp.async has two; it reads at the second one. */
static const struct ptx_operand *address_of(const struct ptx_instruction *p)
{
    const struct ptx_operand *found = NULL;
    for (unsigned i = 0; i < p->operand_count && i < 2; i++)
        found = p->operands[i].kind == PTX_OP_ADDRESS ? &p->operands[i] : found;
    return found;
}

static const struct sim_operands *operands_of(struct decoder *d)
{
    const struct ptx_instruction *p = d->from;
    const struct ptx_operand *at = address_of(p);
    const unsigned results = d->writes && p->operand_count;
    const uint32_t written = list_operands(p, 0, results, NULL);
    const uint32_t read = list_operands(p, results, p->operand_count, NULL);
    struct sim_operands *o =
        arena_alloc(&d->m->arena, sizeof *o + (written + read) * sizeof *o->number);
    if (!o)
        return NULL;
    o->written = written;
    o->read = read;
    list_operands(p, 0, p->operand_count, o->number);
    if (p->guard_var)
        o->guard = (uint32_t)(p->guard_var->place + p->guard_index) * 2 + 1;
    if (at) {
        o->base = at->base ? register_number(at->base) : 0;
        o->symbol = at->var ? at->var->name : NULL;
        o->offset = at->offset + (at->base ? at->base->offset : 0);
    }
    return o;
}

/* ---- an instruction -------------------------------------------------------------------- */

static enum sim_operation operation_named(const char *opcode)
{
    static const char *const names[] = {
        [SIM_OP_ADD] = "add", [SIM_OP_AND] = "and", [SIM_OP_BFE] = "bfe", [SIM_OP_BFI] = "bfi",
        [SIM_OP_CVT] = "cvt", [SIM_OP_FMA] = "fma", [SIM_OP_MAD] = "mad", [SIM_OP_MAX] = "max",
        [SIM_OP_MIN] = "min", [SIM_OP_MOV] = "mov", [SIM_OP_OR] = "or", [SIM_OP_PRMT] = "prmt",
        [SIM_OP_SELP] = "selp", [SIM_OP_SHL] = "shl", [SIM_OP_SHR] = "shr", [SIM_OP_SUB] = "sub",
        [SIM_OP_XOR] = "xor"};
    for (size_t i = SIM_OP_ADD; i < sizeof names / sizeof *names; i++)
        if (same_word(names[i], opcode))
            return (enum sim_operation)i;
    return SIM_OP_OTHER;
}

int decode_describe(struct decoder *d, const char *opcode)
{
    const struct ptx_module *m = d->m->ptx;
    const struct ptx_instruction *p = d->from;
    struct sim_instruction *s = d->now;
    const unsigned inner = file_of(m, p->file);
    unsigned outer = inner, used = inner;
    s->line = s->outer_line = p->line;
    for (const struct ptx_call *c = p->call; c; c = c->outer) {
        outer = file_of(m, c->file);
        s->outer_line = c->line;
        if (!d->m->own_files[used] && d->m->own_files[outer]) {
            used = outer;
            s->line = c->line;
        }
    }
    s->file = used ? m->files[used] : NULL;
    s->text = p->text;
    s->ptx_line = p->ptx_line;
    s->tiles = d->m->tile_files[inner];
    s->group_sync = d->m->sync_files[inner];
    s->of_library = d->m->library_files[inner] && d->m->library_files[outer];
    s->operation = operation_named(opcode);
    s->operands = operands_of(d);
    return s->operands ? 0 : sim_fail(d->m->sim, 0, "out of memory");
}

void decode_show(const struct decoder *d, const struct raw *r, struct sim_instruction *s)
{
    *s = r->from ? d->described[r->from - d->fn->ptx->code] : (struct sim_instruction){.text = ""};
    s->function = d->fn->ptx->name;
    s->kind = r->kind;
    s->part = r->part;
    s->rows = r->rows;
    s->space = (enum sim_space)r->in.space;
    s->bytes = (uint8_t)(r->in.bytes * r->in.count);
    s->elements = s->async ? 1 : r->in.count;
    if (r->kind == SIM_CLASS_HIDDEN)
        s->operands = NULL;
}

uint8_t decode_shown_type(const struct raw *r)
{
    const struct ptx_operand *o = r->from && r->from->operand_count ? r->from->operands : NULL;
    unsigned size;
    if (!o || o->kind != PTX_OP_REGISTER || is_predicate(o) || r->kind == SIM_CLASS_STORE ||
        register_row(o, &size) != r->in.d || size > 8)
        return SIM_NONE;
    return (uint8_t)o->var->type;
}
