/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static int byte_of(int x)
{
    return (x & 255) > 127 ? (x & 255) - 256 : x & 255;
}
static int half_of(int x)
{
    return (x & 65535) > 32767 ? (x & 65535) - 65536 : x & 65535;
}

void reference(void)
{
    static const uint32_t wrapped[6] = {1, 0x80000000u, 1, 0xfffffff0u, 128, 0xffffffffu};
    int16_t *s = array("s");
    int *out = array("out"), *a = array("a"), *b = array("b"), *dm = array("dm");
    for (int i = 0; i < 256; i++) {
        int x = byte_of(i), y = s[i], uy = y & 65535;
        int third = half_of(y - 30000) > 0 ? uy / 3 : -(uy / 3);
        int o[6] = {x * y,
                    byte_of(x + 100),
                    ((i * 3 + 7) & 255) >> 2,
                    half_of(uy * 8) - (x >> 1),
                    65535 - uy + (i ^ 0x5a),
                    (byte_of(x + 77) < 0 ? 1000000 : 0) + third + ((i * 2) & 255) % 10};
        memcpy(out + 6 * i, o, sizeof o);
    }
    for (int i = 0; i < 96; i++) {
        int64_t x = a[i], u = x & 0xffffffff;
        int64_t o[8] = {x / b[i],
                        x % b[i],
                        -(x / b[i]),
                        x % 7,
                        x / 16,
                        u / 7 + u % 10,
                        u / b[i] ^ u % b[i],
                        x % b[i] < 0 ? x % b[i] + b[i] : x % b[i]};
        for (int k = 0; k < 8; k++)
            dm[8 * i + k] = (int32_t)o[k];
    }
    memcpy(array("w"), wrapped, sizeof wrapped);
}
