/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C, and being told to end. The handlers only set flags, without SA_RESTART, so that a
 * waiting read comes back; whoever runs looks at `stop` and ends as soon as it can. Should
 * nobody look for some seconds, one more Ctrl-C ends the program, as if there were no handler:
 * a hasty second and third one does no harm. Ctrl-\, a slip of the finger, is Ctrl-C.
 *
 * The terminal's own line editing is off while we have it, also while a command runs: a Ctrl-D
 * typed ahead would be lost there, and everything else be shown twice.
 *
 * A signal handler has no argument of ours, so this file keeps what it needs.
 */
#include "repl/interrupt.h"

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>
#include <time.h>

enum { PATIENCE = 5 }; /* seconds */

static volatile sig_atomic_t *stop_flag;
static volatile sig_atomic_t ending;
static volatile time_t first_at;

static struct termios found, held; /* the terminal as it was, and as we have it */
static volatile sig_atomic_t held_fd = -1;
static volatile sig_atomic_t pause_later, pause_due;

/* ---- handlers ------------------------------------------------------------------------- */

static void meet_default(int signal_number)
{
    sigset_t it;
    if (held_fd >= 0)
        tcsetattr(held_fd, TCSANOW, &found);
    sigemptyset(&it);
    sigaddset(&it, signal_number);
    signal(signal_number, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &it, NULL);
    raise(signal_number);
}

static void on_interrupt(int signal_number)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!*stop_flag)
        first_at = now.tv_sec;
    else if (now.tv_sec - first_at > PATIENCE)
        meet_default(signal_number);
    *stop_flag = 1;
}

static void on_ending(int signal_number)
{
    if (ending)
        meet_default(signal_number); /* told twice */
    ending = signal_number;
    *stop_flag = 1;
}

/* Ctrl-Z; it goes on where the raise returns. */
static void on_pause(int signal_number)
{
    if (pause_later) {
        pause_due = 1;
        return;
    }
    meet_default(signal_number);
    signal(signal_number, on_pause);
    if (held_fd >= 0)
        tcsetattr(held_fd, TCSANOW, &held);
}

/* ---- what they are asked -------------------------------------------------------------- */

/* Who started us with a signal ignored (nohup, a background job) wants it so. */
static void catch(int signal_number, void (*handler)(int))
{
    struct sigaction act = {.sa_handler = handler}, before;
    sigemptyset(&act.sa_mask);
    if (sigaction(signal_number, NULL, &before) != 0 || before.sa_handler == SIG_IGN)
        return;
    sigaction(signal_number, &act, NULL);
}

void interrupt_watch(volatile sig_atomic_t *stop)
{
    stop_flag = stop;
    catch(SIGINT, on_interrupt);
    catch(SIGQUIT, on_interrupt);
    catch(SIGTERM, on_ending);
    catch(SIGHUP, on_ending);
    catch(SIGTSTP, on_pause);
    /* A file that may not grow further is a write that fails, not a reason to be killed. */
    signal(SIGXFSZ, SIG_IGN);
}

int interrupt_ending(void)
{
    return ending;
}

void interrupt_pause_later(bool later)
{
    pause_later = later;
}

bool interrupt_pause_due(void)
{
    bool due = pause_due;
    pause_due = 0;
    return due;
}

void terminal_hold(int fd)
{
    struct termios now;
    if (tcgetattr(fd, &now) != 0 || !(now.c_lflag & ICANON))
        return; /* no terminal, or held already */
    found = held = now;
    held.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    held.c_cc[VMIN] = 1;
    held.c_cc[VTIME] = 0;
    held_fd = fd;
    tcsetattr(fd, TCSADRAIN, &held);
}

bool terminal_held(void)
{
    return held_fd >= 0;
}

void terminal_release(void)
{
    if (held_fd >= 0)
        tcsetattr(held_fd, TCSADRAIN, &found);
    held_fd = -1;
}
