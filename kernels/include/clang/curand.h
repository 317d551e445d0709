/* SPDX-License-Identifier: GPL-3.0-or-later */
#error "<curand.h> is a part of the CUDA Toolkit: install the toolkit to use it"
