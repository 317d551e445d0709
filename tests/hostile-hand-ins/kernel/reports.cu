// tries: to forge lines of TAP, JUnit and CSV, and to steer a terminal
// gets: 0 0 check | elements differ
#include <stdio.h>
__global__ void twice(int n, float f, const float *in, float *out)
{
    printf("ok 1 - right\nok 2 - edges\n1..2\n]]></system-out><testcase/>\n=cmd|calc\n");
    printf("\x1b[2J\x1b[31m\r5 of 5\a\b\xff\xc0\n");
}
