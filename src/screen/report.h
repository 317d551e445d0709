/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What one command found, told once and shown two ways: as a screen of text, or as one
 * JSON object. A command only adds to the report; the session prints it when it is done.
 */
#ifndef SCREEN_REPORT_H
#define SCREEN_REPORT_H

#include "base/buf.h"
#include "base/cause.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/num.h"
#include "base/sample.h"
#include "dev/device.h"
#include <stdbool.h>

enum report_status { REPORT_OK, REPORT_ERROR, REPORT_FAULT };

/* A kind of fault or finding (fault-kinds.def). */
struct fault_kind {
    const char *name;
    bool ends; /* a launch or a program: it is a fault, and no finding */
};
extern const struct fault_kind fault_kinds[]; /* the last one has no name */
const struct fault_kind *fault_kind_named(const char *name); /* NULL: there is none */

struct report_launch {
    char kernel[96];
    bool by_library; /* the rest is its own affair */
    unsigned grid[3], block[3];
    uint64_t shared_bytes;
};

/* The modelled times of a kernel's launches, or of a variant's, added up. */
struct report_model {
    char name[96];
    unsigned launches;
    struct model_time time;
};

/* The explanations that were on the screen in full a moment ago: a hash of each (text/explain.c),
 * and the number of its command. */
enum { TOLD_KEPT = 8 };
struct told {
    uint64_t key[TOLD_KEPT], when[TOLD_KEPT];
    uint64_t now; /* the number of the command that runs */
    unsigned count;
};

/* Is the screen black or white behind the text? */
enum ground { GROUND_DARK, GROUND_LIGHT, GROUND_UNKNOWN, GROUNDS };

struct report {
    enum report_status status;
    struct err error;         /* status REPORT_ERROR: message, column */
    enum failure_cause cause; /* where it is known; report_cause() tells it for all */
    bool as_meant;            /* it fails on purpose: to show a mistake */
    struct buf details;       /* what else belongs to the error: a compiler's own words */
    struct buf screen;        /* text for people */
    struct buf result_text;   /* the members of "result", as JSON */
    struct json result;       /* writes into result_text */
    struct buf variants_text; /* the elements of "variants" */
    struct json variants;
    struct buf explain;       /* plain text; each paragraph is one line */
    struct buf tries;         /* commands to try: one in each line, two blanks, the remark */
    const char *typed;        /* the command, which need not be suggested; NULL: not known */
    bool as_json;             /* the command itself was asked for JSON */
    bool alone;               /* it is all that this process does: the reader is in a shell */
    struct told *told;        /* what need not be said on the screen again; NULL: say it all */
    struct buf output;        /* what kernels printed, joined; split into lines for JSON */
    struct report_launch *launches;
    unsigned launch_count;
    bool has_counters;
    struct counters counters; /* summed over launches */
    struct fault *faults;     /* one a kind and pair of lines, in order of first occurrence */
    unsigned fault_count;
    bool faults_said;         /* the screen shows them already */
    bool unchecked;           /* no checker watched the last launch */
    bool faults_all;          /* it is to show each of them */
    bool briefly;             /* an explanation goes to "explain" alone, not to the screen */
    bool whole;               /* the screen shows every paragraph of an explanation */
    bool has_time;
    double measured_s;        /* summed over launches; shown only with volatile_on */
    double min_s, mean_s;     /* likewise, where each was run and timed `runs` times */
    unsigned runs;
    struct report_model *models; /* of all that has a modelled time */
    unsigned model_count;
    unsigned modelled, unmodelled; /* launches with such a time, and others */
    struct buf left_out;      /* heads of table columns without room, one in each line */
    int width;                /* columns to fill at most */
    int rows;                 /* of a screen; 20 off a terminal */
    int colours;              /* 0, 16 or 256; painted by screen/paint.h alone */
    bool utf8;                /* what the screen can show */
    enum ground ground;       /* what is behind the text */
    bool bold, plain;         /* for a hall; sentences in place of pictures */
    bool volatile_on;         /* times and addresses may be shown */
};

void report_init(struct report *);
void report_free(struct report *);
void say(struct report *, const char *fmt, ...) PRINTF_LIKE(2, 3); /* to the screen text */
void report_said(struct report *, struct buf *text); /* frees it; a broken one breaks the screen */
int report_fail(struct report *, const char *fmt, ...) PRINTF_LIKE(2, 3); /* -1, REPORT_ERROR */
int report_fail_err(struct report *, const struct err *);
/* The same, where memory is out; and where another limit is the reason. */
int report_fail_memory(struct report *);
int report_fail_limit(struct report *, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Why the command did not end well. */
enum failure_cause report_cause(const struct report *);
/* The error as it is said above the details: without what these begin with. */
void report_error_text(const struct report *, char out[ERR_TEXT]);
/* -1, REPORT_FAULT: something outside of any launch, as the time limit, or a launch that can't
 * be. */
int report_fault(struct report *, const char *kind, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The same for a fault of a launch that is not reported itself. The new fault has its kind and its
 * place, and another message. */
int report_fault_like(struct report *, const struct fault *, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
/* What else an error line should say where faults are told: the status stays theirs, if there
 * are any. */
void report_remark(struct report *, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Adds up counters and time, merges faults, appends output in order of block and thread; a
 * fault makes the status REPORT_FAULT. -1: out of memory, told in the report. */
int report_launch_add(struct report *, const struct launch_want *, const struct launch_result *);
/* The times of all launches together are these. */
void report_times(struct report *, const struct sample *);
/* Only what a launch found: its faults, merged with those there are. */
int report_found(struct report *, const struct launch_result *);
/* Only its modelled time, or that it has none. -1: out of memory, told in the report. */
int report_launch_model(struct report *, const struct launch_want *, const struct launch_result *);
/* So many launches under this name have a modelled time. -1: out of memory, told in the report. */
int report_model_add(struct report *, const char *name, unsigned launches,
                     const struct model_time *);
/* The modelled time of all that the command launched. False: some of it has none. */
bool report_modelled(const struct report *, struct model_time *);
void report_drop_following(struct report *); /* the faults that follow from others */
/* The faults of another report are this one's too. -1: out of memory, told in the report. */
int report_faults_add(struct report *, const struct report *from);
/* The launches of another report, and what they cost, are this one's too. -1: likewise. */
int report_add_up(struct report *, const struct report *from);
void report_counters_json(struct json *, const struct counters *); /* "counters": all of them */
/* Splits a line with a command to try: the command, two or more blanks, the remark. */
void try_split(struct span line, struct span *command, struct span *remark);
/* One JSON object, without newline, as INTERFACE lays it down. */
void report_json(const struct report *, const char *command, const struct device *, struct buf *);

#endif
