/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fatbin`: what GPU code lies in a file that nvcc made, or in what cudalab has loaded, and which
 * piece of it each kind of device would take (cc/fatbin.h reads, and knows the rules).
 */
#include "cc/fatbin.h"
#include "cxx/name.h"
#include "dev/cards.h"
#include "labkit/run.h"
#include "repl/commands.h"
#include "repl/reading.h"
#include "screen/pen.h"
#include "screen/picture.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES_MOST = 32 };

/* A device to ask for: one that is there, or just a compute capability. */
struct wanted {
    char name[32];
    unsigned cc; /* 86 is 8.6 */
};

struct looking {
    struct fatbin fat;
    struct buf file;     /* its bytes, of a file that was opened */
    char shown[200];     /* its name on the screen */
    const char *kernel;  /* NULL: it is a file */
    struct wanted devices[DEVICES_MOST];
    unsigned count;
    unsigned own;        /* the container that the screen is about: the last with kernels */
};

/* ---- devices -------------------------------------------------------------------------- */

/* A bare number is shown as the name of its code: 86 as sm_86. */
static bool read_device(struct span word, struct wanted *w)
{
    bool bare = true;
    for (size_t i = 0; i < word.n; i++)
        bare = bare && isdigit((unsigned char)word.at[i]);
    snprintf(w->name, sizeof w->name, "%s%.*s", bare ? "sm_" : "",
             (int)(word.n < 28 ? word.n : 28), word.at);
    return capability_read(word, &w->cc);
}

static int read_devices(struct looking *l, const char *list, struct report *r)
{
    for (const char *at = list;; at++) {
        size_t n = strcspn(at, ",");
        if (l->count == DEVICES_MOST)
            return report_fail(r, "--archs: at most %d devices are possible", DEVICES_MOST);
        if (!read_device(trim((struct span){at, n}), &l->devices[l->count]))
            return report_fail(r, "--archs: `%.*s` is neither a compute capability nor a card: "
                               "write 75, 8.6, sm_90 or a name of `devquery --list`, with commas "
                               "between",
                               (int)(n < 40 ? n : 40), at);
        l->count++;
        at += n;
        if (!*at)
            return 0;
    }
}

/* The device in use, and then one card of each kind that the simulator knows. */
static void usual_devices(struct looking *l, const struct device_props *here)
{
    unsigned own = (unsigned)(here->major * 10 + here->minor), last = 0;
    snprintf(l->devices[0].name, sizeof l->devices[0].name, "%s",
             here->profile ? here->profile : "this one");
    l->devices[0].cc = own;
    l->count = 1;
    for (size_t i = 0; i < card_count && l->count < DEVICES_MOST; i++) {
        const struct card *card = &card_list[i];
        unsigned cc = (unsigned)(card->major * 10 + card->minor);
        if (cc == own || cc == last || !card_is_simulated(card))
            continue;
        last = cc;
        l->devices[l->count].cc = cc;
        snprintf(l->devices[l->count++].name, sizeof l->devices->name, "%s", card->profile);
    }
}

/* ---- what is looked into -------------------------------------------------------------- */

static int look_into(struct looking *l, struct shell *sh, struct span bytes, struct report *r)
{
    struct err e;
    if (fatbin_read(bytes, &l->fat, &sh->session.go_on, &e) == 0) {
        l->own = l->fat.containers;
        for (unsigned c = l->own; c > 1 && fat_is_empty(&l->fat, l->own); c--)
            l->own = fat_is_empty(&l->fat, c) ? l->own : c;
        return 0;
    }
    if (budget_end(&sh->session.budget) != BUDGET_LEFT)
        return session_load_failed(&sh->session, r, &e);
    return report_fail(r, "no GPU code in `%.100s`: %s", l->shown, e.text);
}

static int open_file(struct looking *l, struct shell *sh, const char *path, struct report *r)
{
    struct err e;
    snprintf(l->shown, sizeof l->shown, "%s", path);
    if (shell_read_text(sh, path, &l->file, &e) != 0)
        return report_fail_err(r, &e);
    return look_into(l, sh, (struct span){buf_text(&l->file), l->file.len}, r);
}

/* A lab, a lab's kernel and the student's own kernel are PTX. Any other name is a file. */
static int open_it(struct looking *l, struct shell *sh, const char *name, struct report *r)
{
    struct reading_wish wish;
    struct text_file ptx = {NULL, {"", 0}}, cu;
    if (strchr(name, '/'))
        return open_file(l, sh, name, r);
    if (reading_wish(sh, name, &wish, r) != 0)
        return -1;
    if (wish.lab)
        ptx = lab_file("kernels/ptx/%.60s.ptx", wish.lab->lab->module);
    else if (wish.kernel)
        ptx = (struct text_file){base_name(wish.unit->path),
                                 {buf_text(unit_ptx(wish.unit)), unit_ptx(wish.unit)->len}};
    else
        ptx = lab_of_kernel(name, &cu);
    if (!ptx.name && strchr(name, '.') == NULL && command_exact(sh, name))
        return reading_no_such(sh, name, r);
    if (!ptx.name)
        return open_file(l, sh, name, r);
    snprintf(l->shown, sizeof l->shown, "%s", ptx.name);
    l->kernel = name;
    return look_into(l, sh, ptx.text, r);
}

/* ---- what is shown -------------------------------------------------------------------- */

/* "scale(float*, int), shift": at most so many kernels, named as in the source. */
static void put_kernels(const struct fatbin *f, const struct fat_entry *entry, unsigned most,
                        struct buf *out)
{
    char readable[200];
    const unsigned count = entry->kernels;
    const char *at = fat_names(f, entry);
    for (unsigned i = 0; i < count && i < most; i++, at += strlen(at) + 1) {
        cxx_readable(at, readable, sizeof readable);
        buf_puts(out, i ? ", " : "");
        for (const char *c = readable; *c; c++) /* in a damaged file a name may hold anything */
            buf_putc(out, isprint((unsigned char)*c) ? *c : '?');
    }
    if (count > most)
        buf_printf(out, " and %u more", count - most);
    if (!count)
        buf_puts(out, entry->unread ? "?" : "none");
}

static void say_what(const struct looking *l, const struct session *s, struct report *r)
{
    static const char *const kinds[] = {"a program", "an object", "a shared library",
                                        "a fat binary by itself", "a cubin by itself", "PTX"};
    const struct fatbin *f = &l->fat;
    char head[400];
    int used = snprintf(head, sizeof head, "%s: %s%s%s", l->shown, kinds[f->of],
                        f->machine ? " for " : "", f->machine ? f->machine : "");
    if (f->of <= FAT_BARE)
        snprintf(head + used, sizeof head - (size_t)used, ", %u fat binar%s, %u entr%s",
                 f->containers, f->containers == 1 ? "y" : "ies", f->count,
                 f->count == 1 ? "y" : "ies");
    say_head(r, s, head);
}

static void say_entries(const struct fatbin *f, struct report *r)
{
    static const struct table_column columns[] = {
        {.head = "entry", .right = true, .tells = "entry %:"},
        {.head = "fat binary", .right = true, .gives_way = 2},
        {.head = "kind"}, {.head = "for", .tells = "for %"},
        {.head = "bytes", .right = true},
        {.head = "stored", .gives_way = 1, .tells = "stored %"},
        {.head = "kernels", .folds = true}};
    char target[32], bytes[NUM_TEXT], stored[NUM_TEXT];
    struct table t;
    struct buf kernels = {0};
    table_begin(&t, columns, 7, 2);
    for (unsigned i = 0; i < f->count; i++) {
        const struct fat_entry *e = &f->entries[i];
        buf_clear(&kernels);
        put_kernels(f, e, 4, &kernels);
        table_cell(&t, "%u", i + 1);
        table_cell(&t, "%u", e->container);
        table_cell(&t, "%s", fat_kind_names[e->kind]);
        table_cell(&t, "%s%s", fat_target(e, target), e->for_linker ? ", to be linked" : "");
        table_cell(&t, "%s", num_group((int64_t)e->unpacked, bytes));
        if (e->packing == FAT_PLAIN)
            table_cell(&t, "as it is");
        else
            table_cell(&t, "%s by %s", num_group((int64_t)e->size, stored),
                       fat_packing_names[e->packing]);
        table_cell(&t, "%s", buf_text(&kernels));
    }
    say_table(r, &t);
    buf_free(&kernels);
}

/* What a device takes of one container, in words. */
static void put_choice(const struct fatbin *f, const struct fat_entry *e, struct buf *out)
{
    char target[32];
    if (!e)
        buf_puts(out, "nothing: no kernel image");
    else
        buf_printf(out, "%s for %s, entry %d%s", fat_kind_names[e->kind], fat_target(e, target),
                   (int)(e - f->entries) + 1, e->kind == FAT_PTX ? ", compiled by the driver" : "");
}

static void say_choices(const struct looking *l, struct report *r)
{
    static const struct table_column columns[] = {
        {.head = "device"}, {.head = "cc", .right = true},
        {.head = "takes", .folds = true, .tells = "takes %"}};
    struct table t;
    struct buf takes = {0};
    table_begin(&t, columns, 3, 2);
    for (unsigned i = 0; i < l->count; i++) {
        buf_clear(&takes);
        for (unsigned c = 1; c <= l->fat.containers; c++) {
            if (c != l->own && fat_is_empty(&l->fat, c))
                continue;
            buf_puts(&takes, takes.len ? "; " : "");
            put_choice(&l->fat, fatbin_choose(&l->fat, c, l->devices[i].cc), &takes);
        }
        table_cell(&t, "%s", l->devices[i].name);
        table_cell(&t, "%u.%u", l->devices[i].cc / 10, l->devices[i].cc % 10);
        table_cell(&t, "%s", buf_text(&takes));
    }
    say_table(r, &t);
    buf_free(&takes);
}

/* ---- JSON ----------------------------------------------------------------------------- */

static void json_kernels(struct json *j, const struct fatbin *f, const struct fat_entry *e)
{
    const char *at = fat_names(f, e);
    if (e->unread)
        return;
    json_array(j, "kernels");
    for (unsigned i = 0; i < e->kernels; i++, at += strlen(at) + 1)
        json_text(j, NULL, at);
    json_end_array(j);
}

static void json_entries(struct json *j, const struct fatbin *f)
{
    static const char *const kinds[] = {"ptx", "cubin", "lto", "unknown"};
    char target[32];
    json_array(j, "entries");
    for (unsigned i = 0; i < f->count; i++) {
        const struct fat_entry *e = &f->entries[i];
        json_object(j, NULL);
        json_uint(j, "entry", i + 1);
        json_uint(j, "fatbin", e->container);
        json_text(j, "kind", kinds[e->kind]);
        json_text(j, "target", fat_target(e, target));
        json_uint(j, "arch", e->arch);
        json_uint(j, "bytes", e->unpacked);
        json_uint(j, "stored_bytes", e->size);
        json_bool(j, "compressed", e->packing != FAT_PLAIN);
        if (e->packing != FAT_PLAIN)
            json_text(j, "compression", fat_packing_names[e->packing]);
        json_bool(j, "debug", e->debug);
        json_bool(j, "to_be_linked", e->for_linker);
        json_kernels(j, f, e);
        json_end_object(j);
    }
    json_end_array(j);
}

static void json_choices(struct json *j, const struct looking *l)
{
    json_array(j, "devices");
    for (unsigned i = 0; i < l->count; i++)
        for (unsigned c = 1; c <= l->fat.containers; c++) {
            const struct fat_entry *e = fatbin_choose(&l->fat, c, l->devices[i].cc);
            json_object(j, NULL);
            json_text(j, "device", l->devices[i].name);
            json_uint(j, "arch", l->devices[i].cc);
            json_uint(j, "fatbin", c);
            json_text(j, "takes", !e ? "none" : e->kind == FAT_PTX ? "ptx" : "cubin");
            if (e)
                json_uint(j, "entry", (uint64_t)(e - l->fat.entries) + 1);
            json_end_object(j);
        }
    json_end_array(j);
}

/* ---- the command ---------------------------------------------------------------------- */

/* What the first device of the list takes. */
static const struct fat_entry *answer(const struct looking *l)
{
    return fatbin_choose(&l->fat, l->own, l->devices[0].cc);
}

static void say_answer(const struct looking *l, struct report *r)
{
    struct buf text = {0};
    buf_printf(&text, "%s (%u.%u) takes ", l->devices[0].name, l->devices[0].cc / 10,
               l->devices[0].cc % 10);
    put_choice(&l->fat, answer(l), &text);
    pen_tell(r, &text, 2);
    say(r, "\n");
}

static const char *explanation(const struct looking *l)
{
    const struct fat_entry *e = answer(l);
    bool linked = false;
    for (unsigned i = 0; i < l->fat.count; i++)
        linked = linked || (!l->fat.entries[i].for_linker && l->fat.entries[i].kind != FAT_LTO);
    return !linked           ? "linker"
           : !e              ? "none"
           : l->kernel       ? "kernel"
           : e->kind == FAT_PTX ? "jit"
                                : "cubin";
}

/* What the explanation says of the first device and of the entry that it takes. */
struct answer {
    const char *device, *file;
    char cc[12], least[12], target[32];
    unsigned arch, major;
};

static const struct fact answer_facts[] = {
    {FACT(struct answer, device)},
    {FACT(struct answer, file)},
    {FACT(struct answer, cc)},
    {FACT(struct answer, least)},
    {FACT(struct answer, target)},
    {FACT(struct answer, arch)},
    {FACT(struct answer, major)},
    {.name = NULL},
};

static void explain(const struct looking *l, struct report *r)
{
    const struct wanted *d = &l->devices[0];
    const struct fat_entry *e = answer(l);
    struct answer a = {.device = d->name, .file = l->kernel ? l->kernel : l->shown, .arch = d->cc,
                       .major = d->cc / 10};
    snprintf(a.cc, sizeof a.cc, "%u.%u", d->cc / 10, d->cc % 10);
    snprintf(a.least, sizeof a.least, "%u.%u", e ? e->arch / 10 : 0, e ? e->arch % 10 : 0);
    if (e)
        fat_target(e, a.target);
    lab_explain(r, "fatbin", explanation(l), answer_facts, &a);
}

static int show(const struct looking *l, const struct session *s, struct report *r)
{
    say_what(l, s, r);
    say_answer(l, r);
    say_entries(&l->fat, r);
    say(r, "\n");
    say_choices(l, r);
    if (l->own > 1 && fat_is_empty(&l->fat, 1))
        say_item(r, "",
                 "fat binaries without kernels come from the linking; they are left out here");
    json_text(&r->result, "file", l->shown);
    json_uint(&r->result, "fatbins", l->fat.containers);
    json_entries(&r->result, &l->fat);
    json_choices(&r->result, l);
    json_bool(&r->result, "ok", !l->fat.damage[0] && !l->fat.unread[0]);
    if (l->fat.damage[0])
        return report_fail(r, "`%.100s` is damaged: %s; the part before that is shown",
                           l->shown, l->fat.damage);
    explain(l, r);
    return l->fat.unread[0]
               ? report_fail(r, "`%.100s` was not read in full: %s", l->shown, l->fat.unread)
               : 0;
}

struct fatbin_options { const char *archs, *file; };

static int run_fatbin(struct session *session, const void *given, struct report *r)
{
    const struct fatbin_options *o = given;
    struct looking l = {.count = 0};
    if (!o->archs)
        usual_devices(&l, &session->device->props);
    else if (read_devices(&l, o->archs, r) != 0)
        return -1;
    int rc = open_it(&l, shell_of(session), o->file, r);
    if (rc == 0)
        rc = show(&l, session, r);
    fatbin_free(&l.fat);
    buf_free(&l.file);
    return rc;
}

const struct command command_fatbin = {
    .name = "fatbin", .kind = CLASS_READING,
    .summary = "the GPU code in a program, and which code each device uses",
    .options = (const struct arg_spec[]){
        {OPTION(struct fatbin_options, archs), .value = "LIST", .type = ARG_TEXT,
         .help = "the devices to compare, as in 75,8.6,sm_90,t4; default: this one and the known "
                 "cards"},
        {0}},
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct fatbin_options, file), .type = ARG_BINARY, .required = true,
         .help = "a program, object, cubin, fat binary or PTX; or a lab or kernel"}, {0}},
    .size = sizeof(struct fatbin_options), .run = run_fatbin};
