# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whole programs by `run` that use the driver API and NVRTC. tests/whole/driver has right ones, each
# with its output (`.out`), which follows CUDA's documentation. Wrong ones are written here.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
whole=$top_srcdir/tests/whole/driver
needs_programs nvcc
cp "$whole"/*.cu "$whole"/*.h .
say 'run -lcuda contexts.cu'
can_run
has_nvrtc=no
for folder in "${nvcc%/bin/nvcc}/lib64" /usr/local/cuda/lib64; do
    ls "$folder"/libnvrtc.so* >"$tmp/found" 2>&1 && has_nvrtc=yes
done

# ---- right programs -------------------------------------------------------------------------

for out_file in "$whole"/*.out; do
    name=${out_file##*/} name=${name%.out}
    link=$(sed -n '1,3s,^// link: ,,p' "$name.cu")
    case $has_nvrtc:$link in
    no:*nvrtc*)
        skip 'there is no NVRTC' "$name"
        continue
        ;;
    esac
    say_json "run $link $name.cu"
    for i in $(seq 0 "$(($(wc -l <"$out_file") - 1))"); do
        json ".output[$i]"
    done >"$tmp/printed"
    diff "$tmp/printed" "$out_file" >"$tmp/differ" 2>&1
    verdict $? "$name: its output"
    json_is .result.exit_status 0 "$name: its exit status"
    json_absent '.faults[0].kind' "$name: no checker finds anything"
    json_absent '.result.not_served[0]' "$name: all that it calls is served"
done

# ---- what the device says of itself -----------------------------------------------------------

# An H100's answers, except those about where it is plugged in, and about what cudalab does not
# have: memory of other devices and processes, sparse arrays, tensor maps, operations of streams
# on memory.
differs='pci_device_id|handle_type_posix.*|gpu_direct_rdma.*|sparse_cuda_array_supported'
differs="$differs|timeline_semaphore_interop_supported|mempool_supported_handle_types"
differs="$differs|deferred_mapping.*|can_use_64_bit_stream_mem_ops|can_use_stream_wait_value_nor"
differs="$differs|dma_buf_supported|ipc_event_supported|mem_sync_domain_count|tensor_map.*"
differs="$differs|handle_type_fabric.*|unified_function_pointers|gpu_pci.*_id|host_.*memory.*"
say 'set device sim:h100; run '"$top_srcdir/tests/gpu/devquery.c"
grep -E '^[a-z0-9_]+ = ' "$out" | grep -vE "^($differs) = " >"$tmp/said"
grep -E '^[a-z0-9_]+ = ' "$top_srcdir/tests/h100/device.txt" | grep -vE "^($differs) = " \
    >"$tmp/measured"
diff "$tmp/said" "$tmp/measured" >"$tmp/differ" 2>&1
verdict $? 'the simulated H100 has the attributes of an H100' "$(cat "$tmp/differ")"

# ---- functions by their names ------------------------------------------------------------------

# The toolkit's stub has the names of the driver, those of first forms too.
cat >names.c <<'END'
#include <dlfcn.h>
#include <stdio.h>

typedef void *handle;
int main(void)
{
    char name[200];
    int count = 0, lacking = 0, device;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    while (scanf("%199s", name) == 1 && ++count)
        if (!library || !dlsym(library, name))
            lacking += printf("no %s\n", name) > 0;
    printf("names: %d, lacking: %d\n", count, lacking);
    int (*init)(unsigned), (*get)(int *, int), (*create)(handle *, unsigned, int);
    int (*destroy)(handle), (*current)(handle *), (*pop)(handle *), (*push)(handle);
    *(void **)&init = dlsym(library, "cuInit");
    *(void **)&get = dlsym(library, "cuDeviceGet");
    *(void **)&create = dlsym(library, "cuCtxCreate");
    *(void **)&destroy = dlsym(library, "cuCtxDestroy");
    *(void **)&current = dlsym(library, "cuCtxGetCurrent");
    *(void **)&pop = dlsym(library, "cuCtxPopCurrent");
    *(void **)&push = dlsym(library, "cuCtxPushCurrent");
    handle c = NULL, now = NULL, popped = NULL;
    int errors = init(0) + get(&device, 0) + create(&c, 0, device) + current(&now) + pop(&popped) +
                 push(c) + destroy(c);
    printf("errors: %d, %s\n", errors, c && c == now && c == popped ? "one context" : "others");
    return 0;
}
END
stub=${nvcc%/bin/nvcc}/lib64/stubs/libcuda.so
if nm -D --defined-only "$stub" >"$tmp/stub" 2>&1; then
    sed 's/.* //' "$tmp/stub" >names
    say 'run --input names names.c'
    out_has "names: $(wc -l <names | tr -d ' '), lacking: 0" 'every function of the driver is there'
    out_has 'errors: 0, one context' 'contexts by the first forms'
    status_is 0 'and nothing is found'
else
    skip 'there is no stub of the driver, or no nm' 'every function of the driver is there'
fi

# ---- programs that are built already ----------------------------------------------------------

# The stub that the linker needs comes with the toolkit. The static runtime is led over; the driver
# and NVRTC are shared libraries in any case.
stubs=${nvcc%/bin/nvcc}/lib64/stubs
for runtime in shared static; do
    for name in mixed opened compiled; do
        link=$(words_of link "$name.cu")
        case $has_nvrtc:$name in no:mixed) ;; no:*) continue ;; esac
        if "$nvcc" -g -lineinfo -gencode arch=compute_75,code=compute_75 -cudart "$runtime" \
            -o "$name-$runtime" "$name.cu" -L"$stubs" $link >"$tmp/built" 2>&1; then
            say "run $name-$runtime"
            head -n "$(wc -l <"$whole/$name.out")" "$out" >"$tmp/printed"
            cmp -s "$tmp/printed" "$whole/$name.out"
            verdict $? "$name, built with the $runtime runtime"
        else
            skip 'nvcc links no program with the driver here' "$name, $runtime"
        fi
    done
done

# Files that a program loads: a fat binary, PTX, and machine code alone, which has no PTX.
cat >twice.cu <<'END'
extern "C" __global__ void twice(int *p) { p[threadIdx.x] *= 2; }
END
cat >files.cu <<'END'
#include "check.h"
int main()
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction f;
    CUdeviceptr p;
    int value;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, nullptr, 0, device));
    OK(cuMemAlloc(&p, 128));
    OK(cuMemsetD32(p, 3, 32));
    void *params[] = {&p};
    for (const char *name : {"twice.fatbin", "twice.ptx", "twice.cubin"}) {
        CUresult result = cuModuleLoad(&module, name);
        printf("%s: %s\n", name, name_of(result));
        if (result != CUDA_SUCCESS)
            continue;
        OK(cuModuleGetFunction(&f, module, "twice"));
        OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr));
    }
    OK(cuMemcpyDtoH(&value, p, sizeof value));
    printf("%d\n", value);
    OK(cuMemFree(p));
    OK(cuCtxDestroy(context));
}
END
"$nvcc" -fatbin -gencode arch=compute_75,code=compute_75 -o twice.fatbin twice.cu
"$nvcc" -ptx -arch=compute_75 -o twice.ptx twice.cu
"$nvcc" -cubin -arch=sm_75 -o twice.cubin twice.cu
say 'run -lcuda files.cu'
out_has 'twice.fatbin: CUDA_SUCCESS' 'a fat binary of a file'
out_has 'twice.ptx: CUDA_SUCCESS' 'PTX of a file'
out_like '^12$' 'both were run'
out_has 'twice.cubin: CUDA_ERROR_NO_BINARY_FOR_GPU' 'machine code alone is refused'
out_has 'make a file of PTX' 'and what would be right is said'

# ---- default streams of threads ----------------------------------------------------------------

for name in streams graphs; do
    say "run -lcuda --nvcc '--default-stream per-thread' $name.cu"
    head -n "$(wc -l <"$whole/$name.out")" "$out" >"$tmp/printed"
    cmp -s "$tmp/printed" "$whole/$name.out"
    verdict $? "$name, where each thread has a default stream of its own"
done

# ---- by clang -----------------------------------------------------------------------------------

# NVIDIA's header alone is enough. Without it, the compiler's message says what is missing.
say_clang() { say "set compiler clang; $1"; }
say_clang 'run -lcuda contexts.cu'
case $(cat "$out" "$err") in
*'there is no clang'*) skip 'there is no clang' 'the driver API by clang' ;;
*)
    err_has 'it needs cuda.h of the CUDA' 'clang without the header: told so'
    mkdir headers
    printf '#include <cuda.h>\n#include <nvrtc.h>\n' >both.cu
    for header in $("$nvcc" -M both.cu | tr ' ' '\n' | grep -E '/(cuda|nvrtc)[.]h$'); do
        cp "$header" headers
    done
    for name in contexts graphs arrays mixed; do
        say_clang "run -Iheaders -lcuda $name.cu"
        grep -v '^set ' "$out" | head -n "$(wc -l <"$whole/$name.out")" >"$tmp/printed"
        cmp -s "$tmp/printed" "$whole/$name.out"
        verdict $? "$name by clang"
    done
    ;;
esac

# ---- wrong programs -------------------------------------------------------------------------

cat >prelude.h <<'END'
#include "check.h"
#include <nvrtc.h>
#include <string>
#include <vector>

static CUdevice device;
static CUcontext context;
static void begin()
{
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate(&context, nullptr, 0, device));
}
static std::vector<char> compile(const char *source, const char *name, const char *option)
{
    nvrtcProgram program;
    size_t n = 0;
    nvrtcCreateProgram(&program, source, name, 0, nullptr, nullptr);
    nvrtcCompileProgram(program, option ? 1 : 0, &option);
    nvrtcGetPTXSize(program, &n);
    std::vector<char> ptx(n);
    nvrtcGetPTX(program, ptx.data());
    nvrtcDestroyProgram(&program);
    return ptx;
}
END

cat >ignored.cu <<'END'
#include "prelude.h"
int main()
{
    CUdeviceptr p;
    begin();
    cuMemAlloc(&p, 0);
    cuMemAlloc(&p, 64);
    cuMemFree(p);
    cuMemFree(p);
    int array[4] = {};
    cuMemcpyHtoD((CUdeviceptr)array, array, sizeof array);
    cuMemAlloc(&p, 640);
    OK(cuDevicePrimaryCtxRetain(&context, device));
}
END
say_json 'run -lcuda -lnvrtc ignored.cu'
json_is '.faults[0].kind' error-ignored 'an error that nobody looks at'
json_like '.faults[0].message' 'cuMemAlloc returned CUDA_ERROR_INVALID_VALUE' "by the driver's names"
json_is '.faults[0].source' ignored.cu:6 'at its line'
json_is '.faults[1].kind' double-free 'memory that is freed twice'
json_is '.faults[1].source' ignored.cu:9 'at its line'
json_is '.faults[2].kind' wrong-direction 'a pointer of the host for one of the device'
json_is '.faults[2].source' ignored.cu:11 'at its line'
json_is '.faults[3].kind' not-freed 'memory that no context takes with it'
json_like '.faults[3].message' 'p has 640 bytes' 'has its name'
json_is '.faults[3].source' ignored.cu:12 'and its line'

cat >early.cu <<'END'
#include "prelude.h"
int main()
{
    CUstream first, second;
    CUdeviceptr p;
    int *pinned;
    begin();
    OK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&p, 4096));
    OK(cuMemAllocHost((void **)&pinned, 4096));
    OK(cuMemsetD32Async(p, 7, 1024, first));
    OK(cuMemcpyDtoHAsync(pinned, p, 4096, second));
    printf("%d\n", pinned[0]);
    OK(cuCtxSynchronize());
    OK(cuStreamDestroy(first));
    OK(cuStreamDestroy(second));
    OK(cuMemFreeHost(pinned));
    OK(cuMemFree(p));
    OK(cuCtxDestroy(context));
}
END
say_json 'run -lcuda -lnvrtc early.cu'
json '.faults[0].source' >"$tmp/places"
json '.faults[1].source' >>"$tmp/places"
grep -qx early.cu:14 "$tmp/places"
verdict $? 'the host reads what a copy has not brought yet'
grep -qx early.cu:13 "$tmp/places"
verdict $? 'two streams that no event orders'

cat >lacks.cu <<'END'
#include "prelude.h"
int main()
{
    CUtexref texture;
    size_t n;
    begin();
    SHOW("texture", cuTexRefCreate(&texture));
    printf("%s\n", nvrtcGetErrorString(nvrtcGetPCHHeapSize(&n)));
    OK(cuCtxDestroy(context));
}
END
say_json 'run -lcuda -lnvrtc lacks.cu'
json_is '.output[0]' 'texture: CUDA_ERROR_NOT_SUPPORTED' 'a function of the driver that is not served'
json_is '.result.not_served[0]' cuTexRefCreate 'is named at the end'
json_is '.output[1]' NVRTC_ERROR_INTERNAL_ERROR 'so is one of NVRTC'
json_is '.result.not_served[1]' nvrtcGetPCHHeapSize 'by its name'
say 'run -lcuda -lnvrtc lacks.cu'
out_has 'cuTexRefCreate returned CUDA_ERROR_NOT_SUPPORTED' 'with what it returned'

cat >gone.cu <<'END'
#include "prelude.h"
static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                           ".visible .entry k()\n{\n    ret;\n}\n";
int main()
{
    CUmodule module;
    CUfunction k;
    begin();
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&k, module, "k"));
    OK(cuModuleUnload(module));
    SHOW("function", cuModuleGetFunction(&k, module, "k"));
    SHOW("launch", cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    SHOW("no kernel", cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&k, module, "k"));
    OK(cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    OK(cuCtxDestroy(context));
    SHOW("no context", cuCtxSynchronize());
}
END
say 'run -lcuda gone.cu -lnvrtc'
say_json 'run -lcuda -lnvrtc gone.cu'
json_is '.output[0]' 'function: CUDA_ERROR_INVALID_HANDLE' 'a module that is unloaded'
json_is '.output[1]' 'launch: CUDA_ERROR_INVALID_HANDLE' 'its kernel'
json_is '.output[2]' 'no kernel: CUDA_ERROR_INVALID_HANDLE' 'no kernel at all'
json_is '.output[3]' 'no context: CUDA_ERROR_INVALID_CONTEXT' 'a context that is destroyed'
json_absent '.faults[0].kind' 'cuCtxDestroy() waits for the kernel'

cat >alone.cu <<'END'
#include "prelude.h"
static const char machine_code[64] = "\177ELF\2\1\1";
int main()
{
    CUmodule module;
    char log[300] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    begin();
    SHOW("cubin", cuModuleLoadDataEx(&module, machine_code, 2, options, values));
    printf("log: %s\n", log);
    OK(cuCtxDestroy(context));
}
END
say_json 'run -lcuda -lnvrtc alone.cu'
json_like '.output[0]' 'cubin: CUDA_ERROR_(NO_BINARY_FOR_GPU|INVALID_IMAGE)' \
    'machine code alone is refused'
json_like '.output[1]' 'log: .{10}' 'and the log says why'

if test $has_nvrtc = no; then
    skip 'there is no NVRTC' 'findings in kernels that a program compiles'
    done_testing
    exit
fi

cat >beyond.cu <<'END'
#include "prelude.h"
static const char source[] = R"(extern "C" __global__ void fill(int *array, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        array[i] = i; // one too many
}
)";
int main()
{
    CUmodule module;
    CUfunction fill;
    CUdeviceptr array;
    int n = 100;
    begin();
    OK(cuModuleLoadData(&module, compile(source, "fill.cu", nullptr).data()));
    OK(cuModuleGetFunction(&fill, module, "fill"));
    OK(cuMemAlloc(&array, n * sizeof(int)));
    void *params[] = {&array, &n};
    SHOW("launch", cuLaunchKernel(fill, 1, 1, 1, 128, 1, 1, 0, nullptr, params, nullptr));
    SHOW("wait", cuCtxSynchronize());
    SHOW("free", cuMemFree(array));
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    OK(cuDeviceGet(&device, 0));
    cuCtxDestroy(context);
    return 3;
}
END
say_json 'run -lcuda -lnvrtc beyond.cu'
json_is '.faults[0].kind' out-of-bounds 'a fault of a kernel that NVRTC compiled'
json_is '.faults[0].source' fill.cu:5 "has the line of the program's text"
json_like '.faults[0].message' 'array\[100\]' 'and the name of the array'
json_is '.output[0]' 'launch: CUDA_SUCCESS' 'the launch itself succeeds'
json_is '.output[1]' 'wait: CUDA_ERROR_ILLEGAL_ADDRESS' 'the error comes with the wait'
json_is '.output[2]' 'free: CUDA_ERROR_ILLEGAL_ADDRESS' 'and stays'
json_is '.output[3]' cudaErrorIllegalAddress 'for the runtime too'
say 'run -lcuda -lnvrtc beyond.cu'
out_has 'array[i] = i; // one too many' 'the line is quoted from the text'

cat >namesakes.cu <<'END'
#include "prelude.h"
static const char *const sources[] = {
    "extern \"C\" __global__ void k(int *p) { p[0] = threadIdx.x; }\n",
    "\n\nextern \"C\" __global__ void k(int *p)\n{\n    p[threadIdx.x / 64] = threadIdx.x; /* all */\n}\n"};
int main()
{
    CUmodule module[2];
    CUfunction k;
    CUdeviceptr p;
    begin();
    OK(cuMemAlloc(&p, 64));
    void *params[] = {&p};
    for (int again = 0; again < 2; again++)
        for (int i = 0; i < 2; i++) {
            OK(cuModuleLoadData(&module[i], compile(sources[i], "k.cu", "-DX=1").data()));
            OK(cuModuleGetFunction(&k, module[i], "k"));
            OK(cuLaunchKernel(k, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr));
            OK(cuCtxSynchronize());
        }
    OK(cuMemFree(p));
    OK(cuCtxDestroy(context));
}
END
say 'run -lcuda -lnvrtc namesakes.cu'
out_has 'k.cu:1' 'two texts of one name: a race in the first'
out_has 'k.cu (2):5' 'and in the second'
out_has 'p[threadIdx.x / 64] = threadIdx.x; /* all */' 'with the line of the second'

cat >joined.cu <<'END'
#include "prelude.h"
static const char first[] = "__device__ void store(int *p, int i);\n"
                            "extern \"C\" __global__ void k(int *p) { store(p, threadIdx.x); }\n";
static const char second[] = "__device__ void store(int *p, int i)\n{\n    p[i] = i; /* here */\n}\n";
int main()
{
    CUlinkState state;
    CUmodule module;
    CUfunction k;
    CUdeviceptr p;
    void *image;
    size_t n;
    begin();
    std::vector<char> a = compile(first, "first.cu", "-rdc=true");
    std::vector<char> b = compile(second, "second.cu", "-rdc=true");
    OK(cuLinkCreate(0, nullptr, nullptr, &state));
    OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, a.data(), a.size(), "a", 0, nullptr, nullptr));
    OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, b.data(), b.size(), "b", 0, nullptr, nullptr));
    OK(cuLinkComplete(state, &image, &n));
    OK(cuModuleLoadData(&module, image));
    OK(cuModuleGetFunction(&k, module, "k"));
    OK(cuMemAlloc(&p, 64));
    void *params[] = {&p};
    OK(cuLaunchKernel(k, 1, 1, 1, 17, 1, 1, 0, nullptr, params, nullptr));
    SHOW("wait", cuCtxSynchronize());
    return 1;
}
END
say 'run -lcuda -lnvrtc joined.cu'
out_like '^wait: CUDA_ERROR_ILLEGAL_ADDRESS$' 'a fault in linked code'
out_has 'second.cu:3' 'has the line of its own text'
out_has 'p[i] = i; /* here */' 'and quotes it'

cat >unseen-error.cu <<'END'
#include "prelude.h"
int main()
{
    nvrtcProgram program;
    int major, minor;
    nvrtcCreateProgram(&program, "x", nullptr, 0, nullptr, nullptr);
    nvrtcCompileProgram(program, 0, nullptr);
    begin();
    OK(cuCtxDestroy(context));
    return nvrtcVersion(&major, &minor);
}
END
say_json 'run -lcuda -lnvrtc unseen-error.cu'
json_like '.faults[0].message' 'nvrtcCompileProgram returned NVRTC_ERROR_COMPILATION' \
    'a text that does not compile, and nobody looks'
json_is '.faults[0].source' unseen-error.cu:7 'at its line'

done_testing
