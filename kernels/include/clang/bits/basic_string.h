/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In front of the C++ library's own file of this name, which says __attribute__((__noinline__)):
 * the CUDA qualifier __noinline__, a macro until clang 15, must not be there when it is read.
 */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/basic_string.h>
#pragma pop_macro("__noinline__")
