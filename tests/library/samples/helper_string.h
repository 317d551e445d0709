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

inline int stringRemoveDelimiter(char delimiter, const char *string)
{
    int start = 0;
    while (string[start] == delimiter)
        start++;
    return start >= (int)strlen(string) - 1 ? 0 : start;
}

inline bool checkCmdLineFlag(const int argc, const char **argv, const char *string_ref)
{
    for (int i = 1; i < argc; i++) {
        const char *string = &argv[i][stringRemoveDelimiter('-', argv[i])];
        const char *equals = strchr(string, '=');
        int length = (int)(equals == 0 ? strlen(string) : equals - string);
        if (length == (int)strlen(string_ref) && !STRNCASECMP(string, string_ref, length))
            return true;
    }
    return false;
}

inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *string_ref)
{
    for (int i = 1; i < argc; i++) {
        const char *string = &argv[i][stringRemoveDelimiter('-', argv[i])];
        if (!STRNCASECMP(string, string_ref, strlen(string_ref)))
            return atoi(&string[strlen(string_ref)]);
    }
    return 0;
}
#endif
