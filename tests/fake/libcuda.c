/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A libcuda for machines without a GPU: the functions of src/dev/gpu/driver.def over libcudasim.
 * With it, all that cudalab does around a GPU is tested in every `make check`: the process, the
 * mirrors, the PTX that a driver gets, printing, faults. What a real driver makes of the same is
 * for `make check-gpu` to show.
 *
 * FAKE_CUDA says how it misbehaves: broken (every call fails), none (no device), hidden (all are
 * there but cuInit crashes), old (CUDA 11.0), small (a card of compute capability 3.5), new (one of
 * 9.0), full (no memory left), short (of the third piece of memory), two (cards), loud (it prints),
 * refuse (any PTX), unlinked (its linker fails), moves (arrays lie elsewhere in each process), ungraphed (no stream can be captured); or
 * what each launch does: hang, die, illegal, lost; or each launch after cuMemAlloc and its like:
 * stall, trip. FAKE_LAUNCHES names a file that gets a dot for each launch, FAKE_OWN one that gets the
 * letter of each kernel of cudalab's own (cudalab_fill is f), FAKE_PIECES one that gets
 * a + for each piece of memory from them, and a - when it is freed. FAKE_LINKS names one that gets a
 * letter for each step of the linker: Create, Data, File, coMplete, Load, destrOy. FAKE_PACE says how
 * long launches take (streams.c). FAKE_FETCHES names one that gets a dot for each piece of a megabyte
 * or more that is copied to the host, FAKE_GRAPHS one that gets a dot for each launch of a graph.
 *
 * images.c, modules.c and streams.c have the rest of it.
 *
 * The stream NULL is as late as a driver may be: what is filled or copied there is done when
 * somebody waits for it, or when a launch in another stream is over.
 */
#include "fake.h"

struct fake fake;

/* ---- devices --------------------------------------------------------------------------- */

int cuInit(unsigned flags)
{
    (void)flags;
    if (is("hidden"))
        abort();
    if (is("loud")) {
        puts("a driver speaks");
        fputs("a driver complains\n", stderr);
        fflush(stdout);
    }
    return is("none") ? DRIVER_NO_DEVICE : state();
}

int cuDriverGetVersion(int *version)
{
    *version = is("old") ? 11000 : 13000;
    return state();
}

int cuDeviceGetCount(int *count)
{
    *count = is("two") ? 2 : 1;
    return state();
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return state();
}

int cuDeviceGetName(char *name, int size, int device)
{
    snprintf(name, (size_t)size, is("two") ? "Fake GPU %d" : "Fake GPU", device);
    return state();
}

int cuDeviceGetPCIBusId(char *id, int size, int device)
{
    snprintf(id, (size_t)size, "0000:%02x:00.0", device + 1);
    return state();
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = (uint64_t)8 << 30;
    return state();
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    static const struct { int attribute, value; } known[] = {
        {1, 1024}, {2, 1024}, {3, 1024}, {4, 64}, {5, 2147483647}, {6, 65535}, {7, 65535},
        {8, 49152}, {9, 65536}, {10, 32}, {12, 65536}, {13, 1500000}, {16, 40}, {19, 1},
        {36, 5000000}, {37, 256}, {38, 4194304}, {39, 1024}, {75, 7}, {76, 5}, {81, 65536},
        {82, 65536}, {97, 65536}, {102, 1}, {106, 16}};
    (void)device;
    *value = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].attribute == attribute)
            *value = known[i].value;
    if (is("small") && attribute == 75)
        *value = 3;
    if (is("new") && (attribute == 75 || attribute == 76))
        *value = attribute == 75 ? 9 : 0;
    return state();
}

static void limit(void)
{
    struct sim_limits l = {SIM_LIMITS};
    sim_limits_default(&l);
    l.capability = is("new") ? 90 : 75;
    l.multiprocessors = 40;
    l.max_threads_per_sm = 1024;
    l.max_blocks_per_sm = 16;
    l.shared_per_block_optin = l.shared_per_sm = 65536;
    l.global_bytes = (uint64_t)8 << 30;
    sim_set_limits(fake.sim, &l);
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    *context = &fake;
    if (is("full"))
        return DRIVER_OUT_OF_MEMORY;
    if (!fake.sim && !(fake.sim = sim_open(NULL)))
        return DRIVER_OUT_OF_MEMORY;
    limit();
    return state();
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return state();
}

int cuDeviceCanAccessPeer(int *can, int device, int other)
{
    *can = device != other;
    return state();
}

int cuCtxGetCurrent(void **context)
{
    *context = &fake;
    return state();
}

int cuCtxEnablePeerAccess(void *other, unsigned flags)
{
    (void)other, (void)flags;
    return state();
}

int cuCtxDisablePeerAccess(void *other)
{
    (void)other;
    return state();
}

int cuCtxSetCurrent(void *context)
{
    (void)context;
    return state();
}

int cuCtxSetLimit(int which, size_t value)
{
    (void)which, (void)value;
    return state();
}

/* ---- memory ---------------------------------------------------------------------------- */

int cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
    *total = (uint64_t)8 << 30;
    *free_bytes = *total / 2;
    return state();
}

int cuMemGetAllocationGranularity(size_t *bytes, const struct memory_kind *kind, int which)
{
    (void)kind, (void)which;
    *bytes = 2 << 20;
    return state();
}

int cuMemAddressReserve(uint64_t *address, size_t size, size_t align, uint64_t wanted,
                        unsigned long long flags)
{
    (void)size, (void)align, (void)wanted, (void)flags;
    *address = ARENA + (is("moves") ? (uint64_t)(getpid() & 7) << 34 : 0);
    return state();
}

int cuMemCreate(uint64_t *handle, size_t size, const struct memory_kind *kind,
                unsigned long long flags)
{
    (void)kind, (void)flags;
    *handle = fake.next_handle++;
    fake.sizes[*handle % 4096] = size;
    return size > (size_t)4 << 30 ? DRIVER_OUT_OF_MEMORY : state();
}

int cuMemRelease(uint64_t handle)
{
    (void)handle;
    return state();
}

int cuMemMap(uint64_t address, size_t size, size_t offset, uint64_t handle,
             unsigned long long flags)
{
    (void)offset, (void)handle, (void)flags;
    return sim_malloc_at(fake.sim, address, size, NULL) == 0 ? state() : UNKNOWN;
}

int cuMemUnmap(uint64_t address, size_t size)
{
    (void)size;
    catch_up();
    return sim_free(fake.sim, address) == 0 ? state() : DRIVER_INVALID_VALUE;
}

int cuMemSetAccess(uint64_t address, size_t size, const struct memory_access *access, size_t count)
{
    (void)address, (void)size, (void)access, (void)count;
    return state();
}

/* Which memory of the host's lies there, as kernels see it; NULL: none. */
static struct shared *shared_at(uint64_t address)
{
    for (size_t i = 0; i < sizeof fake.shared / sizeof fake.shared[0]; i++)
        if (address - fake.shared[i].address < fake.shared[i].bytes)
            return &fake.shared[i];
    return NULL;
}

/* Kernels find it at an address of the simulator's choice, or at the one it has. */
static int share(void *memory, size_t bytes, int same_address)
{
    size_t i = 0;
    uint64_t address = (uint64_t)(uintptr_t)memory;
    while (i < sizeof fake.shared / sizeof fake.shared[0] && fake.shared[i].bytes)
        i++;
    if (i == sizeof fake.shared / sizeof fake.shared[0] ||
        (same_address ? sim_malloc_at(fake.sim, address, bytes, NULL)
                      : sim_malloc(fake.sim, bytes, NULL, &address)) != 0)
        return DRIVER_OUT_OF_MEMORY;
    fake.shared[i] = (struct shared){memory, bytes, address};
    return state();
}

static int unshare(struct shared *s)
{
    int status = sim_free(fake.sim, s->address) == 0 ? state() : DRIVER_INVALID_VALUE;
    s->bytes = 0;
    return status;
}

/* One more piece: can it be had? */
static int one_more(void)
{
    fake.pieces++;
    if (is("short") && fake.pieces == 3)
        return 0;
    note("FAKE_PIECES", '+');
    return 1;
}

int cuMemAlloc_v2(uint64_t *address, size_t size)
{
    if (!one_more())
        return DRIVER_OUT_OF_MEMORY;
    if (sim_malloc(fake.sim, size ? size : 1, NULL, address) != 0)
        return DRIVER_OUT_OF_MEMORY;
    fake.newest = *address;
    return state();
}

int cuMemFree_v2(uint64_t address)
{
    struct shared *managed = shared_at(address);
    note("FAKE_PIECES", '-');
    catch_up();
    if (managed) {
        munmap(managed->host, managed->bytes);
        return unshare(managed);
    }
    return sim_free(fake.sim, address) == 0 ? state() : DRIVER_INVALID_VALUE;
}

/* The simulator's arrays lie below this process's own memory, but for what both share. */
static int is_simulated(uint64_t address)
{
    const struct shared *s = shared_at(address);
    return s ? s->address != (uint64_t)(uintptr_t)s->host : address >> 40 < 0x55;
}

int put_bytes(uint64_t to, const void *from, size_t bytes)
{
    if (!is_simulated(to))
        memcpy((void *)(uintptr_t)to, from, bytes);
    else if (sim_write(fake.sim, to, from, bytes) != 0)
        return DRIVER_INVALID_VALUE;
    return state();
}

int get_bytes(void *to, uint64_t from, size_t bytes)
{
    if (!is_simulated(from))
        memcpy(to, (const void *)(uintptr_t)from, bytes);
    else if (sim_read(fake.sim, from, to, bytes) != 0)
        return DRIVER_INVALID_VALUE;
    return state();
}

static int fill(uint64_t address, unsigned char value, size_t count)
{
    static unsigned char piece[1 << 16];
    int status = state();
    memset(piece, value, count < sizeof piece ? count : sizeof piece);
    for (size_t done = 0; done < count && status == DRIVER_OK; done += sizeof piece) {
        size_t n = count - done < sizeof piece ? count - done : sizeof piece;
        const struct shared *s = shared_at(address);
        if (s)
            memcpy((char *)s->host + (address + done - s->address), piece, n);
        else
            status = put_bytes(address + done, piece, n);
    }
    return status;
}

int run_late(void)
{
    int status = state();
    for (unsigned i = 0; i < fake.late_count; i++) {
        struct late *l = &fake.late[i];
        if (status == DRIVER_OK)
            status = l->bytes ? put_bytes(l->to, l->bytes, l->count)
                              : fill(l->to, l->value, l->count);
        free(l->bytes);
    }
    fake.late_count = 0;
    return status;
}

/* What came first in the default stream is done first, since other streams wait for it. */
int catch_up(void)
{
    int status = run_late();
    return status == DRIVER_OK ? run_streams() : status;
}

static int do_late(struct late l)
{
    if (fake.late_count == 0 && run_streams() != DRIVER_OK)
        return UNKNOWN;
    int status = fake.late_count < sizeof fake.late / sizeof fake.late[0] ? state() : catch_up();
    fake.late[fake.late_count++] = l;
    return status;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes)
{
    enum { STAGED = 64 << 10 }; /* what is larger has arrived when the call returns */
    void *copy = bytes && bytes <= STAGED ? malloc(bytes) : NULL;
    if (copy)
        return do_late((struct late){.to = to, .bytes = memcpy(copy, from, bytes), .count = bytes});
    int status = catch_up();
    return status == DRIVER_OK ? put_bytes(to, from, bytes) : status;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    int status = catch_up();
    if (bytes >= 1 << 20)
        note("FAKE_FETCHES", '.');
    return status == DRIVER_OK ? get_bytes(to, from, bytes) : status;
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    char *copy = malloc(bytes ? bytes : 1);
    int status = copy ? get_bytes(copy, from, bytes) : DRIVER_OUT_OF_MEMORY;
    (void)stream;
    if (status == DRIVER_OK)
        status = put_bytes(to, copy, bytes);
    free(copy);
    return status;
}

int cuMemcpyPeerAsync(uint64_t to, void *there, uint64_t from, void *here, size_t bytes,
                      void *stream)
{
    (void)there, (void)here;
    return cuMemcpyDtoDAsync_v2(to, from, bytes, stream);
}

int cuMemsetD8_v2(uint64_t address, unsigned char value, size_t count)
{
    return do_late((struct late){.to = address, .count = count, .value = value});
}

/* cudalab has a card fill much memory over and over to gain time, and nobody reads that: where it
 * holds the zeros that it came with, the fake need not. */
int cuMemsetD8Async(uint64_t address, unsigned char value, size_t count, void *stream)
{
    enum { MUCH = 32 << 20 };
    (void)stream;
    if (address == fake.newest && value == 0 && count >= MUCH)
        return state();
    return fill(address, value, count);
}

int fill_now(uint64_t address, unsigned value, size_t count)
{
    int status = DRIVER_OK;
    for (size_t i = 0; i < count && status == DRIVER_OK; i++)
        status = put_bytes(address + i * sizeof value, &value, sizeof value);
    return status;
}

int cuMemsetD32Async(uint64_t address, unsigned value, size_t count, void *stream)
{
    int status = add_fill(stream, address, value, count);
    return status != -1 ? status : fill_now(address, value, count);
}

int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags)
{
    (void)flags;
    return share(memory, bytes, 0);
}

static struct shared *shared_by(const void *memory)
{
    for (size_t i = 0; i < sizeof fake.shared / sizeof fake.shared[0]; i++)
        if (fake.shared[i].bytes && fake.shared[i].host == memory)
            return &fake.shared[i];
    return NULL;
}

int cuMemHostGetDevicePointer_v2(uint64_t *address, void *memory, unsigned flags)
{
    const struct shared *s = shared_by(memory);
    (void)flags;
    *address = s ? s->address : 0;
    return s ? state() : DRIVER_INVALID_VALUE;
}

int cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    *memory = one_more() ? malloc(bytes) : NULL;
    if (!*memory)
        return DRIVER_OUT_OF_MEMORY;
    return flags == HOST_MAPPED ? share(*memory, bytes, 0) : state();
}

int cuMemFreeHost(void *memory)
{
    struct shared *s = shared_by(memory);
    note("FAKE_PIECES", '-');
    free(memory);
    return s ? unshare(s) : state();
}

/* Where neither the simulator nor the system puts anything by itself. */
int cuMemAllocManaged(uint64_t *address, size_t bytes, unsigned flags)
{
    void *wanted = (void *)(uintptr_t)((UINT64_C(0x10) << 40) + ((uint64_t)fake.pieces << 32));
    if (flags != MANAGED_BY_ALL || !one_more())
        return DRIVER_OUT_OF_MEMORY;
    void *memory = mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *address = (uint64_t)(uintptr_t)wanted;
    return memory == wanted ? share(memory, bytes, 1) : DRIVER_OUT_OF_MEMORY;
}

/* ---- launches -------------------------------------------------------------------------- */

/* Shared memory is the host's: kernels find a copy of it, which goes there before a launch
 * and comes back as far as it may have been written. */
static void host_to_device(void)
{
    for (size_t i = 0; i < sizeof fake.shared / sizeof fake.shared[0]; i++)
        if (fake.shared[i].bytes)
            sim_write(fake.sim, fake.shared[i].address, fake.shared[i].host, fake.shared[i].bytes);
}

static void device_to_host(void)
{
    for (size_t i = 0; i < sizeof fake.shared / sizeof fake.shared[0]; i++)
        if (fake.shared[i].bytes)
            sim_read(fake.sim, fake.shared[i].address, fake.shared[i].host, fake.shared[i].bytes);
}

static int status_of(enum sim_fault_kind kind)
{
    switch (kind) {
    case SIM_OUT_OF_BOUNDS: case SIM_USE_AFTER_FREE: case SIM_HOST_POINTER: case SIM_NULL:
        return DRIVER_ILLEGAL_ADDRESS;
    case SIM_MISALIGNED: return DRIVER_MISALIGNED;
    case SIM_BAD_LAUNCH: return DRIVER_INVALID_VALUE;
    default: return DRIVER_LAUNCH_FAILED;
    }
}

static int finish(struct sim_run *run)
{
    enum sim_status status;
    int rc = DRIVER_OK;
    while ((status = sim_step(run, 1 << 20)) == SIM_RUNNING)
        device_to_host();
    device_to_host(); /* before the simulator takes back what a launch did that faulted */
    const struct sim_result *r = sim_result(run);
    if (status == SIM_FAULTED && r->fault_count)
        rc = status_of(r->faults[r->fault_count - 1].kind);
    sim_finish(run);
    return rc;
}

static void count_launch(const char *kernel)
{
    const size_t own = strlen("cudalab_"); /* so kernels of cudalab itself begin */
    if (strncmp(kernel, "cudalab_", own) == 0) {
        note("FAKE_OWN", kernel[own]);
    } else {
        note("FAKE_LAUNCHES", '.');
        fake.launches++;
    }
}

int launch_now(const struct fake_launch *of)
{
    struct sim_launch l = of->launch;
    count_launch(l.kernel->name);
    l.params = of->params;
    host_to_device();
    struct sim_run *run = sim_start(fake.sim, &l);
    int status = run ? finish(run) : DRIVER_OUT_OF_MEMORY;
    if (status != DRIVER_OK && status != DRIVER_INVALID_VALUE)
        fake.broken_for_good = status;
    return state() ? state() : status;
}

int cuLaunchKernelEx(const struct launch_config *c, void *function, void **params, void **extra)
{
    const struct sim_kernel *k = function;
    struct fake_launch of = {.launch = {SIM_LAUNCH, .kernel = k, .shared_bytes = c->shared_bytes,
                                        .not_opted_in = c->shared_bytes > fake.dynamic}};
    (void)extra;
    if (!c->stream)
        catch_up();
    if (is("die"))
        raise(SIGKILL);
    while (is("hang") || (is("stall") && fake.pieces))
        pause();
    if (is("illegal") || (is("trip") && fake.pieces))
        return fake.broken_for_good = DRIVER_ILLEGAL_ADDRESS;
    if (is("lost"))
        return fake.broken_for_good = UNKNOWN;
    for (unsigned i = 0; i < k->param_count; i++)
        memcpy(of.params + k->params[i].offset, params[i], k->params[i].size);
    memcpy(of.launch.grid, c->grid, sizeof of.launch.grid);
    memcpy(of.launch.block, c->block, sizeof of.launch.block);
    for (unsigned i = 0; i < c->attribute_count; i++)
        if (c->attributes[i].id == ATTRIBUTE_CLUSTER)
            memcpy(of.launch.cluster, c->attributes[i].value.cluster, sizeof of.launch.cluster);
    int status = add_launch(c->stream, &of);
    if (status != -1)
        return status;
    status = launch_now(&of);
    catch_up();
    return state() ? state() : status;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   void *stream, void **params, void **extra)
{
    const struct launch_config c = {.grid = {grid_x, grid_y, grid_z},
                                    .block = {block_x, block_y, block_z},
                                    .shared_bytes = shared_bytes, .stream = stream};
    return cuLaunchKernelEx(&c, function, params, extra);
}

int cuLaunchCooperativeKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z,
                              unsigned shared_bytes, void *stream, void **params)
{
    return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z,
                          shared_bytes, stream, params, NULL);
}

int cuGetErrorName(int status, const char **name)
{
    *name = status == DRIVER_INVALID_PTX     ? "CUDA_ERROR_INVALID_PTX"
            : status == DRIVER_INVALID_IMAGE ? "CUDA_ERROR_INVALID_IMAGE"
                                             : "CUDA_ERROR_UNKNOWN";
    return DRIVER_OK;
}

int cuGetErrorString(int status, const char **text)
{
    *text = status == DRIVER_INVALID_PTX     ? "a PTX JIT compilation failed"
            : status == DRIVER_INVALID_IMAGE ? "device kernel image is invalid"
                                             : "unknown error";
    return DRIVER_OK;
}
