/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the screens of labs share: the head line with the device at its right, counts, counters,
 * faults, the trace. All of it is text in the report's screen and fits its width.
 */
#include "labkit/run.h"

#include "base/lines.h"
#include "own/cause.h"
#include "screen/wrap.h"
#include "screen/paint.h"
#include "screen/pen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- counts and the head --------------------------------------------------------------- */

/* "sim (H100)" */
static void device_label(const struct device *d, char *out, size_t size)
{
    const char *model = d->props.profile ? d->props.profile : d->props.name;
    int n = snprintf(out, size, "%s (", d->kind);
    for (; model && *model && n + 2 < (int)size; model++) {
        bool raise = d->props.profile && *model >= 'a' && *model <= 'z'; /* in any locale */
        out[n++] = raise ? (char)(*model - 'a' + 'A') : *model;
    }
    snprintf(out + n, size - (size_t)n, ")");
}

void say_head(struct report *r, const struct session *s, const char *left)
{
    char device[100];
    device_label(s->device, device, sizeof device);
    int wide = (int)strlen(device);
    if (r->plain) {
        say_wrapped(r, 0, "%s; device %s.", left, device);
        return;
    }
    text_wrap(&r->screen, left, strlen(left), r->width, 2);
    if (r->screen.failed)
        return;
    /* The device stands at the end of the last line if it fits, else on a line of its own. */
    r->screen.data[--r->screen.len] = '\0';
    int column = screen_column(r);
    if (column + 2 + wide > r->width) {
        say(r, "\n");
        column = 0;
    }
    say(r, "%*s", r->width - wide - column > 0 ? r->width - wide - column : 0, "");
    say_in(r, INK_DIM, "%s\n", device);
}

/* ---- counters -------------------------------------------------------------------------- */

uint64_t counter_at(const struct counters *c, size_t offset)
{
    uint64_t v;
    memcpy(&v, (const char *)c + offset, sizeof v);
    return v;
}

/* "shared_load_requests" reads better without its underscores. */
static void say_counter(struct report *r, const char *name, uint64_t v)
{
    char words[40], number[NUM_TEXT];
    snprintf(words, sizeof words, "%s", name);
    for (char *c = words; *c; c++)
        if (*c == '_')
            *c = ' ';
    say(r, "  %-26s %*s\n", words, r->width < 50 ? r->width - 30 : 20,
        num_group((int64_t)v, number));
}

/* The modelled time of all launches, and the part that takes longest. Where that is the launch itself,
 * the time says nothing of the kernel. */
static void say_modelled(struct report *r)
{
    enum { PERCENT = 100 };
    struct model_time t;
    char all[40] = "";
    if (!report_modelled(r, &t) || t.bound == MODEL_LAUNCH)
        return;
    if (r->modelled > 1)
        snprintf(all, sizeof all, ", %u launches", r->modelled);
    const double share = t.part[t.bound] / t.seconds;
    say_item(r, "time", "%.3g ms%s, modelled: %.0f %% %s", t.seconds * 1e3, all,
             share < 1 ? share * PERCENT : PERCENT, model_part_names[t.bound].says);
}

void say_time(struct report *r, const struct launch_result *result)
{
    char all[40] = "";
    say_modelled(r);
    if (!r->volatile_on || !result->runs)
        return;
    if (result->launches > 1)
        snprintf(all, sizeof all, " for %u launches", result->launches);
    if (result->runs > 1)
        say_item(r, "time", "%.4g ms%s, the median of %u runs; fastest %.4g, mean %.4g",
                 result->measured_s * 1e3, all, result->runs, result->min_s * 1e3,
                 result->mean_s * 1e3);
    else
        say_item(r, "time", "%.4g ms%s", result->measured_s * 1e3, all);
}

void say_counters(struct report *r, const struct counters *c)
{
    for (const struct counter_name *n = counter_names; n->name; n++)
        if (counter_at(c, n->offset))
            say_counter(r, n->name, counter_at(c, n->offset));
}

/* ---- faults ---------------------------------------------------------------------------- */

static bool is_one_number(const unsigned v[3])
{
    return !v[1] && !v[2];
}

/* "3", or "(3,1,0)" where there is more than one direction, also in the place beside it. */
static void put_index(struct buf *b, const unsigned v[3], const unsigned beside[3])
{
    if (!is_one_number(v) || !is_one_number(beside))
        buf_printf(b, "(%u,%u,%u)", v[0], v[1], v[2]);
    else
        buf_printf(b, "%u", v[0]);
}

static void put_place(struct buf *b, const struct fault_place *p, const struct fault_place *beside)
{
    buf_puts(b, "block ");
    put_index(b, p->block, beside->block);
    buf_puts(b, ", thread ");
    put_index(b, p->thread, beside->thread);
    if (p->file[0] && p->line > 0)
        buf_printf(b, ", at %s:%d", p->file, p->line);
}

/* What happened, which thread did it where, the other thread, and how often. */
static void put_fault(struct buf *b, const struct fault *f)
{
    buf_printf(b, "%s: %s", f->kind, f->message);
    if (f->of_host && f->has_place) {
        buf_printf(b, "\n  in the host's code, at %s:%d", f->at.file, f->at.line);
    } else if (f->has_place) {
        buf_puts(b, "\n  ");
        put_place(b, &f->at, f->has_other ? &f->other : &f->at);
    }
    if (f->has_other && f->of_host) {
        buf_printf(b, "\n  and at %s:%d", f->other.file, f->other.line);
    } else if (f->has_other) {
        buf_puts(b, "\n  after ");
        put_place(b, &f->other, &f->at);
    }
    if (f->count > 1)
        buf_printf(b, "\n  %" PRIu64 " times in all; this is %s", f->count,
                   f->retold ? "one of them" : "the first");
}

/* The first few pairs of lines, and what ended the launch; `findings --all` has the others. */
static bool is_shown(const struct report *r, unsigned i)
{
    enum { MOST = 5 };
    return r->faults_all || i < MOST || r->faults[i].ends;
}

void say_faults(struct report *r)
{
    struct buf text = {0};
    unsigned hidden = 0;
    r->faults_said = true;
    for (unsigned i = 0; i < r->fault_count; i++) {
        hidden += !is_shown(r, i);
        if (!is_shown(r, i))
            continue;
        buf_clear(&text);
        put_fault(&text, &r->faults[i]);
        say(r, "%-7s", r->faults[i].ends ? "fault" : "found");
        text_wrap(&r->screen, buf_text(&text), text.len, r->width, 7);
    }
    if (hidden)
        say(r, "       and %u more%s\n", hidden, r->alone ? "" : "; `findings --all` shows them");
    buf_free(&text);
}

/* ---- the lines that faults point to, each once ------------------------------------------ */

/* A line of the student's own file, or of a lab's kernels. */
static struct span quoted_line(const struct session *s, const char *file, int line)
{
    return trim(line_at(kernel_source(s, file), line));
}

static bool same_line(const struct fault_place *a, const struct fault_place *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* Is this the line of one of the first `count` faults? */
static bool was_quoted(const struct report *r, unsigned count, const struct fault_place *p)
{
    for (unsigned i = 0; i < count; i++) {
        const struct fault *f = &r->faults[i];
        if (same_line(&f->at, p) || (f->has_other && same_line(&f->other, p)))
            return true;
    }
    return false;
}

static void quote(struct report *r, const struct session *s, const struct fault_place *p)
{
    struct span line = p->line ? quoted_line(s, p->file, p->line) : SPAN("");
    if (!line.n)
        return;
    say(r, "       %6d  ", p->line);
    code_wrap(&r->screen, line.at, line.n, r->width, "               ");
}

void say_quotes(struct report *r, const struct session *s)
{
    for (unsigned i = 0; i < r->fault_count; i++) {
        const struct fault *f = &r->faults[i];
        if (!is_shown(r, i))
            continue;
        if (!was_quoted(r, i, &f->at))
            quote(r, s, &f->at);
        if (f->has_other && !same_line(&f->at, &f->other) && !was_quoted(r, i, &f->other))
            quote(r, s, &f->other);
    }
}

/* ---- the trace ------------------------------------------------------------------------- */

enum { LINE_COLUMNS = 5, LANES_COLUMNS = 10, INSTRUCTION_LEAST = 20, INSTRUCTION_MOST = 36,
       VALUES_LEAST = 12 };

/* "0-31" for lanes in a row, "5" for one, the mask itself for others. */
static void lanes_text(uint32_t mask, char out[16])
{
    if (mask == 0) {
        snprintf(out, 16, "none");
        return;
    }
    int first = __builtin_ctz(mask), last = 31 - __builtin_clz(mask);
    uint64_t row = (UINT64_C(2) << last) - (UINT64_C(1) << first);
    if (first == last)
        snprintf(out, 16, "%d", first);
    else if (row == mask)
        snprintf(out, 16, "%d-%d", first, last);
    else
        snprintf(out, 16, "0x%08" PRIx32, mask);
}

/* The 32 bits of a shuffle have no type. If they are a float of usual size, show a float. */
static bool is_shuffled_float(const struct trace_step *t, uint32_t bits)
{
    uint32_t exponent = bits >> 23 & 0xff;
    return t->kind == SIM_CLASS_SHUFFLE && exponent > 127 - 32 && exponent < 127 + 32;
}

static const char *value_text(const struct trace_step *t, int lane, char out[NUM_TEXT])
{
    uint32_t bits = (uint32_t)t->values[lane];
    float f;
    if (!t->is_float && !is_shuffled_float(t, bits)) {
        snprintf(out, NUM_TEXT, "%" PRId64, (int64_t)t->values[lane]);
        return out;
    }
    memcpy(&f, &bits, sizeof f);
    return num_f32(f, out);
}

/* The results of the first active lanes, as many as fit. */
static void say_values(struct report *r, const struct trace_step *t, int room)
{
    char text[NUM_TEXT];
    uint32_t left = t->has_values ? t->mask : 0;
    if (t->kind == SIM_CLASS_BRANCH) {
        lanes_text(t->taken, text);
        say(r, " taken by %s\n", text);
        return;
    }
    for (; left; left &= left - 1) {
        value_text(t, __builtin_ctz(left), text);
        int wide = (int)strlen(text) + 1;
        if (room < wide + (left & (left - 1) ? 4 : 0))
            break;
        say(r, " %s", text);
        room -= wide;
    }
    if (left && room >= 4)
        say(r, " ...");
    say(r, "\n");
}

/* Writes the values of a step, each with the number of neighbouring lanes that have it. */
static void put_values_in_words(struct buf *out, const struct trace_step *t)
{
    char text[NUM_TEXT], next[NUM_TEXT];
    unsigned times = 1;
    for (uint32_t left = t->mask; left; left &= left - 1, times++) {
        uint32_t rest = left & (left - 1);
        value_text(t, __builtin_ctz(left), text);
        if (rest && strcmp(value_text(t, __builtin_ctz(rest), next), text) == 0)
            continue;
        buf_printf(out, " %s", text);
        if (times > 1)
            buf_printf(out, " (%u times)", times);
        buf_puts(out, rest ? "," : "");
        times = 0;
    }
}

/* Says a step in sentences: "Line 29: ld.global.f32 %f1, [%rd2]; by lanes 0 to 31. Values: 10 (32
 * times)." */
static void tell_step(struct report *r, const struct trace_step *t)
{
    struct buf out = {0};
    char lanes[16];
    uint32_t low = t->mask & (~t->mask + 1);
    if (t->line > 0)
        buf_printf(&out, "Line %d: ", t->line);
    lanes_text(t->mask, lanes);
    buf_printf(&out, "%s by ", t->text);
    if (t->mask && !(t->mask & (t->mask + low)) && (t->mask & (t->mask - 1)))
        buf_printf(&out, "lanes %d to %d.", __builtin_ctz(t->mask), 31 - __builtin_clz(t->mask));
    else
        buf_printf(&out, "%s %s.", t->mask & (t->mask - 1) ? "lanes" : "lane", lanes);
    if (t->kind == SIM_CLASS_BRANCH) {
        lanes_text(t->taken, lanes);
        buf_printf(&out, " Taken by %s.", lanes);
    }
    if (t->has_values && t->mask) {
        buf_puts(&out, " Values:");
        put_values_in_words(&out, t);
        buf_puts(&out, ".");
    }
    pen_tell(r, &out, 2);
}

static int widest_instruction(const struct launch_result *result, size_t shown, int most)
{
    int widest = INSTRUCTION_LEAST;
    for (size_t i = 0; i < shown; i++) {
        int wide = (int)strlen(result->trace[i].text);
        if (wide > widest)
            widest = wide;
    }
    return widest < most ? widest : most;
}

void say_trace(struct report *r, const struct launch_result *result, unsigned most)
{
    size_t shown = most && most < result->trace_count ? most : result->trace_count;
    if (result->trace_count == 0)
        return;
    int most_wide = r->width - LINE_COLUMNS - LANES_COLUMNS - VALUES_LEAST;
    int wide = widest_instruction(
        result, shown, most_wide < INSTRUCTION_MOST ? most_wide : INSTRUCTION_MOST);
    int room = r->width - LINE_COLUMNS - wide - LANES_COLUMNS - 3;
    if (r->plain) {
        for (size_t i = 0; i < shown; i++)
            tell_step(r, &result->trace[i]);
        if (shown < result->trace_count)
            say(r, "  %zu more steps follow.\n", result->trace_count - shown);
        return;
    }
    say(r, "%*s  %-*s %-*s values\n", LINE_COLUMNS, "line", wide, "instruction", LANES_COLUMNS,
        "lanes");
    for (size_t i = 0; i < shown; i++) {
        const struct trace_step *t = &result->trace[i];
        char line[16] = "", lanes[16];
        if (t->line > 0)
            snprintf(line, sizeof line, "%d", t->line);
        lanes_text(t->mask, lanes);
        const bool whole = (int)strlen(t->text) <= wide;
        say(r, "%*s  %-*.*s%s %s", LINE_COLUMNS, line, whole ? wide : wide - 3,
            whole ? wide : wide - 3, t->text, whole ? "" : "...", lanes);
        if ((t->has_values && t->mask) || t->kind == SIM_CLASS_BRANCH)
            say(r, "%*s", LANES_COLUMNS - (int)strlen(lanes), "");
        say_values(r, t, room);
    }
    if (shown < result->trace_count)
        say(r, "%*s  and %zu more\n", LINE_COLUMNS, "", result->trace_count - shown);
}
