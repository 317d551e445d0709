/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that GNU readline edits: a history kept in a file of its own, completion from the command
 * table. Readline calls back without saying for whom, so this file keeps the one shell that prompts.
 */
#include "repl/line.h"

#ifdef HAVE_READLINE

#include "base/lines.h"
#include "base/utf8.h"
#include "repl/complete.h"
#include "repl/interrupt.h"
#include "repl/prompt.h"
#include "repl/user-file.h"
#include "screen/columns.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

enum {
    LOOK_MS = 200, /* between looks at Ctrl-C while waiting for keys */
    HISTORY_MOST = 10000
};

static struct shell *prompting; /* for readline's callbacks */
static int begun_with = -1;     /* the key that ended the pager */
static struct buf history_path; /* empty: no history is kept */

/* ---- history -------------------------------------------------------------------------- */

/* The history file, there and ours alone; empty where there can be none. */
static void history_file(const struct shell *sh, struct buf *path)
{
    const char *given = getenv("CUDALAB_HISTORY");
    if (sh->safe)
        return;
    if (given)
        buf_puts(path, given);
    else
        user_state_file(path, "history");
    if (!path->len || path->failed)
        return;
    if (!given)
        user_folders(path->data);
    int fd = open(path->data, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        buf_clear(path); /* no history then, and no complaint */
    else
        close(fd);
}

void line_history(struct report *r, int most)
{
    int first = history_length > most ? history_length - most : 0;
    for (int i = first; i < history_length; i++) {
        HIST_ENTRY *entry = history_get(history_base + i);
        if (entry)
            say(r, "%5d  %s\n", history_base + i, entry->line);
    }
}

void line_remember(const char *line)
{
    HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
    if (!line[strspn(line, " \t")] || (last && strcmp(last->line, line) == 0))
        return;
    add_history(line);
    if (history_path.len)
        append_history(1, history_path.data);
}

/* ---- readline's callbacks ------------------------------------------------------------- */

/* Readline takes it from the terminal's echo whether to show what is typed; ours is off. */
static void prepare(int meta)
{
    rl_prep_terminal(meta);
    rl_tty_set_echoing(1);
}

/* Ctrl-Z: the shell gets its terminal as it was; after `fg` the line is there again. */
static void pause_here(void)
{
    rl_deprep_terminal();
    interrupt_pause_later(false);
    raise(SIGTSTP);
    interrupt_pause_later(true);
    prepare(1);
    rl_on_new_line();
    rl_forced_update_display();
}

bool line_begin_with(int key)
{
    begun_with = key;
    return true;
}

/*
 * One key, or -1. What is typed ahead stays with the terminal, where Ctrl-C flushes it:
 * readline's own way would take as much as there is.
 */
static int wait_for_key(int fd)
{
    struct pollfd keys = {.fd = fd, .events = POLLIN};
    unsigned char key;
    if (begun_with >= 0) {
        key = (unsigned char)begun_with;
        begun_with = -1;
        return key;
    }
    while (true) {
        rl_check_signals();
        if (interrupt_pause_due())
            pause_here();
        if (prompting->session.stop)
            return -1;
        int ready = poll(&keys, 1, LOOK_MS);
        if (prompting->session.stop)
            return -1; /* Ctrl-C flushed what came before it: a key is for the next line */
        ssize_t n = ready > 0 ? read(fd, &key, 1) : ready;
        if (n == 1)
            return key;
        bool ended = ready > 0 && n == 0;
        if (ended || (n < 0 && errno != EINTR && errno != EAGAIN))
            return -1;
    }
}

/*
 * After Ctrl-C whatever readline is in the middle of, a search say, gets no more keys and gives
 * up. A paste must be closed before: readline 8.2 reads past its buffer else.
 */
static int read_key(FILE *in)
{
    static struct { bool open; unsigned matched; } paste;
    const char *mark = paste.open ? "\033[201~" : "\033[200~";
    int key = wait_for_key(fileno(in));
    if (key < 0 && paste.open)
        key = mark[paste.matched];
    if (key < 0)
        return READERR;
    paste.matched = key == mark[paste.matched] ? paste.matched + 1 : key == mark[0];
    if (!mark[paste.matched]) {
        paste.open = !paste.open;
        paste.matched = 0;
    }
    return key;
}

/* Readline replaces the line from `start`, which need not be where the names begin. */
static char *fitted(const char *name, const char *line, size_t from, size_t start)
{
    if (from < start)
        return strdup(strlen(name) >= start - from ? name + (start - from) : name);
    size_t before = from - start, n = strlen(name);
    char *whole = malloc(before + n + 1);
    if (whole) {
        memcpy(whole, line + start, before);
        memcpy(whole + before, name, n + 1);
    }
    return whole;
}

/* Readline wants the longest common beginning first, then the names, all from malloc. */
static char **as_matches(const struct completions *c, size_t start)
{
    char **matches = calloc(c->count + 2, sizeof *matches);
    unsigned n = 0;
    if (!matches)
        return NULL;
    for (unsigned i = 0; i < c->count; i++)
        if ((matches[n + 1] = fitted(c->names[i], rl_line_buffer, c->from, start)))
            n++;
    size_t common = n ? strlen(matches[1]) : 0;
    for (unsigned i = 2; i <= n; i++)
        for (size_t k = 0; k < common; k++)
            if (matches[1][k] != matches[i][k])
                common = k;
    matches[0] = n ? strndup(matches[1], common) : NULL;
    if (n == 1) { /* the one name stands first, and nowhere else */
        free(matches[1]);
        matches[1] = NULL;
    }
    if (matches[0])
        return matches;
    for (unsigned i = 1; i <= n; i++)
        free(matches[i]);
    free(matches);
    return NULL;
}

/* "k<<<", in memory from malloc like the name, which is freed. */
static char *with_brackets(char *name)
{
    const size_t n = strlen(name);
    char *longer = realloc(name, n + 4);
    if (!longer)
        return name;
    memcpy(longer + n, "<<<", 4);
    return longer;
}

static char **on_complete(const char *text, int start, int end)
{
    struct completions c;
    char **matches = NULL;
    (void)text;
    rl_attempted_completion_over = 1; /* never the names of files where none are due */
    if (complete_line(prompting, rl_line_buffer, (size_t)end, &c) == 0 && c.count)
        matches = as_matches(&c, (size_t)start);
    rl_filename_completion_desired = c.files; /* one with blanks is put in quotes */
    if (c.count == 1 && c.calls && matches && matches[0])
        matches[0] = with_brackets(matches[0]);
    if (c.count == 1 && (c.calls || ends_in(c.names[0], "/")))
        rl_completion_suppress_append = rl_completion_suppress_quote = 1;
    completions_free(&c);
    return matches;
}

/* Is there a byte in the line that begins no character, or a character that takes no column? */
static bool line_is_odd(void)
{
    size_t length = (size_t)rl_end, n;
    uint32_t code;
    for (size_t at = 0; at < length; at += n) {
        n = utf8_next(rl_line_buffer + at, length - at, &code);
        if (!n || columns_of(rl_line_buffer + at, n) == 0)
            return true;
    }
    return false;
}

/* vi's w and e: at the end of an odd line readline 8.2 goes to and fro between two places for
 * ever, and heeds no Ctrl-C. */
static int vi_word(int count, int key)
{
    if (line_is_odd())
        return rl_ding();
    return tolower(key) == 'e' ? rl_vi_end_word(count, key) : rl_vi_next_word(count, key);
}

static void set_up_readline(struct shell *sh)
{
    prompting = sh;
    rl_readline_name = "cudalab";
    if (sh->safe)
        setenv("INPUTRC", "/dev/null", 1); /* no file of the user's is read */
    rl_attempted_completion_function = on_complete;
    rl_variable_bind("show-all-if-ambiguous", "on"); /* at the first Tab; an inputrc may say no */
    rl_completer_word_break_characters = " \t\n;=\"'(,";
    rl_completer_quote_characters = "\"'";
    rl_filename_quote_characters = " \t;#()'\"<>\\";
    rl_getc_function = read_key;
    for (const char *key = "eEwW"; *key; key++)
        rl_bind_key_in_map(*key, vi_word, vi_movement_keymap);
    /* On Ctrl-C its handlers free what is still in use where, as here, nobody jumps out: the list
     * of names it shows, what an edited line of the history remembers. Ours only tell. */
    rl_catch_signals = 0;
    rl_prep_term_function = prepare;
    if (prompt_talk(sh).fd != STDOUT_FILENO) {
        rl_outstream = stderr;
        rl_variable_bind("enable-bracketed-paste", "off");
    }
}

void line_open(struct shell *sh)
{
    set_up_readline(sh);
    history_file(sh, &history_path);
    stifle_history(HISTORY_MOST);
    if (history_path.len)
        read_history(history_path.data);
}

void line_close(void)
{
    if (history_path.len)
        history_truncate_file(history_path.data, HISTORY_MOST);
    rl_clear_history();
    buf_free(&history_path);
}

/* Where readline has had the terminal bracket pastes, it breaks a line that was given up. */
static bool ends_line_itself(void)
{
    const char *brackets = rl_variable_value("enable-bracketed-paste");
    return rl_readline_version >= 0x0801 && brackets && strcmp(brackets, "on") == 0;
}

/* Lines of the history that were edited and left keep what would undo that, which readline 8.2 may
 * have freed by the next line: nobody wants it then. What would undo the line just read readline
 * has freed itself when it returns, also after Ctrl-C; freeing it here would be for nothing. */
static void forget_edits(void)
{
    HIST_ENTRY **all = history_list();
    for (int i = 0; all && all[i]; i++)
        all[i]->data = NULL;
}

enum read_status line_next(struct shell *sh, const char *prompt, struct buf *line)
{
    struct sink to = prompt_talk(sh);
    terminal_hold(STDIN_FILENO);
    sh->session.stop = 0;
    interrupt_pause_later(true);
    char *typed = readline(prompt);
    interrupt_pause_later(false);
    forget_edits();
    buf_clear(line);
    if (typed && !interrupt_ending()) {
        buf_puts(line, typed);
        free(typed);
        return READ_LINE;
    }
    free(typed);
    if (!ends_line_itself())
        sink_write(&to, "\n", 1);
    return sh->session.stop ? READ_STOPPED : READ_END;
}

#endif
