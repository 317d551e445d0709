/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for a header of NVIDIA's samples: options of a program. See helper_cuda.h. */
#ifndef CUDALAB_HELPER_STRING_H
#define CUDALAB_HELPER_STRING_H
#ifndef __CUDACC_RTC__

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
bool checkCmdLineFlag(int count, const char **words, const char *name);
int getCmdLineArgumentInt(int count, const char **words, const char *name);
float getCmdLineArgumentFloat(int count, const char **words, const char *name);
bool getCmdLineArgumentString(int count, const char **words, const char *name, char **value);
template <class T> bool getCmdLineArgumentValue(int count, const char **words, const char *name,
                                                T *value);
char *sdkFindFilePath(const char *file, const char *program);

#endif
#endif
