/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of sample programs; helper_cuda.h needs it. */
#ifndef SAMPLES_HELPER_STRING_H
#define SAMPLES_HELPER_STRING_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define STRCASECMP _stricmp
#else
#include <strings.h>
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#endif

/* What follows NAME and = in -NAME=VALUE, an empty text for -NAME, or NULL. */
inline const char *optionValue(const char *word, const char *name)
{
    const size_t n = strlen(name);
    while (*word == '-')
        word++;
    if (STRNCASECMP(word, name, n) != 0 || (word[n] != '=' && word[n] != '\0'))
        return NULL;
    return word + n + (word[n] == '=');
}

inline const char *findOption(int count, const char **words, const char *name)
{
    for (const char **word = words + 1; word < words + count; word++)
        if (const char *value = optionValue(*word, name))
            return value;
    return NULL;
}

inline bool checkCmdLineFlag(int count, const char **words, const char *name)
{
    return findOption(count, words, name) != NULL;
}

inline int getCmdLineArgumentInt(int count, const char **words, const char *name)
{
    const char *value = findOption(count, words, name);
    return value ? atoi(value) : 0;
}
#endif
