// Requests of all kinds with numbers and bytes that are drawn, past the runtime. Many of the numbers
// are handles and addresses that cudalab has given before, so that requests come far. The arguments
// are a seed and how many. cudalab has to answer each.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <sys/socket.h>
#include <unistd.h>
#include "run/wire.h"

enum { SOCKET = 3, KNOWN_MOST = 4096, BYTES_MOST = 4096 };

__device__ int variable[4];

__global__ void count(int *at, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        at[i] += variable[i % 4];
}

static uint64_t drawn, known[KNOWN_MOST];
static unsigned known_count;
static unsigned char bytes[BYTES_MOST];

static uint64_t draw()
{
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    drawn ^= drawn << 17;
    return drawn;
}

static void know(uint64_t number)
{
    if (known_count < KNOWN_MOST)
        known[known_count++] = number;
    else
        known[draw() % KNOWN_MOST] = number;
}

static uint64_t draw_number()
{
    switch (draw() % 8) {
    case 0: return 0;
    case 1: return draw() % 4;
    case 2: return draw() % 300;
    case 3: return known[draw() % known_count] + draw() % 3 * 8;
    case 4:
    case 5: return known[draw() % known_count];
    case 6: return (uint64_t)1 << draw() % 64;
    default: return -(draw() % 300);
    }
}

static run_message draw_request()
{
    run_message m = {};
    m.what = RUN_FIRST + 1 + draw() % (RUN_WHATS - RUN_FIRST - 1);
    m.thread = 1 + draw() % 2;
    m.how = draw() % 4 ? 0 : (uint32_t)draw();
    for (int i = 0; i < RUN_NUMBERS; i++)
        m.number[i] = draw_number();
    for (unsigned i = 0; i < draw() % 4; i++)
        m.frame[i] = draw_number();
    return m;
}

// Names, handles, requests within requests, or anything.
static size_t draw_bytes()
{
    static const char *const names[] = {"_Z5countPii", "variable", "cudaMalloc", "none", ""};
    const char *name = names[draw() % 5];
    size_t n = draw() % 65 * 8;
    switch (draw() % 5) {
    case 0: return 0;
    case 1: memcpy(bytes, name, strlen(name)); return strlen(name);
    case 2:
        for (size_t i = 0; i < n; i += 8) {
            const uint64_t number = draw_number();
            memcpy(bytes + i, &number, 8);
        }
        return n;
    case 3:
        for (unsigned i = 0; i < 3; i++) {
            const run_message m = draw_request();
            memcpy(bytes + n, &m, sizeof m);
            n += sizeof m;
        }
        return n;
    default:
        for (size_t i = 0; i < n; i++)
            bytes[i] = (unsigned char)draw();
        return n;
    }
}

static void get(void *to, size_t n)
{
    if (recv(SOCKET, to, n, MSG_WAITALL) != (ssize_t)n)
        _exit(3);
}

static void put(const void *from, size_t n)
{
    if (write(SOCKET, from, n) != (ssize_t)n)
        _exit(3);
}

// What cudalab asks for, while it works: zeros, or a refusal.
static void answer_question(run_message m)
{
    static char piece[1 << 16];
    uint64_t wanted = m.what == RUN_READ ? m.number[1] : 0;
    for (uint64_t left = m.what == RUN_READ ? 0 : m.bytes; left;) {
        const size_t now = left < sizeof piece ? left : sizeof piece;
        get(piece, now);
        left -= now;
    }
    m.status = draw() % 4 ? 0 : 1;
    m.bytes = 0;
    if (!wanted || m.status || wanted > 1 << 20) {
        m.status = m.what == RUN_READ ? 1 : m.status;
        put(&m, sizeof m);
        return;
    }
    memset(piece, 0, sizeof piece);
    for (; wanted; wanted -= m.bytes) {
        m.bytes = wanted < sizeof piece ? wanted : sizeof piece;
        put(&m, sizeof m);
        put(piece, m.bytes);
    }
}

static void one_request(bool shows)
{
    static char reply[1 << 20];
    run_message m = draw_request();
    m.bytes = draw_bytes();
    if (shows)
        fprintf(stderr, "request %u\n", m.what - RUN_FIRST - 1);
    put(&m, sizeof m);
    put(bytes, m.bytes);
    for (;;) {
        get(&m, sizeof m);
        if (m.what == RUN_DONE)
            break;
        answer_question(m);
    }
    for (uint64_t left = m.bytes; left;) {
        const size_t now = left < sizeof reply ? left : sizeof reply;
        get(reply, now);
        left -= now;
    }
    for (int i = 0; m.status == 0 && i < 2; i++)
        know(m.number[i]);
}

int main(int argc, char **argv)
{
    static int host[64];
    int *device, *managed;
    void *symbol;
    cudaMalloc(&device, sizeof host);
    cudaMallocManaged(&managed, sizeof host);
    cudaGetSymbolAddress(&symbol, variable);
    count<<<1, 64>>>(device, 0);
    for (const void *at : {(void *)device, (void *)managed, symbol, (void *)host})
        know((uint64_t)at);
    know(RUN_SHARED_BASE);
    know(RUN_MANAGED_BASE);
    drawn = 0x9e3779b97f4a7c15 * (argc > 1 ? atoi(argv[1]) + 1 : 1);
    for (int i = 0; i < (argc > 2 ? atoi(argv[2]) : 1000); i++)
        one_request(argc > 3);
    printf("all were answered\n");
    fflush(stdout);
    _exit(0);
}
