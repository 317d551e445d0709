/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of UTF-8 text. Two short tables of ranges say which characters are wide and which
 * take no column; they follow Unicode's East Asian Width and its general categories Mn, Me
 * and Cf, for the scripts and signs that a source file or a name may hold. What is in neither
 * takes one column.
 */
#include "screen/columns.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

struct range {
    uint32_t first, last;
};

static const struct range none[] = {
    {0x0300, 0x036F},   {0x0483, 0x0489},   {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
    {0x05C4, 0x05C5},   {0x05C7, 0x05C7},   {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670},
    {0x06D6, 0x06DC},   {0x06DF, 0x06E4},   {0x06E7, 0x06E8}, {0x06EA, 0x06ED}, {0x0900, 0x0902},
    {0x093A, 0x093A},   {0x093C, 0x093C},   {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0951, 0x0957},
    {0x0E31, 0x0E31},   {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E}, {0x1160, 0x11FF}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF},   {0x200B, 0x200F},   {0x202A, 0x202E}, {0x2060, 0x2064}, {0x20D0, 0x20F0},
    {0x302A, 0x302D},   {0x3099, 0x309A},   {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF},
    {0x1F3FB, 0x1F3FF}, {0xE0001, 0xE007F}, {0xE0100, 0xE01EF},
};

static const struct range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF}, {0x1AFF0, 0x1B2FF},
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A},
    {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393},
    {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
    {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596},
    {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC},
    {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC},
    {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

static bool is_in(uint32_t c, const struct range *ranges, size_t count)
{
    size_t from = 0, to = count;
    while (from < to) {
        size_t half = from + (to - from) / 2;
        if (c > ranges[half].last)
            from = half + 1;
        else
            to = half;
    }
    return from < count && c >= ranges[from].first;
}

static int columns_of_code(uint32_t c)
{
    if (c < 0x300)
        return c != 0xAD; /* a soft hyphen is not shown */
    if (is_in(c, none, sizeof none / sizeof none[0]))
        return 0;
    return is_in(c, wide, sizeof wide / sizeof wide[0]) ? 2 : 1;
}

/* ESC [, digits and semicolons, m: its bytes, else 0. */
static size_t colour_bytes(const char *text, size_t n)
{
    size_t k = 2;
    if (n < 3 || text[0] != '\033' || text[1] != '[')
        return 0;
    while (k < n && strchr("0123456789;", text[k]) && text[k])
        k++;
    return k < n && text[k] == 'm' ? k + 1 : 0;
}

/* The character at the head of the text: its bytes, and its columns in *took. */
static size_t one_character(const char *text, size_t n, int *took)
{
    uint32_t code;
    size_t size = colour_bytes(text, n);
    *took = 0;
    if (size)
        return size;
    size = utf8_next(text, n, &code);
    *took = size ? columns_of_code(code) : 1;
    return size ? size : 1;
}

int columns_of(const char *text, size_t n)
{
    int all = 0, took;
    for (size_t i = 0; i < n; all += took)
        i += one_character(text + i, n - i, &took);
    return all;
}

int columns_of_text(const char *text)
{
    return columns_of(text, strlen(text));
}

size_t columns_fit(const char *text, size_t n, int room)
{
    size_t i = 0;
    while (i < n) {
        int took;
        size_t size = one_character(text + i, n - i, &took);
        if (took > room)
            break;
        room -= took;
        i += size;
    }
    return i;
}
