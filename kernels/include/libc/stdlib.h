/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for machines without the C library's headers, and for NVRTC, which has none. Host code
 * is checked against this and thrown away.
 */
#ifndef CUDALAB_LIBC_STDLIB_H
#define CUDALAB_LIBC_STDLIB_H

#include "stddef.h"
#ifndef __CUDACC_RTC__

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647

extern "C" {

typedef struct { int quot, rem; } div_t;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *at, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void **at, size_t alignment, size_t size);
void free(void *at);
void exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
int atexit(void (*call)(void));
char *getenv(const char *name);
int system(const char *command);
int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
int rand(void);
void srand(unsigned seed);
long random(void);
void srandom(unsigned seed);
double drand48(void);
void srand48(long seed);
int abs(int x);
long labs(long x);
long long llabs(long long x);
div_t div(int x, int y);
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));

} /* extern "C" */
#endif

#endif
