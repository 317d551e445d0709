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

int printf(const char *format, ...);
int fprintf(FILE *to, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int scanf(const char *format, ...);
int fscanf(FILE *from, const char *format, ...);
int sscanf(const char *from, const char *format, ...);
int vprintf(const char *format, __builtin_va_list values);
int vfprintf(FILE *to, const char *format, __builtin_va_list values);
int vsnprintf(char *to, size_t size, const char *format, __builtin_va_list values);
int puts(const char *text);
int putchar(int c);
int fputs(const char *text, FILE *to);
int fputc(int c, FILE *to);
int putc(int c, FILE *to);
int getchar(void);
int fgetc(FILE *from);
int getc(FILE *from);
char *fgets(char *to, int size, FILE *from);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
int fflush(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
size_t fread(void *to, size_t size, size_t count, FILE *from);
size_t fwrite(const void *from, size_t size, size_t count, FILE *to);
int fseek(FILE *file, long offset, int whence);
long ftell(FILE *file);
void rewind(FILE *file);
int remove(const char *path);
void perror(const char *text);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);

} /* extern "C" */
#endif

#endif
