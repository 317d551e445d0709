# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs that are built already, by `run ./program`, and programs of several sources. Programs of
# tests/whole are compiled by nvcc once and linked twice: with the shared runtime, and with the
# static one that nvcc takes by default. A few stand for all here; in full all are tried.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
whole=$top_srcdir/tests/whole
needs_programs nvcc
test "$(uname -m)" = x86_64 || skip_all 'a static runtime is led over only on x86-64'
cat >empty.cu <<'END'
int main() { return 0; }
END
"$nvcc" -cudart shared -o empty empty.cu || skip_all 'nvcc does not work here'
say 'run ./empty'
can_run
status_is 0 'a program without kernels'

gencode() { echo "-gencode arch=compute_$1,code=compute_$1"; } # gencode ARCH: PTX alone
build() { # build NAME OPTION...: NAME.cu, as NAME-shared and NAME-static
    name=$1 arch=$(words_of arch "$1.cu")
    shift
    "$nvcc" -g -lineinfo $(gencode "${arch:-75}") "$@" -c -o "$name.o" "$name.cu" &&
        "$nvcc" -cudart shared -o "$name-shared" "$name.o" &&
        "$nvcc" -o "$name-static" "$name.o" || diag "nvcc failed on $name.cu"
}

# ---- right and wrong programs ------------------------------------------------------------------

right='bitonic-sort constant-poly cube-copy grid-sync host-callback host-threads launch-errors
    occupancy-launch pitched-rows pool-alloc saxpy-managed stream-chunks'
wrong='club_members find_key prime_flag shop_prices'
if in_full; then
    right=$(cd "$whole/right" && ls ./*.out | sed 's,^./,,; s,[.]out$,,')
    wrong=$(cd "$whole/wrong" && ls ./*.cu | sed 's,^./,,; s,[.]cu$,,')
fi
for name in $right; do
    cp "$whole/right/$name.cu" .
    build "$name"
    for kind in shared static; do
        say "run $name-$kind $(words_of args "$name.cu")"
        head -n "$(wc -l <"$whole/right/$name.out")" "$out" >"$tmp/printed"
        cmp -s "$tmp/printed" "$whole/right/$name.out"
        verdict $? "$name-$kind: as on an H100"
        ! grep -Eq '^(found|fault) |^  not served ' "$out"
        verdict $? "$name-$kind: and nothing is found"
    done
    rm -f "$name"-* "$name.o"
done

for name in $wrong; do
    cp "$whole/wrong/$name.cu" .
    build "$name"
    for kind in shared static; do
        say_json "run $name-$kind $(words_of args "$name.cu")"
        names_a_line "$name.cu" "$name-$kind: the line is named"
    done
    rm -f "$name"-* "$name.o"
done

# ---- toolkits --------------------------------------------------------------------------------

# What programs of CUDA 11 and 12 ask for: a soname, a version of it, and a longer or shorter
# struct of properties. Its end is watched.
cat >old.c <<'END'
#include <stdio.h>
#include <string.h>
int PROPERTIES(void *, int);
int main(void)
{
    static unsigned char at[BYTES + 8];
    int clock, major, processors;
    memset(at, 0xa5, sizeof at);
    int error = PROPERTIES(at, 0);
    memcpy(&clock, at + 348, 4);
    memcpy(&major, at + 360, 4);
    memcpy(&processors, at + 388, 4);
    printf("%d %.11s, clock %s, %d.x, %d multiprocessors, %s\n", error, (char *)at,
           clock > 0 ? "known" : "unknown", major, processors,
           at[BYTES] == 0xa5 && at[BYTES - 8] != 0xa5 ? "fits" : "does not fit");
    return 0;
}
END
old() { # old SONAME FUNCTION BYTES
    echo "$1 { global: *; };" >old.map
    echo "int $2(void *p, int n) { return n + (p == 0); }" >stub.c
    ${CC%% *} -shared -fPIC -Wl,-soname,"$1" -Wl,--version-script=old.map -o "$1" stub.c &&
        ${CC%% *} -DPROPERTIES="$2" -DBYTES="$3" -o old old.c "./$1"
    rm -f "$1"
    say 'run ./old'
    out_has '0 NVIDIA H100, clock known, 9.x, 132 multiprocessors, fits' "$1: its properties"
    is "$(wc -c <"$err")" 0 "$1: the loader has nothing to say"
}
old libcudart.so.12 cudaGetDeviceProperties_v2 1032
old libcudart.so.11.0 cudaGetDeviceProperties 728

# Functions that have other arguments in CUDA 13. A program finds the form of its toolkit, and one
# with the runtime in it as well.
cat >forms.c <<'END'
#include <stddef.h>
#include <stdio.h>
struct info { int result; void *node, *from; };
int cudaMallocManaged(void **, size_t, unsigned);
int cudaFree(void *);
int cudaMemAdvise(const void *, size_t, int, int);
int cudaMemPrefetchAsync(const void *, size_t, int, void *);
int cudaMemRangeGetAttribute(void *, size_t, int, const void *, size_t);
int cudaGraphCreate(void **, unsigned);
int cudaGraphAddEmptyNode(void **, void *, void *const *, size_t);
int cudaGraphAddDependencies(void *, void *const *, void *const *, size_t);
int cudaGraphGetEdges(void *, void **, void **, size_t *);
int cudaGraphNodeGetDependencies(void *, void **, size_t *);
int cudaGraphRemoveDependencies(void *, void *const *, void *const *, size_t);
#if TOOLKIT == 11
int cudaGraphInstantiate(void **, void *, void **, char *, size_t);
int cudaGraphExecUpdate(void *, void *, void **, int *);
#else
int cudaGraphInstantiate(void **, void *, unsigned long long);
int cudaGraphExecUpdate(void *, void *, struct info *);
#endif
int cudaStreamCreate(void **);
int cudaStreamBeginCapture(void *, int);
int cudaStreamGetCaptureInfo(void *, int *, unsigned long long *);
int cudaStreamUpdateCaptureDependencies(void *, void **, size_t, unsigned);
int cudaStreamEndCapture(void *, void **);
int main(void)
{
    void *p, *g, *run, *a, *b, *from[4], *to[4], *stream, *captured;
    int where = 9, prefetched = 9, errors = 0, status = 9;
    unsigned long long id = 0;
    size_t edges = 4, deps = 3, left = 0;
    errors += cudaMallocManaged(&p, 4096, 1) != 0;
    errors += cudaMemAdvise(p, 4096, 3, 0) != 0;
    errors += cudaMemRangeGetAttribute(&where, 4, 2, p, 4096) != 0;
    errors += cudaMemPrefetchAsync(p, 4096, -1, NULL) != 0;
    errors += cudaMemRangeGetAttribute(&prefetched, 4, 4, p, 4096) != 0;
    errors += cudaGraphCreate(&g, 0) != 0;
    errors += cudaGraphAddEmptyNode(&a, g, NULL, 0) != 0;
    errors += cudaGraphAddEmptyNode(&b, g, NULL, 0) != 0;
    errors += cudaGraphAddDependencies(g, &a, &b, 1) != 0;
    errors += cudaGraphGetEdges(g, from, to, &edges) != 0;
    errors += cudaGraphNodeGetDependencies(b, from + 1, &deps) != 0;
    printf("%d, advised %d, prefetched %d, %zu edge, %zu dependency, %s\n", errors, where,
           prefetched, edges, deps, from[0] == a && to[0] == b && from[1] == a ? "right" : "wrong");
#if TOOLKIT == 11
    char log[8] = "full";
    int result = 9;
    errors += cudaGraphInstantiate(&run, g, &a, log, sizeof log) != 0 || log[0] || a;
    errors += cudaGraphExecUpdate(run, g, &a, &result) != 0;
    a = from[0];
#else
    struct info info = {9, NULL, NULL};
    errors += cudaGraphInstantiate(&run, g, 0) != 0;
    errors += cudaGraphExecUpdate(run, g, &info) != 0;
    int result = info.result;
#endif
    errors += cudaGraphRemoveDependencies(g, &a, &b, 1) != 0;
    errors += cudaGraphGetEdges(g, NULL, NULL, &left) != 0;
    errors += cudaStreamCreate(&stream) != 0;
    errors += cudaStreamBeginCapture(stream, 0) != 0;
    errors += cudaStreamGetCaptureInfo(stream, &status, &id) != 0;
    errors += cudaStreamUpdateCaptureDependencies(stream, NULL, 0, 1) != 0;
    errors += cudaStreamEndCapture(stream, &captured) != 0;
    printf("%d, updated %d, %zu left, capturing %d, %s\n", errors, result, left, status,
           id ? "counted" : "not counted");
    return cudaFree(p);
}
END
functions=$(sed -n 's/^int \(cuda[A-Za-z]*\)(.*;$/\1/p' forms.c | sort -u)
for function in $functions; do
    echo "__attribute__((aligned(16))) int $function(void) { return 999; }"
done >stubs.c
forms() { # forms NAME: what it says
    say "run ./$1"
    out_has '0, advised 0, prefetched -1, 1 edge, 1 dependency, right' "$1: of memory and graphs"
    out_has '0, updated 0, 0 left, capturing 1, counted' "$1: of graphs that run, and captures"
}
for soname in libcudart.so.11.0 libcudart.so.12; do
    toolkit=${soname#libcudart.so.} toolkit=${toolkit%.0}
    echo "$soname { global: *; };" >old.map
    ${CC%% *} -shared -fPIC -Wl,-soname,"$soname" -Wl,--version-script=old.map -o "$soname" \
        stubs.c
    ${CC%% *} -DTOOLKIT="$toolkit" -o "shared$toolkit" forms.c "./$soname"
    rm -f "$soname"
    forms "shared$toolkit"
    case $toolkit in 11) sign=cudaBindTexture ;; *) sign=cudaGetDeviceProperties_v2 ;; esac
    for function in __cudaRegisterFatBinary $sign; do
        echo "__attribute__((aligned(16))) int $function(void) { return 999; }"
    done | cat stubs.c - >whole.c
    ${CC%% *} -DTOOLKIT="$toolkit" -o "static$toolkit" forms.c whole.c
    forms "static$toolkit"
done

# Textures and surfaces by reference, which CUDA 11 was the last to have. No nvcc of today makes such
# a program, so the test has the code that nvcc 11 makes of one.
cat >table.ptx <<'END'
.version 7.0
.target sm_75
.address_size 64
.global .texref table;
.global .texref plane;
.global .surfref page;
.visible .entry look(.param .u64 out)
{
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [out];
    cvta.to.global.u64 %d2, %d1;
    mov.u32 %r1, %tid.x;
    mul.wide.s32 %d3, %r1, 4;
    add.s64 %d2, %d2, %d3;
    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [table, {%r1}];
    mov.f32 %f5, 0f3F000000;
    cvt.rn.f32.u32 %f6, %r1;
    add.f32 %f6, %f6, %f5;
    tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f7}, [plane, {%f6, %f5}];
    add.f32 %f1, %f1, %f2;
    st.global.f32 [%d2], %f1;
    shl.b32 %r2, %r1, 2;
    sust.b.2d.b32.trap [page, {%r2, 0}], {%f1};
    ret;
}
END
cat >table.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct format { int x, y, z, w, kind; };
struct reference {
    int normalized, filter, beyond[3];
    struct format format;
    int srgb, anisotropy, levels;
    float bias, least, most;
    int plain, reserved[14];
} table, plane;
struct { struct format format; } page;
typedef struct { unsigned x, y, z; } dim3;
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *,
                            void *, int *);
void __cudaRegisterTexture(void **, const void *, const void **, const char *, int, int, int);
void __cudaRegisterSurface(void **, const void *, const void **, const char *, int, int);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);
int cudaMalloc(void **, size_t);
int cudaMemcpy(void *, const void *, size_t, int);
int cudaMallocArray(void **, const struct format *, size_t, size_t, unsigned);
int cudaMemcpy2DToArray(void *, size_t, size_t, const void *, size_t, size_t, size_t, int);
int cudaMemcpy2DFromArray(void *, size_t, const void *, size_t, size_t, size_t, size_t, int);
int cudaFreeArray(void *);
int cudaFree(void *);
int cudaGetTextureReference(const void **, const void *);
int cudaBindTexture(size_t *, const void *, const void *, const struct format *, size_t);
int cudaBindTextureToArray(const void *, const void *, const struct format *);
int cudaBindSurfaceToArray(const void *, const void *, const struct format *);
int cudaUnbindTexture(const void *);
int cudaGetLastError(void);
static char stub;
static int show(const char *what, float *out, void *d_out)
{
    void *args[] = {&d_out};
    int error = cudaLaunchKernel(&stub, (dim3){1, 1, 1}, (dim3){4, 1, 1}, args, 0, NULL);
    error += cudaMemcpy(out, d_out, 16, 2);
    printf("%s: %g %g %g %g, error %d\n", what, out[0], out[1], out[2], out[3], error);
    return error;
}
int main(void)
{
    static char text[4096];
    FILE *f = fopen("table.ptx", "r");
    size_t n = f ? (fread(text, 1, sizeof text - 1, f) + 8) / 8 * 8 : 0;
    struct { uint32_t magic; uint16_t version, header; uint64_t bytes; } head = {
        0xba55ed50, 1, 16, 64 + n};
    struct { uint16_t kind, version; uint32_t header; uint64_t bytes; uint32_t none[2]; uint16_t minor,
             major; uint32_t arch; uint64_t more[4]; } entry = {
        1, 0x101, 64, n, {0, 0}, 0, 7, 75, {0, 0, 0, 0}};
    static char image[8192];
    memcpy(image, &head, 16);
    memcpy(image + 16, &entry, 64);
    memcpy(image + 80, text, n);
    struct { int magic, version; const void *data, *more; } wrapper = {0x466243b1, 1, image, NULL};
    void **module = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(module, &stub, &stub, "look", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterTexture(module, &table, NULL, "table", 1, 0, 0);
    __cudaRegisterTexture(module, &plane, NULL, "plane", 2, 1, 0);
    __cudaRegisterSurface(module, &page, NULL, "page", 2, 0);

    const float first[4] = {1, 2, 3, 4}, second[4] = {10, 20, 30, 40};
    const unsigned char gray[4] = {0, 255, 51, 102};
    float out[4], written[4];
    void *a, *b, *d_out, *array, *sheet;
    const void *found = NULL;
    size_t offset = 9;
    const struct format numbers = {32, 0, 0, 0, 2}, bytes = {8, 0, 0, 0, 1};
    int error = cudaMalloc(&a, 16) + cudaMalloc(&b, 16) + cudaMalloc(&d_out, 16) +
                cudaMallocArray(&array, &bytes, 4, 1, 0) +
                cudaMallocArray(&sheet, &numbers, 4, 1, 2) + cudaMemcpy(a, first, 16, 1) +
                cudaMemcpy(b, second, 16, 1) +
                cudaMemcpy2DToArray(array, 0, 0, gray, 4, 4, 1, 1) +
                cudaBindTexture(&offset, &table, a, &numbers, 0xffffffff) +
                cudaBindTextureToArray(&plane, array, &bytes) +
                cudaBindSurfaceToArray(&page, sheet, &numbers) +
                cudaGetTextureReference(&found, &table);
    printf("bound: error %d, offset %zu, %s\n", error, offset, found == &table ? "found" : "lost");
    show("first", out, d_out);
    cudaBindTexture(NULL, &table, b, &numbers, 16);
    show("second", out, d_out);
    error = cudaMemcpy2DFromArray(written, 16, sheet, 0, 0, 16, 1, 2);
    printf("written: %g %g %g %g, error %d\n", written[0], written[1], written[2], written[3], error);
    cudaUnbindTexture(&table);
    error = cudaUnbindTexture(&stub);
    cudaGetLastError();
    printf("no reference: %d\n", error);
    if (getenv("UNBOUND"))
        show("unbound", out, d_out);
    return cudaFreeArray(array) + cudaFreeArray(sheet) + cudaFree(a) + cudaFree(b) + cudaFree(d_out);
}
END
sed -n 's/^\(int\|void\|void \*\*\)\{0,1\} \{0,1\}\(_\{0,2\}cuda[A-Za-z0-9]*\)(.*$/\2/p' table.c | sort -u |
    while read -r function; do
        echo "__attribute__((aligned(16))) int $function(void) { return 999; }"
    done >stubs.c
echo "libcudart.so.11.0 { global: *; };" >old.map
${CC%% *} -shared -fPIC -Wl,-soname,libcudart.so.11.0 -Wl,--version-script=old.map \
    -o libcudart.so.11.0 stubs.c
${CC%% *} -o table table.c ./libcudart.so.11.0
rm -f libcudart.so.11.0
say 'run ./table'
out_has 'bound: error 0, offset 0, found' 'textures by reference: memory is bound to them'
out_has 'first: 1 3 3.2 4.4, error 0' 'and kernels read it'
out_has 'second: 10 21 30.2 40.4, error 0' 'other memory takes its place'
out_has 'written: 10 21 30.2 40.4, error 0' 'a surface by reference'
out_has 'no reference: 18' 'what is no reference'
UNBOUND=1 say 'run ./table'
out_has 'bound to no memory' 'a texture that was unbound'

# ---- what a static program may have ------------------------------------------------------------

cat >own.cu <<'END'
#include <cstdio>
#include <cstdlib>
extern "C" int cudaSetup(int n) { return n + 1; } // a name like the runtime's
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
int main(int argc, char **argv)
{
    int *x, y[2] = {cudaSetup(2), 20};
    cudaMalloc(&x, sizeof y);
    cudaMemcpy(x, y, sizeof y, cudaMemcpyHostToDevice);
    twice<<<1, 2>>>(x);
    cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
    cudaFree(x);
    printf("%d %d %s\n", y[0], y[1], argc > 1 ? argv[1] : "alone");
    fflush(stdout);
    system("echo \"preload: $LD_PRELOAD\"");
    cudaGraphicsResource_t r;
    cudaError_t error = cudaGraphicsMapResources(1, &r);
    printf("%s\n", cudaGetErrorName(error));
}
END
"$nvcc" -o own own.cu # as it is: machine code, and PTX that is packed
say 'run own -- -x'
out_has '6 40 -x' "a student's function with a name like the runtime's; -- ends nothing else"
out_like '^preload: $' 'what the program starts does not get our runtime'
out_has 'cudaErrorNotSupported' 'a function that is not served'
out_like 'not served +cudaGraphicsMapResources' 'is named at the end'
say 'run ./own' --json
out_has '"output"' 'a program in JSON'
cp own stripped && strip stripped
bad 'run ./stripped' '`\./stripped` has the runtime of CUDA in it.*-cudart shared'
"$nvcc" -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80 -o cubins own.cu
bad 'run ./cubins' 'only machine code, for sm_75 sm_80.*-gencode arch=compute_75,code=compute_75'
"$nvcc" -gencode arch=compute_90,code=compute_90 -cudart shared -o newer own.cu
say 'run ./newer' --device sim:a100
err_like 'compute_90, which is newer than this device of 8\.0' 'PTX for a newer device'

# ---- files that are no programs -------------------------------------------------------------------

cp own locked && chmod -x locked
bad 'run ./locked' 'may not be executed.*chmod'
printf '#!/bin/sh\n./own\n' >script && chmod +x script
bad 'run ./script' '`\./script` is a script'
echo 'some text' >notes
bad 'run notes' 'neither a program nor a source'
"$nvcc" -c -o own.o own.cu
bad 'run own.o' 'an object.*nvcc -o PROGRAM own.o'
printf '\177ELF\001\001\001' | cat - notes >small
bad 'run ./small' 'not a program of 64 bits, or its file is damaged'
cp own other && printf '\267\000' | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
bad 'run ./other' 'another kind of computer, aarch64'
echo 'int f(void) { return 1; }' >stub.c
${CC%% *} -shared -fPIC -o library.so stub.c
bad 'run ./library.so' 'is a library'

# ---- several sources --------------------------------------------------------------------------------

mkdir -p sub
cat >sub/main.cu <<'END'
#include "parts.h"
__global__ void fill(int *x) { x[threadIdx.x] = scaled(table[threadIdx.x]); }
int main(int argc, char **argv)
{
    int y[4], *x = array_of(4);
    set_scale(N);
    fill<<<1, 4>>>(x);
    cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
    show(y, 4);
    for (int i = 1; i < argc; i++)
        printf("argument %s\n", argv[i]);
    printf("twice: %d\n", twice_in_c(argc));
    return 0;
}
END
cat >sub/parts.h <<'END'
#include <cstdio>
extern __device__ int table[4];
__device__ int scaled(int x);
void set_scale(int n);
void show(const int *y, int n);
extern "C" int twice_in_c(int n);
inline int *array_of(int n)
{
    int *x;
    cudaMalloc(&x, n * sizeof *x);
    return x;
}
END
cat >sub/device.cu <<'END'
#include "parts.h"
__device__ int table[4] = {1, 2, 3, 4};
static __constant__ int scale;
__device__ int scaled(int x)
{
    if (x == 4)
        printf("four\n");
    return x * scale;
}
void set_scale(int n) { cudaMemcpyToSymbol(scale, &n, sizeof n); }
END
cat >sub/show.cpp <<'END'
#include "parts.h"
#include <cuda_runtime.h>
void show(const int *y, int n)
{
    for (int i = 0; i < n; i++)
        printf("%d\n", y[i]);
    int *none;
    cudaMalloc(&none, 40);
}
END
echo 'int twice_in_c(int n) { return 2 * n; }' >sub/twice.c
four='sub/main.cu sub/device.cu sub/show.cpp sub/twice.c'
sed -i '1i #include <cuda_runtime.h>' sub/parts.h
say_json "run -rdc=true -std=c++17 -DN=7 -O2 -Xcompiler -Wall $four -- sub/twice.c -I x"
json_is '.output[0]' four 'a printf of the second source'
json_is '.output[4]' 28 'a function, a variable and a constant of the second source'
json_is '.output[5]' 'argument sub/twice.c' 'behind -- is an argument, also the name of a source'
json_is '.output[6]' 'argument -I' 'and what looks like an option'
json_is '.output[8]' 'twice: 8' 'the source in C'
json_is '.faults[0].source' sub/parts.h:11 'a leak in the header'
json_is '.faults[1].source' sub/show.cpp:8 'and one in host code of its own file'
say "run -rdc=true -DN=1 $four"
out_has 'cudaMalloc(&none, 40);' 'the line of that file is quoted'
for kind in shared static; do
    (cd sub && "$nvcc" -g -lineinfo -rdc=true -DN=3 $(gencode 75) -cudart $kind -o ../linked-$kind \
        main.cu device.cu show.cpp twice.c)
    say "run linked-$kind a b"
    out_like '^12$' "-rdc, $kind: linked by PTX"
    out_like '^argument b$' "-rdc, $kind: arguments"
    out_has 'sub/show.cpp:8' "-rdc, $kind: the line in its file"
    out_has 'cudaMalloc(&none, 40);' "-rdc, $kind: is quoted"
done
say "run -DN=1 $four"
err_like 'redefinition of .*table' "without -rdc: the compiler's own message"
bad 'run --rdc maybe own.cu' 'true, false'
say 'run --nvcc "-DMORE=1 -Wno-deprecated-gpu-targets" -L. own.cu'
status_is 0 'options for nvcc itself'

done_testing
