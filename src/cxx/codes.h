/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fixed vocabulary of mangled names: codes of one to five letters, and what they stand for. */
#ifndef CXX_CODES_H
#define CXX_CODES_H

struct cxx_code {
    const char *code, *text;
    int operands; /* of an operator; 0 for one that only names a function */
};

/* What the text at `at` begins with, or NULL. */
const struct cxx_code *cxx_operator(const char *at);
const struct cxx_code *cxx_builtin(const char *at);  /* i: int */
const struct cxx_code *cxx_standard(const char *at); /* after an S; s: std::string */

#endif
