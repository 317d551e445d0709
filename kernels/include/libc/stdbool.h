/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for machines without the C library's headers, and for NVRTC: C++ has bool itself. */
#ifndef CUDALAB_LIBC_STDBOOL_H
#define CUDALAB_LIBC_STDBOOL_H

#define __bool_true_false_are_defined 1

#endif
