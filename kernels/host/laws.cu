/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host part of laws.cu's programs (source/code-host.h). It measures work by one block
 * and by one block for each SM, and shows the speed-up next to what the lab's law allows.
 */

enum { THREADS = 32 };

/* Runs the items in one launch. Returns its time in milliseconds. */
static float Run(int blocks, unsigned *x_d, int first, int last, int rounds)
{
    cudaEvent_t begin, end;
    float ms;

    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin));
    KERNEL<<<blocks, THREADS>>>(x_d, first, last, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return ms;
}

/* Computes the same in plain C. */
static unsigned Worked(unsigned x, int rounds)
{
    for (int k = 0; k < rounds; k++)
        x = (x * 1664525u + 1013904223u) ^ (x >> 15);
    return x;
}

//: used by amdahl
/* Arguments: the serial part, items for each SM, rounds of an item. */
//: used by gustafson
/* Arguments: the serial part of the time of all SMs, items that an SM has time for, rounds of an
 * item. */
//: used by all
int main(int argc, char *argv[])
{
    double serial = Argument(argc, argv, 1, 0.05);
    int each = (int)Argument(argc, argv, 2, 20);
    int rounds = (int)Argument(argc, argv, 3, 2000);
    int sms;

    if (!(serial >= 0 && serial <= 1) || each < 1 || each > 1000 || rounds < 1) {
        fprintf(stderr, "the serial part is from 0 to 1, there are 1 to 1000 items, and at least "
                        "1 round\n");
        return EXIT_FAILURE;
    }
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
//: used by amdahl
    int items = each * sms, alone = (int)(serial * items + 0.5);
//: used by gustafson
    int alone = (int)(serial * each + 0.5), items = alone + (each - alone) * sms;
//: used by all
    size_t bytes = (size_t)items * THREADS * sizeof(unsigned);
    unsigned *x = (unsigned *)Allocate(bytes), *x_d;
    CHECK(cudaMalloc(&x_d, bytes));

    Run(1, x_d, 0, 1, rounds);   /* the first launch takes longer than the others */
    float serial_ms = Run(1, x_d, 0, alone, rounds);
    float one_ms = serial_ms + Run(1, x_d, alone, items, rounds);
    float all_ms = serial_ms + Run(sms, x_d, alone, items, rounds);

    CHECK(cudaMemcpy(x, x_d, bytes, cudaMemcpyDeviceToHost));
    int right = 0;
    for (int i = 0; i < items * THREADS; i++)
        right += x[i] == Worked(i, rounds);
    printf("%d items, %d of them serial: %g ms on one SM, %g ms on %d SMs\n", items, alone,
           one_ms, all_ms, sms);
    printf("speed-up %g, by the law %g; %s\n", one_ms / all_ms,
//: used by amdahl
           1 / (serial + (1 - serial) / sms),
//: used by gustafson
           sms - serial * (sms - 1),
//: used by all
           right == items * THREADS ? "all results are right" : "results are WRONG");
    CHECK(cudaFree(x_d));
    free(x);
    return right == items * THREADS ? 0 : EXIT_FAILURE;
}
