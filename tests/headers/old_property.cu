/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: clockRate */
int main() { cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0); return prop.clockRate; }
