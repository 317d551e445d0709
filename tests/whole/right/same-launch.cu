// One launch many times: with the same bytes each time, and with a byte that changed in between.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CK(x)                                                                \
    do {                                                                     \
        cudaError_t e = (x);                                                 \
        if (e != cudaSuccess) {                                              \
            std::printf("%s: %s\n", #x, cudaGetErrorName(e));                \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

enum { N = 1000, BLOCK = 128, GRID = (N + BLOCK - 1) / BLOCK, TIMES = 9, CHANGE = 6 };

__constant__ int factor;
__device__ int offset, calls;

__global__ void scale(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = factor * in[i] + offset;
}

__global__ void add_one(int *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        v[i]++;
}

__global__ void count(const int *in, unsigned *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        atomicAdd(&bins[in[i] % 16], 1u);
}

__global__ void look_up(cudaTextureObject_t t, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = tex2D<int>(t, i % 32, i / 32);
}

__global__ void mark(cudaSurfaceObject_t s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % 32, y = i / 32;
    if (i < N)
        surf2Dwrite(surf2Dread<int>(s, x * 4, y) + 1, s, x * 4, y);
}

__global__ void speak(const int *in) { printf("in[3] is %d\n", in[3]); }

__global__ void first_call(int *which) { *which = atomicAdd(&calls, 1); }

__global__ void list(const int *in, int *out)
{
    int *own = static_cast<int *>(malloc(4 * sizeof(int)));
    for (int i = 0; i < 4; i++)
        own[i] = in[4 * threadIdx.x + i];
    out[threadIdx.x] = own[0] - own[1] + own[2] - own[3];
    free(own);
}

static long check(const int *v, int n)
{
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum = (sum * 31 + v[i]) % 1000003;
    return sum;
}

static long check_device(const int *v, int n = N)
{
    static int host[N];
    CK(cudaMemcpy(host, v, n * sizeof(int), cudaMemcpyDeviceToHost));
    return check(host, n);
}

// Prints what the function returns each time.
template <class F> static void times(const char *name, F once)
{
    std::printf("%s:", name);
    for (int i = 0; i < TIMES; i++)
        std::printf(" %ld", once(i == CHANGE));
    std::printf("\n");
}

int main()
{
    int host[N], *in, *out, *third;
    unsigned *bins;
    const int three = 3, seven = 7, one = 1;
    for (int i = 0; i < N; i++)
        host[i] = (i * 37) % 101;
    CK(cudaMalloc(&in, sizeof host));
    CK(cudaMalloc(&out, sizeof host));
    CK(cudaMalloc(&third, sizeof host));
    CK(cudaMalloc(&bins, 16 * sizeof *bins));
    CK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    CK(cudaMemcpyToSymbol(factor, &three, sizeof three));
    CK(cudaMemcpyToSymbol(offset, &seven, sizeof seven));

    times("one element changes", [&](bool change) {
        if (change)
            CK(cudaMemcpy(in + 999, &seven, sizeof seven, cudaMemcpyHostToDevice));
        scale<<<GRID, BLOCK>>>(in, out);
        return check_device(out);
    });
    times("a constant changes", [&](bool change) {
        if (change)
            CK(cudaMemcpyToSymbol(factor, &seven, sizeof seven));
        scale<<<GRID, BLOCK>>>(in, out);
        return check_device(out);
    });
    times("a variable changes", [&](bool change) {
        if (change)
            CK(cudaMemcpyToSymbol(offset, &one, sizeof one));
        scale<<<GRID, BLOCK>>>(in, out);
        return check_device(out);
    });
    times("another kernel changes the input", [&](bool change) {
        if (change)
            add_one<<<GRID, BLOCK>>>(in);
        scale<<<GRID, BLOCK>>>(in, out);
        return check_device(out);
    });
    times("the output is cleared", [&](bool change) {
        CK(cudaMemset(out, change ? 1 : 0, sizeof host));
        scale<<<GRID, BLOCK>>>(in, out);
        return check_device(out);
    });
    times("the output is new", [&](bool) {
        CK(cudaFree(out));
        CK(cudaMalloc(&out, sizeof host));
        scale<<<GRID, BLOCK>>>(in, out);
        return check_device(out);
    });
    times("another output", [&](bool change) {
        scale<<<GRID, BLOCK>>>(in, change ? third : out);
        return check_device(change ? third : out);
    });
    times("fewer blocks", [&](bool change) {
        CK(cudaMemset(out, 0, sizeof host));
        scale<<<change ? GRID - 1 : GRID, BLOCK>>>(in, out);
        return check_device(out);
    });
    times("in place", [&](bool) {
        add_one<<<GRID, BLOCK>>>(out);
        return check_device(out);
    });
    times("in place, from the same start", [&](bool change) {
        CK(cudaMemcpy(out, change ? third : in, sizeof host, cudaMemcpyDeviceToDevice));
        add_one<<<GRID, BLOCK>>>(out);
        return check_device(out);
    });
    times("atomics", [&](bool change) {
        CK(cudaMemset(bins, change ? 1 : 0, 16 * sizeof *bins));
        count<<<GRID, BLOCK>>>(in, bins);
        return check_device(reinterpret_cast<int *>(bins), 16);
    });
    times("atomics that go on", [&](bool) {
        count<<<GRID, BLOCK>>>(in, bins);
        return check_device(reinterpret_cast<int *>(bins), 16);
    });
    times("a count of calls", [&](bool) {
        first_call<<<1, 1>>>(out);
        return check_device(out, 1);
    });
    times("two streams", [&](bool change) {
        static cudaStream_t s[2];
        if (!s[0])
            for (cudaStream_t &stream : s)
                CK(cudaStreamCreate(&stream));
        if (change)
            CK(cudaMemcpy(in, &one, sizeof one, cudaMemcpyHostToDevice));
        CK(cudaDeviceSynchronize());
        scale<<<GRID, BLOCK, 0, s[0]>>>(in, out);
        scale<<<GRID, BLOCK, 0, s[1]>>>(in, third);
        CK(cudaDeviceSynchronize());
        return check_device(out) + check_device(third);
    });

    int *managed, *pinned, *mapped;
    CK(cudaMallocManaged(&managed, sizeof host));
    CK(cudaHostAlloc(&pinned, sizeof host, cudaHostAllocMapped));
    CK(cudaHostGetDevicePointer(reinterpret_cast<void **>(&mapped), pinned, 0));
    for (int i = 0; i < N; i++)
        managed[i] = pinned[i] = host[i];
    times("the host changes managed memory", [&](bool change) {
        if (change)
            managed[500] = -1;
        scale<<<GRID, BLOCK>>>(managed, out);
        return check_device(out);
    });
    times("the host changes pinned memory", [&](bool change) {
        if (change)
            pinned[500] = -1;
        scale<<<GRID, BLOCK>>>(mapped, out);
        return check_device(out);
    });
    times("the host changes managed output", [&](bool change) {
        managed[0] = change;
        scale<<<GRID, BLOCK>>>(in, managed);
        CK(cudaDeviceSynchronize());
        return check(managed, N);
    });

    cudaArray_t array;
    const cudaChannelFormatDesc ints = cudaCreateChannelDesc<int>();
    CK(cudaMallocArray(&array, &ints, 32, 32, cudaArraySurfaceLoadStore));
    int image[32 * 32];
    for (int i = 0; i < 32 * 32; i++)
        image[i] = i * i % 97;
    CK(cudaMemcpy2DToArray(array, 0, 0, image, 128, 128, 32, cudaMemcpyHostToDevice));
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    CK(cudaCreateTextureObject(&texture, &what, &how, nullptr));
    times("a texture changes", [&](bool change) {
        if (change) {
            image[70] = -5;
            CK(cudaMemcpy2DToArray(array, 0, 0, image, 128, 128, 32, cudaMemcpyHostToDevice));
        }
        look_up<<<GRID, BLOCK>>>(texture, out);
        return check_device(out);
    });
    cudaSurfaceObject_t surface;
    CK(cudaCreateSurfaceObject(&surface, &what));
    times("a surface changes", [&](bool) {
        mark<<<GRID, BLOCK>>>(surface);
        look_up<<<GRID, BLOCK>>>(texture, out);
        return check_device(out);
    });

    times("device malloc", [&](bool change) {
        if (change)
            CK(cudaMemcpy(in + 2, &seven, sizeof seven, cudaMemcpyHostToDevice));
        list<<<1, 64>>>(in, out);
        return check_device(out, 64);
    });
    for (int i = 0; i < 5; i++) {
        if (i == 4)
            CK(cudaMemcpy(in + 3, &one, sizeof one, cudaMemcpyHostToDevice));
        speak<<<1, 1>>>(in);
        CK(cudaDeviceSynchronize());
    }

    CK(cudaDestroyTextureObject(texture));
    CK(cudaDestroySurfaceObject(surface));
    CK(cudaFreeArray(array));
    CK(cudaFreeHost(pinned));
    for (void *p : {(void *)in, (void *)out, (void *)third, (void *)bins, (void *)managed})
        CK(cudaFree(p));
    return 0;
}
