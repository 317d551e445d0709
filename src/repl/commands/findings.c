/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * findings: what the checkers found in the last command that launched something, once more.
 */
#include "repl/commands.h"
#include "repl/shell.h"

#include <stdlib.h>
#include <string.h>

void found_forget(struct found *f)
{
    free(f->command);
    report_free(&f->report);
    *f = (struct found){.command = NULL};
    report_init(&f->report);
}

void found_keep(struct shell *sh, const char *command, const struct report *r)
{
    struct found *f = &sh->found;
    if (!r->launch_count && r->status != REPORT_FAULT)
        return;
    found_forget(f);
    f->command = strdup(command);
    report_faults_add(&f->report, r);
}

struct findings_options { bool all; };

static int run_findings(struct session *s, const void *given, struct report *r)
{
    const struct findings_options *o = given;
    const struct found *f = &shell_of(s)->found;
    if (!f->command)
        return report_fail(r, "nothing was launched yet; after a launch, or a lab, `findings` "
                              "shows what the checkers found in it");
    r->faults_all = o->all;
    if (report_faults_add(r, &f->report))
        return -1;
    r->status = REPORT_OK; /* this command itself succeeded */
    json_text(&r->result, "of", f->command);
    json_uint(&r->result, "count", f->report.fault_count);
    say(r, "%s%s\n", f->command, f->report.fault_count ? "" : ": nothing was found");
    say_faults(r);
    say_quotes(r, s);
    return 0;
}

const struct command command_findings = {
    .name = "findings", .kind = CLASS_KERNELS,
    .summary = "what the checkers found in the last launch, once more",
    .options = (const struct arg_spec[]){
        {OPTION(struct findings_options, all),
         .help = "every pair of lines, not just the first few"}, {0}},
    .size = sizeof(struct findings_options), .run = run_findings};
