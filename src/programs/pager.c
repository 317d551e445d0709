/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pager that CUDALAB_PAGER or PAGER names; without them cudalab pages itself (repl/pages.h). It
 * is started without a shell: its command line is cut at blanks and nothing in it is expanded.
 */
#define _GNU_SOURCE /* environ */
#include "programs/programs.h"

#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGER_WORDS = 16, PAGER_LINE = 256, NOT_STARTED = 127 };

/* The command line of the pager. */
struct pager {
    char line[PAGER_LINE];
    char *words[PAGER_WORDS + 1]; /* the line, cut at blanks */
};

/* Finds the command of the pager. False: there is none. */
static bool find_pager(struct pager *p)
{
    const char *wanted = getenv("CUDALAB_PAGER");
    if (!wanted)
        wanted = getenv("PAGER");
    if (!wanted || strlen(wanted) >= sizeof p->line)
        return false;
    strcpy(p->line, wanted);
    int count = 0;
    char *rest = NULL;
    for (char *w = strtok_r(p->line, " \t", &rest); w && count < PAGER_WORDS;
         w = strtok_r(NULL, " \t", &rest))
        p->words[count++] = w;
    p->words[count] = NULL;
    return count > 0 && strcmp(p->words[0], "cat") != 0;
}

/* The environment with LESSSECURE added. With it, less starts no shell and no editor, and writes no
 * file. The caller frees it. NULL: memory ran out. */
static char **secure_environment(void)
{
    static char secure[] = "LESSSECURE=1";
    size_t count = 0, kept = 1;
    while (environ[count])
        count++;
    char **all = calloc(count + 2, sizeof *all);
    if (!all)
        return NULL;
    all[0] = secure;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], secure, sizeof "LESSSECURE=" - 1) != 0)
            all[kept++] = environ[i];
    return all;
}

static pid_t start_pager(char *const words[], int input, int other_end)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    char **environment = secure_environment();
    if (!environment || posix_spawn_file_actions_init(&actions) != 0) {
        free(environment);
        return -1;
    }
    if (posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) != 0 ||
        posix_spawn_file_actions_addclose(&actions, other_end) != 0 ||
        posix_spawnp(&pid, words[0], &actions, NULL, words, environment) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return pid;
}

/* The pager has the keyboard until it ends. Ctrl-C goes to it as well. */
static void feed(pid_t pid, int to, const char *text, size_t n, int (*ended)(void), int *status)
{
    static const int its_own[] = {SIGPIPE, SIGINT, SIGQUIT};
    enum { OWN = sizeof its_own / sizeof *its_own };
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before[OWN];
    for (int i = 0; i < OWN; i++)
        sigaction(its_own[i], &ignore, &before[i]);
    fd_write_until(to, text, n, ended);
    close(to);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        if (ended())
            kill(pid, SIGTERM);
    for (int i = 0; i < OWN; i++)
        sigaction(its_own[i], &before[i], NULL);
}

/* true: the pager was there. It need not have read all of the text. */
bool program_page(const char *text, size_t n, int (*ended)(void))
{
    struct pager p;
    int ends[2], status;
    if (!find_pager(&p) || pipe(ends) != 0)
        return false;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = start_pager(p.words, ends[0], ends[1]);
    close(ends[0]);
    if (pid > 0)
        feed(pid, ends[1], text, n, ended, &status);
    else
        close(ends[1]);
    return pid > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED);
}
