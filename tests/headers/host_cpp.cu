/* SPDX-License-Identifier: GPL-3.0-or-later */
/* a C++ main; needs the C++ library */
#include <iostream>
#include <vector>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <string>
#include <memory>
#include <numeric>
#include <functional>
#include <cuda_runtime.h>
using namespace std;
__global__ void scale(float *p, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = max(p[i], 0.0f) * by + sqrt(p[i]) + pow(p[i], 2) + std::min(i, n) + abs(p[i]);
}
struct Timer {
    cudaEvent_t start;
    Timer() { cudaEventCreate(&start); }
    ~Timer() { cudaEventDestroy(start); }
};
int main()
{
    vector<float> v(1000);
    mt19937 generator(42);
    uniform_real_distribution<float> uniform(0, 1);
    generate(v.begin(), v.end(), [&] { return uniform(generator); });
    float *d;
    Timer timer;
    auto before = chrono::high_resolution_clock::now();
    cudaMalloc(&d, v.size() * sizeof(float));
    cudaMemcpy(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<4, 256>>>(d, 2.0f, (int)v.size());
    chrono::duration<double> took = chrono::high_resolution_clock::now() - before;
    cout << "took " << took.count() << ", sum " << accumulate(v.begin(), v.end(), 0.0) << endl;
    cout << max(1, 2) << std::abs(-2.5) << std::sqrt(v[0]) << sin(v[1]) << string("x") << '\n';
}
