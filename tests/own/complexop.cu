// SPDX-License-Identifier: GPL-3.0-or-later
//! array re i32 48 random:-20:20
//! array im i32 48 random:-9:9
//! array z i32 96
//! array p i32 32
//! array v f32 12
//! launch multiply<<<1,48>>>(re, im, z)
//! launch powers<<<1,16>>>(p)
//! launch vectors<<<1,4>>>(v)
//! expect z
//! expect p
//! expect v
// Classes with operators, constructors, references, const members, inheritance.

class Complex {
public:
    __device__ Complex(int r = 0, int i = 0) : re(r), im(i) {}
    __device__ Complex operator+(const Complex &o) const { return Complex(re + o.re, im + o.im); }
    __device__ Complex operator-() const { return Complex(-re, -im); }
    __device__ Complex operator*(const Complex &o) const
    {
        return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
    }
    __device__ Complex &operator*=(const Complex &o) { return *this = *this * o; }
    __device__ bool operator==(const Complex &o) const { return re == o.re && im == o.im; }
    __device__ int norm() const { return re * re + im * im; }
    __device__ void store(int *to) const
    {
        to[0] = re;
        to[1] = im;
    }

private:
    int re, im;
};

__global__ void multiply(const int *re, const int *im, int *z)
{
    int i = threadIdx.x;
    Complex a(re[i], im[i]);
    Complex b = a * Complex(2, -1) + Complex(i);
    if (a == Complex())
        b = -b;
    b.store(z + 2 * i);
}

// (1 + i)^k by repeated squaring
__global__ void powers(int *p)
{
    Complex result(1), base(1, 1);
    for (unsigned k = threadIdx.x; k; k >>= 1, base *= base)
        if (k & 1)
            result *= base;
    result.store(&p[2 * threadIdx.x]);
}

struct Shape {
    float w, h;
    __device__ Shape(float w_, float h_) : w(w_), h(h_) {}
    __device__ float area() const { return w * h; }
};

struct Square : Shape {
    __device__ explicit Square(float s) : Shape(s, s) {}
    __device__ float diagonal2() const { return 2 * area(); }
};

__global__ void vectors(float *v)
{
    int t = threadIdx.x;
    auto scale = [t](float x) { return x * (t + 1); };
    Square s(scale(0.5f));
    const Shape &base = s;
    v[t] = base.area();
    v[t + 4] = s.diagonal2();
    v[t + 8] = Complex(t, 3).norm();
}
