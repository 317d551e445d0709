/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions of two 16-bit numbers or four bytes in a word, and of three numbers */
//! array r u32 20000
//! launch video<<<1,121>>>(r)
//! launch whole<<<1,125>>>(r+17000)
__device__ const unsigned words[] = {0, 1, 0xffffffff, 0x80008000, 0x7fff7fff, 0x80808080,
    0x7f7f7f7f, 0x01ff8000, 0x12345678, 0xfedcba98, 0x00ff7f80};

#define BOTH(n) ONE(n##2) ONE(n##4)
#define BOTH_SIGNS(n) BOTH(n##s) BOTH(n##u)
__global__ void video(unsigned *r)
{
    const unsigned x = words[threadIdx.x / 11], y = words[threadIdx.x % 11];
    int at = threadIdx.x;
#define ONE(n) r[at] = n(x, y); at += 121;
    BOTH(__vadd) BOTH(__vaddss) BOTH(__vaddus) BOTH(__vsub) BOTH(__vsubss) BOTH(__vsubus)
    BOTH_SIGNS(__vabsdiff) BOTH_SIGNS(__vavg) BOTH(__vhaddu) BOTH_SIGNS(__vmax)
    BOTH_SIGNS(__vmin) BOTH(__vcmpeq) BOTH(__vcmpne) BOTH(__vseteq) BOTH(__vsetne)
    BOTH_SIGNS(__vcmpge) BOTH_SIGNS(__vcmpgt) BOTH_SIGNS(__vcmple) BOTH_SIGNS(__vcmplt)
    BOTH_SIGNS(__vsetge) BOTH_SIGNS(__vsetgt) BOTH_SIGNS(__vsetle) BOTH_SIGNS(__vsetlt)
    BOTH_SIGNS(__vsad) ONE(__vimax_s16x2_relu) ONE(__vimin_s16x2_relu)
    ONE(__vimax_s32_relu) ONE(__vimin_s32_relu) ONE(umin) ONE(umax) ONE(llmin) ONE(llmax)
    ONE(ullmin) ONE(ullmax)
#undef ONE
#define ONE(n) r[at] = n(x); at += 121;
    BOTH(__vabs) BOTH(__vabsss) BOTH(__vneg) BOTH(__vnegss)
#undef ONE
#define ONE(n) r[at] = n(x, y, x ^ y << 3); at += 121;
    ONE(__vimax3_s32) ONE(__vimax3_u32) ONE(__vimax3_s16x2) ONE(__vimax3_u16x2)
    ONE(__vimin3_s32) ONE(__vimin3_u32) ONE(__vimin3_s16x2) ONE(__vimin3_u16x2)
    ONE(__vimax3_s32_relu) ONE(__vimax3_s16x2_relu) ONE(__vimin3_s32_relu)
    ONE(__vimin3_s16x2_relu) ONE(__viaddmax_s32) ONE(__viaddmax_u32) ONE(__viaddmax_s16x2)
    ONE(__viaddmax_u16x2) ONE(__viaddmin_s32) ONE(__viaddmin_u32) ONE(__viaddmin_s16x2)
    ONE(__viaddmin_u16x2) ONE(__viaddmax_s32_relu) ONE(__viaddmax_s16x2_relu)
    ONE(__viaddmin_s32_relu) ONE(__viaddmin_s16x2_relu)
#undef ONE
    bool high, low = false;
#define ONE(n) r[at] = n(x, y, &high) + high; at += 121;
    ONE(__vibmax_s32) ONE(__vibmax_u32) ONE(__vibmin_s32) ONE(__vibmin_u32)
#undef ONE
#define ONE(n) r[at] = n(x, y, &high, &low) + high + 2 * low; at += 121;
    ONE(__vibmax_s16x2) ONE(__vibmax_u16x2) ONE(__vibmin_s16x2) ONE(__vibmin_u16x2)
}

__global__ void whole(unsigned *r)
{
    const unsigned x = words[threadIdx.x % 11], y = words[threadIdx.x / 12];
    int at = threadIdx.x;
#undef ONE
#define ONE(e) r[at] = e; at += 125;
    ONE(__dp2a_lo((int)x, (int)y, 7)) ONE(__dp2a_hi((int)x, (int)y, 7)) ONE(__dp2a_lo(x, y, 7u))
    ONE(__dp2a_hi(x, y, 7u)) ONE(__dp4a((int)x, (int)y, 3)) ONE(__dp4a(x, y, 3u))
    ONE(__fns(x, threadIdx.x % 32, 0)) ONE(__fns(x, 31 - threadIdx.x % 32, -2))
    ONE(__fns(x, threadIdx.x % 7, 3)) 
    ONE(__dp4a(make_char4(1, -2, x, y), make_char4(-1, y, 3, 4), 5))
    ONE(__dp2a_hi(make_ushort2(x, y), make_uchar4(1, 2, 3, y), 5u))
}
