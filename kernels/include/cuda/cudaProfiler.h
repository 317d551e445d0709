/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for the driver API's header of the profiler. */
#include "cuda.h"
