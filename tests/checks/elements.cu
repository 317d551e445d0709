// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that is written in parts: vectors of which an element is missing, structs with padding,
// and memory of malloc and new.

struct __align__(16) Point {
    float x, y, z; // 4 bytes of padding follow
};

struct Sample {
    double value;
    int count; // and here
};

struct __align__(16) Edge {
    float4 at;
    int to; // and 12 here
};

struct Letter {
    int number;
    char sign; // and 3 here
};

// Right: every element of each vector is written.
//@ array a int 128 iota
//@ array out int 32 zero
//@ launch el_vectors<<<1, 32>>>(a, out)
//@none
__global__ void el_vectors(const int *a, int *out)
{
    int4 v = ((const int4 *)a)[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// Right: structs whose members are written are copied whole, padding and all.
//@ array a float 128
//@ array b float 128
//@ array out float 32 zero
//@ launch el_points<<<1, 32>>>(a, b, out)
//@none
__global__ void el_points(Point *a, Point *b, float *out)
{
    int t = threadIdx.x;
    a[t].x = t;
    a[t].y = 2 * t;
    a[t].z = 3 * t;
    __syncthreads();
    b[t] = a[31 - t];
    Point p = b[t];
    out[t] = p.x + p.y + p.z;
}

// Right: the same of a struct that ends in padding.
//@ array a double 64
//@ array b double 64
//@ launch el_samples<<<1, 32>>>(a, b)
//@none
__global__ void el_samples(Sample *a, Sample *b)
{
    int t = threadIdx.x;
    a[t].value = 0.5 * t;
    a[t].count = t;
    __syncthreads();
    b[t] = a[t ^ 1];
}

// Right: padding that fills most of a vector, by nvcc; clang copies it by eight bytes.
//@ array a float 256
//@ array b float 256
//@ launch el_edges<<<1, 32>>>(a, b)
//@nvcc
//@none
__global__ void el_edges(Edge *a, Edge *b)
{
    int t = threadIdx.x;
    a[t].at = make_float4(t, t, t, 1);
    a[t].to = t + 1;
    __syncthreads();
    b[t] = a[31 - t];
}

// Right: in shared memory, one of two structs is chosen and put into another's place.
//@ array out float 32 zero
//@ launch el_chosen<<<1, 32>>>(out)
//@none
__global__ void el_chosen(float *out)
{
    __shared__ Point s[32];
    int t = threadIdx.x;
    s[t].x = t;
    s[t].y = 2 * t;
    s[t].z = 3 * t;
    __syncthreads();
    Point v = s[31 - t], w = s[t ^ 1], u = t % 3 ? v : w;
    __syncthreads();
    s[t] = u;
    __syncthreads();
    out[t] = s[31 - t].y;
}

// Right: small structs are sorted by a swap.
//@ array a int 64
//@ array out int 32 zero
//@ launch el_swaps<<<1, 32>>>(a, out)
//@none
__global__ void el_swaps(Letter *a, int *out)
{
    int t = threadIdx.x;
    a[t].number = (7 * t) % 32;
    a[t].sign = t;
    __syncthreads();
    for (int k = 0; k < 32; k++) {
        int i = 2 * t + (k & 1);
        if (i + 1 < 32 && a[i].number > a[i + 1].number) {
            Letter swap = a[i];
            a[i] = a[i + 1];
            a[i + 1] = swap;
        }
        __syncthreads();
    }
    out[t] = a[t].number + a[t].sign;
}

// Right: memory of malloc is written before it is read.
//@ array out int 32 zero
//@ launch el_malloc<<<1, 32>>>(out)
//@none
__global__ void el_malloc(int *out)
{
    int t = threadIdx.x;
    int *p = (int *)malloc(8 * sizeof *p);
    for (int i = 0; i < 8; i++)
        p[i] = i * t;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += p[i];
    out[t] = sum;
    free(p);
}

// Wrong: the last element of each vector was never written.
//@ array a int 128
//@ array out int 32 zero
//@ launch el_three_of_four<<<1, 32>>>(a, out)
//@found uninitialized three-of-four
__global__ void el_three_of_four(int *a, int *out)
{
    int t = threadIdx.x;
    a[4 * t] = t;
    a[4 * t + 1] = t;
    a[4 * t + 2] = t;
    __syncthreads();
    int4 v = ((int4 *)a)[t]; // three-of-four
    out[t] = v.x + v.y + v.z + v.w; // three-of-four
}

// Wrong: an element in the middle is missing, and the vector is only copied.
//@ array a int 128
//@ array b int 128 zero
//@ launch el_hole<<<1, 32>>>(a, b)
//@nvcc
//@found uninitialized hole
__global__ void el_hole(int *a, int4 *b)
{
    int t = threadIdx.x;
    a[4 * t] = t;
    a[4 * t + 1] = t;
    a[4 * t + 3] = t;
    __syncthreads();
    b[t] = ((int4 *)a)[t]; // hole
}

// Wrong: a tile of float4 lacks what its fourth element should be.
//@ array out float 32 zero
//@ launch el_tile<<<1, 32>>>(out)
//@found uninitialized tile
__global__ void el_tile(float *out)
{
    __shared__ float4 s[32];
    int t = threadIdx.x;
    s[t].x = t;
    s[t].y = 2 * t;
    s[t].z = 3 * t;
    __syncthreads();
    float4 v = s[31 - t]; // tile
    out[t] = v.x * v.w + v.y + v.z; // tile
}

// Wrong: one half of each pair.
//@ array a double 64
//@ array out double 32 zero
//@ launch el_halves<<<1, 32>>>(a, out)
//@found uninitialized halves
__global__ void el_halves(double *a, double *out)
{
    int t = threadIdx.x;
    a[2 * t + 1] = t;
    __syncthreads();
    double2 v = ((double2 *)a)[t]; // halves
    out[t] = v.x + v.y; // halves
}

// Wrong: malloc clears nothing.
//@ array out int 32 zero
//@ launch el_counts<<<1, 32>>>(out)
//@found uninitialized counts
__global__ void el_counts(int *out)
{
    int t = threadIdx.x;
    int *p = (int *)malloc(8 * sizeof *p);
    for (int i = 0; i < 8; i++)
        p[i] += i; // counts
    out[t] = p[t % 8]; // counts
    free(p);
}

// Wrong: new without () leaves an int as it is, and one of eight is forgotten.
//@ array out int 32 zero
//@ launch el_forgotten<<<1, 32>>>(out, 7)
//@found uninitialized forgotten
__global__ void el_forgotten(int *out, int n)
{
    int t = threadIdx.x, sum = 0;
    int *p = new int[8];
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = 0; i < 8; i++)
        sum += p[i]; // forgotten
    out[t] = sum;
    delete[] p;
}

// Wrong: what one launch got is read by the next, which also frees it.
//@ launch el_keep<<<1, 1>>>()
//@none
//@ array out int 4 zero
//@ launch el_kept<<<1, 1>>>(out)
//@found uninitialized kept
__device__ int *el_box;
__global__ void el_keep()
{
    el_box = (int *)malloc(4 * sizeof *el_box);
    el_box[0] = 1;
    el_box[1] = 2;
}
__global__ void el_kept(int *out)
{
    for (int i = 0; i < 4; i++)
        out[i] = el_box[i]; // kept
    free(el_box);
}
