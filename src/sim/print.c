/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a kernel calls but does not contain: vprintf and the assertion handler.
 *
 * Arguments lie in the thread's memory at natural alignment, floats promoted to double. Each
 * call's text is kept with its block and thread; who shows it decides on the order. The
 * buffer is as big as the device's, and what does not fit is counted, not lost in silence.
 */
#include "sim/reach.h"

#include "base/format.h"

#include <stdio.h>
#include <string.h>

struct arguments {
    struct warp *w;
    unsigned lane;
    uint64_t at;
};

static bool take(void *self, void *out, size_t bytes)
{
    struct arguments *a = self;
    uint64_t left;
    a->at = (a->at + bytes - 1) / bytes * bytes;
    const unsigned char *p = reach_generic(a->w, a->lane, a->at, &left);
    memset(out, 0, bytes);
    if (!p || left < bytes)
        return false;
    memcpy(out, p, bytes);
    a->at += bytes;
    return true;
}

/* No more than this computer's memory could hold. */
static size_t at_most(uint64_t bytes)
{
    return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

/* A string of the device's, or NULL; its length is bounded by what holds it. */
static const char *text_at(struct warp *w, unsigned lane, uint64_t address, size_t *n)
{
    uint64_t left;
    const char *p = (const char *)reach_generic(w, lane, address, &left);
    const uint64_t most = w->launch->sim->limits.printf_bytes + 1; /* more is not printed anyway */
    *n = p ? strnlen(p, at_most(left < most ? left : most)) : 0;
    w->launch->text_made += *n;
    return p;
}

static const char *argument_text(void *self, uint64_t address, size_t *n)
{
    const struct arguments *a = self;
    return address ? text_at(a->w, a->lane, address, n) : NULL;
}

static int keep(struct warp *w, unsigned lane, const struct buf *text)
{
    struct sim_run *r = w->launch;
    if (r->print_bytes + text->len > r->sim->limits.printf_bytes) {
        r->prints_lost++;
        return 0;
    }
    if (mem_grow(&r->sim->allocator, (void **)&r->prints, &r->print_capacity, r->print_count,
                 sizeof *r->prints) < 0)
        return -1;
    char *copy = arena_text(&r->arena, buf_text(text), text->len);
    if (!copy)
        return -1;
    r->print_bytes += text->len;
    r->prints[r->print_count++] =
        (struct sim_print){r->blocks_before + w->block->index, (uint64_t)w->index * LANES + lane, copy, text->len};
    return 0;
}

static bool print_lane(struct warp *w, const struct call *c, unsigned lane)
{
    struct arguments a = {w, lane, call_value(w, c, lane, 1)};
    const struct format_source from = {take, argument_text, &a};
    struct buf out = {0};
    size_t n;
    int32_t result = -1;
    const char *text = text_at(w, lane, call_value(w, c, lane, 0), &n);
    out.most = at_most(w->launch->sim->limits.printf_bytes);
    if (text)
        result = format_like_printf(&from, text, n, &out);
    w->launch->prints_lost += out.full;
    w->launch->text_made += out.len;
    bool ok = out.full || (!out.failed && keep(w, lane, &out) == 0);
    buf_free(&out);
    call_give(w, c, lane, (uint32_t)result);
    return ok;
}

/* __assertfail(message, file, line, function, char size) */
static enum after assert_lane(struct warp *w, const struct call *c, unsigned lane)
{
    size_t n, file_n;
    const char *text = text_at(w, lane, call_value(w, c, lane, 0), &n);
    const char *file = text_at(w, lane, call_value(w, c, lane, 1), &file_n);
    run_fault(w, SIM_ASSERT, lane, "%.*s:%u: the assertion `%.*s` failed",
              (int)(file_n < 80 ? file_n : 80), file ? file : "",
              (unsigned)call_value(w, c, lane, 2),
              (int)(n < 100 ? n : 100), text ? text : "");
    return FAULTED;
}

enum after print_call(struct warp *w, const struct call *c, uint32_t mask)
{
    if (c->function == CALL_ASSERT)
        return assert_lane(w, c, lane_first(mask));
    struct sim_run *r = w->launch;
    const uint64_t part = r->text_made / TEXT_PART;
    EACH_LANE(i, mask)
        if (!print_lane(w, c, i))
            return run_out_of_memory(w->launch);
    if (r->text_made / TEXT_PART != part) { /* so much takes time: the caller may look at it */
        w->yields = true;
        r->given -= w->left;
        w->left = 0;
    }
    return GO;
}
