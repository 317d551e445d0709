// SPDX-License-Identifier: GPL-3.0-or-later
// How many words a text has, counted where a letter follows a blank. A thread looks at one byte and
// the one before it; the warp votes, and one lane adds to the sum of the block.
//: small   array text u8 65536 random:25:122; array words u32 256; launch count_words<<<256, 256>>>(text, words, 65536)
//: middle  array text u8 2097152 random:25:122; array words u32 8192; launch count_words<<<8192, 256>>>(text, words, 2097152)
//: large   array text u8 67108864 random:25:122; array words u32 262144; launch count_words<<<262144, 256>>>(text, words, 67108864)

extern "C" __global__ void count_words(const unsigned char *text, unsigned *words, int n)
{
    __shared__ unsigned sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool start = false;
    if (i < n) {
        bool here = text[i] > ' ';
        bool before = i > 0 && text[i - 1] > ' ';
        start = here && !before;
    }
    unsigned votes = __ballot_sync(0xffffffffu, start);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(&sum, __popc(votes));
    __syncthreads();
    if (threadIdx.x == 0)
        words[blockIdx.x] = sum;
}
