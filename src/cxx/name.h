/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of C++ functions in PTX. nvcc and clang write `ns::tk<float>(float*, int)` as
 * `_ZN2ns2tkIfEEvPT_i`, after the Itanium C++ ABI; cxx_read() gives back what a programmer would
 * write, and cxx_means() says whether something typed by hand means that function. Nothing here
 * looks at sources, and an extern "C" name is none of these: it is already what was written.
 */
#ifndef CXX_NAME_H
#define CXX_NAME_H

#include "base/mem.h"

#include <stdbool.h>
#include <stddef.h>

struct cxx_name {
    const char *qualified; /* "ns::tk": no template arguments, no anonymous namespaces */
    const char *plain;     /* "tk" */
    const char *arguments; /* "<float, 4>", or "" */
    const char **params;   /* "float*", "int": template parameters filled in */
    unsigned param_count;
    const char *full; /* "ns::tk<float>(float*, int)" */
};

/* -1: not the mangled name of a function, damaged, or out of memory; take it as it stands. */
int cxx_read(const char *mangled, struct arena *, struct cxx_name *);

/* "ns::v<int>" of the mangled name of a variable; NULL: it is none, damaged, or out of memory. */
const char *cxx_variable(const char *mangled, struct arena *);

/* A text in which every such name stands as a programmer writes it; cut off at `size`. */
void cxx_readable(const char *text, char *out, size_t size);

/*
 * Does `typed` name this function? Scopes, template arguments and parameters may each be left
 * out: tk, ns::tk, ::ns::tk, tk<float>, tk(float *, int), k for outer::(anonymous namespace)::k.
 * Spaces and the order of `unsigned`, `long`, `const` don't matter. With `loose`, neither does
 * const or volatile anywhere in a parameter: a second try, where nothing else matched.
 */
bool cxx_means(const struct cxx_name *, const char *typed, bool loose);

#endif
