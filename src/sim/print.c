/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a kernel calls but does not contain: vprintf and the assertion handler.
 *
 * Arguments lie in the thread's memory at natural alignment, floats promoted to double. Each
 * call's text is kept with its block and thread; who shows it decides on the order. The
 * buffer is as big as the device's, and what does not fit is counted, not lost in silence.
 */
#include "sim/internal.h"

#include "base/buf.h"

#include <stdio.h>
#include <string.h>

struct arguments {
    struct warp *w;
    unsigned lane;
    uint64_t at;
};

static bool take(struct arguments *a, void *out, size_t bytes)
{
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

/* A string of the device's, or NULL; its length is bounded by what holds it. */
static const char *text_at(struct warp *w, unsigned lane, uint64_t address, size_t *n)
{
    uint64_t left;
    const char *p = (const char *)reach_generic(w, lane, address, &left);
    *n = p ? strnlen(p, left) : 0;
    return p;
}

static bool is_long(const char *spec, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (spec[i] == 'l' || spec[i] == 'j' || spec[i] == 'z' || spec[i] == 't')
            return true;
    return false;
}

/* Flags, width and precision without length modifiers, ready for the host's own printf. */
static void host_spec(char *out, size_t size, const char *spec, size_t n, const char *end)
{
    size_t k = 0;
    for (size_t i = 0; i + 1 < n && k + 8 < size; i++)
        if (!strchr("lhjztL", spec[i]))
            out[k++] = spec[i];
    snprintf(out + k, size - k, "%s", end);
}

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
static bool convert(struct arguments *a, const char *spec, size_t n, struct buf *out)
{
    char f[64], end[8] = {spec[n - 1], 0};
    uint64_t wide = 0;
    uint32_t word = 0;
    double real = 0;
    switch (spec[n - 1]) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        snprintf(end, sizeof end, "ll%c", spec[n - 1]);
        host_spec(f, sizeof f, spec, n, end);
        if (is_long(spec, n)) {
            if (!take(a, &wide, 8))
                return false;
        } else {
            if (!take(a, &word, 4))
                return false;
            bool sign = spec[n - 1] == 'd' || spec[n - 1] == 'i';
            int half = n > 3 && spec[n - 2] == 'h'   ? (spec[n - 3] == 'h' ? 2 : 1)
                       : n > 2 && spec[n - 2] == 'h' ? 1
                                                     : 0;
            if (half)
                word = half == 2 ? (sign ? (uint32_t)(int8_t)word : (uint8_t)word)
                                 : (sign ? (uint32_t)(int16_t)word : (uint16_t)word);
            wide = sign ? (uint64_t)(int64_t)(int32_t)word : word;
        }
        return buf_printf(out, f, (long long)wide) == 0;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        host_spec(f, sizeof f, spec, n, end);
        return take(a, &real, 8) && buf_printf(out, f, real) == 0;
    case 'c':
        host_spec(f, sizeof f, spec, n, end);
        return take(a, &word, 4) && buf_printf(out, f, (int)(unsigned char)word) == 0;
    case 'p': return take(a, &wide, 8) && buf_printf(out, "0x%llx", (unsigned long long)wide) == 0;
    case 's': {
        size_t length;
        if (!take(a, &wide, 8))
            return false;
        const char *text = wide ? text_at(a->w, a->lane, wide, &length) : NULL;
        char *copy = arena_text(&a->w->launch->arena, text ? text : "(null)", text ? length : 6);
        host_spec(f, sizeof f, spec, n, end);
        return copy && buf_printf(out, f, copy) == 0;
    }
    default: return buf_add(out, spec, n) == 0;
    }
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* A `*` in a specification takes an int from the arguments. */
static size_t resolve_stars(struct arguments *a, const char *spec, size_t n, char *out, size_t size)
{
    size_t k = 0;
    for (size_t i = 0; i < n && k + 14 < size; i++) {
        int32_t v;
        if (spec[i] == '*' && take(a, &v, 4))
            k += (size_t)snprintf(out + k, size - k, "%d", v < -4096 ? -4096 : v > 4096 ? 4096 : v);
        else if (spec[i] != '*')
            out[k++] = spec[i];
    }
    out[k] = 0;
    return k;
}

static void format(struct arguments *a, const char *text, size_t n, struct buf *out)
{
    for (size_t i = 0; i < n; i++) {
        size_t end = i + 1;
        char spec[64];
        if (text[i] != '%') {
            buf_putc(out, text[i]);
            continue;
        }
        if (end < n && text[end] == '%') {
            buf_putc(out, '%');
            i = end;
            continue;
        }
        while (end < n && strchr("-+ #0123456789.*lhjztL", text[end]))
            end++;
        if (end >= n) {
            buf_add(out, text + i, n - i);
            return;
        }
        size_t k = resolve_stars(a, text + i, end + 1 - i, spec, sizeof spec);
        if (k == 0 || !convert(a, spec, k, out))
            return;
        i = end;
    }
}

static uint64_t thread_of(const struct warp *w, unsigned lane)
{
    return (uint64_t)w->index * LANES + lane;
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
        (struct sim_print){w->block->index, thread_of(w, lane), copy, text->len};
    return 0;
}

static bool print_lane(struct warp *w, const struct call *c, unsigned lane)
{
    struct arguments a = {w, lane, call_value(w, c, lane, 1)};
    struct buf out;
    size_t n;
    int32_t result = 0;
    const char *text = text_at(w, lane, call_value(w, c, lane, 0), &n);
    buf_init(&out);
    if (text)
        format(&a, text, n, &out);
    bool ok = !out.failed && keep(w, lane, &out) == 0;
    result = (int32_t)out.len;
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
              (int)(file_n < 80 ? file_n : 80), file ? file : "", (unsigned)call_value(w, c, lane, 2),
              (int)(n < 100 ? n : 100), text ? text : "");
    return FAULTED;
}

enum after print_call(struct warp *w, const struct call *c, uint32_t mask)
{
    if (c->function == CALL_ASSERT)
        return assert_lane(w, c, lane_first(mask));
    for (uint32_t left = mask; left; left &= left - 1)
        if (!print_lane(w, c, lane_first(left)))
            return run_out_of_memory(w);
    return GO;
}
