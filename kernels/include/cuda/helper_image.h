/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for a header of NVIDIA's samples: files of images. See helper_cuda.h. */
#include "helper_functions.h"
