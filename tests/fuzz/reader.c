/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whatever bytes are typed: cut into lines as the reader does, completed, and run in a shell of
 * other people's scripts (--safe), with so few steps and so little time that nothing takes long.
 * No process is started and no file is touched. A crash, a leak or undefined behaviour is what
 * libFuzzer looks for; no answer is checked here.
 */
#include "labs/labs.h"
#include "repl/complete.h"
#include "repl/reader.h"
#include "repl/settings.h"
#include "repl/shell.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMANDS = 200, STEPS = 2000, LINES = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static int all_commands(const struct command *all[COMMANDS])
{
    int count = 0;
    for (int i = 0; all_labs[i] && count < COMMANDS - 1; i++)
        all[count++] = all_labs[i];
    for (int i = 0; shell_own_commands[i] && count < COMMANDS - 1; i++)
        all[count++] = shell_own_commands[i];
    all[count] = NULL;
    return count;
}

/* A session as under --safe, its output dropped. */
static int open_shell(struct shell *sh, const struct command **commands,
                      struct script_place *prompt)
{
    struct settings *set = &sh->session.settings;
    struct err e;
    shell_init(sh);
    strcpy(set->device, "sim");
    sh->session.commands = commands;
    sh->safe = sh->no_init = true;
    set->step_limit = STEPS;
    sh->session.budget.command_s = 0.05;
    shell_lock(sh);
    sh->out.fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    sh->place = prompt;
    return sh->out.fd < 0 ? -1 : shell_open(sh, &e);
}

static void complete_each(struct shell *sh, const char *line, size_t n)
{
    struct completions c;
    size_t at[] = {n, n / 2};
    for (int i = 0; i < 2; i++) {
        complete_line(sh, line, at[i], &c);
        completions_free(&c);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const struct command *commands[COMMANDS];
    struct script_place prompt = {.name = NULL};
    struct shell sh;
    struct reader r;
    struct buf line = {0};
    struct err e;
    int number;
    all_commands(commands);
    if (open_shell(&sh, commands, &prompt) == 0) {
        reader_open_text(&r, (const char *)data, n);
        for (int i = 0; i < LINES && !shell_done(&sh) &&
                        reader_next(&r, &line, &number, &e) == READ_LINE; i++) {
            if (!memchr(buf_text(&line), '\0', line.len))
                complete_each(&sh, buf_text(&line), line.len);
            shell_run_line(&sh, buf_text(&line), line.len);
        }
    }
    shell_close(&sh);
    if (sh.out.fd >= 0)
        close(sh.out.fd);
    buf_free(&line);
    return 0;
}
