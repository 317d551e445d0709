# SPDX-License-Identifier: GPL-3.0-or-later
#
# cuBLAS and cuRAND in whole programs. tests/whole/libraries has programs that compare each function
# with plain loops, and three whose numbers are compared with NVIDIA's (tests/h100/curand-host.txt).
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

libraries=$(cd "$top_srcdir/tests/whole/libraries" && pwd)
measured=$(cd "$top_srcdir/tests/h100" && pwd)/curand-host.txt
mkdir "$tmp/work"
cd "$tmp/work" || exit 99
cp "$libraries"/*.cu "$libraries"/*.h .
case $CUDALAB in /*) ;; *) CUDALAB=$(cd "$top_builddir" && pwd)/${CUDALAB##*/} ;; esac

nvcc=$(command -v nvcc) || nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
test -x "$nvcc" || skip_all 'a whole program needs nvcc'
runs_programs || skip_all 'this build starts no compilers'
has_header() { # has_header NAME
    echo "#include <$1>" | "$nvcc" -E -x cu - >/dev/null 2>&1
}
has_header cublas_v2.h && has_header curand.h || skip_all "the toolkit's libraries have no headers"
echo 'int main() { return cudaDeviceSynchronize(); }' >empty.cu
say 'run empty.cu'
if test "$status" != 0 && test "$BUILD_KIND" != plain; then
    skip_all 'a program of another kind cannot be started under this checker'
fi

# ---- right programs -------------------------------------------------------------------------

for level in level1 level2 level3; do
    say_json "run -lcublas $level.cu"
    json_is .result.exit_status 0 "$level: each function is right"
    json_absent '.faults[0].kind' "$level: no checker finds anything"
    json_absent '.result.not_served[0]' "$level: all that it calls is served"
    json_like '.result.libraries[0]' "cudalab's own plain loops" "$level: the run says who did it"
done

say 'run -lcurand numbers.cu'
status_is 0 'the numbers of all generators'
grep -v -e '^#' -e '^sobol' -e '^scrambled' -e '^mt19937' "$measured" >wanted
head -n "$(wc -l <wanted)" "$out" >got
# All but the normal numbers of type float on the device are equal to the last bit. The sine of
# those is the card's own.
approximate='device .* \(log\)\{0,1\}normal '
grep -v "$approximate" wanted >wanted-exact
grep -v "$approximate" got >got-exact
is "$(grep -c . wanted-exact)" 210 'there are numbers to compare'
cmp -s wanted-exact got-exact
verdict $? "cuRAND's numbers are an H100's"
grep "$approximate" wanted >wanted-near
grep "$approximate" got >got-near
# near ERROR: of the rows in wanted-near and got-near, how many there are and how many numbers of
# theirs are further apart than the error permits.
near() {
    paste -d ' ' wanted-near got-near | awk -v error="$1" '{
        for (i = 8; i <= 10; i++) {
            apart = $i - $(i + 10)
            size = $i < 0 ? -$i : $i
            if (apart > error * (1 + size) || apart < -error * (1 + size)) far++
        }
        n++
    } END { print n, far + 0 }'
}
is "$(near 2e-6)" '30 0' 'normal numbers of type float on the device differ in last digits only'
out_like 'may differ from' 'and the run says so'

# Of the quasi-random ones those of type double on the host are not equal to the last bit either.
say 'run -lcurand quasi.cu'
status_is 0 'the numbers of quasi-random generators'
of_floats='device .* \(log\)\{0,1\}normal '
of_doubles='host .* \(log\)\{0,1\}normal_double '

# rows NAME EXACT FLOATS DOUBLES: of the rows whose names begin so, EXACT are equal to the last bit,
# and normal numbers differ in last digits: FLOATS rows of the device and DOUBLES rows of the host.
rows() {
    grep "^$1" "$measured" >wanted
    grep "^$1" "$out" >got
    grep -v -e "$of_floats" -e "$of_doubles" wanted >wanted-exact
    grep -v -e "$of_floats" -e "$of_doubles" got >got-exact
    is "$(grep -c . wanted-exact)" "$2" "$1: there are numbers to compare"
    cmp -s wanted-exact got-exact
    verdict $? "$1: numbers, tables and statuses are those of NVIDIA's library"
    for kind in "floats 2e-6 $3" "doubles 4e-15 $4"; do
        # shellcheck disable=SC2086
        set -- "$1" $kind
        eval "pattern=\$of_$2"
        grep "$pattern" wanted >wanted-near
        grep "$pattern" got >got-near
        is "$(near "$3")" "$4 0" "$1: normal $2 differ in last digits only"
    done
}
rows sobol 112 12 12
rows scrambled 114 12 12
say_json 'run -lcurand quasi_kernel.cu'
json_is '.output[0]' 'sobol32 equal equal' 'a kernel draws by the direction vectors of 32 bits'
json_is '.output[1]' 'sobol64 equal equal' 'and of 64 bits'
json_is '.output[2]' 'scrambled32 equal equal' 'scrambled ones of 32 bits'
json_is '.output[3]' 'scrambled64 equal equal' 'and of 64 bits'
json_absent '.faults[0].kind' 'and nothing is found'

say 'run -lcurand twister.cu'
status_is 0 'the numbers of MT19937'
rows mt19937 51 6 4

# ---- wrong uses -----------------------------------------------------------------------------

# wrong NAME KIND LIBRARY: a program of stdin is told this kind of mistake at its line with HERE.
wrong() {
    cat >"$1.cu"
    line=$(grep -n '// HERE' "$1.cu" | cut -d: -f1)
    say_json "run -l$3 $1.cu"
    json_is '.faults[0].kind' "$2" "$1: $2"
    json_is '.faults[0].source' "$1.cu:$line" "$1: at its line"
}

wrong too-small out-of-bounds cublas <<'END'
#include <cublas_v2.h>
int main()
{
    float *a, *b, *c, one = 1, zero = 0;
    cublasHandle_t h;
    cublasCreate(&h);
    cudaMalloc(&a, 64 * sizeof *a);
    cudaMalloc(&b, 81 * sizeof *b);
    cudaMalloc(&c, 72 * sizeof *c);
    cudaMemset(a, 0, 64 * sizeof *a);
    cudaMemset(b, 0, 81 * sizeof *b);
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 9, 9, &one, a, 8, b, 9, &zero, c, 8); // HERE
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
json_like '.faults[0].message' '^in cuBLAS: .*past the end: a has 64 elements' 'and with the array'
say 'run -lcublas too-small.cu'
out_has 'Compare the sizes, the steps and the leading dimensions' 'what to look at'

wrong in-place race-global cublas <<'END'
#include <cublas_v2.h>
int main()
{
    float *a, one = 1, zero = 0;
    cublasHandle_t h;
    cublasCreate(&h);
    cudaMalloc(&a, 64 * sizeof *a);
    cudaMemset(a, 0, 64 * sizeof *a);
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, a, 8, a, 8, &zero, a, 8); // HERE
    return cudaDeviceSynchronize() != cudaSuccess;
}
END

wrong unwritten uninitialized cublas <<'END'
#include <cstdio>
#include <cublas_v2.h>
int main()
{
    double *x, sum;
    cublasHandle_t h;
    cublasCreate(&h);
    cudaMalloc(&x, 10 * sizeof *x);
    cublasDasum(h, 10, x, 1, &sum); // HERE
    cudaFree(x);
    cublasDestroy(h);
}
END

wrong host-mode library-pointer cublas <<'END'
#include <cublas_v2.h>
int main()
{
    float *x;
    cublasHandle_t h;
    cublasCreate(&h);
    cudaMalloc(&x, 10 * sizeof *x);
    cudaMemset(x, 0, 10 * sizeof *x);
    if (cublasSscal(h, 10, x, x, 1) != CUBLAS_STATUS_SUCCESS) // HERE
        return 1;
    cudaFree(x);
    cublasDestroy(h);
}
END

wrong device-mode host-pointer cublas <<'END'
#include <cublas_v2.h>
int main()
{
    float *x, two = 2;
    cublasHandle_t h;
    cublasCreate(&h);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
    cudaMalloc(&x, 10 * sizeof *x);
    cudaMemset(x, 0, 10 * sizeof *x);
    cublasSscal(h, 10, &two, x, 1); // HERE
    return cudaDeviceSynchronize() != cudaSuccess;
}
END

wrong no-handle error-ignored cublas <<'END'
#include <cublas_v2.h>
int main()
{
    float *x, two = 2;
    cudaMalloc(&x, 10 * sizeof *x);
    cudaMemset(x, 0, 10 * sizeof *x);
    cublasSscal(nullptr, 10, &two, x, 1); // HERE
    cudaFree(x);
}
END
json_like '.faults[0].message' 'cublasSscal returned CUBLAS_STATUS_NOT_INITIALIZED' 'by its name'

wrong leading error-ignored cublas <<'END'
#include <cublas_v2.h>
int main()
{
    float *a, one = 1;
    cublasHandle_t h;
    cublasCreate(&h);
    cudaMalloc(&a, 100 * sizeof *a);
    cudaMemset(a, 0, 100 * sizeof *a);
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 10, 10, 10, &one, a, 9, a, 10, &one, a, 10); // HERE
    cudaFree(a);
    cublasDestroy(h);
}
END
json_like '.faults[0].message' 'CUBLAS_STATUS_INVALID_VALUE' 'a leading dimension below the rows'

wrong short-results copy-too-large curand <<'END'
#include <curand.h>
int main()
{
    float *x;
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    cudaMalloc(&x, 100);
    if (curandGenerateUniform(g, x, 100) != CURAND_STATUS_SUCCESS) // HERE
        return 1;
    cudaFree(x);
}
END

wrong host-results library-pointer curand <<'END'
#include <curand.h>
int main()
{
    static float x[100];
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    if (curandGenerateUniform(g, x, 100) != CURAND_STATUS_SUCCESS) // HERE
        return 1;
}
END

wrong odd error-ignored curand <<'END'
#include <curand.h>
int main()
{
    float *x;
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    cudaMalloc(&x, 400);
    curandGenerateNormal(g, x, 99, 0, 1); // HERE
    cudaFree(x);
    curandDestroyGenerator(g);
}
END
json_like '.faults[0].message' 'CURAND_STATUS_LENGTH_NOT_MULTIPLE' 'normal numbers come in pairs'

wrong part-of-a-point error-ignored curand <<'END'
#include <curand.h>
int main()
{
    float *x;
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32);
    curandSetQuasiRandomGeneratorDimensions(g, 3);
    cudaMalloc(&x, 400);
    curandGenerateUniform(g, x, 100); // HERE
    cudaFree(x);
    curandDestroyGenerator(g);
}
END
json_like '.faults[0].message' 'CURAND_STATUS_LENGTH_NOT_MULTIPLE' 'all dimensions have equally many'

# ---- looked at ------------------------------------------------------------------------------

cat >looks.cu <<'END'
#include <cstdio>
#include <cublas_v2.h>
int main()
{
    float x = 0, two = 2;
    printf("%s\n", cublasGetStatusName(cublasSscal(nullptr, 1, &two, &x, 1)));
    cublasHandle_t h;
    cublasCreate(&h);
    cublasDestroy(h);
    printf("%s\n", cublasGetStatusString(cublasSscal(h, 1, &two, &x, 1)));
}
END
say_json 'run -lcublas looks.cu'
json_is '.output[0]' CUBLAS_STATUS_NOT_INITIALIZED 'the name of a status'
json_is '.output[1]' 'there is no such handle' 'and its text: a handle that was destroyed'
json_absent '.faults[0].kind' 'a program that asks has looked at its error'

# ---- what is not served ---------------------------------------------------------------------

cat >complex.cu <<'END'
#include <cstdio>
#include <cublas_v2.h>
int main()
{
    cublasHandle_t h;
    cublasCreate(&h);
    printf("%d\n", (int)cublasCaxpy(h, 0, nullptr, nullptr, 1, nullptr, 1));
    cublasDestroy(h);
    return 1;
}
END
say_json 'run -lcublas complex.cu'
json_is '.output[0]' 15 'a function that is not served returns CUBLAS_STATUS_NOT_SUPPORTED'
json_is '.result.not_served[0]' cublasCaxpy 'and is named at the end'
cat >mtgp.cu <<'END'
#include <cstdio>
#include <curand.h>
int main()
{
    curandGenerator_t g;
    printf("%d\n", (int)curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MTGP32));
    return 1;
}
END
say_json 'run -lcurand mtgp.cu'
json_is '.output[0]' 103 'a generator whose numbers are not known returns CURAND_STATUS_TYPE_ERROR'
json_like '.result.not_served[0]' MTGP32 'and is named at the end'
cat >far.cu <<'END'
#include <cstdio>
#include <curand.h>
int main()
{
    curandGenerator_t g;
    unsigned long long *x;
    cudaMalloc(&x, 16 * sizeof *x);
    curandCreateGenerator(&g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
    printf("%d", (int)curandSetQuasiRandomGeneratorDimensions(g, 1024));
    printf(" %d", (int)curandSetQuasiRandomGeneratorDimensions(g, 20000));
    curandSetQuasiRandomGeneratorDimensions(g, 2);
    curandSetGeneratorOffset(g, 0xfffffffc);
    for (int call = 0; call < 2; call++) {
        unsigned long long h[16];
        printf(" %d", (int)curandGenerateLongLong(g, x, 16));
        cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
        printf(" %016llx %016llx", h[4], h[15]);
    }
    printf("\n");
    return 1;
}
END
say_json 'run -lcurand far.cu'
json_is '.output[0]' "0 103 0 e20866ffbae15edc 14292822dd93c61f 0 c186c634b2cd9063 48902c5d00c52292" \
    'more dimensions than we have; points from 2^32 on, as on an H100'
json_like '.result.not_served' '1024 dimensions' 'the dimensions are named'

if has_header cufft.h; then
    cat >waves.cu <<'END'
#include <cstdio>
#include <cufft.h>
int main()
{
    printf("started\n");
    cufftHandle plan;
    return cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
}
END
    say 'run -lcufft waves.cu'
    status_is 1 'a library that is not served'
    out_lacks started 'the program is not started'
    err_like 'needs cuFFT .*libcufft' 'the library is named'
    err_like '--device gpu' 'and what to do'
else
    skip 'there is no cuFFT' 'a library that is not served'
fi

# ---- streams --------------------------------------------------------------------------------

cat >streams.cu <<'END'
#include <cstdio>
#include <cublas_v2.h>
#include <curand.h>
__global__ void fill(float *x, float value) { x[threadIdx.x] = value; }
int main()
{
    float *x, *sum, here = 0, two = 2;
    cublasHandle_t h;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cublasCreate(&h);
    cublasSetStream(h, s);
    cudaMalloc(&x, 32 * sizeof *x);
    cudaMalloc(&sum, sizeof *sum);
    fill<<<1, 32, 0, s>>>(x, 3);
    cublasSscal(h, 32, &two, x, 1);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
    cublasSasum(h, 32, x, 1, sum);
    cudaMemcpyAsync(&here, sum, sizeof here, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    printf("sum %g\n", here);
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10);
    curandSetStream(g, s);
    curandGenerateUniform(g, x, 32);
    cublasSscal(h, 1, sum, x, 1);
    cublasGetVector(1, sizeof here, x, 1, &here, 1);
    printf("%s\n", here > 0 && here <= 192 ? "scaled" : "not scaled");
    curandDestroyGenerator(g);
    cublasDestroy(h);
    cudaFree(x);
    cudaFree(sum);
    cudaStreamDestroy(s);
}
END
say_json 'run -lcublas -lcurand streams.cu'
json_is '.output[0]' 'sum 192' "a library's work is in the handle's stream"
json_is '.output[1]' scaled 'both libraries in one program'
json_absent '.faults[0].kind' 'and nothing is found'

# ---- Thrust ---------------------------------------------------------------------------------

# These algorithms work in place: a block writes where another one has read, ordered by flags
# without fences.
cat >thrust_in_place.cu <<'END'
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/remove.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/unique.h>
#include <cstdio>
struct odd {
    __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct third {
    __host__ __device__ int operator()(int x) const { return x / 3; }
};
int main()
{
    const int n = 20000;
    thrust::device_vector<int> v(n), w(n);
    thrust::sequence(v.begin(), v.end());
    thrust::transform(v.begin(), v.end(), w.begin(), third());
    thrust::host_vector<int> even(v.begin(), thrust::remove_if(v.begin(), v.end(), odd()));
    thrust::host_vector<int> all(w.begin(), thrust::unique(w.begin(), w.end()));
    bool right = even.size() == n / 2 && all.size() == (n + 2) / 3;
    for (int i = 0; right && i < n / 2; i++)
        right = even[i] == 2 * i;
    for (int i = 0; right && i < (n + 2) / 3; i++)
        right = all[i] == i;
    printf("%s\n", right ? "right" : "wrong");
}
END
# The merge of CUB reads an element behind the last one, which it does not use.
cat >thrust_merge.cu <<'END'
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <cstdio>
struct by_last_digits {
    __host__ __device__ bool operator()(int a, int b) const { return a % 1000 > b % 1000; }
};
struct pair { int first; float second; };
struct by_second {
    __host__ __device__ bool operator()(pair a, pair b) const { return a.second < b.second; }
};
int main()
{
    const int n = 10000;
    thrust::host_vector<int> numbers(n);
    thrust::host_vector<pair> pairs(n);
    for (int i = 0; i < n; i++) {
        numbers[i] = i * 7919 % 10007;
        pairs[i] = {i, static_cast<float>(i * 31 % 9973)};
    }
    thrust::device_vector<int> keys = numbers, values = numbers;
    thrust::device_vector<pair> p = pairs;
    thrust::stable_sort(keys.begin(), keys.end(), by_last_digits());
    thrust::sort_by_key(values.begin(), values.end(), keys.begin(), by_last_digits());
    thrust::sort(p.begin(), p.end(), by_second());
    numbers = values;
    pairs = p;
    bool right = true;
    for (int i = 1; i < n; i++)
        right = right && numbers[i - 1] % 1000 >= numbers[i] % 1000 &&
                pairs[i - 1].second <= pairs[i].second;
    printf("%s\n", right ? "right" : "wrong");
}
END
if has_header thrust/unique.h; then
    say_json 'run thrust_in_place.cu'
    json_is '.output[0]' right 'Thrust in place: the results are right'
    json_absent '.faults[0].kind' 'and no checker finds anything'
    say_json 'run thrust_merge.cu'
    json_is '.output[0]' right 'Thrust sorts by an order of its own: the results are right'
    json_absent '.faults[0].kind' 'and no checker finds anything'
else
    skip 'there is no Thrust' 'Thrust in place'
fi

done_testing
