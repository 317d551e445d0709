// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: f32[] 0 step 0.0625, i32[] 0
struct Complex {
    float re;
    float im;
    __device__ Complex operator+(const Complex &o) const {
        return Complex{re + o.re, im + o.im};
    }
    __device__ Complex operator*(const Complex &o) const {
        float r = re * o.re - im * o.im;
        float i = re * o.im + im * o.re;
        return Complex{r, i};
    }
    __device__ Complex &operator+=(float v) {
        re += v;
        return *this;
    }
    __device__ bool operator<(const Complex &o) const {
        float mine = re * re + im * im;
        float theirs = o.re * o.re + o.im * o.im;
        return mine < theirs;
    }
};

extern "C" __global__ void complexops(float *y, int *out) {
    int t = threadIdx.x;
    Complex z = {y[t], y[t + 32]};
    Complex w = {0.5f, -1.0f};
    Complex sum = z + w;
    Complex product = z * sum;
    product += 2.0f;
    bool smaller = z < product;
    Complex least = smaller ? z : product;
    y[t + 128] = product.re;
    y[t + 192] = least.im;
    out[t] = smaller ? 1 : 2;
}
