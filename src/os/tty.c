/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "os/tty.h"

#ifndef WITH_WEB

#include <sys/ioctl.h>
#include <unistd.h>

bool tty_is(int fd)
{
    return isatty(fd);
}

bool tty_window(int fd, int *columns, int *rows)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0)
        return false;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return true;
}

#endif
