// SPDX-License-Identifier: GPL-3.0-or-later
// The access that is wrong stands in this file.
__device__ __noinline__ void write_at(int *o, int i)
{
    o[i] = 1;
}
