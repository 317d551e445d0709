/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The size of a grid or a block, as the runtime's functions take it.
 */
#ifndef RUN_DIM3_H
#define RUN_DIM3_H

struct dim3 { unsigned x, y, z; };
typedef struct dim3 dim3;

#endif
