/* SPDX-License-Identifier: GPL-3.0-or-later */
/* what <utility> has, without a line that includes it, as nvcc takes it; needs the C++ library */
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
int main()
{
    int *front = nullptr, *back = nullptr, sum = 0;
    std::pair<int, float> both = std::make_pair(3, 1.5f);
    for (int **p : {&front, &back})
        cudaMalloc(p, 32 * sizeof **p);
    for (int size : {1, 2, both.first})
        sum += size;
    std::swap(front, back);
    int *kept = std::move(front);
    twice<<<1, 32>>>(kept);
    cudaFree(kept);
    cudaFree(back);
    return sum != 6;
}
