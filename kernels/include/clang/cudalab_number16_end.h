/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cuda_fp16.h or cuda_bf16.h said of its type is forgotten here, so that the other can say
 * it of its own (cudalab_number16.h). */
#undef CUDALAB_N
#undef CUDALAB_N2
#undef CUDALAB_RAW
#undef CUDALAB_RAW2
#undef CUDALAB_OTHER
#undef CUDALAB_NAME
#undef CUDALAB_NAME2
#undef CUDALAB_TWICE
#undef CUDALAB_PTX
#undef CUDALAB_ONE
#undef CUDALAB_INFINITE
#undef CUDALAB_CONVERSIONS
#undef CUDALAB_OPERATORS
#undef CUDALAB_OPERATORS2
#undef CUDALAB_HAS_FMA
#undef CUDALAB_SOURCE
#undef CUDALAB_SOURCE_IN
