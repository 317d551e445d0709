/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors of calls that the program went on after. One mistake is told once: not where the call's
 * mistake is told already, and not where a call fails since an earlier one did.
 */
#include "run/run.h"

#include "base/lines.h"

#include "cudalab_runtime_types.h"

#include <stdio.h>
#include <string.h>

static bool is_of_capture(int32_t error)
{
    return error >= cudaErrorStreamCaptureUnsupported && error <= cudaErrorStreamCaptureWrongThread;
}

/* Does the call fail since there is no graph of a capture that an error has ended? */
static bool is_consequence(const struct run *r, int32_t error, const char *name)
{
    return r->capture_broken && (error == cudaErrorStreamCaptureInvalidated ||
                                 begins_with(name, "cudaGraph") || begins_with(name, "cuGraph"));
}

static bool is_launch(const char *name)
{
    return begins_with(name, "cudaLaunchKernel") || begins_with(name, "cudaLaunchCooperativeKernel");
}

static void tell_launch(struct run *r, const struct run_unseen *one)
{
    const struct run_refused *why = &r->refused;
    const bool known = why->error == one->error && why->at.call == one->at.call;
    r->refused.told |= known;
    run_mistake_with_cure(r, "error-ignored", "launch-refused", &one->at,
                          "the launch%s%s returned %s, and the program went on%s%s",
                          known ? " of " : "", known ? why->kernel->kernel->shown : "",
                          run_error_name(one->name, one->error), known ? ": " : "",
                          known ? why->why : " without looking at it");
}

static void tell(struct run *r, const struct run_unseen *one)
{
    r->capture_broken |= is_of_capture(one->error);
    if (is_launch(one->name))
        tell_launch(r, one);
    else if (one->error == cudaErrorNotReady)
        run_mistake_with_cure(r, "error-ignored", "not-ready", &one->at,
                              "%s returned %s, and the program went on without looking at it",
                              one->name, run_error_name(one->name, one->error));
    else
        run_mistake(r, "error-ignored", &one->at, false,
                    "%s returned %s, and the program went on without looking at it", one->name,
                    run_error_name(one->name, one->error));
}

int32_t run_ignored(struct run *r, const struct run_message *m, const char *name)
{
    struct run_unseen one = {.error = (int32_t)m->number[0], .at = run_place_of(r, m)};
    snprintf(one.name, sizeof one.name, "%s", name);
    if ((r->blamed && r->blamed == one.at.call) || is_consequence(r, one.error, name))
        return 0;
    switch (run_look_of(r, &one.at, name)) {
    case RUN_LOOKED: break;
    case RUN_NOT_LOOKED: tell(r, &one); break;
    case RUN_LOOK_UNKNOWN:
        if (!r->unseen.error)
            r->unseen = one;
        break;
    }
    return 0;
}

/* A program that looks at the error of a launch knows only its name. */
static void say_refused(struct run *r)
{
    const struct run_refused *why = &r->refused;
    char place[32] = "";
    if (!why->error || why->told || r->status == 0)
        return;
    if (why->at.line)
        snprintf(place, sizeof place, " in line %d", why->at.line);
    report_remark(r->report, "the launch of %s%s was refused: %s", why->kernel->kernel->shown,
                  place, why->why);
}

void run_finish_errors(struct run *r)
{
    if (r->said_end && !r->asks && r->unseen.error)
        tell(r, &r->unseen);
    say_refused(r);
}
