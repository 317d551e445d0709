/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This part of the process that works with the GPU loads modules, and asks the driver about their
 * kernels and variables. PTX that launches kernels in device code is linked with a library first.
 */
#include "dev/gpu/process-parts.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

struct driver_module *process_module(const struct process *p, uint64_t id)
{
    for (size_t i = 0; i < p->module_count; i++)
        if (p->modules[i].id == id)
            return &p->modules[i];
    return NULL;
}

/* The driver gets the ring when the first module comes that prints. */
static int show_ring(struct process *p, struct driver_module *l)
{
    uint64_t variable;
    size_t bytes;
    int status = DRIVER_OK;
    if (!p->ring_address) {
        status = p->d.cuMemHostRegister_v2(p->ring, GPU_RING_BYTES, HOST_MAPPED);
        if (status == DRIVER_OK)
            status = p->d.cuMemHostGetDevicePointer_v2(&p->ring_address, p->ring, 0);
    }
    if (status == DRIVER_OK)
        status = p->d.cuModuleGetGlobal_v2(&variable, &bytes, l->module, "cudalab_ring");
    if (status == DRIVER_OK)
        status = p->d.cuMemcpyHtoD_v2(variable, &p->ring_address, sizeof p->ring_address);
    if (status == DRIVER_OK)
        status = p->d.cuModuleGetGlobal_v2(&l->count, &bytes, l->module, "cudalab_count");
    return status;
}

/* What the driver's compiler and its linker say about errors. Both write it until they are done. */
struct jit_log {
    char text[1500];
    int options[2];
    void *values[2];
};

static void begin_log(struct jit_log *l)
{
    *l = (struct jit_log){.options = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES}};
    l->values[0] = l->text;
    l->values[1] = (void *)(uintptr_t)(sizeof l->text - 1);
}

/* The driver's log has a line for each error. The lines become parts of one sentence. */
static int not_loaded(struct process *p, int status, const char *library, const char *log)
{
    if (library)
        process_refuse(p, status, "the driver can't link this PTX with `%.300s`", library);
    else
        process_refuse(p, status, "the driver refuses this PTX");
    const char *before = ": ";
    size_t used = strlen(p->say);
    for (size_t n; *log && used < sizeof p->say; log += n + (log[n] == '\n'), before = "; ") {
        n = strcspn(log, "\n");
        if (n)
            used += (size_t)snprintf(p->say + used, sizeof p->say - used, "%s%.*s", before, (int)n,
                                     log);
    }
    return status;
}

/* The linker's output belongs to its state, so the module is loaded before that is destroyed. */
static int link_module(struct process *p, const char *ptx, const char *library,
                       struct jit_log *log, void **module)
{
    void *state, *cubin;
    size_t bytes;
    int status = p->d.cuLinkCreate_v2(2, log->options, log->values, &state);
    if (status != DRIVER_OK)
        return status;
    status = p->d.cuLinkAddData_v2(state, INPUT_PTX, (void *)(uintptr_t)ptx, strlen(ptx) + 1,
                                   "kernels.ptx", 0, NULL, NULL);
    if (status == DRIVER_OK)
        status = p->d.cuLinkAddFile_v2(state, INPUT_LIBRARY, library, 0, NULL, NULL);
    if (status == DRIVER_OK)
        status = p->d.cuLinkComplete(state, &cubin, &bytes);
    if (status == DRIVER_OK)
        status = p->d.cuModuleLoadDataEx(module, cubin, 0, NULL, NULL);
    p->d.cuLinkDestroy(state);
    return status;
}

int process_load(struct process *p, struct gpu_message *m, const char *ptx)
{
    struct jit_log log;
    struct driver_module l = {.id = m->id};
    const char *library = m->offset ? ptx + m->offset : NULL;
    bool prints = m->bytes != 0;
    begin_log(&log);
    if (mem_grow(&allocator_libc, (void **)&p->modules, &p->module_capacity, p->module_count,
                 sizeof *p->modules) < 0)
        return process_refuse(p, DRIVER_OUT_OF_MEMORY, "no memory for a module");
    int status = library ? link_module(p, ptx, library, &log, &l.module)
                         : p->d.cuModuleLoadDataEx(&l.module, ptx, 2, log.options, log.values);
    if (status != DRIVER_OK)
        return not_loaded(p, status, library, log.text);
    if (prints && (status = show_ring(p, &l)) != DRIVER_OK) {
        p->d.cuModuleUnload(l.module);
        return process_refuse(p, status, "the GPU can't reach the memory for what kernels print");
    }
    p->modules[p->module_count++] = l;
    return DRIVER_OK;
}

int process_unload(struct process *p, struct gpu_message *m, const char *payload)
{
    (void)payload;
    struct driver_module *l = process_module(p, m->id);
    if (l)
        l->gone = true;
    if (!process_keeps(p))
        process_release_modules(p);
    return DRIVER_OK;
}

static void unload(struct process *p, struct driver_module *l)
{
    for (size_t i = p->area_count; i-- > 0;) /* its variables go with it */
        if (p->areas[i].kind == AREA_VARIABLE && p->areas[i].module == l->id)
            p->areas[i] = p->areas[--p->area_count];
    p->d.cuModuleUnload(l->module);
    *l = p->modules[--p->module_count];
}

void process_release_modules(struct process *p)
{
    for (size_t i = p->module_count; i-- > 0;)
        if (p->modules[i].gone)
            unload(p, &p->modules[i]);
}

int process_find_variable(struct process *p, struct gpu_message *m, const char *name)
{
    const struct driver_module *l = process_module(p, m->id);
    size_t bytes = 0;
    int status = l ? p->d.cuModuleGetGlobal_v2(&m->address, &bytes, l->module, name)
                   : DRIVER_INVALID_VALUE;
    m->bytes = bytes;
    const struct area a = {
        AREA_VARIABLE, .address = m->address, .bytes = bytes, .asked = bytes, .module = m->id};
    if (status == DRIVER_OK && process_remember(p, &a) != 0)
        status = DRIVER_OUT_OF_MEMORY;
    return status == DRIVER_OK ? status : process_refuse(p, status, "no variable `%s`", name);
}

static int find_function(const struct process *p, uint64_t id, const char *name, void **function)
{
    const struct driver_module *l = process_module(p, id);
    return l ? p->d.cuModuleGetFunction(function, l->module, name) : DRIVER_INVALID_VALUE;
}

int process_describe_kernel(struct process *p, struct gpu_message *m, const char *name)
{
    struct gpu_kernel *k = process_reply(p, sizeof *k);
    void *function = NULL;
    int status = k ? find_function(p, m->id, name, &function) : DRIVER_OUT_OF_MEMORY;
    if (status == DRIVER_OK)
        status = p->d.cuFuncGetAttribute(&k->registers, FUNCTION_REGISTERS, function);
    if (status == DRIVER_OK)
        status = p->d.cuFuncGetAttribute(&k->local_bytes, FUNCTION_LOCAL, function);
    if (status == DRIVER_OK)
        status = p->d.cuFuncGetAttribute(&k->shared_bytes, FUNCTION_SHARED, function);
    return status == DRIVER_OK ? status : process_refuse(p, status, "no kernel `%s`", name);
}

/* As for a launch, the kernel first opts in to more shared memory than usual. */
int process_count_blocks(struct process *p, struct gpu_message *m, const char *name)
{
    void *function = NULL;
    int blocks = 0;
    int status = find_function(p, m->id, name, &function);
    if (status == DRIVER_OK && m->bytes)
        status = p->d.cuFuncSetAttribute(function, FUNCTION_MAX_DYNAMIC_SHARED, (int)m->bytes);
    if (status == DRIVER_OK)
        status = p->d.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function,
                                                                  (int)m->offset, m->bytes);
    m->bytes = (uint64_t)blocks;
    return status == DRIVER_OK ? status : process_refuse(p, status, "no occupancy of `%s`", name);
}
