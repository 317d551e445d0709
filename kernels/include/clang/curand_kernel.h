/* SPDX-License-Identifier: GPL-3.0-or-later */
#error "<curand_kernel.h> is a part of the CUDA Toolkit: install the toolkit to use it"
