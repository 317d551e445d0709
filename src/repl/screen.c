/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen, and the pager for what is longer than it. The pager is started without a
 * shell: its command line is cut at blanks and nothing in it is expanded.
 */
#define _GNU_SOURCE /* environ */
#include "repl/screen.h"

#include "repl/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OFF_TERMINAL = 80, PROJECTOR = 72, WIDEST = 100, NARROWEST = 40, PAGER_WORDS = 16 };

static bool window(int fd, struct winsize *size)
{
    return ioctl(fd, TIOCGWINSZ, size) == 0;
}

int screen_lines(int fd)
{
    struct winsize size;
    return window(fd, &size) ? size.ws_row : 0;
}

int screen_columns_of(int fd)
{
    struct winsize size;
    return window(fd, &size) ? size.ws_col : 0;
}

/* Does what is printed go to a terminal, not to a pipe or an `output FILE`? */
static bool on_terminal(const struct shell *sh)
{
    return sh->out_is_terminal && sh->file.fd < 0;
}

int screen_columns(const struct shell *sh)
{
    const struct settings *set = &sh->session.settings;
    struct winsize size;
    int w = OFF_TERMINAL;
    if (on_terminal(sh) && window(sh->out.fd, &size) && size.ws_col)
        w = size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
    return set->width ? set->width : w;
}

/* Lines of text don't grow with a terminal beyond what an eye can follow. */
static int width(const struct shell *sh)
{
    const struct settings *set = &sh->session.settings;
    int w = screen_columns(sh);
    if (!set->width && w > WIDEST)
        w = WIDEST;
    return set->projector && w > PROJECTOR ? PROJECTOR : w;
}

static bool has_utf8(const struct shell *sh)
{
    const char *charset = sh->session.settings.charset;
    if (strcmp(charset, "auto") != 0)
        return strcmp(charset, "utf8") == 0;
    /* A script gives the same bytes in every locale. */
    return on_terminal(sh) && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* ---- colours -------------------------------------------------------------------------- */

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

/* Off a terminal, only where they were asked for in so many words. */
static bool wants_colours(const struct shell *sh)
{
    const char *color = sh->session.settings.color, *term = environment("TERM");
    if (strcmp(color, "auto") != 0)
        return strcmp(color, "always") == 0;
    return on_terminal(sh) && !*environment("NO_COLOR") && *term && strcmp(term, "dumb") != 0;
}

static int colours(const struct shell *sh)
{
    const char *term = environment("TERM"), *more = environment("COLORTERM");
    if (!wants_colours(sh))
        return 0;
    bool many = strstr(term, "256color") || strstr(term, "direct") ||
                strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0;
    return many && !sh->session.settings.projector ? 256 : 16;
}

/* COLORFGBG, which some terminals set, ends in the background: 7 and 9 to 15 are light. */
static bool is_light(const struct shell *sh)
{
    const char *theme = sh->session.settings.theme;
    const char *ground = strrchr(environment("COLORFGBG"), ';');
    if (strcmp(theme, "auto") != 0)
        return strcmp(theme, "light") == 0;
    if (!ground || !ground[1] || ground[1 + strspn(ground + 1, "0123456789")])
        return false;
    long number = strtol(ground + 1, NULL, 10);
    return number == 7 || (number >= 9 && number <= 15);
}

void screen_describe(const struct shell *sh, struct report *r)
{
    r->width = width(sh);
    r->utf8 = has_utf8(sh);
    r->colours = colours(sh);
    r->light = is_light(sh);
    r->bold = sh->session.settings.projector;
    r->plain = sh->session.settings.plain;
    /* A transcript has the same bytes whoever wrote it, so nothing volatile is shown meanwhile. */
    r->volatile_on = sh->session.settings.volatile_on && sh->record.transcript.fd < 0;
}

/* ---- the pager ------------------------------------------------------------------------ */

static bool wants_pager(const struct shell *sh, const char *text, size_t n)
{
    if (!sh->prompting || !shell_typed(sh) || sh->safe || !on_terminal(sh) ||
        !isatty(STDIN_FILENO))
        return false;
    const char *term = getenv("TERM");
    if (!term || strcmp(term, "dumb") == 0)
        return false; /* a pager would only complain */
    int lines = 1, most = screen_lines(sh->out.fd);
    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return most > 0 && lines > most - 1;
}

/* Cut the pager's command at blanks; returns whether there is one. */
static bool pager_words(char line[256], char *words[PAGER_WORDS + 1])
{
    const char *wanted = getenv("CUDALAB_PAGER");
    if (!wanted)
        wanted = getenv("PAGER");
    if (!wanted)
        wanted = "less -FRX";
    if (strlen(wanted) >= 256)
        return false;
    strcpy(line, wanted);
    int count = 0;
    char *rest = NULL;
    for (char *w = strtok_r(line, " \t", &rest); w && count < PAGER_WORDS;
         w = strtok_r(NULL, " \t", &rest))
        words[count++] = w;
    words[count] = NULL;
    return count > 0 && strcmp(words[0], "cat") != 0;
}

static pid_t start_pager(char *const words[], int input, int other_end)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    if (posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) != 0 ||
        posix_spawn_file_actions_addclose(&actions, other_end) != 0 ||
        posix_spawnp(&pid, words[0], &actions, NULL, words, environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

/* The keyboard is the pager's until it ends, Ctrl-C too. */
static void feed_pager(pid_t pid, int to, const char *text, size_t n, int *status)
{
    static const int its_own[] = {SIGPIPE, SIGINT, SIGQUIT};
    enum { OWN = sizeof its_own / sizeof *its_own };
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before[OWN];
    struct sink sink = {.fd = to};
    for (int i = 0; i < OWN; i++)
        sigaction(its_own[i], &ignore, &before[i]);
    sink_write(&sink, text, n);
    close(to);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        if (interrupt_ending())
            kill(pid, SIGTERM);
    for (int i = 0; i < OWN; i++)
        sigaction(its_own[i], &before[i], NULL);
}

/* true: the pager had it. What it did not read, it did not want. */
static bool page(const char *text, size_t n)
{
    char line[256], *words[PAGER_WORDS + 1];
    int ends[2], status;
    if (!pager_words(line, words) || pipe(ends) != 0)
        return false;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = start_pager(words, ends[0], ends[1]);
    close(ends[0]);
    if (pid > 0)
        feed_pager(pid, ends[1], text, n, &status);
    else
        close(ends[1]);
    return pid > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
}

int screen_show(struct shell *sh, const char *text, size_t n)
{
    if (wants_pager(sh, text, n) && page(text, n))
        return 0;
    return shell_put(sh, shell_out(sh), text, n, colours(sh) > 0);
}
