/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C++ names: float overloads, whole numbers, namespace std */
#include <cmath>
#include <cstdlib>
__global__ void each(float *p, double *d, int n)
{
    p[0] = sqrt(p[1]) + sin(p[1]) + pow(p[1], 2) + pow(p[1], 0.5f) + exp(p[1]) + fabs(p[2]);
    p[1] = std::sqrt(p[2]) + std::pow(p[2], p[3]) + std::abs(p[4]) + std::fabs(p[4]) + abs(p[4]);
    d[0] = sqrt(n) + std::sqrt(n) + pow(n, 2) + std::pow(2, n) + log(n) + std::floor(d[1]) + cos(n);
    d[1] = std::fmax(d[1], 2) + fmin(d[1], p[1]) + std::atan2(1.0, d[2]) + atan2(p[1], d[2]);
    d[2] = std::abs(n) + abs(n) + std::abs(d[2]) + std::isnan(d[2]) + std::isnan(p[2]);
    d[3] = std::hypot(3, 4);
}
int main() { return std::sqrt(4.0f) + std::abs(-3) + sin(2) + std::isnan(2.0) + pow(2.f, 3) > 3; }
