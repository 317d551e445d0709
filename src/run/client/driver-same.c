/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of the driver that the runtime has too, under other names. The runtime's serve
 * them. The errors are the driver's, and so are the names in what is told of the program.
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
        run_driver_calls = #name;                                                                 \
        error = run_driver_result(of_runtime arguments);                                          \
        run_driver_calls = NULL;                                                                  \
        return error;                                                                             \
    }
#define SAME(there, name, of_runtime, parameters, arguments)                                      \
    LIKE(there, name, of_runtime, parameters, parameters, arguments)
#include "run/client/driver-same.def"
