/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host code that calls cuBLAS, cuFFT, cuSPARSE, cuSOLVER, NVTX, NVRTC and cuRAND */
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nvrtc.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

__global__ void scale(cufftComplex *z, cufftReal by) { z[threadIdx.x].x *= by; }

int main()
{
    cublasHandle_t blas;
    cufftHandle plan;
    cusolverDnHandle_t solver;
    cusparseHandle_t sparse;
    cusparseSpMatDescr_t matrix;
    nvrtcProgram program;
    curandGenerator_t random;
    float one = 1, zero = 0, *x = NULL, dot;
    cufftComplex *z = NULL;
    int work, largest, sizes[1] = {256};
    nvtxEventAttributes_t mark = {0};
    mark.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    mark.messageType = NVTX_MESSAGE_TYPE_ASCII;
    mark.message.ascii = "products";
    nvtxRangePushEx(&mark);
    nvtxMark("here");
    if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS)
        return 1;
    cublasSetMathMode(blas, CUBLAS_TENSOR_OP_MATH);
    cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, 4, 4, 4, &one, x, 4, x, 4, &zero, x, 4);
    cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, x, CUDA_R_16F, 4, x, CUDA_R_16F, 4,
                 &zero, x, CUDA_R_32F, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    cublasSdot(blas, 4, x, 1, x, 1, &dot);
    cublasIsamax(blas, 4, x, 1, &largest);
    printf("%s\n", cublasGetStatusString(cublasDestroy(blas)));
    cufftPlan1d(&plan, 256, CUFFT_C2C, 1);
    cufftPlanMany(&plan, 1, sizes, NULL, 1, 256, NULL, 1, 256, CUFFT_R2C, 8);
    if (cufftExecC2C(plan, z, z, CUFFT_FORWARD) != CUFFT_SUCCESS)
        return 1;
    cusolverDnCreate(&solver);
    cusolverDnSgetrf_bufferSize(solver, 4, 4, x, 4, &work);
    cusparseCreate(&sparse);
    cusparseCreateCsr(&matrix, 4, 4, 8, x, x, x, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    if (nvrtcCreateProgram(&program, "", "k.cu", 0, NULL, NULL) != NVRTC_SUCCESS)
        return 1;
    curandDirectionVectors32_t *vectors;
    curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    curandGeneratePoisson(random, NULL, 10, 5.0);
    scale<<<1, 32>>>(z, 2);
    nvtxRangePop();
    return 0;
}
