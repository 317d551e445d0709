/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and texts of errors. A program that asks for them has looked at its error.
 */
#include "run/client/client.h"

static const struct { int number; const char *name, *text; } known[] = {
#define ERROR(number, name, text) {number, #name, text},
#include "run/client/errors.def"
#undef ERROR
};

static const char unknown[] = "unrecognized error code";

API const char *cudaGetErrorName(cudaError_t error)
{
    run_looked_at(error);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].number == (int)error)
            return known[i].name;
    return unknown;
}

API const char *cudaGetErrorString(cudaError_t error)
{
    run_looked_at(error);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].number == (int)error)
            return known[i].text;
    return unknown;
}
