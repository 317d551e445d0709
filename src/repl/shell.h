/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conversation: one struct shell from start to end. Scripts, -c and the prompt all hand
 * their lines to shell_run_line(); commands find the shell behind session->shell.
 */
#ifndef REPL_SHELL_H
#define REPL_SHELL_H

#include "base/buf.h"
#include "repl/lecture/record.h"
#include "labkit/lab.h"
#include "repl/course.h"
#include "script/script.h"
#include "text/explain.h"
#include "text/questions.h"

#include <stdbool.h>
#include <sys/types.h>

/* Where screen text goes; every write is checked, and the first failure is remembered. */
struct sink {
    int fd;
    int error; /* errno of the write that failed, 0 while all is well */
};
int sink_write(struct sink *, const char *text, size_t n);

/* What is being read: a file, stdin, a -c string, or lines from the prompt. */
struct script_place {
    const char *name;           /* as errors show it; NULL at the prompt */
    int line;
    bool is_file;
    bool alone;                 /* the process's own arguments are the command */
    dev_t dev;                  /* of a file, so that it can't source itself */
    ino_t ino;
    bool live;                  /* `play` runs the script; reports are as at the prompt */
    struct script_place *outer; /* the script that sourced it */
};

struct alias {
    char *name, *text;
};

/* The last launch of a student's own kernel: how to do it again, and what it cost. */
struct last {
    char *call; /* NULL: there was none */
    char *kernel;
    unsigned grid[3], block[3], cluster[3];
    struct launch_result result; /* counters and lines of one that came to its end */
};

/* What was found in the last command that launched something. */
struct found {
    char *command;        /* NULL: there was none */
    unsigned launches;
    struct report report; /* of which only the faults count */
};

/* The modelled times of the last command that has any, and the card that they are for. */
struct modelled {
    char *command; /* NULL: there was none */
    char card[DEVICE_NAME];
    bool sure; /* the model was measured on such a card */
    struct report_model *models;
    unsigned count;
};

/* The files that this session wrote, each as it was left. */
struct written_files {
    struct written_file *files;
    unsigned count;
    size_t room;
};

/* How often a question was answered (quiz/marks.c). */
struct quiz_marks {
    uint16_t right, wrong;
};

/* What the prompt shows while a command runs for a long time (waiting.c). */
struct waiting {
    char what[64];          /* "trap", "compiling k.cu" */
    double since;           /* 0: no command runs */
    double shown_at;        /* 0: nothing is on the screen */
    bool held; /* a line without its end is on the screen: it stays */
    bool has_piece; /* a piece of work tells its part, 0 to 1: */
    double part, piece_from, piece_since;
    char within[80]; /* which of many commands the outer one runs now; else "" */
    double left_s, left_since; /* seconds that all of them still took then; 0: not known */
};

struct shell {
    struct session session;
    struct last last;
    struct found found;
    struct modelled modelled;
    bool json, bail, echo, quiet, safe, no_init;
    bool grade;          /* the status tells causes apart */
    bool locked;         /* --safe is in force: settings keep within its bounds */
    struct { uint64_t step_limit; struct budget budget; } caps; /* those bounds */
    bool prompting;      /* there is, or will be, a prompt */
    bool out_is_terminal;
    bool pasted;         /* several lines came at once: no caret can point into them */
    struct waiting waiting;
    struct sink out, file; /* file: where `output FILE` sends the screen, fd -1 else */
    char *file_path;       /* its name; else NULL */
    struct script_place *place;
    bool reads_stdin;    /* a script comes, or will come, from stdin */
    bool no_object;      /* this command has no JSON object of its own: source */
    bool quitting, quit_given, interrupted, unreadable;
    bool leaving;        /* under --safe `quit` ends the file that says it, no more */
    bool older_told;     /* that a compiler does not know the device, which is said once */
    bool spent;          /* the session's budget is used up */
    bool replaying;      /* a transcript sets what it likes: all is put back at its end */
    int quit_code, failures;
    int mistakes;        /* failures, without faults and what fails on purpose */
    uint64_t commands_run;
    uint64_t room;       /* bytes of memory there were for this program, at this time, */
    uint64_t room_given; /* and those that the system's limit gave it at the start */
    double room_at;
    struct buf explain;  /* of the last command that had one */
    struct buf tries;    /* and the commands that it suggested */
    struct course_place course; /* where in it the student is; session -1: not begun */
    bool course_known;   /* it was looked up */
    bool course_resumes; /* the place is from an earlier session, and not shown yet */
    struct quiz_marks quiz[QUIZ_MOST]; /* by the number of the entry */
    bool quiz_known;     /* they were looked up */
    bool predict;        /* a lab asks before it runs */
    const struct buf *example; /* what `load quiz:answer` loads; else NULL */
    struct told told;    /* explanations that were on the prompt's screen */
    struct written_files written;
    struct record record; /* of what commands showed */
    struct script script; /* variables, testcases, and what `expect` judges */
    struct statements block; /* the lines so far of a block that has no end yet */
    unsigned block_skips; /* blocks in it that can't be there: their `end` closes nothing */
    bool block_bad;      /* it has a mistake, which is told: it will not run */
    struct stepped *stepping; /* the launch that is being stepped; else NULL */
    struct play *play;   /* the lecture that is going on; else NULL */
    bool talking;        /* another program stands between the student and us, */
    struct talk *talk;   /* and this is what we know of it; else NULL */
    struct alias *aliases;
    unsigned alias_count;
    const char *const *allowed; /* files that --safe may read */
    const char *cache;          /* of --cache, a whole path; NULL: not given */
    unsigned allowed_count;
    const struct programs *programs; /* programs/programs.h; NULL: this cudalab has none */
    struct scratch *scratch;    /* --safe: the one folder that compilers may write to; or NULL */
};

static inline struct shell *shell_of(struct session *s)
{
    return s->shell;
}

void last_forget(struct last *);
void found_forget(struct found *);
void found_keep(struct shell *, const char *command, const struct report *);
void modelled_forget(struct modelled *);
void modelled_keep(struct shell *, const char *command, const struct report *);
void shell_init(struct shell *);
int shell_open(struct shell *, struct err *); /* the device of the settings */
void shell_close(struct shell *);
int shell_status(const struct shell *);       /* what the program ends with */
bool shell_done(const struct shell *);        /* quit, interrupted, failed under --bail, ... */
bool shell_stops(const struct shell *);       /* done, or nothing more of this text is to run */
void shell_lock(struct shell *);              /* --safe holds from now on */
bool shell_spent(struct shell *);             /* is its budget used up? Says so, once */
bool shell_typed(const struct shell *);       /* what runs was typed at the prompt */
bool shell_watched(const struct shell *);     /* typed, or a step that is played there */

/* Run each command of a line (continuations already joined). */
void shell_run_line(struct shell *, const char *text, size_t n);
/* A whole script; -1: it can't be read, nothing ran. `shown` is its name in errors. */
int shell_run_file(struct shell *, const char *path, struct err *);
int shell_run_fd(struct shell *, int fd, const char *shown, struct err *);
void shell_run_text(struct shell *, const char *text, const char *shown);
void shell_run_alone(struct shell *, const char *text); /* `cudalab run ...`, in a shell */
void shell_greet(struct shell *);  /* runs the start-up file, shows the banner */
void shell_prompt(struct shell *);

/* What commands show: counted, and without what would steer the terminal. painted: codes of
 * colours may be in it. */
int shell_put(struct shell *, struct sink *, const char *text, size_t n, bool painted);
struct sink *shell_out(struct shell *); /* the screen, or the file of `output` */
/* Say an error: on stderr, with its place in a script, with a caret at the prompt. */
void shell_complain(struct shell *, const char *message, int column);
/* What a command stands for once no alias is left in it, from malloc. NULL: that is the command
 * itself, or the error says why it stands for nothing. */
char *shell_expand(const struct shell *, const char *command, struct err *);
/* A line that is no command at all: said, counted, and told in JSON. */
void shell_refuse_line(struct shell *, const char *text, size_t n, const struct err *);
/* Runs one command of a block that has ended. */
void shell_run_command(struct shell *, const char *text, int column);
/* A part of a block is wrong; the script knows it already. */
void shell_refuse_statement(struct shell *, const struct statement *, const struct err *);
/* What a block found, shown as a command is that found it. fill() writes the report. */
typedef void shell_fills(struct shell *, const void *what, struct report *);
void shell_tell(struct shell *, const char *command, shell_fills *, const void *what);

/* Where what compilers make is kept (cc/compile.h); NULL: nowhere. */
const char *shell_cache(const struct shell *);
/* Bytes of memory that a compiler may have now; 0: any. */
size_t shell_compiler_memory(const struct shell *);
/* Append a path, with what ~/ at its beginning stands for. */
void shell_home_path(const char *path, struct buf *out);
/* Under --safe: does --allow name it? */
bool shell_allows(const struct shell *, const char *path, struct err *);
/* Files, within what --safe allows; -1 with the reason. */
int shell_open_read(struct shell *, const char *path, struct err *);
/* The same for a file that is read whole before anything else happens: no pipe, no device. */
int shell_open_plain(struct shell *, const char *path, struct err *);
/* The place is in the file that this descriptor reads. */
void shell_place_in(struct script_place *, int fd);
/* A file that is being read already may not be read once more. */
int shell_check_depth(const struct shell *, int fd, const char *path, struct err *);
/* A path as a script gives it, which counts from where that script is; from malloc. */
char *shell_path(const struct shell *, const char *path);
/* A file that a command names. Where there is none of this name, it may lie beside the script or
 * lecture that runs. From malloc. */
char *shell_beside(const struct shell *, const char *path);
/* All of such a file, within reason. */
int shell_read_text(struct shell *, const char *path, struct buf *text, struct err *);

/* save.c. Before a file is replaced that this session has not written, the student is asked at the
 * prompt. A script replaces it. -1: the file is kept. */
int shell_may_replace(struct shell *, const char *path, struct err *);
/* Shows the question. false: no, or there is nobody to ask. */
bool shell_agrees_to_replace(struct shell *, const char *path);
bool shell_can_ask(const struct shell *);
/* The session has written this file, which is open. */
void shell_wrote(struct shell *, int fd);
void written_forget(struct written_files *);
/* All new bytes of a file at once: written to another file, then renamed. A file of the student's
 * is replaced as shell_may_replace() says. */
int shell_save(struct shell *, const char *path, const char *bytes, size_t n, struct err *);
int shell_save_own(struct shell *, const char *path, const char *bytes, size_t n, struct err *);

void waiting_begin(struct shell *, const char *what); /* a command, or a part of it */
void waiting_end(struct shell *);                     /* removes its line */
void waiting_leave(struct shell *, const struct waiting *outer); /* the outer command goes on */
/* The command runs others, and is at this part. "": it runs none any more. */
void waiting_within(struct shell *, const char *part, double left_s);
struct progress waiting_progress(struct shell *);

/* commands.c */
extern const struct command *const shell_own_commands[]; /* all but the labs */
const struct command *command_exact(struct shell *, const char *name);
const struct command *command_find(struct shell *, const char *name, struct err *);

#endif
