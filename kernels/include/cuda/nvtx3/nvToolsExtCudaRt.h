/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for another name of this header of NVTX. */
#include "nvToolsExt.h"
