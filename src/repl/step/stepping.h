/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A launch that is being stepped. `step COMMAND` runs a command until it comes to the launch that is
 * wanted. That is given to a stepper (step/stepper.h), and the command ends there. From then on the
 * words of stepping stand before the commands of the session, until `quit`. All other commands work as
 * they always do.
 *
 * The launch of a whole program is on a simulator of the program. That stays until `quit`. The process
 * of the program has ended by then.
 *
 * stepping.c begins and ends it, moves.c has the words that move, points.c those that stop, asking.c
 * and info.c those that ask. view.c and view-json.c show where the launch is, with rows of values from
 * rows.c. values.c computes what is asked of its lanes.
 */
#ifndef REPL_STEPPING_H
#define REPL_STEPPING_H

#include "repl/reading.h"
#include "step/look.h"

/* The launch to take: the number of it, counted from 1 on, among those of this kernel. */
struct step_wanted {
    unsigned number;
    const char *kernel; /* NULL: among all */
};

struct stepped {
    struct shell *sh;
    struct stepper *stepper;
    struct device *device;           /* the simulator that has the launch; NULL: none was taken yet */
    struct session *of;              /* whose launch it is: the shell's, or a program's */
    void *kept;                      /* what the launch needs, until it is over, */
    void (*end_kept)(void *);        /* and what then ends it; NULL: nothing */
    struct buf printed_before;       /* by the program */
    char *command;                   /* that launched it */
    const struct step_wanted *wanted; /* while the command runs */
    unsigned launches, fitting;      /* so many it had, and so many of the kernel that is wanted */
    const void *own_kernel;          /* of the launch, as its session knows it */
    char kernel_name[64];
    struct buf names_launched;       /* of all its kernels, each once */
    char *last;                      /* the last move, for Enter; NULL: there was none */
    size_t printed;                  /* lines that the kernel has printed at the last place */
    const struct command **commands; /* the words, then the session's other commands */
    const struct command *const *others; /* the session's, as they were */
    struct reading_sources sources;
    struct arena memory;             /* of the source's declarations: */
    struct tokens tokens;
    bool has_tokens;
    const char *kernel;              /* its name in the source */
    const struct declared *params;   /* of the kernel */
    unsigned param_count;
    struct {                         /* the frame that was chosen at a place; see frames.h */
        bool is_chosen;
        uint64_t place;
        struct step_focus focus;
        unsigned from_kernel; /* calls, inlined ones too */
    } frame;
    struct step_condition_text *conditions; /* of breakpoints */
    uint64_t cell; /* one more than the shared address that the view must show; 0: none must be */
    struct step_display *displays;          /* what each view shows; info.c */
    struct debug_names *names; /* of local variables (step/names.h); NULL: there are none */
};

extern const struct command *const stepping_words[]; /* NULL-ended */
/* What gdb calls some of them; its list ends with NULL. */
struct stepping_synonym {
    const char *name;
    const struct command *is;
};
extern const struct stepping_synonym stepping_synonyms[];

/* Shows where the launch is after a move that ended so. Always 0, or -1 for a move that failed. */
int stepping_show(struct stepped *, enum step_stop, struct report *);
/* Goes to just before what was found in this launch, and shows both threads; finding.c. */
int stepping_to_finding(struct stepped *, const struct fault *, struct report *);
/* To just before the next race after this place. */
int stepping_to_race(struct stepped *, struct report *);
/* "result" of JSON; view-json.c. */
void stepping_json(struct stepped *, enum step_stop, struct report *);

/* What stopped a move, in a sentence. "": it went where it should. */
const char *stepping_why(const struct stepped *, enum step_stop, char out[200]);
/* The word of JSON for it. */
const char *stepping_stop_name(enum step_stop);

/* The source that an instruction is from; its name is NULL where it isn't at hand. */
struct text_file stepping_source(struct stepped *, const struct sim_instruction *);
/* "lanes 0-15", "lane 3", "lanes 0-3 8 16-31" */
void stepping_lanes(uint32_t mask, struct buf *);
const char *stepping_state_name(enum step_state);     /* "waits at a barrier" */
const char *stepping_state_of_many(enum step_state);  /* "wait at a barrier" */
/* Which warp runs next, and why where it is not the shown one; plain: without the letters of groups.
 * false: there is nothing to say; turn.c. */
bool stepping_turn(struct stepped *, bool plain, struct buf *);
/* The letter of a group of lanes: * is the group of the lane in focus. */
char stepping_mark(const struct step_warp *, unsigned group, unsigned lane);

void conditions_free(struct stepped *); /* points.c */

/* The expressions that `display` keeps; info.c. */
void displays_say(struct stepped *, struct report *);
void displays_json(struct stepped *, struct json *);
void displays_free(struct stepped *);

/* Of view.c. The registers of the line in focus, in at most so many lines; how many it took. All
 * warps of the block, a sentence or line each. */
int stepping_say_registers(struct stepped *, const struct step_group *, int most, struct report *);
void stepping_say_warps(struct stepped *, struct report *);

/* The session's stepping, or NULL with an error that says how to begin. */
struct stepped *stepping_of(struct session *, struct report *);

/* One value as text; how a register is written follows from its type. */
void stepping_value_text(const struct step_value *, char out[NUM_TEXT]);
bool stepping_is_float(enum sim_type);
void stepping_value_json(struct json *, const char *key, const struct step_value *);
/* A row of values of the lanes in `has`, as texts: in short where one sentence has them all, else in
 * lines as wide as the screen. */
struct lane_text {
    char text[NUM_TEXT];
};
int stepping_say_row(struct report *, const char *name, const struct lane_text[STEP_LANES],
                     uint32_t has); /* how many lines it took */
void stepping_say_predicate(struct report *, const char *name, uint32_t has, uint32_t is_true);
/* `name` at the left, then cells in columns; each line of them begins with the number of its first
 * cell. mark: 'r' or 'w' behind a cell that was read or written, else ' '; NULL: none was. */
int stepping_say_cells(struct report *, const char *name, const struct lane_text[], unsigned count,
                       uint64_t first, const char *mark);

#endif
