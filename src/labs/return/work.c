/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Returning a sum, run and told; see returning.h.
 */
#include "labs/return/work.h"

#include "labkit/lab.h"

#include <stdio.h>

/* Where a 64-bit Linux puts a variable of main(); our own would be another at every start. */
static const uint64_t stack_address = UINT64_C(0x7ffdc0ffee04);

/* ---- one run ---------------------------------------------------------------------------- */

static int launch(struct returning *w, const struct trial *t, struct attempt *got, int *sum)
{
    uint64_t at = stack_address;
    int tag = t->variant->tag;
    const struct lab_launch l = {.module = "return", .kernel = t->variant->kernel, .grid = {1},
                                 .block = {1}};
    if (tag == BY_NAME)
        return lab_variable(t->session, l.module, "sum", &at, t->report) ||
               trial_launch(t, &l, got, PARAMS(w->x, w->y)) ||
               session_fetch(t->session, sum, at, sizeof *sum, t->report);
    if (tag != BY_HOST_POINTER && lab_array(t->session, sizeof *sum, "sum", NULL, &at, t->report))
        return -1;
    return trial_launch(t, &l, got, PARAMS(w->x, w->y, at)) ||
           (tag != BY_HOST_POINTER && session_fetch(t->session, sum, at, sizeof *sum, t->report));
}

static int attempt(void *self, const struct trial *t, struct attempt *got)
{
    struct returning *w = self;
    int sum = 0; /* the host's variable */
    if (t->variant->tag == BY_MANAGED && trial_lacks_managed(t, "copy", got))
        return 0;
    if (launch(w, t, got, &sum))
        return -1;
    lab_arrays_free(t->session);
    got->value = sum;
    got->expected = w->x + w->y;
    got->right = t->variant->tag != BY_HOST_POINTER && sum == w->x + w->y;
    return 0;
}

/* ---- what is shown ---------------------------------------------------------------------- */

static void call_of(void *self, const struct lab_variant *v, char *out, size_t size)
{
    static const char *const last[] = {", dsum_p", "", ", sum_p", ", &sum"};
    const struct returning *w = self;
    snprintf(out, size, "%s<<<1, 1>>>(%d, %d%s)", v->kernel, w->x, w->y, last[v->tag]);
}

static int head(void *self, const struct lab_variant *v)
{
    struct returning *w = self;
    char line[120];
    snprintf(line, sizeof line, "%d + %d by a kernel, back to the host", w->x, w->y);
    if (v)
        call_of(w, v, line, sizeof line);
    say_head(w->report, w->session, line);
    if (v && v->tag == BY_HOST_POINTER && w->session->device->props.reads_host_pages == 1)
        say_item(w->report, "", "this GPU can read the host's pages (pageableMemoryAccess): in a "
                                "program of your own this would work here. cudalab runs kernels in "
                                "a process of their own, which has no such page.");
    return 0;
}

static void tell(void *self, const struct lab_variant *v, const struct attempt *got)
{
    static const char *const how[] = {"4 bytes to the host, by cudaMemcpy, which waits",
                                      "4 bytes to the host, by cudaMemcpyFromSymbol, which waits",
                                      "by the page that the host touches, after it has waited",
                                      ""};
    struct returning *w = self;
    say_item(w->report, "sum", "%d    %s", (int)got->value,
             got->right ? "right: as the host adds them" : "WRONG");
    say_item(w->report, "moved", "%s", how[v->tag]);
}

static void put(void *self, const struct lab_variant *v, const struct attempt *got)
{
    struct returning *w = self;
    struct json *j = &w->report->result;
    json_int(j, "x", w->x);
    json_int(j, "y", w->y);
    if (!v)
        return;
    json_text(j, "variant", v->name);
    json_int(j, "sum", (int64_t)got->value);
    json_int(j, "expected", (int64_t)got->expected);
    json_bool(j, "ok", attempt_ok(got));
}

static void slots_of(void *self, const struct lab_variant *v, const struct attempt *got,
                     struct slots *s)
{
    struct returning *w = self;
    (void)v;
    slot(s, "x", "%d", w->x);
    slot(s, "y", "%d", w->y);
    slot(s, "sum", "%d", w->x + w->y);
    slot(s, "value", "%d", got ? (int)got->value : 0);
}

static const struct host_call *calls_of(void *self, const struct lab_variant *v)
{
    static const char at_once[] = "the host does not wait: the call returns at once";
    static const char waits[] = "the copy waits for the kernel, the host for the copy";
    static const struct host_call calls[][6] = {
        [BY_POINTER] = {{"cudaMalloc(&dsum_p, 4)", NULL, "the host waits for the address"},
                        {"%s", NULL, at_once},
                        {"cudaMemcpy(&sum, dsum_p, 4, cudaMemcpyDeviceToHost)",
                         "4 bytes to the host", waits},
                        {"cudaFree(dsum_p)", NULL, "the host has its own copy by now"}},
        [BY_NAME] = {{"%s", NULL, at_once},
                     {"cudaMemcpyFromSymbol(&hsum, sum, 4)", "4 bytes to the host", waits}},
        [BY_MANAGED] = {{"cudaMallocManaged(&sum_p, 4)", NULL, "one address for both sides"},
                        {"%s", NULL, at_once},
                        {"cudaDeviceSynchronize()", NULL, "the host waits for the kernel"},
                        {"the host reads *sum_p", "the page that holds it, to the host",
                         "the kernel is done: the value is there"},
                        {"cudaFree(sum_p)", NULL, "after that nobody may read it"}},
        [BY_HOST_POINTER] = {{"%s", NULL, at_once},
                             {"cudaDeviceSynchronize()", NULL,
                              "returns an error, if anybody looks: the kernel was stopped"}}};
    (void)self;
    return calls[v->tag];
}

static const struct ladder_column columns[] = {
    {"stores", offsetof(struct counters, global_store_requests)}, {NULL, 0}};

struct old_ladder returning_ladder(struct returning *w, const struct lab_variant *variants)
{
    return (struct old_ladder){
        .session = w->session, .report = w->report, .args = w->args, .variants = variants,
        .file = "return", .value = "sum", .kind = VALUE_INT, .columns = columns,
        .calls_of = calls_of, .self = w, .attempt = attempt, .head = head, .tell = tell,
        .put = put, .slots = slots_of, .call = call_of};
}
