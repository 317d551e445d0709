/* SPDX-License-Identifier: GPL-3.0-or-later */
/* a texture object made by the host */
#include <string.h>
__global__ void k(float *p, cudaTextureObject_t t) { p[0] = (float)(t != 0); }
int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, 64, 64);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc reading = {};
    reading.addressMode[0] = cudaAddressModeClamp;
    reading.filterMode = cudaFilterModeLinear;
    reading.readMode = cudaReadModeElementType;
    cudaTextureObject_t t = 0;
    cudaCreateTextureObject(&t, &resource, &reading, nullptr);
    k<<<1, 1>>>((float *)0, t);
    cudaDestroyTextureObject(t);
    cudaFreeArray(array);
}
