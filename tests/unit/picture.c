/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures: each in UTF-8 and ASCII, without and with colours, at two widths, against the
 * screens kept in tests/data/pictures.txt; and at all widths, what must hold for all of them. With
 * --write the screens go to stdout, as `make screens` wants them. ESC is kept as \e.
 */
#include "screen/picture.h"
#include "screen/columns.h"
#include "screen/wrap.h"
#include "base/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests;

static void check(bool good, const char *name)
{
    printf("%s %d - %s\n", good ? "ok" : "not ok", ++tests, name);
}

static void is(const char *got, const char *wanted, const char *name)
{
    check(strcmp(got, wanted) == 0, name);
    if (strcmp(got, wanted) != 0)
        printf("# got:    <%s>\n# wanted: <%s>\n", got, wanted);
}

/* ---- the pictures ----------------------------------------------------------------------- */

static void draw_table(struct report *r)
{
    static const struct table_column columns[] = {
        {.head = "kernel"},
        {.head = "what it is for", .folds = true},
        {.head = "loads", .right = true, .gives_way = 1},
        {.head = "stores", .right = true, .gives_way = 2},
        {.head = ""},
    };
    static const char *const rows[][4] = {
        {"scale", "one value a thread, in place", "1024", "1024"},
        {"transpose", "rows become columns, by tiles in shared memory, padded", "65536", "65536"},
        {"行列積", "the product of two matrices: 積 = A x B", "2097152", "4096"},
        {"cafe\xCC\x81", "combining", "7", ""},
    };
    struct table t;
    table_begin(&t, columns, 5, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int k = 0; k < 4; k++)
            table_cell(&t, "%s", rows[i][k]);
        table_cell_in(&t, i == 2 ? INK_BAD : INK_GOOD, "%s", i == 2 ? "WRONG" : "ok");
        if (i == 2)
            table_note(&t, "its last tile reads past the end of the matrix, and nothing says so");
        if (i == 1)
            table_heading(&t, "others");
    }
    say_table(r, &t);
}

static void draw_bars(struct report *r)
{
    static const struct bar bars[] = {
        {"atomic", 1048575, "1,048,575"}, {"warp", 32768, "32,768"}, {"ブロック", 4096, "4,096"},
        {"half", 524287.5, "half of it"}, {"none", 0, "0"},          {"below", -3, "-3"}};
    static const struct bar told[] = {{" 64", 64, "64 warps = 32 x 2: threads and places for blocks"},
                                      {"768", 48, "48 warps = 2 x 24: threads"}};
    say_bars(r, bars, 6);
    say_bars(r, told, 2);
}

static void draw_sparkline(struct report *r)
{
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = i % 20 < 10 ? i % 20 : 20 - i % 20;
    say_sparkline(r, "occupancy", values, 16);
    values[3] = (double)NAN;
    say_sparkline(r, "温度", values, 100);
    say_sparkline(r, "nothing", values, 0);
    say_sparkline(r, "level", (const double[]){2, 2, 2}, 3);
}

static void draw_plot(struct report *r)
{
    enum { POINTS = 41 };
    double x[POINTS], y[POINTS], z[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = (i - 20) / 5.0;
        y[i] = x[i] * x[i];
        z[i] = 16 - 2 * y[i] / 3;
    }
    y[30] = (double)INFINITY;
    const struct plot_series series[] = {{"f", x, y, POINTS, true}, {"g", x, z, POINTS, false}};
    struct plot p = {.x_label = "x", .y_label = "f(x)", .series = series, .count = 1, .rows = 9};
    say_plot(r, &p);
    p.count = 2;
    say_plot(r, &p);
    p.count = 0;
    say_plot(r, &p);
}

static void draw_log_plot(struct report *r)
{
    enum { POINTS = 11 };
    double x[POINTS], y[POINTS], z[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = i ? 2 * x[i - 1] : 1024;
        y[i] = 2e-6 + x[i] * 1e-9;
        z[i] = x[i] * x[i] / 1e12;
    }
    z[4] = 0; /* it has no logarithm */
    const struct plot_series series[] = {{"linear", x, y, POINTS, true},
                                         {"square", x, z, POINTS, true}};
    struct plot p = {.x_label = "n", .y_label = "time", .x_scale = AXIS_TWOS, .y_scale = AXIS_TENS,
                     .y_seconds = true, .series = series, .count = 2};
    say_plot(r, &p);
    p.x_scale = AXIS_TENS;
    p.y_seconds = false;
    p.count = 1;
    say_plot(r, &p);
    y[0] = -1;
    p.series = &(struct plot_series){"one", x, y, 1, true};
    say_plot(r, &p);
}

static void draw_heat_map(struct report *r)
{
    double values[5 * 45];
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 45; x++)
            values[y * 45 + x] = x * y;
    values[46] = (double)NAN;
    const struct heat_map m = {"warp", "SM", 5, 45, values, false};
    say_heat_map(r, &m);
}

static void draw_bank_grid(struct report *r)
{
    struct bank_grid g = {
        .row_name = "lane", .meaning = "the pass that serves it", .rows = 12, .banks = 32};
    for (int y = 0; y < 12; y++)
        g.cell[y][y * 3 % 8] = (unsigned char)(y + 1);
    say_bank_grid(r, &g);
}

static void draw_rows(struct report *r)
{
    struct picture_row rows[2] = {{.label = "lanes"}, {.label = "値"}};
    for (int i = 0; i < 32; i++) {
        snprintf(rows[0].cell[i], sizeof rows[0].cell[i], i % 3 ? "." : "%d", i);
        snprintf(rows[1].cell[i], sizeof rows[1].cell[i], i % 2 ? "é" : "界");
        rows[0].ink[i] = i % 6 ? INK_PLAIN : ink_heat(i, 0, 31);
    }
    say_picture(r, "bank", rows, 2, 32);
}

static void draw_arrows(struct report *r)
{
    int source[32];
    for (int i = 0; i < 32; i++)
        source[i] = i < 8 ? 3 : i < 16 ? (i ^ 1) : i < 31 ? i + 1 : PICTURE_NO_LANE;
    say_arrows(r, source, 32, 8);
    for (int i = 0; i < 32; i++)
        source[i] = i + 16 < 32 ? i + 16 : i;
    say_arrows(r, source, 32, 3);
}

static void draw_marks(struct report *r)
{
    char marks[4][32];
    for (int i = 0; i < 32; i++) {
        marks[0][i] = marks[1][i] = 'A';
        marks[2][i] = i < 16 ? 'B' : i == 16 ? 'a' : '.';
        marks[3][i] = i < 8 ? 'C' : ' ';
    }
    const struct lane_marks m = {"warp", 4, marks};
    say_lane_marks(r, &m);
}

static void draw_timeline(struct report *r)
{
    static const char *const rows[] = {"stream 0", "流 1", "copies"};
    static const char *const kinds[] = {"copy to the device", "kernel", "copy back"};
    static const struct time_span spans[] = {{0, 0, 0, 10},  {0, 1, 10, 40}, {0, 2, 40, 48},
                                             {1, 0, 10, 20}, {1, 1, 40, 70}, {1, 2, 70, 78},
                                             {2, 0, 0, 0.1}};
    const struct timeline t = {rows, 3, kinds, 3, spans, 7, "us"};
    say_timeline(r, &t);
}

static const struct picture {
    const char *name;
    void (*draw)(struct report *);
    bool wide; /* has wide characters of its own, in ASCII too */
} pictures[] = {
    {"table", draw_table, true},         {"bars", draw_bars, true},
    {"sparkline", draw_sparkline, true}, {"plot", draw_plot, false},
    {"log plot", draw_log_plot, false},
    {"heat map", draw_heat_map, false},  {"bank grid", draw_bank_grid, false},
    {"rows", draw_rows, true},           {"arrows", draw_arrows, false},
    {"marks", draw_marks, false},        {"timeline", draw_timeline, true},
};
enum { PICTURES = sizeof pictures / sizeof pictures[0] };

static const struct report screens[] = {
    {.width = 40},
    {.width = 72},
    {.width = 40, .utf8 = true},
    {.width = 72, .utf8 = true},
    {.width = 40, .colours = 16},
    {.width = 40, .colours = 256, .utf8 = true},
    {.width = 72, .colours = 16, .bold = true},
    {.width = 72, .colours = 256, .ground = GROUND_LIGHT},
    {.width = 40, .plain = true},
};
enum { SCREENS = sizeof screens / sizeof screens[0] };

static void draw(const struct picture *p, const struct report *screen, struct buf *out)
{
    struct report r;
    report_init(&r);
    r.width = screen->width;
    r.utf8 = screen->utf8;
    r.colours = screen->colours;
    r.ground = screen->ground;
    r.bold = screen->bold;
    r.plain = screen->plain;
    p->draw(&r);
    buf_add(out, buf_text(&r.screen), r.screen.len);
    report_free(&r);
}

/* ---- the kept screens ------------------------------------------------------------------- */

static void put_title(struct buf *out, const struct picture *p, const struct report *s)
{
    buf_printf(out, "==== %s: %d columns, %s, %d colours%s%s%s\n", p->name, s->width,
               s->utf8 ? "UTF-8" : "ASCII", s->colours, s->ground == GROUND_LIGHT ? ", light" : "",
               s->bold ? ", projector" : "", s->plain ? ", plain" : "");
}

/* A screen as it is kept: its title, then the text, which can be looked at. */
static void put_screen(struct buf *out, const struct picture *p, const struct report *s)
{
    struct buf text = {0};
    draw(p, s, &text);
    put_title(out, p, s);
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '\033')
            buf_puts(out, "\\e");
        else
            buf_putc(out, text.data[i]);
    buf_free(&text);
}

static void read_kept(struct buf *out)
{
    char path[4096], piece[4096];
    const char *top = getenv("top_srcdir");
    size_t n;
    snprintf(path, sizeof path, "%s/tests/data/pictures.txt", top ? top : "..");
    FILE *f = fopen(path, "rb");
    while (f && (n = fread(piece, 1, sizeof piece, f)) > 0)
        buf_add(out, piece, n);
    if (f)
        fclose(f);
}

static void check_kept(void)
{
    struct buf kept = {0};
    read_kept(&kept);
    for (int k = 0; k < PICTURES; k++)
        for (int i = 0; i < SCREENS; i++) {
            struct buf got = {0};
            put_screen(&got, &pictures[k], &screens[i]);
            const char *end = strchr(buf_text(&got), '\n');
            char title[120];
            snprintf(title, sizeof title, "%.*s", (int)(end - got.data), got.data);
            const char *at = strstr(buf_text(&kept), title);
            bool same = at && strncmp(at, got.data, got.len) == 0 &&
                        (!at[got.len] || strncmp(at + got.len, "==== ", 5) == 0);
            check(same, title + 5);
            if (!same)
                printf("# it is now:\n%s# (`make screens` keeps it)\n", got.data);
            buf_free(&got);
        }
    buf_free(&kept);
}

static int write_kept(void)
{
    for (int k = 0; k < PICTURES; k++)
        for (int i = 0; i < SCREENS; i++) {
            struct buf out = {0};
            put_screen(&out, &pictures[k], &screens[i]);
            fwrite(out.data, 1, out.len, stdout);
            buf_free(&out);
        }
    return fflush(stdout) == 0 ? 0 : 1;
}

/* ---- what holds for all of them --------------------------------------------------------- */

/* Take the colours out; false if a line ends with one that is open, or holds another control
 * character. */
static bool strip(const struct buf *from, struct buf *to)
{
    bool open = false, good = true;
    for (size_t i = 0; i < from->len; i++) {
        unsigned char c = (unsigned char)from->data[i];
        if (c == '\033') {
            size_t n = strspn(from->data + i + 1, "[0123456789;") + 1;
            good = good && from->data[i + 1] == '[' && from->data[i + n] == 'm';
            open = strncmp(from->data + i, "\033[0m", 4) != 0;
            i += n;
            continue;
        }
        good = good && !(c == '\n' && open) && (c >= 0x20 || c == '\n') && c != 0x7F;
        buf_putc(to, (char)c);
    }
    return good && !open;
}

static bool fits(const struct buf *text, int width)
{
    struct span rest = {buf_text(text), text->len}, line;
    while (next_line(&rest, &line))
        if (columns_of(line.at, line.n) > width || (line.n && line.at[line.n - 1] == ' '))
            return false;
    return true;
}

static bool is_ascii(const struct buf *text)
{
    for (size_t i = 0; i < text->len; i++)
        if ((unsigned char)text->data[i] >= 0x80)
            return false;
    return true;
}

/* Every width from 40 to 132, every charset, every number of colours, both grounds. */
static void check_always(const struct picture *p)
{
    bool fit = true, closed = true, same = true, ascii = true;
    static const int colours[] = {0, 16, 256};
    for (int width = 40; width <= 132; width += width < 84 ? 1 : 12)
        for (int k = 0; k < 36; k++) {
            struct report s = {.width = width,
                               .colours = colours[k % 3],
                               .utf8 = k / 3 & 1,
                               .ground = k / 6 % GROUNDS,
                               .bold = k / 18 & 1};
            struct report bare = {.width = width, .utf8 = s.utf8};
            struct buf text = {0}, stripped = {0}, without = {0};
            draw(p, &s, &text);
            draw(p, &bare, &without);
            closed = strip(&text, &stripped) && closed;
            fit = fits(&stripped, width) && fit;
            same = strcmp(buf_text(&stripped), buf_text(&without)) == 0 && same;
            ascii = (s.utf8 || p->wide || is_ascii(&text)) && ascii;
            buf_free(&text);
            buf_free(&stripped);
            buf_free(&without);
        }
    char name[120];
    snprintf(name, sizeof name, "%s: no line is wider than the screen, or ends in a blank",
             p->name);
    check(fit, name);
    snprintf(name, sizeof name, "%s: each line closes its colours", p->name);
    check(closed, name);
    snprintf(name, sizeof name, "%s: without its colours it is what it is without colours",
             p->name);
    check(same, name);
    snprintf(name, sizeof name, "%s: in ASCII it is ASCII", p->name);
    check(ascii, name);
}

/* ---- columns and inks ------------------------------------------------------------------- */

static void check_columns(void)
{
    static const struct {
        const char *text;
        int columns;
    } cases[] = {{"", 0},
                 {"abc", 3},
                 {"é", 1},
                 {"e\xCC\x81", 1},
                 {"界", 2},
                 {"ｱ", 1},
                 {"Ａ", 2},
                 {"한글", 4},
                 {"\xE2\x80\x8B", 0},
                 {"👍", 2},
                 {"👍🏽", 2},
                 {"❤\xEF\xB8\x8F", 1},
                 {"█▏⣿", 3},
                 {"\xFF\x80", 2},
                 {"\xE7\x95", 2},
                 {"\033[1;38;5;208mab\033[0m", 2},
                 {"\033[2Jx", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char got[20], wanted[20], name[40];
        snprintf(got, sizeof got, "%d", columns_of_text(cases[i].text));
        snprintf(wanted, sizeof wanted, "%d", cases[i].columns);
        snprintf(name, sizeof name, "columns of text %zu", i);
        is(got, wanted, name);
    }
    check(columns_fit("a界b", 5, 2) == 1, "a wide character is not cut in two");
    check(columns_fit("e\xCC\x81x", 4, 1) == 3, "what joins a character goes with it");
}

static void check_paint(void)
{
    struct report r;
    report_init(&r);
    say_in(&r, INK_BAD, "%s", "a\033[2J\tb\n");
    is(buf_text(&r.screen), "a?[2J?b\n", "no colours: no escape, whoever brings one");
    buf_clear(&r.screen);
    r.colours = 256;
    say_in(&r, INK_BAD, "one\ntwo\n");
    is(buf_text(&r.screen), "\033[1;38;5;208mone\033[0m\n\033[1;38;5;208mtwo\033[0m\n",
       "each line is closed before it ends");
    buf_clear(&r.screen);
    r.ground = GROUND_LIGHT;
    say_in(&r, INK_COMMAND, "x");
    r.colours = 16;
    r.bold = true;
    say_in(&r, INK_COMMAND, "x");
    say_in(&r, INK_PLAIN, "x");
    is(buf_text(&r.screen), "\033[38;5;25mx\033[0m\033[1;34mx\033[0mx",
       "light and 256; light, a projector and 16; plain is plain");
    check(ink_heat(0, 0, 9) == INK_HEAT && ink_heat(9, 0, 9) == INK_HEAT + 9 &&
              ink_heat(5, 5, 5) == INK_HEAT + 9 && ink_heat(-1, 0, 9) == INK_HEAT,
          "the ends of heat");
    check(ink_category(7) == INK_CATEGORY, "categories come round again");
    static const char text[] = "a \033[1mb c\033[0m d";
    buf_clear(&r.screen);
    text_wrap(&r.screen, text, sizeof text - 1, 3, 0);
    is(buf_text(&r.screen), "a \033[1mb\033[0m\n\033[1mc\033[0m d\n",
       "a colour that a line break interrupts goes on in the next line");
    report_free(&r);
}

/* ---- can it be read? -------------------------------------------------------------------- */

/* Of the 256 colours, by the rule of the web's guidelines; 16 to 231 are a cube, then greys. */
static double luminance(int colour)
{
    static const int steps[] = {0, 95, 135, 175, 215, 255};
    int grey = 8 + 10 * (colour - 232), cube = colour - 16;
    int rgb[3] = {grey, grey, grey};
    if (colour < 16)
        rgb[0] = rgb[1] = rgb[2] = colour == 97 ? 255 : 0;
    else if (colour < 232) {
        rgb[0] = steps[cube / 36];
        rgb[1] = steps[cube / 6 % 6];
        rgb[2] = steps[cube % 6];
    }
    double part[3];
    for (int i = 0; i < 3; i++) {
        double v = rgb[i] / 255.0;
        part[i] = v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    }
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
}

static double contrast(double a, double b)
{
    return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/* How well the text of an ink stands out from what is behind it. */
static double ink_contrast(enum ink ink, enum ground under)
{
    struct report r;
    int ground = -1, text = -1;
    report_init(&r);
    r.colours = 256;
    r.ground = under;
    say_in(&r, ink, "x");
    const char *code = buf_text(&r.screen), *at;
    if ((at = strstr(code, "48;5;")))
        ground = atoi(at + 5);
    if ((at = strstr(code, "38;5;")))
        text = atoi(at + 5);
    double behind = ground >= 0 ? luminance(ground) : under == GROUND_LIGHT ? 1 : 0;
    double front = text >= 0              ? luminance(text)
                   : strstr(code, "[97;") ? 1
                   : strstr(code, "[30;") ? 0
                                          : 1 - behind;
    report_free(&r);
    return contrast(front, behind);
}

static void check_contrast(void)
{
    for (int ink = INK_PLAIN; ink < INKS; ink++) {
        char name[80];
        double dark = ink_contrast((enum ink)ink, GROUND_DARK),
               bright = ink_contrast((enum ink)ink, GROUND_LIGHT);
        snprintf(name, sizeof name, "ink %d can be read on black and on white", ink);
        check(dark >= 4.5 && bright >= 4.5, name);
        if (dark < 4.5 || bright < 4.5)
            printf("# contrast %.2f on black, %.2f on white\n", dark, bright);
        if (ink >= INK_CATEGORY) {
            snprintf(name, sizeof name, "ink %d can be read wherever it is", ink);
            check(ink_contrast((enum ink)ink, GROUND_UNKNOWN) >= 4.5, name);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--write") == 0)
        return write_kept();
    check_columns();
    check_paint();
    check_contrast();
    for (int k = 0; k < PICTURES; k++)
        check_always(&pictures[k]);
    check_kept();
    printf("1..%d\n", tests);
    return 0;
}
