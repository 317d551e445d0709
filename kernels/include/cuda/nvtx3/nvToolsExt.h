/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stand-in for NVTX's header: ranges and marks that host code makes for a profiler. */
#ifndef CUDALAB_NVTX_H
#define CUDALAB_NVTX_H
#ifndef __CUDACC_RTC__
#include <stdint.h>
#include "../cudalab_host_calls.h"

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE,
    NVTX_MESSAGE_TYPE_REGISTERED
};
enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, NVTX_PAYLOAD_TYPE_INT64,
    NVTX_PAYLOAD_TYPE_DOUBLE, NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, NVTX_PAYLOAD_TYPE_INT32,
    NVTX_PAYLOAD_TYPE_FLOAT
};
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
struct nvtxEventAttributes_t {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    union { const char *ascii; const wchar_t *unicode; nvtxStringHandle_t registered; } message;
};
CUDALAB_CALL(int, nvtxRangePushA) CUDALAB_CALL(int, nvtxRangePushEx) CUDALAB_CALL(int, nvtxRangePop)
CUDALAB_CALL(nvtxRangeId_t, nvtxRangeStartA) CUDALAB_CALL(nvtxRangeId_t, nvtxRangeStartEx)
CUDALAB_CALL(void, nvtxRangeEnd) CUDALAB_CALL(void, nvtxMarkA) CUDALAB_CALL(void, nvtxMarkEx)
CUDALAB_CALL(void, nvtxNameOsThreadA) CUDALAB_CALL(void, nvtxNameCategoryA)
CUDALAB_CALL(void, nvtxInitialize) CUDALAB_CALL(nvtxDomainHandle_t, nvtxDomainCreateA)
CUDALAB_CALL(void, nvtxDomainDestroy) CUDALAB_CALL(int, nvtxDomainRangePushEx)
CUDALAB_CALL(int, nvtxDomainRangePop) CUDALAB_CALL(void, nvtxNameCudaStreamA)
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCudaStream nvtxNameCudaStreamA

#endif
#endif
