// Objects on the heap of the device: a base class, two kinds of it, and a stack that grows.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                    \
    do {                                                               \
        cudaError_t e = (call);                                        \
        if (e != cudaSuccess) {                                        \
            printf("%s, line %d\n", cudaGetErrorString(e), __LINE__);  \
            exit(1);                                                   \
        }                                                              \
    } while (0)

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual int area() const = 0;
};

struct Square : Shape {
    int side;
    __device__ Square(int side) : side(side) {}
    __device__ int area() const override { return side * side; }
};

struct Box : Shape {
    int width, height;
    __device__ Box(int width, int height) : width(width), height(height) {}
    __device__ int area() const override { return width * height; }
};

template <class T>
class Stack {
public:
    __device__ Stack() : at(nullptr), n(0), room(0) {}
    __device__ ~Stack() { delete[] at; }
    __device__ bool is_empty() const { return n == 0; }
    __device__ T pop() { return at[--n]; }
    __device__ void push(T value)
    {
        if (n == room)
            grow();
        at[n++] = value;
    }

private:
    T *at;
    int n, room;
    __device__ void grow()
    {
        T *more = new T[room ? 2 * room : 4];
        for (int i = 0; i < n; i++)
            more[i] = at[i];
        delete[] at;
        at = more;
        room = room ? 2 * room : 4;
    }
};

__global__ void make(Shape **shapes, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i % 2)
        shapes[i] = new Square(i);
    else
        shapes[i] = new Box(i, 2);
}

__global__ void measure(Shape **shapes, int *areas, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    areas[i] = shapes[i]->area();
    delete shapes[i];
}

__global__ void fill_in_turn(int *sums)
{
    __shared__ Stack<int> *stack;
    if (threadIdx.x == 0)
        stack = new Stack<int>;
    __syncthreads();
    for (unsigned turn = 0; turn < blockDim.x; turn++) {
        if (turn == threadIdx.x)
            stack->push(3 * turn + blockIdx.x);
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        int sum = 0;
        while (!stack->is_empty())
            sum += stack->pop();
        sums[blockIdx.x] = sum;
        delete stack;
    }
}

int main()
{
    const int n = 300;
    Shape **shapes;
    int *areas, out[n];
    size_t heap;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    printf("the heap has %s\n", heap >= 16u << 20 ? "room" : "no room");
    CHECK(cudaMalloc(&shapes, n * sizeof(Shape *)));
    CHECK(cudaMalloc(&areas, n * sizeof(int)));
    make<<<3, 100>>>(shapes, n);
    measure<<<3, 100>>>(shapes, areas, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, areas, sizeof out, cudaMemcpyDeviceToHost));
    long all = 0;
    for (int area : out)
        all += area;
    printf("all areas: %ld\n", all);
    fill_in_turn<<<3, 48>>>(areas);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out, areas, 3 * sizeof(int), cudaMemcpyDeviceToHost));
    printf("sums: %d %d %d\n", out[0], out[1], out[2]);
    CHECK(cudaFree(shapes));
    CHECK(cudaFree(areas));
    return 0;
}
