/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the hashes of tests/h100 were taken of, as text: a program called with --write FOLDER
 * writes a file for each hash, with 32-bit words in hexadecimal. `make answers` compares those
 * of two builds.
 */
#ifndef UNIT_ANSWER_H
#define UNIT_ANSWER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The folder of --write FOLDER; NULL: nothing is to be written. */
static inline const char *answer_folder(int argc, char **argv)
{
    return argc == 3 && strcmp(argv[1], "--write") == 0 ? argv[2] : NULL;
}

/* Write bytes in lines of so many words, each after the number of its first word. Zeros at the end
 * of a line are left out, and so are lines of zeros. */
static inline void answer_write(const char *folder, const char *name, const void *bytes,
                                size_t count, size_t words_a_line)
{
    char path[1024];
    int n = folder ? snprintf(path, sizeof path, "%s/", folder) : 0;
    if (!folder)
        return;
    snprintf(path + n, sizeof path - (size_t)n, "%s", name);
    for (char *p = path + n; *p; p++)
        if (strchr("/ :", *p))
            *p = '_';
    FILE *f = fopen(path, "w");
    for (size_t i = 0; f && i < count / 4; i += words_a_line) {
        const unsigned char *line = (const unsigned char *)bytes + 4 * i;
        size_t used = words_a_line;
        while (used > 0 && memcmp(line + 4 * (used - 1), "\0\0\0", 4) == 0)
            used--;
        for (size_t k = 0; k < used; k++) {
            uint32_t word;
            memcpy(&word, line + 4 * k, 4);
            if (k == 0)
                fprintf(f, "%zu:", i);
            fprintf(f, " %08x%s", word, k == used - 1 ? "\n" : "");
        }
    }
    if (!f || fclose(f) != 0) {
        fprintf(stderr, "can't write %s\n", path);
        exit(1);
    }
}

#endif
