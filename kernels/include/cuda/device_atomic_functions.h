/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for the CUDA Toolkit's header: all that it says is known before any file begins. */
#ifndef CUDALAB_DEVICE_ATOMIC_FUNCTIONS_H
#define CUDALAB_DEVICE_ATOMIC_FUNCTIONS_H
/* nothing to add */
#endif
