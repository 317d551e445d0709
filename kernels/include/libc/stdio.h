/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stand-in for machines without the C library's headers, and for NVRTC, which has none. Host code
 * is checked against this and thrown away.
 */
#ifndef CUDALAB_LIBC_STDIO_H
#define CUDALAB_LIBC_STDIO_H

#include "stddef.h"
#ifndef __CUDACC_RTC__

#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define BUFSIZ 8192

extern "C" {

typedef struct cudalab_file FILE;
extern FILE *stdin, *stdout, *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

int printf(const char *__format, ...);
int fprintf(FILE *__to, const char *__format, ...);
int sprintf(char *__to, const char *__format, ...);
int snprintf(char *__to, size_t __size, const char *__format, ...);
int scanf(const char *__format, ...);
int fscanf(FILE *__from, const char *__format, ...);
int sscanf(const char *__from, const char *__format, ...);
int vprintf(const char *__format, __builtin_va_list __values);
int vfprintf(FILE *__to, const char *__format, __builtin_va_list __values);
int vsnprintf(char *__to, size_t __size, const char *__format, __builtin_va_list __values);
int puts(const char *__text);
int putchar(int __c);
int fputs(const char *__text, FILE *__to);
int fputc(int __c, FILE *__to);
int putc(int __c, FILE *__to);
int getchar(void);
int fgetc(FILE *__from);
int getc(FILE *__from);
char *fgets(char *__to, int __size, FILE *__from);
FILE *fopen(const char *__path, const char *__mode);
int fclose(FILE *__file);
int fflush(FILE *__file);
int feof(FILE *__file);
int ferror(FILE *__file);
size_t fread(void *__to, size_t __size, size_t __count, FILE *__from);
size_t fwrite(const void *__from, size_t __size, size_t __count, FILE *__to);
int fseek(FILE *__file, long __offset, int __whence);
long ftell(FILE *__file);
void rewind(FILE *__file);
int remove(const char *__path);
void perror(const char *__text);
int setvbuf(FILE *__file, char *__buffer, int __mode, size_t __size);

} /* extern "C" */
#endif

#endif
