/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for a part of the toolkit's headers. */
#include "cuda_runtime.h"
