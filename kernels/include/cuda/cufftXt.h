/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for cuFFT's header of multi-GPU functions: the ordinary ones. */
#include "cufft.h"
