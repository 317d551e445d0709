/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text stays on the terminal, as if it had been printed at once, so there is no way back: the
 * terminal itself scrolls. Only whole lines are shown, since colours are closed at their ends.
 */
#include "repl/pages.h"

#include "base/lines.h"
#include "os/tty.h"
#include "repl/interrupt.h"
#include "repl/line.h"
#include "repl/prompt.h"
#include "repl/screen.h"
#include "screen/columns.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#define KEYS "Space: more, Enter: a line, G: all, q: back; or type the next command"
#define FEW_KEYS "Space: more, q: back"
#define WIPE "\r\033[K"

enum { ESCAPE_MS = 50 }; /* what follows ESC of a key comes at once */
enum wish { WISH_PAGE, WISH_LINE, WISH_ALL, WISH_BACK, WISH_NONE };

static void size_of(int fd, int *rows, int *columns)
{
    const bool known = tty_window(fd, columns, rows);
    *rows = known && *rows > 1 ? *rows - 1 : 1;
    *columns = known ? *columns : 0;
}

/* Prints lines until these rows are full, at least one. */
static void put_rows(struct shell *sh, struct span *rest, int rows, int columns, bool painted)
{
    const char *from = rest->at;
    struct span after = *rest, line;
    int used = 0;
    while (next_line(&after, &line)) {
        int wide = columns_of(line.at, line.n);
        int takes = columns > 0 && wide > columns ? (wide + columns - 1) / columns : 1;
        if (used && used + takes > rows)
            break;
        used += takes;
        *rest = after;
    }
    shell_put(sh, &sh->out, from, (size_t)(rest->at - from), painted);
}

/* ---- keys ------------------------------------------------------------------------------- */

/* The next byte from the keyboard; -1: Ctrl-C, or nobody is there any more. */
static int read_byte(const struct shell *sh)
{
    unsigned char key;
    ssize_t n = sh->session.stop || interrupt_ending() ? 0 : read(STDIN_FILENO, &key, 1);
    return n == 1 ? key : -1;
}

static bool more_follows(void)
{
    struct pollfd keys = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&keys, 1, ESCAPE_MS) > 0;
}

/* What follows ESC: Down, Page Down and End mean what they say. ESC alone goes back. */
static enum wish read_escape(const struct shell *sh)
{
    char code[8] = "";
    size_t n = 0;
    if (!more_follows())
        return WISH_BACK;
    do {
        int key = read_byte(sh);
        if (key < 0)
            return WISH_BACK;
        code[n++] = (char)key;
    } while (n + 1 < sizeof code && (n == 1 || is_digit(code[n - 1]) || code[n - 1] == ';') &&
             more_follows());
    return strcmp(code, "[B") == 0 || strcmp(code, "OB") == 0  ? WISH_LINE
           : strcmp(code, "[6~") == 0                          ? WISH_PAGE
           : strcmp(code, "[F") == 0 || strcmp(code, "OF") == 0 ? WISH_ALL
                                                               : WISH_NONE;
}

static enum wish read_wish(struct shell *sh)
{
    int key = read_byte(sh);
    switch (key) {
    case ' ': return WISH_PAGE;
    case '\r':
    case '\n': return WISH_LINE;
    case 'G': return WISH_ALL;
    case -1:
    case 4: /* Ctrl-D */
    case 'q':
    case 'Q': return WISH_BACK;
    case '\033': return read_escape(sh);
    default: break;
    }
    bool prints = key > ' ' && key != 0x7f;
    return prints && line_begin_with(key) ? WISH_BACK : WISH_NONE;
}

/* ---- the text --------------------------------------------------------------------------- */

bool pages_show(struct shell *sh, const char *text, size_t n, bool painted)
{
    struct span rest = {text, n};
    enum wish wish = WISH_PAGE;
    int rows, columns;
    while (rest.n && wish != WISH_BACK) {
        size_of(sh->out.fd, &rows, &columns);
        if (wish != WISH_NONE)
            put_rows(sh, &rest, wish == WISH_PAGE ? rows : 1, columns, painted);
        if (!rest.n)
            break;
        const char *keys = columns > (int)strlen(KEYS) ? KEYS : FEW_KEYS;
        sink_write(&sh->out, keys, strlen(keys));
        wish = read_wish(sh);
        sink_write(&sh->out, WIPE, strlen(WIPE));
        if (wish == WISH_ALL) {
            shell_put(sh, &sh->out, rest.at, rest.n, painted);
            rest.n = 0;
        }
    }
    return rest.n == 0;
}
