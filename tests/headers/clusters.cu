/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: clusters need compute capability 9.0 */
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *p) { p[0] = cg::this_cluster().block_rank(); }
