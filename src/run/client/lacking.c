/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of the runtime and of the driver that are not served. A program that calls one gets an
 * error, and the end of the run names the function.
 */
#include "run/client/client.h"

#define LACKING(name) \
    API cudaError_t name(void) { return run_lacking(#name); }
#include "run/client/lacking-old.def"
#include "run/client/lacking.def"
#include "run/client/driver-lacking.def"
#undef LACKING
