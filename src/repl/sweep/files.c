/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep as files: rows for a spreadsheet, a script with its data for gnuplot, and a plot.
 */
#include "repl/sweep/sweep.h"

#include "base/mem.h"
#include "labkit/run.h"

#include <math.h> /* its macros alone */
#include <stdio.h>
#include <string.h>

/* ---- CSV: RFC 4180 ---------------------------------------------------------------------- */

static void put_field(struct buf *out, const char *before, const char *text)
{
    const bool quoted = text[strcspn(text, ",\"\r\n")];
    buf_printf(out, "%s%s", before, quoted ? "\"" : "");
    for (; *text; text++)
        buf_printf(out, *text == '"' ? "\"\"" : "%c", *text);
    buf_puts(out, quoted ? "\"" : "");
}

static void put_row(const struct sweep *s, unsigned x, unsigned k, struct buf *out)
{
    const struct sweep_point *p = sweep_point(s, x, k);
    put_field(out, "", s->line.x.value[x].text);
    if (s->line.curve.count)
        put_field(out, ",", s->line.curve.value[k].text);
    for (unsigned i = 0; i < s->shows; i++)
        put_field(out, ",", p->found[i].text);
    put_field(out, ",", sweep_state_name(p->state));
    put_field(out, ",", p->reason ? p->reason : "");
}

void sweep_csv(const struct sweep *s, const char *newline, struct buf *out)
{
    put_field(out, "", s->line.x.name);
    if (s->line.curve.count)
        put_field(out, ",", s->line.curve.name);
    for (unsigned i = 0; i < s->shows; i++)
        put_field(out, ",", s->shown[i].key);
    buf_printf(out, ",status,reason%s", newline);
    for (unsigned x = 0; x < s->done; x++)
        for (unsigned k = 0; k < s->curves; k++) {
            put_row(s, x, k, out);
            buf_puts(out, newline);
        }
}

/* ---- gnuplot ---------------------------------------------------------------------------- */

/* In single quotes nothing but such a quote has a meaning. */
static void put_quoted(struct buf *out, const char *before, const char *text, const char *after)
{
    buf_printf(out, "%s'", before);
    for (; *text; text++)
        buf_printf(out, *text == '\'' ? "''" : "%c", *text);
    buf_printf(out, "'%s", after);
}

static void put_data(const struct sweep *s, const struct sweep_plot *p, unsigned shown,
                     struct buf *out)
{
    char x[NUM_TEXT], y[NUM_TEXT];
    for (unsigned k = 0; k < p->plot.count; k++) {
        const struct plot_series *one = &p->series[k];
        buf_printf(out, "$data_%u_%u << END\n", shown + 1, k + 1);
        for (unsigned i = 0; i < one->count; i++) {
            if (!isfinite(one->y[i]))
                continue;
            buf_printf(out, "%s %s", num_f64(one->x[i], x), num_f64(one->y[i], y));
            if (s->line.x.words) /* in data a text stands in double quotes */
                buf_printf(out, " \"%s\"", s->line.x.value[i].label);
            buf_putc(out, '\n');
        }
        buf_puts(out, "END\n");
    }
}

static void put_axes(const struct plot *p, struct buf *out)
{
    put_quoted(out, "set xlabel ", p->x_label, " noenhanced\n");
    put_quoted(out, "set ylabel ", p->y_label, " noenhanced\n");
    if (p->x_scale != AXIS_LINEAR)
        buf_printf(out, "set logscale x %d\n", p->x_scale == AXIS_TWOS ? 2 : 10);
    buf_printf(out, "set format x '%s'\n", p->x_scale == AXIS_TWOS ? "2^{%L}" : "%g");
    buf_printf(out, "%s y\n", p->y_scale == AXIS_TENS ? "set logscale" : "unset logscale");
    buf_printf(out, "set format y '%s'\n", p->y_seconds ? "%g %cs" : "%g");
}

static void put_curves(const struct sweep *s, const struct sweep_plot *p, unsigned shown,
                       struct buf *out)
{
    for (unsigned k = 0; k < p->plot.count; k++) {
        buf_printf(out, "%s$data_%u_%u using 1:2%s with %s ", k ? ", \\\n     " : "plot ",
                   shown + 1, k + 1, s->line.x.words ? ":xtic(3)" : "",
                   p->series[k].joined ? "linespoints" : "points");
        if (s->curves > 1)
            put_quoted(out, "title ", p->series[k].label, " noenhanced");
        else
            buf_puts(out, "notitle");
    }
    buf_puts(out, "\n");
}

/* A plot for each thing that is a number. Returns how many. */
static unsigned put_gnuplots(const struct sweep *s, struct buf *out)
{
    unsigned plots = 0;
    for (unsigned i = 0; i < s->shows; i++) {
        struct sweep_plot p;
        if (sweep_plot(s, i, &p) != 0)
            break;
        if (p.any) {
            put_data(s, &p, i, out);
            put_axes(&p.plot, out);
            put_curves(s, &p, i, out);
            plots++;
        }
        sweep_plot_free(&p);
    }
    return plots;
}

void sweep_gnuplot(const struct sweep *s, struct buf *out)
{
    struct buf title = {0}, plots = {0};
    sweep_title(s, &title);
    const unsigned count = put_gnuplots(s, &plots);
    buf_printf(out, "# %s\n# To see it: gnuplot -p FILE\n", buf_text(&title));
    buf_puts(out, "set colorsequence podo\nset grid\nset key top left\n");
    if (s->line.x.words)
        buf_puts(out, "set offsets 0.5, 0.5, 0, 0\n");
    if (count > 1)
        buf_printf(out, "set multiplot layout %u, 1\n", count);
    put_quoted(out, "set title ", buf_text(&title), " noenhanced\n");
    buf_add(out, buf_text(&plots), plots.len);
    out->failed = out->failed || title.failed || plots.failed;
    buf_free(&title);
    buf_free(&plots);
}

/* ---- SVG -------------------------------------------------------------------------------- */

int sweep_svg(const struct sweep *s, struct buf *out)
{
    struct sweep_plot p[SWEEP_SHOWN] = {{.any = false}};
    struct plot plots[SWEEP_SHOWN];
    const char *names[SWEEP_VALUES];
    struct buf title = {0};
    unsigned count = 0;
    int rc = 0;
    for (unsigned x = 0; x < s->done; x++)
        names[x] = s->line.x.value[x].label;
    for (unsigned i = 0; i < s->shows && rc == 0; i++) {
        rc = sweep_plot(s, i, &p[i]);
        if (rc != 0 || !p[i].any)
            continue;
        plots[count] = p[i].plot;
        plots[count].x_names = s->line.x.words ? names : NULL;
        plots[count++].x_named = s->done;
    }
    sweep_title(s, &title);
    if (rc == 0 && count)
        plots_svg(out, buf_text(&title), plots, count);
    out->failed = out->failed || title.failed;
    if (rc == 0 && !count)
        rc = report_fail(s->report,
                         "nothing that was found is a number, so there is no plot to save");
    for (unsigned i = 0; i < s->shows; i++)
        sweep_plot_free(&p[i]);
    buf_free(&title);
    return rc;
}
