// Ways to get an array. The comment at the end of a line has the names of the arrays that it keeps, in
// the order of the calls; ? is an array that has none, since it is not sure. The program frees the
// array of the number that it is given in a wrong way, so that its name is told.
#include <cstdio>
#include <cstdlib>

static const int n = 1000;
struct pair {
    float *left, *right;
};

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != cudaSuccess)                                                                 \
            printf("error\n");                                                                     \
    } while (0)
#define GET(pointer, count) CHECK(cudaMalloc(&pointer, count))
#define GET_AT(pointer, count) CHECK(cudaMalloc((void **)pointer, count))
#define GET_LAST(count, pointer) CHECK(cudaMalloc(pointer, count))
#define GET_BOTH(a, b, count) CHECK(cudaMalloc(&a, count)); CHECK(cudaMalloc(&b, count))

static char *kept[100];
static int keeps;
static void keep(void *first, void *second = nullptr, void *third = nullptr)
{
    for (void *one : {first, second, third})
        if (one)
            kept[keeps++] = (char *)one;
}

static float *device(int count)
{
    float *made;
    cudaMalloc(&made, count);
    return made;
}
template <class T> static void get(T **to, int count)
{
    cudaMalloc(to, count);
}
__attribute__((always_inline)) static inline void two(pair &p)
{
    cudaMalloc(&p.left, n), cudaMalloc(&p.right, n);
}

int main(int argc, char **argv)
{
    float *a, *b, *c, *d[3], **e = d;
    pair p, *q = &p;
    int flags = argc & 1;
    bool first = argc > 3;
    cudaMalloc(&a, n); cudaMalloc(&b, n);
    keep(a, b); // a b
    CHECK(cudaMalloc(&a, n)); CHECK(cudaMalloc((void **)&b, n));
    keep(a, b); // a b
    flags = argc & flags; cudaMalloc(&c, n);
    keep(c); // c
    for (int i = 0; i < 3; i++) cudaMalloc(&d[i], n);
    keep(d[0], d[1], d[2]); // d[i] d[i] d[i]
    for (int i = 0; i < 2; i++) { cudaMalloc(&a, n); cudaMalloc(&b, n); d[i] = b; }
    keep(a, b, d[0]); // a b b
    cudaMalloc(&p.left, n); cudaMalloc(&q->right, n);
    keep(p.left, p.right); // p.left q->right
    cudaMalloc(e, n);
    keep(d[0]); // ?
    cudaMalloc(reinterpret_cast<void **>(&a), n);
    keep(a); // a
    cudaMalloc<float>(&b, n);
    keep(b); // b
    if (first) cudaMalloc(&a, n); else cudaMalloc(&b, n);
    keep(b); // ?
    cudaError_t error = first ? cudaMalloc(&a, n) : cudaMalloc(&b, n);
    keep(b); // ?
    if (error || cudaMalloc(&a, n) || cudaMalloc(&b, n)) return 1;
    keep(a, b); // ? ?
    error = cudaMalloc(&a, size_t(1) << 50); cudaMalloc(&b, n);
    keep(b); // ?
    cudaMalloc(
        &a,
        n);
    keep(a); // a
    CHECK(
        cudaMallocManaged(
            &a, n));
    keep(a); // a
    cudaMallocHost(&a, n); cudaHostAlloc(&b, n, 0); cudaMalloc(&c, n);
    keep(a, b, c); // a b c
    size_t pitch;
    cudaMallocPitch(&a, &pitch, 4, 4);
    keep(a); // a
    GET(a, n);
    keep(a); // a
    GET_AT(&b, n);
    keep(b); // b
    GET_LAST(n, &c);
    keep(c); // ?
    GET_BOTH(a, b, n);
    keep(a, b); // ? ?
    GET(a, n); cudaMalloc(&b, n);
    keep(a, b); // a b
    a = device(n); b = device(n);
    keep(a, b); // made made
    get(&a, n); get(&b, n);
    keep(a, b); // ? ?
    two(p);
    keep(p.left, p.right); // p.left p.right
    two(*q);
    keep(p.left, p.right); // ? ?
    auto get_c = [&] { cudaMalloc(&c, n); }; get_c();
    keep(c); // c
    const int which = argc > 1 ? atoi(argv[1]) : 0;
    if (cudaFree(kept[which] + 4) == error)
        printf("freed\n");
    exit(which + 1 < keeps ? 0 : 2);
}
