/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C++ headers after the toolkit's */
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <math_constants.h>
#include <cmath>
#include <complex>
#include <iostream>
#include <vector>
__global__ void k(float *p) { p[0] = sinf(p[1]) + std::exp(p[2]) + CUDART_PI_F; }
int main()
{
    std::vector<int> v;
    std::cout << v.size() << std::exp(1.0) << isnan(2.0);
    k<<<1, 1>>>((float *)0);
}
