// args: 16 10
// The game of life on a torus. Arguments: size and number of generations.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

__global__ void generation(const unsigned char *now, unsigned char *next, int size)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size || y >= size)
        return;
    int around = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int xx = (x + dx + size) % size;
            int yy = (y + dy + size) % size;
            if (dx != 0 || dy != 0)
                around += now[yy * size + xx];
        }
    int alive = now[y * size + x];
    next[y * size + x] = around == 3 || (alive && around == 2);
}

static void put(unsigned char *board, int size, int x, int y, const char *rows)
{
    int col = x;
    for (; *rows; rows++) {
        if (*rows == '/') {
            y++;
            col = x;
        } else {
            board[y * size + col++] = *rows == '#';
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s SIZE GENERATIONS\n", argv[0]);
        return 2;
    }
    int size = atoi(argv[1]);
    int generations = atoi(argv[2]);
    if (size < 12 || size > 64 || generations < 0)
        return 2;

    size_t cells = (size_t)size * size;
    unsigned char *board = (unsigned char *)calloc(cells, 1);
    put(board, size, 1, 1, ".#./..#/###");      /* a glider */
    put(board, size, 8, 2, "###");              /* a blinker */
    put(board, size, 2, 9, "##/##");            /* a block */

    unsigned char *a, *b;
    cudaMalloc((void **)&a, cells);
    cudaMalloc((void **)&b, cells);
    cudaMemcpy(a, board, cells, cudaMemcpyHostToDevice);
    dim3 block(8, 8);
    dim3 grid((size + 7) / 8, (size + 7) / 8);
    for (int g = 0; g < generations; g++) {
        generation<<<grid, block>>>(a, b, size);
        unsigned char *t = a;
        a = b;
        b = t;
    }
    if (cudaMemcpy(board, a, cells, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;

    int alive = 0;
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) {
            putchar(board[y * size + x] ? '#' : '.');
            alive += board[y * size + x];
        }
        putchar('\n');
    }
    printf("%d alive after %d generations\n", alive, generations);
    cudaFree(a);
    cudaFree(b);
    free(board);
    return 0;
}
