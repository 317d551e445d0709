/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for comparisons of texts without regard to case: string.h has them. */
#include "string.h"
