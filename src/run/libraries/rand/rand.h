/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the host side of our cuRAND and its kernels have in common. Words of a generator are made on
 * the host. A kernel makes normal numbers of them, since only the device has its logarithm and its
 * sine.
 *
 * Both C and CUDA C read this file, and clang reads it without the C library.
 */
#ifndef RUN_LIBRARIES_RAND_H
#define RUN_LIBRARIES_RAND_H

struct rand_normals {
    void *out;
    const unsigned *words; /* of the pairs, from the first one that is used in part */
    long long n;
    double mean, deviation;
    unsigned char second;  /* the first number is the second of its pair */
    unsigned char log;     /* the exponential of the numbers */
    unsigned char of_mrg;  /* the words are MRG32k3a's */
};

enum { RAND_THREADS = 256 };

#endif
