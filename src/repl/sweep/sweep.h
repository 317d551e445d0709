/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `sweep`: one command, run with many values of an option. The values of one or two options
 * (values.c), the command's line for each of them (line.c), the runs (run.c), and what they gave:
 * as a screen and as JSON (show.c), and as files (files.c).
 */
#ifndef REPL_SWEEP_SWEEP_H
#define REPL_SWEEP_SWEEP_H

#include "repl/shell.h"
#include "screen/picture.h"

enum { SWEEP_VALUES = 512, SWEEP_CURVES = 12, SWEEP_SHOWN = 4, SWEEP_NAME = 48, SWEEP_TEXT = 64,
       SWEEP_LABEL = SWEEP_TEXT + 16 };

/* ---- values.c --------------------------------------------------------------------------- */

struct sweep_value {
    char text[SWEEP_TEXT];  /* as it is put into the line */
    char label[SWEEP_TEXT]; /* as tables show it */
    double number;
};

/* The values of an option, in order. */
struct sweep_values {
    char name[SWEEP_NAME];
    struct sweep_value *value;
    unsigned count;
    size_t room;
    bool words;            /* they are no numbers */
    enum axis_scale scale; /* for numbers: logarithmic if each multiplies the one before */
};

/* Is this word `OPTION=VALUES`? */
bool sweep_is_values(const char *word);
/* Reads `n=2^10..2^28`, `a=0..2:0.5`, `threads=32..1024*4` or `variant=atomic,shuffle`. */
int sweep_read_values(const char *word, struct sweep_values *, struct err *);
int sweep_add_value(struct sweep_values *, const char *text, struct err *);
void sweep_free_values(struct sweep_values *);

/* ---- line.c ----------------------------------------------------------------------------- */

/* What was typed after `sweep`: values of one or two options, then the command. */
struct sweep_line {
    struct sweep_values x, curve; /* curve.count 0: there is one curve */
    char *inner;                  /* the command, or several, from malloc */
    bool every;                   /* of all variants: those that can't run here may be left out */
};

/* Reads the values, and the rest, which begins with a second option or with the command. Looks at
 * the command once for each value: nothing has run. */
int sweep_read_line(struct shell *, const char *values, const char *rest, struct sweep_line *,
                    struct err *);
void sweep_free_line(struct sweep_line *);
/* The command with the x-th value, and the k-th of the second option. */
int sweep_put_line(struct shell *, const struct sweep_line *, unsigned x, unsigned k,
                   struct buf *out, struct err *);

/* ---- run.c ------------------------------------------------------------------------------ */

enum sweep_state { POINT_NOT_RUN, POINT_RIGHT, POINT_WRONG, POINT_FAULT, POINT_ERROR };

struct sweep_found {
    char text[SWEEP_TEXT]; /* as in JSON, "" where the command found no such thing */
    bool quoted;           /* it is a text there */
    double number;         /* not finite: it is no number */
};

struct sweep_point {
    enum sweep_state state;
    bool checked; /* the command compared its answer with what it should be */
    bool meant;   /* it fails on purpose */
    struct sweep_found found[SWEEP_SHOWN];
    char *reason; /* why it failed, from malloc; else NULL */
};

/* One of the things to show. */
struct sweep_shown {
    char head[SWEEP_NAME]; /* as typed: "time" */
    char key[SWEEP_NAME];  /* in JSON and in files: "modelled_s" */
    bool time, known;      /* known: a run had it, and told its key */
};

struct sweep {
    struct shell *sh;
    struct report *report;
    struct sweep_line line;
    struct sweep_shown shown[SWEEP_SHOWN];
    unsigned shows, curves;
    struct sweep_point *point; /* point[x * curves + k] */
    unsigned done;             /* rows that were begun */
    unsigned failed;           /* points that failed, but not on purpose */
    bool looked;               /* a right point was asked for all that is to be shown */
    unsigned runs;             /* how often each point was timed at most, where a GPU did it */
    bool fewer;                /* some were timed less often */
};

struct sweep_point *sweep_point(const struct sweep *, unsigned x, unsigned k);
/* What to show: "time,global_load_sectors". */
int sweep_read_shown(struct sweep *, const char *list, struct err *);
/* Runs all points. -1: it had to end before the last; the report says why, and what was run
 * stays. */
int sweep_run(struct sweep *);
void sweep_free(struct sweep *);

/* ---- show.c, files.c -------------------------------------------------------------------- */

const char *sweep_state_name(enum sweep_state); /* "ok", "wrong", "fault", "error" */
/* Did any of its points run? In a sweep over all variants one may not be able to. */
bool sweep_curve_ran(const struct sweep *, unsigned k);
/* The name of a curve: a value of the second option, or the command. */
const char *sweep_curve_name(const struct sweep *, unsigned k);
void sweep_title(const struct sweep *, struct buf *out);
void sweep_show(struct sweep *);
void sweep_json(struct sweep *);

/* The plot of one thing. Its numbers live as long as the struct. */
struct sweep_plot {
    struct plot plot;
    struct plot_series series[SWEEP_CURVES];
    char label[SWEEP_CURVES][SWEEP_LABEL];
    double *numbers; /* x, then each curve's y */
    size_t room;
    char y_label[SWEEP_NAME + 16];
    bool any;   /* there is a number */
    bool zeros; /* some are 0 */
};
int sweep_plot(const struct sweep *, unsigned shown, struct sweep_plot *);
void sweep_plot_free(struct sweep_plot *);

void sweep_csv(const struct sweep *, const char *newline, struct buf *out);
void sweep_gnuplot(const struct sweep *, struct buf *out);
int sweep_svg(const struct sweep *, struct buf *out);

#endif
