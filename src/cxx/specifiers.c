/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file counts the words of an arithmetic type, and gives one spelling for what was counted. */
#include "cxx/specifiers.h"

#include <string.h>

static bool is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

bool specifiers_silent(const char *word, size_t length)
{
    static const char *const silent[] = {"struct",   "class",        "union",      "enum",
                                         "typename", "__restrict__", "__restrict", "restrict"};
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++)
        if (is(word, length, silent[i]))
            return true;
    return false;
}

bool specifiers_take(struct specifiers *in, const char *word, size_t length)
{
    int *counts[] = {&in->is_unsigned, &in->is_signed, &in->is_short, &in->is_long,
                     &in->is_int,      &in->is_char,   &in->is_double};
    static const char *const words[] = {"unsigned", "signed", "short", "long",
                                        "int",      "char",   "double"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is(word, length, words[i])) {
            *counts[i] += *counts[i] < 3;
            return true;
        }
    if (is(word, length, "const"))
        return in->is_const = true;
    if (is(word, length, "volatile"))
        return in->is_volatile = true;
    return specifiers_silent(word, length);
}

const char *specifiers_type(const struct specifiers *in)
{
    if (in->is_double)
        return in->is_long ? "long double" : "double";
    if (in->is_char)
        return in->is_unsigned ? "unsigned char" : in->is_signed ? "signed char" : "char";
    if (in->is_short)
        return in->is_unsigned ? "unsigned short" : "short";
    if (in->is_long > 1)
        return in->is_unsigned ? "unsigned long long" : "long long";
    if (in->is_long)
        return in->is_unsigned ? "unsigned long" : "long";
    if (in->is_unsigned)
        return "unsigned int";
    return in->is_int || in->is_signed ? "int" : NULL;
}

const char *specifiers_alias(const char *word, size_t length)
{
    static const struct {
        const char *word, *means;
    } aliases[] = {
        {"int8_t", "signed char"},    {"uint8_t", "unsigned char"},
        {"int16_t", "short"},         {"uint16_t", "unsigned short"},
        {"int32_t", "int"},           {"uint32_t", "unsigned int"},
        {"int64_t", "long"},          {"uint64_t", "unsigned long"},
        {"size_t", "unsigned long"},  {"ptrdiff_t", "long"},
        {"intptr_t", "long"},         {"uintptr_t", "unsigned long"},
        {"clock_t", "long"},          {"uint", "unsigned int"},
        {"ushort", "unsigned short"}, {"ulong", "unsigned long"},
    };
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (is(word, length, aliases[i].word))
            return aliases[i].means;
    return NULL;
}
