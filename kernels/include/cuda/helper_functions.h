/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for a header of NVIDIA's samples: files, comparisons and the rest. See helper_cuda.h. */
#ifndef CUDALAB_HELPER_FUNCTIONS_H
#define CUDALAB_HELPER_FUNCTIONS_H

#include "helper_string.h"
#include "helper_timer.h"
#ifndef __CUDACC_RTC__

template <class T>
bool sdkReadFile(const char *file, T **data, unsigned *count, bool verbose = false);
template <class T, class S>
bool sdkWriteFile(const char *file, const T *data, unsigned count, const S epsilon, bool verbose,
                  bool append = false);
template <class T> bool sdkLoadPGM(const char *file, T **data, unsigned *width, unsigned *height);
template <class T> bool sdkSavePGM(const char *file, T *data, unsigned width, unsigned height);
template <class T> bool sdkLoadPPM4(const char *file, T **data, unsigned *width, unsigned *height);
template <class T> bool sdkSavePPM4ub(const char *file, T *data, unsigned width, unsigned height);
template <class T> bool sdkCompareL2fe(const T *wanted, const T *data, unsigned count, T epsilon);
template <class T, class S>
bool compareData(const T *wanted, const T *data, unsigned count, S epsilon, float share = 0);
template <class T>
bool sdkLoadPPM4ub(const char *file, T **data, unsigned *width, unsigned *height);
template <class T>
bool sdkCompareBin2BinFloat(const char *a, const char *b, unsigned count, T epsilon, T share,
                            char *program);
void sdkDumpBin(void *data, unsigned size, const char *file);
bool sdkCompareBin2BinUint(const char *a, const char *b, unsigned count, float epsilon,
                           float share, char *program);
bool sdkComparePPM(const char *wanted, const char *file, float epsilon, float share,
                   bool verbose = false);

#endif
#endif
