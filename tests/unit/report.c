/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report's JSON object: which keys, in which order, and what is left out. Launch results
 * are made by hand here, so no device runs.
 */
#include "screen/report.h"

#include <stdio.h>
#include <string.h>

static int tests;

static void is(const char *got, const char *wanted, const char *name)
{
    int good = strcmp(got, wanted) == 0;
    printf("%s %d - %s\n", good ? "ok" : "not ok", ++tests, name);
    if (!good)
        printf("# got:    %s\n# wanted: %s\n", got, wanted);
}

static void json_is(const struct report *r, const struct device *d, const char *wanted,
                    const char *name)
{
    struct buf out = {0};
    report_json(r, "cmd", d, &out);
    is(buf_text(&out), wanted, name);
    buf_free(&out);
}

static const struct device sim = {.props = {.profile = "h100"}, .kind = "sim"};
static const struct launch_want want = {.kernel = "any", .name = "k", .grid = {2, 1, 1},
                                        .block = {256, 1, 1}};

static struct fault make_fault(const char *kind, int line, int other_line)
{
    struct fault f = {.ends = true,
                      .has_place = true,
                      .has_address = true,
                      .at.line = line,
                      .at.thread = {5, 0, 0},
                      .address = 0x1000,
                      .index = 64,
                      .count = 2};
    snprintf(f.kind, sizeof f.kind, "%s", kind);
    snprintf(f.message, sizeof f.message, "said");
    snprintf(f.at.file, sizeof f.at.file, "k.cu");
    snprintf(f.array, sizeof f.array, "x");
    f.has_other = other_line > 0;
    f.other = f.at;
    f.other.line = other_line;
    return f;
}

/* Why a command did not end well, where nobody has said it. */
static void check_causes(void)
{
    struct report r;
    report_init(&r);
    is(report_cause(&r) == CAUSE_NONE ? "none" : "some", "none", "what is well has no cause");
    report_fail_limit(&r, "too much");
    is(cause_name(report_cause(&r)), "limit", "an error of a limit");
    report_fail(&r, "wrong");
    is(cause_name(report_cause(&r)), "script", "any other error");
    json_bool(&r.result, "ok", false);
    is(cause_name(report_cause(&r)), "check", "a result that the command itself found wrong");
    report_fault(&r, "timeout", "too long");
    is(cause_name(report_cause(&r)), "limit", "a timeout is a limit");
    report_fault(&r, "race-shared", "a race");
    is(cause_name(report_cause(&r)), "fault", "unless something else was found");
    r.cause = CAUSE_COMPILE;
    is(cause_name(report_cause(&r)), "compile", "what is said counts first");
    report_free(&r);
}

static void check_plain(void)
{
    struct report r;
    report_init(&r);
    json_is(&r, NULL, "{\"command\":\"cmd\",\"status\":\"ok\"}", "nothing known, nothing said");
    json_is(&r, &sim,
            "{\"command\":\"cmd\",\"status\":\"ok\",\"device\":\"sim\",\"model\":\"h100\"}",
            "the device and its model");
    report_fail(&r, "no `%s`", "such");
    r.error.line = 3;
    json_is(&r, NULL,
            "{\"command\":\"cmd\",\"status\":\"error\",\"cause\":\"script\","
            "\"error\":{\"message\":\"no `such`\",\"line\":3}}",
            "an error with its line");
    report_free(&r);
}

static void check_result(void)
{
    struct report r;
    report_init(&r);
    json_int(&r.result, "degree", 4);
    json_bool(&r.result, "ok", true);
    json_object(&r.variants, NULL);
    json_text(&r.variants, "variant", "a");
    json_end_object(&r.variants);
    json_object(&r.variants, NULL);
    json_text(&r.variants, "variant", "b");
    json_end_object(&r.variants);
    buf_puts(&r.explain, "because");
    json_is(&r, NULL,
            "{\"command\":\"cmd\",\"status\":\"ok\",\"result\":{\"degree\":4,\"ok\":true},"
            "\"variants\":[{\"variant\":\"a\"},{\"variant\":\"b\"}],\"explain\":\"because\"}",
            "result, variants and explanation");
    report_free(&r);
}

static void check_launches(void)
{
    struct report r;
    struct launch_result none = {0};
    report_init(&r);
    report_launch_add(&r, &want, &none);
    json_is(&r, NULL,
            "{\"command\":\"cmd\",\"status\":\"ok\",\"kernel\":\"k\",\"grid\":[2,1,1],"
            "\"block\":[256,1,1],\"shared_bytes\":0,\"output\":[],\"faults\":[]}",
            "one launch stands at the top");
    report_launch_add(&r, &want, &none);
    json_is(&r, NULL,
            "{\"command\":\"cmd\",\"status\":\"ok\",\"launches\":[{\"kernel\":\"k\","
            "\"grid\":[2,1,1],\"block\":[256,1,1],\"shared_bytes\":0},{\"kernel\":\"k\","
            "\"grid\":[2,1,1],\"block\":[256,1,1],\"shared_bytes\":0}],\"output\":[],"
            "\"faults\":[]}",
            "several stand in a list");
    report_free(&r);
}

static void check_output(void)
{
    struct launch_print prints[] = {
        {1, 0, "c\n", 2}, {0, 33, "b", 1}, {0, 2, "a\n", 2}, {0, 33, "!\n", 2}, {1, 0, "\xFF", 1}};
    struct launch_result result = {.prints = prints, .print_count = 5};
    struct report r;
    report_init(&r);
    report_launch_add(&r, &want, &result);
    is(buf_text(&r.output), "a\nb!\nc\n\xFF", "output by block and thread, each thread's in turn");
    r.launch_count = 0; /* keep the line below short */
    json_is(&r, NULL,
            "{\"command\":\"cmd\",\"status\":\"ok\",\"output\":[\"a\",\"b!\",\"c\","
            "\"\xEF\xBF\xBD\"]}",
            "lines; bytes that aren't UTF-8 are replaced");
    r.launch_count = 1;
    report_free(&r);
}

static void check_faults(void)
{
    struct fault faults[] = {make_fault("race-shared", 7, 9), make_fault("race-shared", 7, 9),
                             make_fault("race-shared", 7, 8)};
    struct launch_result result = {.faults = faults, .fault_count = 3};
    struct report r;
    report_init(&r);
    report_launch_add(&r, &want, &result);
    is(r.status == REPORT_FAULT ? "fault" : "other", "fault", "a fault makes the status");
    is(r.fault_count == 2 && r.faults[0].count == 4 ? "merged" : "not", "merged",
       "one a kind and pair of lines, with a count");
    r.fault_count = 1;
    r.launch_count = 0;
    json_is(&r, NULL,
            "{\"command\":\"cmd\",\"status\":\"fault\",\"cause\":\"fault\","
            "\"faults\":[{\"kind\":\"race-shared\","
            "\"message\":\"said\",\"source\":\"k.cu:7\",\"block\":[0,0,0],\"thread\":[5,0,0],"
            "\"array\":\"x\",\"index\":64,\"count\":4,\"other\":{\"source\":\"k.cu:9\","
            "\"block\":[0,0,0],\"thread\":[5,0,0]}}]}",
            "all that is known of a fault, but no address");
    r.volatile_on = true;
    struct buf out = {0};
    report_json(&r, "cmd", NULL, &out);
    is(strstr(buf_text(&out), "\"address\":\"0x1000\"") ? "there" : "not", "there",
       "the address is shown where volatile things are");
    buf_free(&out);
    r.launch_count = 1;
    report_free(&r);
}

static void check_benign(void)
{
    struct fault f = make_fault("leak", 0, 0);
    f.benign = true;
    struct launch_result result = {.faults = &f, .fault_count = 1};
    struct report r;
    report_init(&r);
    report_launch_add(&r, &want, &result);
    is(r.status == REPORT_OK ? "ok" : "other", "ok", "a leak alone leaves the status");
    report_free(&r);
}

static void check_counters(void)
{
    struct launch_result result = {.has_counters = true, .counters.warp_instructions = 8};
    struct report r;
    report_init(&r);
    report_launch_add(&r, &want, &result);
    report_launch_add(&r, &want, &result);
    is(r.counters.warp_instructions == 16 ? "16" : "other", "16", "counters add up");
    struct buf out = {0};
    report_json(&r, "cmd", &sim, &out);
    is(strstr(buf_text(&out), "\"counters\":{\"warp_instructions\":16,\"thread_instructions\":0,")
           ? "there"
           : buf_text(&out),
       "there", "counters in the order of the list");
    is(strstr(buf_text(&out), "counters_from") ? "there" : "absent", "absent",
       "on sim nobody asks where they come from");
    buf_free(&out);
    report_free(&r);
}

int main(void)
{
    check_plain();
    check_causes();
    check_result();
    check_launches();
    check_output();
    check_faults();
    check_benign();
    check_counters();
    printf("1..%d\n", tests);
    return 0;
}
