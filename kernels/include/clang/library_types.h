/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for the toolkit's header of this name: types of numbers, for its libraries. */
#ifndef CUDALAB_LIBRARY_TYPES_H
#define CUDALAB_LIBRARY_TYPES_H
#ifndef __CUDACC_RTC__

enum cudaDataType_t {
    CUDA_R_32F, CUDA_R_64F, CUDA_R_16F, CUDA_R_8I, CUDA_C_32F, CUDA_C_64F, CUDA_C_16F, CUDA_C_8I,
    CUDA_R_8U, CUDA_C_8U, CUDA_R_32I, CUDA_C_32I, CUDA_R_32U, CUDA_C_32U, CUDA_R_16BF, CUDA_C_16BF,
    CUDA_R_4I, CUDA_C_4I, CUDA_R_4U, CUDA_C_4U, CUDA_R_16I, CUDA_C_16I, CUDA_R_16U, CUDA_C_16U,
    CUDA_R_64I, CUDA_C_64I, CUDA_R_64U, CUDA_C_64U, CUDA_R_8F_E4M3, CUDA_R_8F_E5M2
};
typedef enum cudaDataType_t cudaDataType, cudaDataType_t;
enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL };
typedef enum libraryPropertyType_t libraryPropertyType, libraryPropertyType_t;

#endif
#endif
