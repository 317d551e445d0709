/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whatever bytes are handed in as a zip archive: its directory is read, every entry is unpacked in
 * memory of just its size, and the names are read as those of Moodle and Canvas. Bytes that begin
 * with a 1 are choices, of which an archive with right headers is made, and deflate data for it. A
 * crash, a leak, undefined behaviour and a hang are findings. So is a failure without a sentence,
 * and an entry whose name leads out of its folder.
 */
#include "grade/zip.h"
#include "../unit/zips.h"
#include "cc/unpack.h"
#include "grade/student.h"

#include <stdio.h>
#include <stdlib.h>

enum { ENTRIES = 50, BYTES = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "fuzz: %s\n", what);
        abort();
    }
}

static void see_entry(const struct zip_entry *entry)
{
    struct err e = {.text = ""};
    struct student_name told;
    struct span before, ending;
    const struct span name = {entry->name, strlen(entry->name)};
    if (!entry->refused)
        must(name.n && entry->name[0] != '/' && strncmp(entry->name, "../", 3) != 0 &&
                 !strstr(entry->name, "/../"),
             "a name leads out");
    student_of_moodle(name, &told);
    student_of_canvas(name, &told);
    student_attempt(name, &before, &ending);
    must(entry->size <= BYTES, "an entry exceeds the bounds");
    unsigned char *bytes = malloc(entry->size ? (size_t)entry->size : 1);
    if (bytes && zip_unpack(entry, bytes, NULL, &e) != 0)
        must(e.text[0] != '\0', "it does not say why");
    free(bytes);
}

static void see_archive(struct span archive)
{
    struct zip z;
    struct err e = {.text = ""};
    const struct zip_bounds bounds = {ENTRIES, BYTES};
    if (zip_open(&z, archive, &bounds, &e) != 0)
        must(e.text[0] != '\0', "it does not say why");
    else
        for (unsigned i = 0; i < z.count; i++)
            see_entry(&z.entry[i]);
    zip_close(&z);
}

/* The first bytes choose the header, the rest is the data. */
static void see_made(const uint8_t *data, size_t n)
{
    static const unsigned methods[] = {8, 8, 8, 0, 12};
    struct buf raw = {0};
    char name[9] = "";
    if (n < 12)
        return;
    memcpy(name, data, 8);
    buf_add(&raw, data + 12, n - 12);
    const struct zipped entries[] = {
        {E(name, ""), .raw = &raw, .method = methods[data[8] % 5], .flags = data[9] & 1,
         .zip64 = data[9] & 2, .follows = data[9] & 4, .made_by = data[9] >> 4,
         .mode = (unsigned)data[8] << 8, .size = 1 + data[10] * data[11]},
        {E("second", "2")},
        {0}};
    struct buf archive = zip_made_of(entries, &(struct zipped_end){.zip64 = data[9] & 8});
    see_archive((struct span){archive.data, archive.len});
    unsigned char *bytes = malloc(BYTES);
    struct err e = {.text = ""};
    for (size_t size = 0; bytes && size <= BYTES; size = 4 * size + 1)
        if (unpack_deflate((struct span){raw.data, raw.len}, bytes, size, NULL, &e) != 0)
            must(e.text[0] != '\0', "it does not say why");
    free(bytes);
    buf_free(&archive);
    buf_free(&raw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n && data[0] == 1)
        see_made(data + 1, n - 1);
    else
        see_archive((struct span){(const char *)data, n});
    return 0;
}
