/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths by the XDG base directories; one that isn't absolute is passed over, as they say.
 */
#include "repl/user-file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void user_file(struct buf *out, const char *variable, const char *base, const char *name)
{
    const char *dir = getenv(variable), *home = getenv("HOME");
    if (dir && *dir == '/')
        buf_printf(out, "%s/cudalab/%s", dir, name);
    else if (home && *home == '/')
        buf_printf(out, "%s/%s/cudalab/%s", home, base, name);
}

void user_state_file(struct buf *out, const char *name)
{
    user_file(out, "XDG_STATE_HOME", ".local/state", name);
}

void user_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}
