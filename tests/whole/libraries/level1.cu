// cuBLAS, level 1: each function in both pointer modes, beside a plain loop.
#include "check.h"

template <class T> struct Level1;
#define LEVEL1(S, s, T)                                                                        \
    template <> struct Level1<T> {                                                             \
        static constexpr auto axpy = cublas##S##axpy;                                          \
        static constexpr auto scal = cublas##S##scal;                                          \
        static constexpr auto copy = cublas##S##copy;                                          \
        static constexpr auto swap = cublas##S##swap;                                          \
        static constexpr auto dot = cublas##S##dot;                                            \
        static constexpr auto nrm2 = cublas##S##nrm2;                                          \
        static constexpr auto asum = cublas##S##asum;                                          \
        static constexpr auto amax = cublasI##s##amax;                                         \
        static constexpr auto amin = cublasI##s##amin;                                         \
        static constexpr auto rot = cublas##S##rot;                                            \
        static constexpr auto rotg = cublas##S##rotg;                                          \
        static constexpr auto rotm = cublas##S##rotm;                                          \
        static constexpr auto rotmg = cublas##S##rotmg;                                        \
    };
LEVEL1(S, s, float)
LEVEL1(D, d, double)

enum { N = 1000, ROOM = 3 * N };

// A number for the host or for the device.
template <class T> struct Number {
    T host;
    T *device = nullptr;
    bool there;
    Number(T value, bool on_device) : host(value), there(on_device)
    {
        if (there && (cudaMalloc(&device, sizeof(T)) != cudaSuccess ||
                      cudaMemcpy(device, &host, sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess))
            exit(3);
    }
    ~Number() { if (there && cudaFree(device) != cudaSuccess) exit(3); }
    T *at() { return there ? device : &host; }
    T value()
    {
        if (there && cudaMemcpy(&host, device, sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
            exit(3);
        return host;
    }
};

template <class T> void run(cublasHandle_t h, bool on_device)
{
    typedef Level1<T> F;
    const std::vector<T> x = numbers<T>(ROOM, 1), y = numbers<T>(ROOM, 2);
    OnDevice<T> dx(x), dy(y);
    CALL(cublasSetPointerMode(h, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST));

    T dot = 0, back = 0, sum = 0;
    int most = 0, least = 0;
    for (int i = 0; i < N; i++) {
        dot += x[2 * i] * y[3 * i];
        back += x[N - 1 - i] * y[i];
        sum += std::abs(x[i]);
        most = std::abs(x[2 * i]) > std::abs(x[2 * most]) ? i : most;
        least = std::abs(x[2 * i]) < std::abs(x[2 * least]) ? i : least;
    }
    Number<T> r(0, on_device);
    CALL(F::dot(h, N, dx, 2, dy, 3, r.at()));
    expect(r.value() == dot, "dot, with steps");
    CALL(F::dot(h, N, dx, -1, dy, 1, r.at()));
    expect(r.value() == back, "dot, backwards");
    CALL(F::dot(h, 0, dx, 1, dy, 1, r.at()));
    expect(r.value() == 0, "dot of nothing");
    CALL(F::asum(h, N, dx, 1, r.at()));
    expect(r.value() == sum, "asum");
    OnDevice<T> triangle(std::vector<T>{3, 0, 4, 0, 12, 0});
    CALL(F::nrm2(h, 3, triangle, 2, r.at()));
    expect(std::abs(r.value() - 13) < 1e-5, "nrm2");
    OnDevice<T> big(std::vector<T>(16, (T)(sizeof(T) == 4 ? 1e30 : 1e300)));
    CALL(F::nrm2(h, 16, big, 1, r.at()));
    expect(std::abs(r.value() / big.back()[0] - 4) < 1e-5, "nrm2 of large numbers");
    Number<int> at(0, on_device);
    CALL(F::amax(h, N, dx, 2, at.at()));
    expect(at.value() == most + 1, "amax counts from 1");
    CALL(F::amin(h, N, dx, 2, at.at()));
    expect(at.value() == least + 1, "amin");
    CALL(F::amax(h, 0, dx, 1, at.at()));
    expect(at.value() == 0, "amax of nothing");

    std::vector<T> u = x, v = y;
    Number<T> two(2, on_device);
    CALL(F::axpy(h, N, two.at(), dx, 2, dy, -1));
    for (int i = 0; i < N; i++)
        v[N - 1 - i] += 2 * u[2 * i];
    expect(dy.back() == v, "axpy");
    CALL(F::scal(h, N, two.at(), dx, 3));
    for (int i = 0; i < N; i++)
        u[3 * i] *= 2;
    expect(dx.back() == u, "scal");
    CALL(F::copy(h, N, dx, 1, dy, 2));
    for (int i = 0; i < N; i++)
        v[2 * i] = u[i];
    expect(dy.back() == v, "copy");
    CALL(F::swap(h, N, dx, 3, dy, 1));
    for (int i = 0; i < N; i++)
        std::swap(u[3 * i], v[i]);
    expect(dx.back() == u && dy.back() == v, "swap");

    Number<T> c(2, on_device), s(3, on_device);
    CALL(F::rot(h, N, dx, 1, dy, 1, c.at(), s.at()));
    for (int i = 0; i < N; i++) {
        const T a = u[i], b = v[i];
        u[i] = 2 * a + 3 * b;
        v[i] = 2 * b - 3 * a;
    }
    expect(dx.back() == u && dy.back() == v, "rot");

    Number<T> a(3, on_device), b(4, on_device);
    CALL(F::rotg(h, a.at(), b.at(), c.at(), s.at()));
    expect(std::abs(a.value() - 5) < 1e-5 && std::abs(c.value() - (T)0.6) < 1e-6 &&
               std::abs(s.value() - (T)0.8) < 1e-6 && std::abs(b.value() - 1 / (T)0.6) < 1e-5, "rotg");

    // It turns (sqrt(d1) x1, sqrt(d2) y1) so that the second number becomes 0.
    const T flags[] = {-1, 0, 1, -2};
    for (T flag : flags) {
        const T p[5] = {flag, 2, 3, 4, 5};
        OnDevice<T> there(std::vector<T>(p, p + 5));
        CALL(F::rotm(h, N, dx, 1, dy, 1, on_device ? (const T *)there : p));
        const T h11 = flag == 0 || flag == -2 ? 1 : 2, h22 = flag == 0 || flag == -2 ? 1 : 5;
        const T h21 = flag == 1 ? -1 : flag == -2 ? 0 : 3, h12 = flag == 1 ? 1 : flag == -2 ? 0 : 4;
        for (int i = 0; i < N; i++) {
            const T f = u[i], g = v[i];
            u[i] = h11 * f + h12 * g;
            v[i] = h21 * f + h22 * g;
        }
        expect(dx.back() == u && dy.back() == v, "rotm");
    }
    Number<T> d1(2, on_device), d2(1, on_device), x1(3, on_device), y1(2, on_device);
    OnDevice<T> there(std::vector<T>(5, 7));
    T here[5] = {7, 7, 7, 7, 7};
    CALL(F::rotmg(h, d1.at(), d2.at(), x1.at(), y1.at(), on_device ? (T *)there : here));
    const std::vector<T> p = on_device ? there.back() : std::vector<T>(here, here + 5);
    const double h21 = p[2], h12 = p[3];
    expect(p[0] == 0 && std::abs(h21 * 3 + 2) < 1e-5 && std::abs(3 + h12 * 2 - x1.value()) < 1e-5,
           "rotmg");
}

int main()
{
    cublasHandle_t h;
    CALL(cublasCreate(&h));
    for (int on_device = 0; on_device < 2; on_device++) {
        printf("numbers on the %s, float\n", on_device ? "device" : "host");
        run<float>(h, on_device);
        printf("numbers on the %s, double\n", on_device ? "device" : "host");
        run<double>(h, on_device);
    }
    CALL(cublasDestroy(h));
    printf("%d wrong\n", failures);
    return failures != 0;
}
