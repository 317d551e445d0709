/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * peak FILE SECONDS COMMAND...: run a command, and write to FILE the most kilobytes of memory that
 * it and all its descendants had at one time, and the seconds that it took. The kernel's own
 * account is read some hundred times a second where that is cheap; memory that processes share is divided among them, and
 * the file's pages that they map are left out, since the kernel can take those back. What one
 * process had at most counts too, should it have been missed. The command is killed after SECONDS;
 * the exit status is its own, or 124.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PROCESSES = 4096, SHORT_NAP_US = 10000, NAPS = 9 /* to each look's own length */ };

struct process {
    long pid, parent;
    int ours;
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long parent_of(const char *pid)
{
    char path[300], text[512] = "";
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    char *read = fgets(text, sizeof text, f), *name_ends = strrchr(text, ')');
    fclose(f);
    return read && name_ends && sscanf(name_ends + 1, " %*c %ld", &parent) == 1 ? parent : 0;
}

static int list(struct process *all)
{
    int n = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && n < PROCESSES && (e = readdir(d));)
        if (atol(e->d_name) > 0)
            all[n++] = (struct process){.pid = atol(e->d_name), .parent = parent_of(e->d_name)};
    if (d)
        closedir(d);
    return n;
}

/* Its part of the memory that no file backs. */
static long kilobytes_of(long pid)
{
    char path[64], line[256];
    long sum = 0, kb;
    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "Pss_Anon: %ld", &kb) == 1 || sscanf(line, "Pss_Shmem: %ld", &kb) == 1)
            sum += kb;
    if (f)
        fclose(f);
    return sum;
}

/* Of a process and all that descend from it. */
static long kilobytes_of_all(long root)
{
    static struct process all[PROCESSES];
    int n = list(all), more = 1;
    long sum = 0;
    while (more) {
        more = 0;
        for (int i = 0; i < n; i++) {
            int ours = all[i].pid == root;
            for (int k = 0; k < n && !ours; k++)
                ours = all[k].ours && all[k].pid == all[i].parent;
            more |= ours != all[i].ours;
            all[i].ours = ours;
        }
    }
    for (int i = 0; i < n; i++)
        sum += all[i].ours ? kilobytes_of(all[i].pid) : 0;
    return sum;
}

int main(int argc, char **argv)
{
    struct rusage used = {.ru_maxrss = 0};
    int status = 0, late = 0;
    long most = 0;
    if (argc < 4)
        return 2;
    const double began = seconds(), patience = atof(argv[2]);
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[3], argv + 3);
        _exit(127);
    }
    while (wait4(child, &status, WNOHANG, &used) == 0) {
        const double looked = seconds();
        long now = kilobytes_of_all(child);
        most = now > most ? now : most;
        late = late || seconds() - began > patience;
        if (late)
            kill(child, SIGKILL);
        usleep(SHORT_NAP_US + (useconds_t)(NAPS * 1e6 * (seconds() - looked)));
    }
    most = used.ru_maxrss > most ? used.ru_maxrss : most;
    FILE *out = fopen(argv[1], "w");
    if (!out || fprintf(out, "%ld %.1f\n", most, seconds() - began) < 0 || fclose(out) != 0)
        return 2;
    return late ? 124 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
