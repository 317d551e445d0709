/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loads and stores that advise the caches */
#include <string.h>
__global__ void each(const float4 *a, float4 *b, int *i, const char *c)
{
    b[0] = __ldg(a); b[1] = __ldcs(a + 1);
    i[0] = __ldcg(i + 1) + __ldca(i + 2) + __ldg(c) + __ldcv(i + 3) + __ldlu(i + 4);
    __stcs(i + 5, 3); __stcg(i + 6, 4); __stwt(i + 7, 5); __stwb(i + 8, 6);
    memcpy(i + 20, i + 30, 16);
    memset(i + 40, 0, 8);
}
