/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * peak FILE SECONDS COMMAND...: run a command, and write to FILE the most kilobytes of memory that
 * it had, or one of its children, and the seconds that it took, by the system's own account. It is
 * killed after SECONDS; the exit status is its own, or 124.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t late;
static pid_t child;

static void on_alarm(int signal_number)
{
    (void)signal_number;
    late = 1;
    kill(child, SIGKILL);
}

static double seconds(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
    struct rusage used;
    int status = 0;
    if (argc < 4)
        return 2;
    const double began = seconds();
    child = fork();
    if (child == 0) {
        execvp(argv[3], argv + 3);
        _exit(127);
    }
    signal(SIGALRM, on_alarm);
    alarm((unsigned)atoi(argv[2]));
    while (wait4(child, &status, 0, &used) < 0)
        ;
    FILE *out = fopen(argv[1], "w");
    if (!out || fprintf(out, "%ld %.1f\n", used.ru_maxrss, seconds() - began) < 0 ||
        fclose(out) != 0)
        return 2;
    return late ? 124 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
