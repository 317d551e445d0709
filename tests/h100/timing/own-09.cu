// SPDX-License-Identifier: GPL-3.0-or-later
// Prefix sum of a whole array by one block of 1024 threads. Each chunk is scanned by the method of
// Hillis and Steele, between two buffers; the last sum is carried to the next chunk.
//: small   array in i32 2048 random; array out i32 2048; launch scan<<<1, 1024>>>(in, out, 2048)
//: middle  array in i32 65536 random; array out i32 65536; launch scan<<<1, 1024>>>(in, out, 65536)
//: large   array in i32 2097152 random; array out i32 2097152; launch scan<<<1, 1024>>>(in, out, 2097152)

extern "C" __global__ void scan(const int *in, int *out, int n)
{
    __shared__ int buf[2][1024];
    int t = threadIdx.x;
    int carry = 0;
    for (int base = 0; base < n; base += 1024) {
        int from = 0;
        buf[0][t] = in[base + t];
        __syncthreads();
        for (int d = 1; d < 1024; d <<= 1) {
            int v = buf[from][t];
            if (t >= d)
                v += buf[from][t - d];
            buf[1 - from][t] = v;
            from = 1 - from;
            __syncthreads();
        }
        out[base + t] = carry + buf[from][t];
        carry += buf[from][1023];
        __syncthreads();
    }
}
