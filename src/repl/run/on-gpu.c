/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program on the GPU of this computer, with NVIDIA's own runtime. No checker watches it there.
 * What it prints there can be compared with what it prints on the simulator.
 */
#include "repl/run/running.h"

#include "base/lines.h"
#include "screen/wrap.h"

#include <string.h>

/* Is there a GPU? A program that finds none only says so in its own words, or not at all. */
static int find_gpu(struct session *s, struct report *r)
{
    const struct device_waits waits = {&s->stop, &s->progress};
    struct err e;
    char why[200] = "";
    struct device *d = device_open("gpu", why, &waits, &e);
    if (!d)
        return report_fail_err(r, &e);
    device_close(d);
    return 0;
}

int run_on_gpu(struct running *w)
{
    const struct child_talk talk = {.fds = {-1, -1}, .listen = -1, .tell = run_tell, .ctx = w};
    return find_gpu(&w->sh->session, w->report) || run_compile(w, true, &w->gpu.built) ||
           run_start(w, &w->gpu, &talk);
}

/* ---- comparing ------------------------------------------------------------------------- */

enum { DIFFERENCES_SHOWN = 5 };

struct run_difference { unsigned line; struct span sim, gpu; };

/* The next line that differs; false: there is none. Both texts are behind it then. */
static bool next_difference(struct span *sim, struct span *gpu, unsigned *line,
                            struct run_difference *d)
{
    for (;;) {
        struct span a = {"", 0}, b = {"", 0};
        const bool more_sim = next_line(sim, &a), more_gpu = next_line(gpu, &b);
        if (!more_sim && !more_gpu)
            return false;
        ++*line;
        *d = (struct run_difference){*line, a, b};
        if (more_sim != more_gpu || a.n != b.n || memcmp(a.at, b.at, a.n) != 0)
            return true;
    }
}

static void say_one(struct report *r, const char *where, struct span text)
{
    say(r, "    %s  %.*s\n", where, (int)text.n, text.at);
}

static void difference_json(struct json *j, const struct run_difference *d)
{
    json_object(j, NULL);
    json_uint(j, "line", d->line);
    json_bytes(j, "sim", d->sim.at, d->sim.n);
    json_bytes(j, "gpu", d->gpu.at, d->gpu.n);
    json_end_object(j);
}

void run_say_differences(struct running *w)
{
    struct report *r = w->report;
    struct span sim = {buf_text(&w->sim.result.out), w->sim.result.out.len};
    struct span gpu = {buf_text(&w->gpu.result.out), w->gpu.result.out.len};
    struct run_difference d;
    unsigned line = 0, count = 0;
    json_object(&r->result, "compare");
    json_array(&r->result, "differences");
    while (next_difference(&sim, &gpu, &line, &d)) {
        difference_json(&r->result, &d);
        if (++count > DIFFERENCES_SHOWN)
            continue;
        if (count == 1)
            say_item(r, "differs", "the outputs of the simulator and the GPU are not the same");
        say(r, "  line %u\n", d.line);
        say_one(r, "sim", d.sim);
        say_one(r, "gpu", d.gpu);
    }
    json_end_array(&r->result);
    json_uint(&r->result, "lines", line);
    json_uint(&r->result, "different", count);
    json_int(&r->result, "exit_status_on_gpu", w->gpu.result.code);
    json_end_object(&r->result);
    if (count > DIFFERENCES_SHOWN)
        say(r, "  and %u more lines; --json has them all\n", count - DIFFERENCES_SHOWN);
    if (count == 0)
        say_item(r, "same", "on the simulator and on the GPU, all %u lines of output", line);
    if (w->sim.result.end != w->gpu.result.end || w->sim.result.code != w->gpu.result.code)
        say_item(r, "differs", "the exit status: %d on the simulator, %d on the GPU",
                 w->sim.result.code, w->gpu.result.code);
}
