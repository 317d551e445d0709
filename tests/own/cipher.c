/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reference.h"

static uint32_t mix(uint32_t v)
{
    return ((v * 16) ^ (v / 32)) + v;
}

void reference(void)
{
    static const char rot13[] = "Gur dhvpx oebja sbk whzcf bire gur ynml qbt";
    unsigned char *text = array("text");
    uint32_t *table = array("table"), *crc = array("crc"), *block = array("block");
    uint32_t *coded = array("coded"), *key = array("key");
    memcpy(array("plain"), rot13, 43);
    memcpy(array("back"), block, 512);
    for (uint32_t n = 0; n < 256; n++) {
        table[n] = n;
        for (int k = 0; k < 8; k++)
            table[n] = (table[n] >> 1) ^ (table[n] % 2 * 0xedb88320u);
    }
    for (int n = 0; n < 44; n++) { /* a bit at a time; the whole is 414fa339 */
        uint32_t c = ~0u;
        for (int bit = 0; bit < 8 * n; bit++) {
            c ^= text[bit / 8] >> bit % 8 & 1;
            c = (c >> 1) ^ (c % 2 * 0xedb88320u);
        }
        crc[n] = ~c;
    }
    for (int i = 0; i < 64; i++) {
        uint32_t a = block[2 * i], b = block[2 * i + 1];
        for (uint32_t r = 0; r < 32; r++) {
            uint32_t s = r * 0x9e3779b9u, t = s + 0x9e3779b9u;
            a += mix(b) ^ (s + key[s % 4]);
            b += mix(a) ^ (t + key[t / 2048 % 4]);
        }
        coded[2 * i] = a;
        coded[2 * i + 1] = b;
    }
}
