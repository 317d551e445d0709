/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures on a screen of text, for all labs. Each goes into a report, which knows what the
 * screen can show: never wider than its width; in ASCII where there is no UTF-8; with a digit
 * or a letter wherever there is colour; and where the report is plain, for who listens to a
 * screen instead of looking at it, sentences that say the same.
 */
#ifndef SCREEN_PICTURE_H
#define SCREEN_PICTURE_H

#include "screen/axis.h"
#include "screen/paint.h"

/* ---- tables: picture-table.c ------------------------------------------------------------ */

struct table_column {
    const char *head;
    bool right;     /* as numbers stand */
    bool folds;     /* its text goes on in the next line; at most one column does */
    int gives_way;  /* 1 is left out first where the screen is narrow, then 2; 0: never */
    const char *tells; /* the cell in a sentence, such as "takes %"; % becomes its text. Without a
                        %, these words replace the text, which is a mark */
};

enum { TABLE_COLUMNS = 16 };

/* Cells in the order they are read, with notes and headings between the rows. */
struct table {
    const struct table_column *columns;
    int count, indent;
    int cells;       /* so far */
    struct buf text; /* of the cells */
};

void table_begin(struct table *, const struct table_column *, int count, int indent);
#define table_cell(t, ...) table_cell_in(t, INK_PLAIN, __VA_ARGS__)
void table_cell_in(struct table *, enum ink, const char *fmt, ...) PRINTF_LIKE(3, 4);
void table_note(struct table *, const char *fmt, ...) PRINTF_LIKE(2, 3); /* below the last row */
void table_heading(struct table *, const char *text); /* over the rows that follow */
/* A table that doesn't fit, and a plain one, is told row by row. Frees the cells. */
void say_table(struct report *, struct table *);

/* ---- bars and sparklines: picture-bars.c ------------------------------------------------ */

struct bar {
    const char *label;
    double value;      /* what is not above 0 has no bar */
    const char *shown; /* how it reads, after its bar */
};
void say_bars(struct report *, const struct bar *, unsigned count);

/* Values in a row, the highest of its neighbours where there are more than columns. */
void say_sparkline(struct report *, const char *label, const double *values, unsigned count);

/* ---- scatter and line plots: picture-plot.c --------------------------------------------- */

struct plot_series {
    const char *label;
    const double *x, *y;
    unsigned count;
    bool joined; /* points next to each other in the row are joined by lines */
};
struct plot {
    const char *x_label, *y_label;
    enum axis_scale x_scale, y_scale; /* on a logarithmic one, only what is above 0 has a place */
    bool y_seconds;
    double y_part; /* the ends of y differ by at least this part of it: 0.1 is a tenth */
    const char *const *x_names; /* of the values 1, 2, 3 of x in a file; NULL: they are numbers */
    unsigned x_named;
    const struct plot_series *series; /* one is drawn in dots, several in letters */
    unsigned count;
    int rows; /* lines high, 0: as usual */
};
void say_plot(struct report *, const struct plot *);
/* Axes that reach to all of its points. false: there are none. */
bool plot_axes(const struct plot *, struct plot_axis *x, struct plot_axis *y);

/* The same as a file: plot-svg.c. Curves differ by colour, dashes and marks, so they can be told
 * apart in black and white too. Several plots stand one below the other. */
void plots_svg(struct buf *, const char *title, const struct plot *, unsigned count);

/* ---- grids of cells: picture-grid.c ----------------------------------------------------- */

struct heat_map {
    const char *row_name, *column_name; /* "row", "column": their numbers follow */
    unsigned rows, columns;
    const double *values; /* row by row; what is not finite is left out */
    bool bare; /* what the digits mean is said elsewhere */
};
/* Each cell a digit, 0 the lowest value and 9 the highest. */
void say_heat_map(struct report *, const struct heat_map *);

enum { PICTURE_BANKS = 32 };

/* Who meets in which bank: rows of as many cells as there are banks; 0: nothing there, else
 * 1 to 35, shown as 1 to 9 and a to z. Heat follows the number. */
struct bank_grid {
    const char *row_name; /* "lane" */
    const char *meaning;  /* what a cell's number is, as in "the pass that serves it" */
    unsigned rows, banks;
    unsigned char cell[PICTURE_BANKS][PICTURE_BANKS];
};
void say_bank_grid(struct report *, const struct bank_grid *);

/* ---- 32 lanes or banks side by side: picture-lanes.c ------------------------------------ */

struct picture_row {
    const char *label;      /* at most 7 columns */
    char cell[32][12];      /* of ASCII; all columns are as wide as the widest, 3 at least */
    enum ink ink[32];
    bool may_go; /* left out of a part where all of its cells are "." */
};

/* The numbers 0 to columns - 1 after this label, and the rows below, in as many parts as the
 * width asks for. */
void say_picture(struct report *, const char *label, const struct picture_row *, unsigned rows,
                 unsigned columns);

enum { PICTURE_NO_LANE = -1 };
/* Arrows from the lane that a value is taken from to each that takes it; source[i] may be i
 * itself or PICTURE_NO_LANE. Where there are more than `tracks` lines of them, the rest is
 * only counted. */
void say_arrows(struct report *, const int *source, int lanes, int tracks);

/* ---- a letter a lane: picture-marks.c --------------------------------------------------- */

struct lane_marks {
    const char *name; /* of a row: "warp", a number follows */
    unsigned count;
    const char (*mark)[32]; /* letters: kinds of things; '.': nothing; ' ': there is no such lane */
};
void say_lane_marks(struct report *, const struct lane_marks *);

/* ---- timelines: picture-time.c ---------------------------------------------------------- */

struct time_span {
    unsigned row, kind;
    double from, to;
};
struct timeline {
    const char *const *rows; /* "warp 0" */
    unsigned row_count;
    const char *const *kinds; /* shown as A, B, ... and named below */
    unsigned kind_count;
    const struct time_span *spans;
    unsigned span_count;
    const char *unit;
};
void say_timeline(struct report *, const struct timeline *);

#endif
