/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The prompt. With readline: editing, history kept in a file of its own, completion from the
 * command table. Without: a plain reader of lines. Scripts never come here.
 *
 * Readline calls back without saying for whom, so this file keeps the one shell that prompts.
 */
#include "repl/prompt.h"

#include "screen/columns.h"
#include "base/lines.h"
#include "base/utf8.h"
#include "repl/complete.h"
#include "repl/interrupt.h"
#include "repl/reader.h"
#include "repl/screen.h"
#include "repl/settings.h"
#include "repl/step/step.h"
#include "repl/talk.h"
#include "repl/user-file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

#define MORE "       > " /* what is open stands before the > */

enum {
    LOOK_MS = 200, /* between looks at Ctrl-C while waiting for keys */
    HISTORY_MOST = 10000,
    CONTINUED_MOST = 1000 /* lines of one command */
};

static void run_start_up_file(struct shell *sh)
{
    struct buf path = {0};
    struct err e;
    user_file(&path, "XDG_CONFIG_HOME", ".config", "init");
    if (path.len && access(path.data, F_OK) == 0 && shell_run_file(sh, path.data, &e) != 0)
        shell_complain(sh, e.text, 0);
    buf_free(&path);
}

struct sink prompt_talk(const struct shell *sh)
{
    bool mixed = (sh->out_is_terminal && !sh->json) || sh->talk;
    return (struct sink){.fd = mixed ? STDOUT_FILENO : STDERR_FILENO};
}

static void say_banner(struct shell *sh)
{
    const struct session *s = &sh->session;
    struct sink to = prompt_talk(sh);
    struct report screen;
    char first[160];
    if (sh->quiet)
        return;
    report_init(&screen);
    screen_describe(sh, &screen);
    snprintf(first, sizeof first, "cudalab %s on %s (%.100s)", PACKAGE_VERSION, s->device->kind,
             s->device->props.name ? s->device->props.name : s->device->props.profile);
    const char *const lines[] = {
        first, s->why_device, "Type next for the course, help for all commands, Ctrl-D to leave."};
    for (int i = 0; i < 3; i++)
        if (lines[i][0])
            text_wrap(&screen.screen, lines[i], strlen(lines[i]), screen.width, 0);
    shell_put(sh, &to, buf_text(&screen.screen), screen.screen.len, false);
    report_free(&screen);
}

#ifdef HAVE_READLINE

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

void prompt_history(struct report *r, int most)
{
    int first = history_length > most ? history_length - most : 0;
    for (int i = first; i < history_length; i++) {
        HIST_ENTRY *entry = history_get(history_base + i);
        if (entry)
            say(r, "%5d  %s\n", history_base + i, entry->line);
    }
}

static void remember(const char *line)
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

bool prompt_begin_with(int key)
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

static void open_input(struct shell *sh)
{
    set_up_readline(sh);
    history_file(sh, &history_path);
    stifle_history(HISTORY_MOST);
    if (history_path.len)
        read_history(history_path.data);
}

static void close_input(void)
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

static enum read_status read_line(struct shell *sh, const char *prompt, struct buf *line)
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

#else /* the plain line reader */

static struct reader plain; /* it has read ahead what the next line begins with */

void prompt_history(struct report *r, int most)
{
    (void)most;
    say(r, "this cudalab was built without readline and keeps no history\n");
}

static void remember(const char *line)
{
    (void)line;
}

bool prompt_begin_with(int key)
{
    (void)key;
    return false;
}

static void open_input(struct shell *sh)
{
    (void)sh;
    if (reader_open_fd(&plain, STDIN_FILENO) != 0)
        plain.ended = true;
}

static void close_input(void)
{
    reader_close(&plain);
}

static enum read_status read_line(struct shell *sh, const char *prompt, struct buf *line)
{
    struct sink to = prompt_talk(sh);
    struct err e;
    int number;
    sh->session.stop = 0;
    sink_write(&to, prompt, strlen(prompt));
    enum read_status s = reader_next(&plain, line, &number, &e);
    if (s == READ_STOPPED || s == READ_END)
        sink_write(&to, "\n", 1);
    else if (s != READ_LINE)
        shell_complain(sh, e.text, 0);
    return s;
}

#endif

/* ---- for who asks something else ------------------------------------------------------ */

char *prompt_read(struct shell *sh, const char *prompt)
{
    struct buf line = {0};
    char *typed = NULL;
    enum read_status s;
    if (sh->talk)
        return talk_ask(sh, prompt);
    do
        s = read_line(sh, prompt, &line);
    while ((s == READ_STOPPED || s == READ_BAD) && !interrupt_ending());
    if (s == READ_LINE)
        typed = strdup(buf_text(&line));
    if (typed && !strchr(typed, '\n'))
        remember(typed);
    buf_free(&line);
    return typed;
}

char *prompt_answer(struct shell *sh, const char *question)
{
    struct buf line = {0};
    char *answer = NULL;
    if (sh->talk)
        return talk_ask(sh, question);
    if (read_line(sh, question, &line) == READ_LINE) {
        const struct span text = trim((struct span){buf_text(&line), line.len});
        answer = strndup(text.at, text.n);
    }
    buf_free(&line);
    return answer;
}

bool prompt_agrees(struct shell *sh, const char *question)
{
    char *answer = prompt_answer(sh, question);
    const bool yes = answer && (strcmp(answer, "y") == 0 || strcmp(answer, "yes") == 0 ||
                                strcmp(answer, "Y") == 0);
    free(answer);
    return yes;
}

/* Ctrl-C ends a command here, not the session; returns whether it did. */
static bool run_typed(struct shell *sh, const char *text, bool pasted)
{
    sh->pasted = pasted;
    shell_run_text(sh, text, NULL);
    bool stopped = sh->session.stop;
    sh->interrupted = false;
    sh->session.stop = 0;
    return stopped;
}

void prompt_run(struct shell *sh, const char *text)
{
    run_typed(sh, text, strchr(text, '\n') != NULL);
}

/* ---- commands of several lines -------------------------------------------------------- */

/* What was typed, or pasted, and how much of it has been taken: a paste has many lines. */
struct typed_text {
    struct buf text;
    size_t at;
    bool left;
};

/* The next line, appended to `command`: of what was pasted, or asked for. */
static enum read_status typed_line(struct shell *sh, struct typed_text *t, const char *prompt,
                                   struct buf *command)
{
    if (!t->left) {
        enum read_status s = read_line(sh, prompt, &t->text);
        if (s != READ_LINE)
            return s;
        t->at = 0;
    }
    const char *from = buf_text(&t->text) + t->at;
    size_t n = strcspn(from, "\n");
    buf_add(command, from, n);
    t->left = from[n] == '\n';
    t->at += n + 1;
    return READ_LINE;
}

/* Is a block begun in these lines, and not ended? */
static bool has_open_block(const struct buf *lines)
{
    struct statements block = {0};
    struct err ignored;
    const bool open = statements_read(&block, buf_text(lines), lines->len, 1, &ignored) == 0 &&
                      block.deep > 0;
    statements_free(&block);
    return open;
}

/* Where the last line begins. */
static size_t last_line(const struct buf *command)
{
    size_t at = command->len;
    while (at && command->data[at - 1] != '\n')
        at--;
    return at;
}

/* What a command that goes on waits for: the quote or parenthesis that is open in it, a blank
 * after a backslash, `.` for the `end` of a block; 0: it is whole. */
static char waits_for(struct buf *command)
{
    struct err ignored;
    size_t at = last_line(command), end;
    int mark;
    if (command->len > LINE_MOST || command->failed)
        return 0; /* it will be refused */
    if (reader_continues(command))
        return ' ';
    while ((mark = words_end(buf_text(command), command->len, at, &end, &ignored)) == ';')
        at = end + 1;
    if (mark >= 0 && has_open_block(command)) {
        buf_putc(command, '\n');
        return '.';
    }
    if (mark >= 0)
        return 0;
    char closes = words_open(buf_text(command) + at, command->len - at);
    const char *launch = strstr(buf_text(command) + at, "<<<");
    if (closes == '>' && launch && strchr(launch, '>'))
        return 0; /* `k<<<1, 32>>(x)` is no line that goes on: it says itself what is missing */
    buf_putc(command, ' '); /* for the end of its line */
    return closes == ')' ? '(' : closes == '>' ? '<' : closes;
}

char prompt_open_end(const char *text, size_t n)
{
    struct span rest = {text, n}, line;
    struct buf command = {0};
    char open = 0;
    while (next_line(&rest, &line)) {
        buf_add(&command, line.at, line.n);
        open = waits_for(&command);
        if (!open)
            buf_clear(&command);
    }
    buf_free(&command);
    return open;
}

/* Says once why the line goes on. What is pasted goes on by itself. */
static void say_open(struct shell *sh, char open)
{
    struct sink to = prompt_talk(sh);
    char text[80];
    snprintf(text, sizeof text, "`%s` is missing. Go on with the line, or press Ctrl-C.\n",
             open == '.' ? "end" : open == '(' ? ")" : open == '<' ? ">>>" : open == '"' ? "\"" : "'");
    if (open != ' ')
        sink_write(&to, text, strlen(text));
}

const char *prompt_text(const struct shell *sh)
{
    return sh->stepping ? "step> " : "cudalab> ";
}

/* A whole command line; `lines` is how many it was typed on. */
static enum read_status next_command(struct shell *sh, struct typed_text *t, struct buf *command,
                                     int *lines)
{
    char more[] = MORE;
    buf_clear(command);
    *lines = 0;
    do {
        enum read_status s = typed_line(sh, t, *lines ? more : prompt_text(sh), command);
        if (s == READ_END && *lines)
            return READ_LINE; /* it says itself what is missing */
        if (s == READ_STOPPED && *lines)
            remember(buf_text(command)); /* Up brings it back */
        if (s != READ_LINE)
            return s;
        more[sizeof MORE - 4] = waits_for(command);
        if (!*lines && !t->left && more[sizeof MORE - 4])
            say_open(sh, more[sizeof MORE - 4]);
    } while (++*lines < CONTINUED_MOST && more[sizeof MORE - 4]);
    return READ_LINE;
}

static bool is_empty(const struct buf *command)
{
    return trim((struct span){buf_text(command), command->len}).n == 0;
}

static void converse(struct shell *sh)
{
    struct typed_text typed = {.left = false};
    struct buf command = {0};
    enum read_status s = READ_LINE;
    int lines;
    open_input(sh);
    while (!shell_done(sh) && s != READ_END && s != READ_FAILED) {
        s = next_command(sh, &typed, &command, &lines);
        if (s != READ_LINE)
            continue;
        remember(buf_text(&command));
        const char *again = is_empty(&command) ? stepping_again(sh) : NULL;
        char *text = strdup(again ? again : buf_text(&command)); /* a move keeps its own text */
        const bool stopped = text && run_typed(sh, text, lines > 1);
        free(text);
        if (stopped)
            typed.left = false; /* with a command goes what was pasted behind it */
    }
    close_input();
    terminal_release();
    buf_free(&command);
    buf_free(&typed.text);
}

void shell_greet(struct shell *sh)
{
    if (!sh->no_init && !sh->safe)
        run_start_up_file(sh);
    sh->interrupted = false; /* Ctrl-C may have ended that file */
    say_banner(sh);
}

void shell_prompt(struct shell *sh)
{
    struct script_place prompt = {.name = NULL};
    sh->place = &prompt;
    int before = sh->failures; /* a slip at the prompt is no failure of the session */
    converse(sh);
    sh->failures = before;
    sh->place = NULL;
}
