/* SPDX-License-Identifier: GPL-3.0-or-later */
#error "<curand_kernel.h> is a part of the CUDA Toolkit; with the toolkit installed this file compiles"
