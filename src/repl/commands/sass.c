/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `sass`: what ptxas makes of a kernel's PTX for one kind of GPU, instruction by instruction
 * beside the PTX of the same source line. That takes a disassembler; without one, the numbers
 * that ptxas tells are shown, and where to get it.
 */
#include "dev/cards.h"
#include "repl/commands.h"
#include "repl/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TWO_COLUMNS = 80, RIGHT = 42 };

/* One instruction of either kind, with the source line it came from. */
struct half {
    const char *text, *label; /* label: what branches call this place, or NULL */
    size_t n;
    unsigned address;
    bool is_sass, told;
    struct ptx_origin from;
};

struct showing {
    struct reading_ptx found;
    struct sass sass;
    struct half *halves; /* all PTX, then all SASS */
    unsigned count, ptx_count;
    unsigned arch;
    const char *kernel;
    unsigned sass_count; /* 0: not known */
};

/* ---- which belong together ------------------------------------------------------------ */

static struct ptx_origin place(struct showing *s, const char *file, int line)
{
    struct ptx_origin o = {NULL, 0, {"", 0}};
    struct text_file source = file ? sources_find(&s->found.sources, file)
                                   : (struct text_file){NULL, {"", 0}};
    if (source.name)
        o = (struct ptx_origin){source.name, line, trim(line_at(source.text, line))};
    o.file = o.text.n ? o.file : NULL;
    return o;
}

static struct half sass_half(struct showing *s, const struct sass_line *l, const char *label)
{
    struct half h = {.text = l->text, .n = strlen(l->text), .label = label,
                     .address = l->address, .is_sass = true};
    h.from = place(s, l->file, l->line);
    if (!h.from.file && l->outer_file)
        h.from = place(s, l->outer_file, l->outer_line);
    return h;
}

static int gather(struct showing *s)
{
    unsigned functions = 0, room = s->sass.count;
    const struct ptx_text *t = &s->found.text;
    const struct ptx_function **list = ptx_text_called(t, s->found.kernel, &functions);
    for (unsigned i = 0; list && i < functions; i++)
        room += list[i]->code_count;
    s->halves = list ? calloc(room + 1, sizeof *s->halves) : NULL;
    for (unsigned i = 0; s->halves && i < functions; i++)
        for (uint32_t k = 0; k < list[i]->code_count; k++) {
            const struct ptx_instruction *p = &list[i]->code[k];
            s->halves[s->count++] = (struct half){.text = p->text, .n = strlen(p->text),
                                                  .from = ptx_text_origin(t, p)};
        }
    s->ptx_count = s->count;
    const char *label = NULL;
    for (unsigned i = 0; s->halves && i < s->sass.count; i++) {
        const struct sass_line *l = &s->sass.lines[i];
        if (!l->is_label)
            s->halves[s->count++] = sass_half(s, l, label);
        label = l->is_label ? l->text : NULL;
    }
    return s->halves ? 0 : -1;
}

static bool belong(const struct half *a, const struct half *b)
{
    return (!a->from.file && !b->from.file) || ptx_same_origin(&a->from, &b->from);
}

/* ---- what is shown -------------------------------------------------------------------- */

static void put_half(struct buf *out, const struct half *h, const char *lead, int width)
{
    char hang[24], address[16] = "";
    if (h->is_sass)
        snprintf(address, sizeof address, "%04x  ", h->address);
    snprintf(hang, sizeof hang, "%*s", (int)(strlen(lead) + strlen(address)), "");
    if (h->label)
        buf_printf(out, "%s%s:\n", lead, h->label);
    buf_printf(out, "%s%s", lead, address);
    code_wrap(out, h->text, h->n, width, hang);
}

static void say_source(const struct ptx_origin *from, struct report *r)
{
    char head[100], hang[100];
    int n = snprintf(head, sizeof head, "  // %.80s:%d  ", from->file ? base_name(from->file) : "",
                     from->line);
    if (!from->file) {
        say(r, "  // of no line that is known\n");
        return;
    }
    snprintf(hang, sizeof hang, "  //%*s", n - 4, "");
    say(r, "%s", head);
    code_wrap(&r->screen, from->text.at, from->text.n, r->width, hang);
}

/* All of one source line: the PTX to the left, to the right what became of it. */
static void say_group(struct showing *s, unsigned first, struct report *r)
{
    bool beside = r->width >= TWO_COLUMNS && !r->plain;
    const struct ptx_origin *from = &s->halves[first].from;
    struct buf left = {0}, right = {0};
    for (unsigned i = first; i < s->count; i++) {
        struct half *h = &s->halves[i];
        if (h->told || !belong(h, &s->halves[first]))
            continue;
        h->told = true;
        put_half(h->is_sass ? &right : &left, h, beside ? h->is_sass ? "" : "    "
                                                 : h->is_sass ? "    sass  " : "    ptx   ",
                 !beside ? r->width : h->is_sass ? r->width - RIGHT : RIGHT - 3);
    }
    say_source(from, r);
    if (beside) {
        say_columns(r, &left, &right, RIGHT, ' ');
    } else {
        buf_add(&r->screen, buf_text(&left), left.len);
        buf_add(&r->screen, buf_text(&right), right.len);
    }
    if (left.failed || right.failed)
        r->screen.failed = true;
    buf_free(&left);
    buf_free(&right);
}

static void say_numbers(const struct showing *s, struct report *r)
{
    const struct sass *a = &s->sass;
    struct buf text = {0};
    buf_printf(&text, "%s, for sm_%u: ", s->found.title, s->arch);
    if (s->sass_count)
        buf_printf(&text, "%u instructions of SASS from %u of PTX", s->sass_count, s->ptx_count);
    else
        buf_printf(&text, "%u bytes of SASS, from %u instructions of PTX", a->bytes, s->ptx_count);
    if (a->registers >= 0)
        buf_printf(&text, "; %d registers per thread", a->registers);
    if (a->spill_stores > 0 || a->spill_loads > 0)
        buf_printf(&text, ", %d bytes of them spilled", a->spill_stores);
    else if (a->spill_stores == 0)
        buf_puts(&text, ", none spilled");
    say_wrapped(r, 2, "%s", buf_text(&text));
    report_said(r, &text);
}

/* ---- its facts ------------------------------------------------------------------------ */

static void put_known(struct json *j, const char *key, int value)
{
    if (value >= 0)
        json_int(j, key, value);
}

static void put_told(struct json *j, const void *found)
{
    const struct sass *a = &((const struct showing *)found)->sass;
    put_known(j, "registers", a->registers);
    put_known(j, "stack_bytes", a->stack);
    put_known(j, "spill_store_bytes", a->spill_stores);
    put_known(j, "spill_load_bytes", a->spill_loads);
}

static void put_halves(struct json *j, const void *found)
{
    const struct showing *s = found;
    char source[400];
    json_array(j, "instructions");
    for (unsigned i = s->ptx_count; i < s->count; i++) {
        const struct half *h = &s->halves[i];
        json_object(j, NULL);
        json_uint(j, "address", h->address);
        json_text(j, "text", h->text);
        snprintf(source, sizeof source, "%.350s:%d", h->from.file ? h->from.file : "",
                 h->from.line);
        if (h->from.file)
            json_text(j, "source", source);
        json_end_object(j);
    }
    json_end_array(j);
}

static const struct fact facts[] = {
    {.name = "file", FACT_AT(struct showing, found.text.ptx.name)},
    {FACT(struct showing, kernel)},
    {FACT(struct showing, arch)},
    {.name = "bytes", FACT_AT(struct showing, sass.bytes)},
    {.name = "ptx_instructions", FACT_AT(struct showing, ptx_count)},
    {.name = "sass_instructions", FACT_AT(struct showing, sass_count), .if_set = true},
    {.name = "sass", FACT_AT(struct showing, sass_count), .only = FACT_IN_TEXT},
    {.put = put_told},
    {.name = "disassembler", FACT_AT(struct showing, sass.disassembler), .if_set = true},
    {.put = put_halves, WHEN(struct showing, sass.disassembler)},
    {.name = NULL},
};

/* ---- the command ---------------------------------------------------------------------- */

static int assemble(struct showing *s, struct session *session, struct report *r)
{
    struct err e;
    if (reading_assemble(&s->found, shell_of(session), s->arch, false, &s->sass, &e) != 0)
        return strstr(e.text, "begins at 75")
                   ? report_fail(r, "%s; --arch chooses another kind of GPU, as in --arch 90",
                                 e.text)
                   : report_fail_err(r, &e);
    if (gather(s) != 0)
        return report_fail_limit(r, "out of memory");
    s->kernel = s->found.own ? s->found.own->shown : s->found.kernel->name;
    s->sass_count = s->sass.count ? s->count - s->ptx_count : s->sass.instructions;
    return 0;
}

static void show(struct showing *s, struct report *r)
{
    if (!s->sass.count)
        say_wrapped(r, 0, "The instructions can't be shown: there is no nvdisasm or cuobjdump on "
                          "the PATH. Both are in NVIDIA's CUDA Toolkit (help sass).");
    say_numbers(s, r);
    say(r, "%s", s->sass.count ? "\n" : "");
    for (unsigned i = 0; s->sass.count && i < s->count; i++)
        if (!s->halves[i].told)
            say_group(s, i, r);
    facts_json(facts, s, &r->result);
    lab_explain(r, "sass", s->sass.count ? "shown" : "numbers", facts, s);
}

struct sass_options { const char *variant, *arch, *name; };

static int run_sass(struct session *session, const void *given, struct report *r)
{
    const struct sass_options *o = given;
    const struct device_props *here = &session->device->props;
    struct showing s = {.arch = (unsigned)(here->major * 10 + here->minor)};
    if (o->arch && !capability_read((struct span){o->arch, strlen(o->arch)}, &s.arch))
        return report_fail(r, "--arch: `%.40s` is neither a compute capability nor a card: write "
                           "90, 9.0, sm_90 or a name of `devquery --list`", o->arch);
    int rc = reading_ptx_open(&s.found, shell_of(session), o->name, o->variant, r);
    if (rc == 0)
        rc = assemble(&s, session, r);
    if (rc == 0)
        show(&s, r);
    reading_ptx_close(&s.found);
    sass_free(&s.sass);
    free(s.halves);
    return rc;
}

const struct command command_sass = {
    .name = "sass", .kind = CLASS_READING, .summary = "the machine code of a GPU, next to the PTX",
    .options = (const struct arg_spec[]){
        {OPTION(struct sass_options, variant), .value = "NAME", .type = ARG_TEXT,
         .help = "the variant of a lab"},
        {OPTION(struct sass_options, arch), .value = "CC", .type = ARG_TEXT,
         .help = "the kind of GPU, as in 90, 9.0, sm_90 or t4; this device if not given"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "NAME", BIND(struct sass_options, name), .type = ARG_KERNEL, .required = true,
         .example = "vecadd",
         .help = "a lab, or a kernel of a lab or of your own: k, tk<float>, FILE.cu:k"}, {0}},
    .size = sizeof(struct sass_options), .run = run_sass};
