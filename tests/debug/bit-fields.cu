// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] random 0 30000, i32[] 0
struct Date {
    unsigned day : 5;
    unsigned month : 4;
    unsigned year : 12;
    int zone : 5;
    unsigned leap : 1;
};

__device__ unsigned pack(Date d) {
    unsigned word = d.day;
    word |= d.month << 5;
    word |= d.year << 9;
    return word;
}

extern "C" __global__ void bitfields(const int *x, int *out) {
    int t = threadIdx.x;
    int days = x[t];
    Date d = {1, 1, 2000, 0, 1};
    d.day = days % 28 + 1;
    d.month = days / 28 % 12 + 1;
    d.year = 1990 + days / 336;
    d.zone = t % 24 - 12;
    d.leap = d.year % 4 == 0;
    unsigned word = pack(d);
    int zone = d.zone;
    int year = d.year;
    if (d.leap) {
        year = -year;
    }
    out[t] = (int)word;
    out[t + 64] = zone;
    out[t + 128] = year;
}
