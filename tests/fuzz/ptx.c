/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whatever bytes are loaded as PTX: read and decoded, every kernel and variable listed, every
 * kernel run for a few steps, unloaded; in 64 MB. Its parameters are an array's address, again and
 * again. Bytes that begin with a 0 are choices, of which frames.c makes a program: there the array
 * must hold the right value. Then once more, with one of its allocations failing: which one, the
 * bytes say. A crash, a leak, undefined behaviour, a hang and memory not given back are findings;
 * so is a failure without a sentence.
 */
#include "base/hash.h"
#include "frames.h"
#include "limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 64 << 20, STEPS = 300, THREADS = 33, PARAM_BYTES = 1 << 16, KERNELS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

/* Reads the text to its end, as whoever shows it would. */
static size_t seen(const char *text)
{
    return text ? strlen(text) : 0;
}

static void list_kernel(const struct sim_kernel *k)
{
    must(k && seen(k->name) > 0, "a kernel has no name");
    must(!k->closed || seen(k->closed) > 0, "a closed kernel doesn't say why");
    seen(k->needs_what);
    for (unsigned i = 0; i < k->param_count; i++) {
        seen(k->params[i].name);
        must(k->params[i].offset + k->params[i].size <= k->param_bytes, "a parameter lies outside");
    }
}

static void list_variables(struct sim *s, const struct sim_module *m)
{
    char byte;
    for (size_t i = 0; i < sim_variable_count(m); i++) {
        const struct sim_variable *v = sim_variable_at(m, i);
        seen(v->name);
        if (v->size > 0)
            must(sim_read(s, v->address + v->size - 1, &byte, 1) == 0, "a variable has no memory");
    }
}

static void launch(struct sim *s, const struct sim_kernel *k, bool is_ours)
{
    uint64_t x = 0, params[PARAM_BYTES / sizeof x];
    uint32_t value = 0;
    sim_malloc(s, PARAM_BYTES, "x", &x);
    for (size_t i = 0; i < PARAM_BYTES / sizeof x; i++)
        params[i] = x;
    struct sim_run *r = sim_start(s, &(struct sim_launch){SIM_LAUNCH,
        .kernel = k, .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .params = params,
        .step_limit = STEPS});
    if (!r)
        return;
    enum sim_status status;
    while ((status = sim_step(r, STEPS)) == SIM_RUNNING)
        continue;
    const struct sim_result *out = sim_result(r);
    for (unsigned i = 0; i < out->fault_count; i++)
        must(seen(out->faults[i].message) > 0, "a fault says nothing");
    for (uint32_t i = 0; i < out->code_count; i++)
        seen(out->code[i].text), seen(out->code[i].file), seen(out->code[i].function);
    sim_finish(r);
    if (is_ours && status == SIM_DONE && x && sim_read(s, x, &value, sizeof value) == 0)
        must(value == FRAMES_VALUE, "a guard was another one's");
}

static void load(struct limit *limit, const char *ptx, size_t n, bool is_ours)
{
    struct sim_allocator from = limit_allocator(limit);
    struct sim *s = sim_open(&from);
    if (!s)
        return;
    struct sim_module *m = sim_module_load(s, "fuzz.ptx", ptx, n);
    must(m || seen(sim_message(s)) > 0, "loading fails without a sentence");
    for (size_t i = 0; m && i < sim_kernel_count(m); i++) {
        list_kernel(sim_kernel_at(m, i));
        if (i < KERNELS && sim_kernel_at(m, i)->param_bytes <= PARAM_BYTES)
            launch(s, sim_kernel_at(m, i), is_ours);
    }
    if (m) {
        list_variables(s, m);
        sim_module_unload(s, m);
    }
    sim_close(s);
    limit_end(limit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct limit all = {.bytes = MEMORY}, one_fails = {.bytes = MEMORY};
    const uint64_t hash = hash_bytes(1, data, n);
    bool is_ours = n && data[0] == 0;
    struct buf ptx = {0};
    if (is_ours)
        frames_program(&(struct choices){data + 1, data + n}, &ptx);
    else
        buf_add(&ptx, data, n);
    load(&all, buf_text(&ptx), ptx.len, is_ours);
    one_fails.fails_at = 1 + (hash >> 8) % all.requests;
    load(&one_fails, buf_text(&ptx), ptx.len, is_ours);
    buf_free(&ptx);
    return 0;
}
