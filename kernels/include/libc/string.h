/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for machines without the C library's headers, and for NVRTC, which has none. Host code
 * is checked against this and thrown away.
 */
#ifndef CUDALAB_LIBC_STRING_H
#define CUDALAB_LIBC_STRING_H

#include "stddef.h"
#ifndef __CUDACC_RTC__
extern "C" {

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *at, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t size);
char *strtok(char *text, const char *separators);
char *strdup(const char *text);
char *strerror(int error);
char *strchr(const char *text, int c);
char *strrchr(const char *text, int c);
char *strstr(const char *text, const char *part);
void *memchr(const void *at, int c, size_t size);

} /* extern "C" */
#endif

#endif
