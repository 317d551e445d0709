/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers that a part of the threads never reaches, and shuffles from lanes that take no part. The
 * simulator finds them itself, where it has threads wait for each other.
 */
#include "check/checker.h"

static const enum sim_fault_kind kinds[] = {SIM_BARRIER_DIVERGENCE, SIM_INVALID_SHUFFLE,
                                            SIM_FAULT_NONE};

const struct checker check_sync = {
    .name = "sync",
    .help = "barriers that a part of the threads never reaches, shuffles from absent lanes",
    .simulated = kinds};
