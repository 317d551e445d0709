/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that both the driver and the runtime have, under two names. One of them serves the
 * other. The program sees the errors of the function that it has called, and the name of that one
 * is told.
 */
#include "run/client/driver.h"

#define UNUSED __attribute__((unused))

/* As the driver counted places before CUDA 13: a device, or -1 for the host. */
static struct cudaMemLocation location_of(CUdevice where)
{
    return (struct cudaMemLocation){
        where < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, where < 0 ? 0 : where};
}

#define CONTEXT run_driver_ready()
#define BEGUN (run_driver_is_begun() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED)
#define LIKE(there, name, of_runtime, its_parameters, parameters, arguments)                      \
    cudaError_t of_runtime its_parameters;                                                        \
    API CUresult name parameters                                                                  \
    {                                                                                             \
        CUresult error = there;                                                                   \
        if (error)                                                                                \
            return run_driver_failed(#name, error);                                               \
        run_called_as = #name;                                                                 \
        error = run_driver_result(of_runtime arguments);                                          \
        run_called_as = NULL;                                                                  \
        return error;                                                                             \
    }
#define SAME(there, name, of_runtime, parameters, arguments)                                      \
    LIKE(there, name, of_runtime, parameters, parameters, arguments)
/* A function of the runtime that one of the driver serves, in the primary context. */
#define OF_DRIVER(name, of_driver, its_parameters, parameters, arguments)                         \
    CUresult of_driver its_parameters;                                                            \
    API cudaError_t name parameters                                                               \
    {                                                                                             \
        run_runtime_is_here();                                                                    \
        run_called_as = #name;                                                                    \
        cudaError_t error = (cudaError_t)of_driver arguments;                                     \
        run_called_as = NULL;                                                                     \
        return error;                                                                             \
    }
#include "run/client/driver-same.def"
