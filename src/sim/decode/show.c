/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An instruction as the outside sees it: its text, its place in the student's file, and what
 * observers may ask about it.
 */
#include "sim/decode/decode.h"

#include <string.h>

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

/* The student's own file. */
static bool own_file(const char *file)
{
    static const char *const ends[] = {".cu", ".cuh", ".c", ".cc", ".cpp", ".h", ".hpp", NULL};
    const char *dot = file ? strrchr(file, '.') : NULL;
    return dot && one_of(dot, ends) && !foreign_file(file);
}

/* Asked once for each file, however many instructions come from it. */
int decode_files(struct sim_module *m)
{
    m->own_files = arena_get(&m->arena, (m->ptx->file_count + 1) * sizeof *m->own_files);
    for (unsigned i = 0; m->own_files && i < m->ptx->file_count; i++)
        m->own_files[i] = own_file(m->ptx->files[i]);
    return m->own_files ? 0 : sim_fail(m->sim, 0, "out of memory");
}

/* A file's number if there is a name for it; else 0, which has none. */
static unsigned file_of(const struct ptx_module *m, int number)
{
    return number > 0 && (unsigned)number < m->file_count ? (unsigned)number : 0;
}

void decode_show(struct decoder *d, const struct raw *r, struct sim_instruction *s)
{
    const struct ptx_module *m = d->m->ptx;
    const struct ptx_instruction *p = r->from;
    *s = (struct sim_instruction){.text = "", .function = d->fn->ptx->name, .kind = r->kind};
    if (!p)
        return;
    unsigned inner = file_of(m, p->file), outer = file_of(m, p->outer_file);
    bool use_inner = d->m->own_files[inner] || !d->m->own_files[outer];
    unsigned used = use_inner ? inner : outer;
    s->file = used ? m->files[used] : NULL;
    s->line = use_inner ? p->line : p->outer_line;
    s->text = p->text;
    s->ptx_line = p->ptx_line;
    s->space = (enum sim_space)r->in.space;
    s->bytes = (uint8_t)(r->in.bytes * r->in.count);
}

uint8_t decode_shown_type(const struct raw *r)
{
    const struct ptx_operand *o = r->from && r->from->operand_count ? r->from->operands : NULL;
    unsigned size;
    if (!o || o->kind != PTX_OP_REGISTER || is_predicate(o) || r->kind == SIM_CLASS_STORE ||
        register_row(o, &size) != r->in.d)
        return SIM_NONE;
    return (uint8_t)o->var->type;
}
