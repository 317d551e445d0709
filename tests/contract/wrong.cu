// SPDX-License-Identifier: GPL-3.0-or-later
__global__ void k(int *out)
{
    out[0] = undeclared_thing;
}
