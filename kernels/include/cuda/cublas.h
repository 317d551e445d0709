/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for the older name of cuBLAS's header. */
#include "cublas_v2.h"
