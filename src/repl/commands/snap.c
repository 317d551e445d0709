/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last screen to a file, for slides: as a picture, or as plain text.
 */
#include "base/lines.h"
#include "repl/commands.h"
#include "repl/lecture/styled.h"

static const char *const themes[] = {"light", "dark", NULL};

struct snap_options { int theme; const char *file; };

static int run_snap(struct session *session, const void *given, struct report *r)
{
    const struct snap_options *o = given;
    struct shell *sh = shell_of(session);
    const struct record *k = &sh->record;
    const char *path = o->file;
    bool picture = ends_in(path, ".svg");
    struct buf bytes = {0};
    struct err e = {0};
    sh->record.skip = true;
    if (!picture && !ends_in(path, ".txt"))
        return report_fail(r, "snap writes a picture or plain text: let the name end in .svg or "
                           ".txt");
    if (sh->safe)
        return report_fail(r, "--safe allows no writing to files");
    if (!k->shown.len)
        return report_fail(r, "no command has shown anything yet; run one first, as in `trap`");
    int rc = shell_may_replace(sh, path, &e);
    if (rc == 0 && picture) {
        rc = record_picture(sh, path, buf_text(&k->command), &k->shown, o->theme == 1, &e);
    } else if (rc == 0) {
        buf_printf(&bytes, "cudalab> %s\n", buf_text(&k->command));
        plain_text(&bytes, buf_text(&k->shown), k->shown.len);
        rc = bytes.failed ? fail_memory(&e)
                          : shell_save_own(sh, path, bytes.data, bytes.len, &e);
    }
    buf_free(&bytes);
    if (rc != 0)
        return report_fail_err(r, &e);
    say(r, "%s: what `%s` showed\n", path, buf_text(&k->command));
    json_text(&r->result, "file", path);
    json_text(&r->result, "of", buf_text(&k->command));
    return 0;
}

const struct command command_snap = {
    .name = "snap", .kind = CLASS_SESSION, .summary = "save the last output as a picture or as "
                                                      "text",
    .options = (const struct arg_spec[]){
        {OPTION(struct snap_options, theme), .type = ARG_CHOICE, .choices = themes,
         .initial = "light", .help = "the background of a picture"}, {0}},
    .operands = (const struct arg_spec[]){
        {.name = "FILE", BIND(struct snap_options, file), .type = ARG_FILE, .required = true,
         .example = "lab.svg", .help = "the file: a picture (.svg) or plain text (.txt)"}, {0}},
    .size = sizeof(struct snap_options), .never_inside = true, .run = run_snap};
