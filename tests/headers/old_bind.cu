/* SPDX-License-Identifier: GPL-3.0-or-later */
/* error: cudaBindTexture */
int main() { float *p = 0; return cudaBindTexture(0, 0, p, 16); }
