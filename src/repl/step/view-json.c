/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a stepped launch is, as the result of a JSON object.
 */
#include "repl/step/frames.h"
#include "repl/step/points.h"
#include "repl/step/variables.h"

#include <string.h>

const char *stepping_stop_name(enum step_stop stop)
{
    static const char *const names[] = {
        [STEP_THERE] = "there",         [STEP_AT_BEGIN] = "begin",
        [STEP_AT_END] = "end",          [STEP_OF_THREAD] = "thread-end",
        [STEP_AT_BREAK] = "break",      [STEP_AT_WATCH] = "watch",
        [STEP_NOT_THERE] = "not-there", [STEP_STOPPED] = "stopped",
        [STEP_NO_MEMORY] = "no-memory"};
    return names[stop];
}

static const char *state_word(enum step_state state)
{
    static const char *const words[] = {[STEP_READY] = "ready",
                                        [STEP_WAITS_BLOCK] = "barrier",
                                        [STEP_WAITS_CLUSTER] = "cluster",
                                        [STEP_WAITS_LANES] = "lanes"};
    return words[state];
}

static void put_group(struct json *j, const struct step_group *g)
{
    json_object(j, NULL);
    json_hex(j, "lanes", g->mask);
    if (g->next->line)
        json_int(j, "line", g->next->line);
    if (g->next->text)
        json_text(j, "ptx", g->next->text);
    json_text(j, "state", state_word(g->state));
    json_uint(j, "depth", g->depth);
    json_end_object(j);
}

static void put_warp(struct json *j, const struct step_warp *w)
{
    json_hex(j, "existing", w->existing);
    json_hex(j, "alive", w->alive);
    json_array(j, "groups");
    for (unsigned i = 0; i < w->count; i++)
        put_group(j, &w->group[i]);
    json_end_array(j);
}

static void put_warps(struct stepped *st, struct json *j)
{
    const struct step_blocks b = step_look_blocks(st->stepper);
    struct step_warp w;
    json_array(j, "warps");
    for (unsigned i = 0; i < b.warps; i++) {
        if (!step_look_warp(st->stepper, stepper_focus(st->stepper).block, i, &w))
            break;
        json_object(j, NULL);
        json_uint(j, "warp", i);
        put_warp(j, &w);
        json_end_object(j);
    }
    json_end_array(j);
}

void stepping_value_json(struct json *j, const char *key, const struct step_value *v)
{
    float f;
    double d;
    switch (v->type) {
    case SIM_PRED: json_bool(j, key, v->bits != 0); break;
    case SIM_F32:
        memcpy(&f, &v->bits, sizeof f);
        json_f32(j, key, f);
        break;
    case SIM_F64:
        memcpy(&d, &v->bits, sizeof d);
        json_f64(j, key, d);
        break;
    case SIM_F16: json_f16(j, key, (uint16_t)v->bits); break;
    case SIM_BF16: json_bf16(j, key, (uint16_t)v->bits); break;
    case SIM_S8: json_int(j, key, (int8_t)v->bits); break;
    case SIM_S16: json_int(j, key, (int16_t)v->bits); break;
    case SIM_B32:
    case SIM_S32: json_int(j, key, (int32_t)v->bits); break;
    case SIM_B64:
    case SIM_S64: json_int(j, key, (int64_t)v->bits); break;
    default: json_uint(j, key, v->bits);
    }
}

static void put_registers(struct stepped *st, struct json *j)
{
    struct step_names names;
    struct step_warp w;
    const struct step_focus f = stepper_focus(st->stepper);
    const struct step_group *g =
        step_look_warp(st->stepper, f.block, f.warp, &w) ? step_group_of(&w, f.lane) : NULL;
    const uint32_t mask = g ? g->mask : 0;
    variables_json(st, g, j);
    step_names_of_line(st->stepper, &names);
    json_object(j, "registers");
    for (unsigned i = 0; i < names.count; i++) {
        json_array(j, names.name[i]);
        for (unsigned lane = 0; lane < STEP_LANES; lane++) {
            struct step_value v;
            if ((mask >> lane & 1) && step_look_register(st->stepper, lane, names.name[i], &v))
                stepping_value_json(j, NULL, &v);
            else
                json_null(j, NULL);
        }
        json_end_array(j);
    }
    json_end_object(j);
}

static void put_access(struct stepped *st, struct json *j)
{
    struct step_access a;
    if (!stepper_access(st->stepper, &a))
        return;
    json_object(j, "access");
    json_text(j, "space", a.shared ? "shared" : "global");
    json_text(j, "kind", a.store ? "write" : "read");
    json_uint(j, "bytes", a.bytes);
    json_hex(j, "lanes", a.mask);
    if (a.shared) { /* addresses of global memory differ from run to run */
        json_array(j, "at");
        for (unsigned i = 0; i < STEP_LANES; i++)
            if (a.mask >> i & 1)
                json_uint(j, NULL, a.address[i]);
            else
                json_null(j, NULL);
        json_end_array(j);
    }
    json_end_object(j);
}

static void put_shared(struct stepped *st, struct json *j)
{
    enum { VALUES_MOST = 1024 };
    struct step_shared s;
    struct lane_array a;
    json_array(j, "shared");
    for (unsigned i = 0; stepping_shared_array(st, i, &s, &a); i++) {
        if (!s.bytes)
            continue;
        json_object(j, NULL);
        if (s.name)
            json_text(j, "name", stepping_shared_name(s.name));
        json_uint(j, "at", s.at);
        json_uint(j, "bytes", s.bytes);
        const uint64_t size = a.type_known ? element_size(a.type) : 0;
        if (size && s.data && s.bytes / size <= VALUES_MOST) {
            json_text(j, "type", element_names[a.type]);
            json_array(j, "values");
            for (uint64_t k = 0; k < s.bytes / size; k++)
                element_json(j, NULL, a.type, s.data + k * size);
            json_end_array(j);
        }
        json_end_object(j);
    }
    json_end_array(j);
}

static void put_coming(struct stepped *st, struct json *j)
{
    struct step_coming c;
    if (!stepper_coming(st->stepper, &c))
        return;
    json_object(j, "next");
    json_uint(j, "block", c.block);
    json_uint(j, "warp", c.warp);
    if (c.code->line)
        json_int(j, "line", c.code->line);
    json_end_object(j);
}

static void put_output(struct stepped *st, struct json *j)
{
    const size_t count = step_print_count(st->stepper);
    struct buf text = {0};
    for (size_t i = st->printed; i < count; i++) {
        const struct sim_print *p = step_print_at(st->stepper, i);
        buf_add(&text, p->text, p->length);
    }
    json_lines(j, "output", buf_text(&text), text.len);
    buf_free(&text);
}

void stepping_json(struct stepped *st, enum step_stop stop, struct report *r)
{
    struct json *j = &r->result;
    const struct step_focus f = stepper_focus(st->stepper);
    const struct sim_instruction *next = stepper_next(st->stepper);
    const struct sim_fault *fault = step_look_fault(st->stepper);
    const uint64_t last = stepper_last_place(st->stepper);
    struct step_warp w;
    json_uint(j, "place", stepper_place(st->stepper));
    if (last != UINT64_MAX)
        json_uint(j, "last", last);
    json_bool(j, "ended", stepper_has_ended(st->stepper));
    json_text(j, "stop", stepping_stop_name(stop));
    if (stepper_at_point(st->stepper))
        json_int(j, "point", stepper_at_point(st->stepper));
    json_uint(j, "block", f.block);
    json_uint(j, "warp", f.warp);
    json_uint(j, "lane", f.lane);
    if (next) {
        if (next->line)
            json_int(j, "line", next->line);
        if (next->file)
            json_text(j, "file", next->file);
        if (next->text)
            json_text(j, "ptx", next->text);
        json_int(j, "ptx_line", next->ptx_line);
        json_text(j, "function", next->function);
    }
    if (step_look_warp(st->stepper, f.block, f.warp, &w))
        put_warp(j, &w);
    frames_json(st, j);
    choices_json(st, j);
    put_warps(st, j);
    put_registers(st, j);
    put_shared(st, j);
    put_access(st, j);
    put_coming(st, j);
    displays_json(st, j);
    put_output(st, j);
    if (fault)
        json_text(j, "fault", sim_fault_name(fault->kind));
}
