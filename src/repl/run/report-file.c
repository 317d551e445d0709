/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report of a run as a file: a page for people, or the JSON object for programs.
 */
#include "repl/run/running.h"

#include "repl/lecture/styled.h"
#include "screen/html.h"

/* What `run` was given, as a line. */
static void command_of(const struct running *w, struct buf *out)
{
    buf_printf(out, "run %s", w->options->file);
    if (w->options->rest && w->options->rest[0])
        buf_printf(out, " %s", w->options->rest);
}

static void findings(const struct running *w, struct buf *page)
{
    const struct report *r = w->report;
    struct buf text = {0};
    html_heading(page, "Findings");
    if (!w->findings) {
        html_paragraph(page, "The checkers found nothing.");
        return;
    }
    plain_text(&text, buf_text(&r->screen) + w->findings, r->screen.len - w->findings);
    html_lines(page, buf_text(&text), text.len);
    buf_free(&text);
}

static void output(const struct running *w, struct buf *page)
{
    const struct child_result *c = &w->sim.result;
    html_heading(page, "Output");
    if (c->out.len)
        html_lines(page, buf_text(&c->out), c->out.len);
    else
        html_paragraph(page, "The program printed nothing.");
    if (c->err.len) {
        html_paragraph(page, "To stderr:");
        html_lines(page, buf_text(&c->err), c->err.len);
    }
    if (c->end == CHILD_EXITED)
        html_paragraph(page, "Exit status: %d", c->code);
}

static void write_page(const struct running *w, const char *title, struct buf *page)
{
    html_begin(page, title);
    html_paragraph(page, "On the simulator, as %s.", w->sh->session.device->props.name);
    findings(w, page);
    output(w, page);
    run_times_html(w, page);
    run_summary_html(w, page);
    html_end(page);
}

int run_write_report(struct running *w)
{
    const char *path = w->options->report_file;
    struct report *r = w->report;
    struct buf title = {0}, bytes = {0};
    struct err e = {0};
    const bool page = ends_in(path, ".html");
    if (!page && !ends_in(path, ".json"))
        return report_fail(r, "--report writes a page or JSON: let the name end in .html or .json");
    command_of(w, &title);
    if (page)
        write_page(w, buf_text(&title), &bytes);
    else {
        report_json(r, buf_text(&title), w->sh->session.device, &bytes);
        buf_putc(&bytes, '\n');
    }
    int rc = bytes.failed ? fail_memory(&e)
                          : shell_save(w->sh, path, buf_text(&bytes), bytes.len, &e);
    buf_free(&title);
    buf_free(&bytes);
    return rc == 0 ? 0 : report_fail_err(r, &e);
}
