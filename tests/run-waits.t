# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whole programs in which the host and the device wait for each other without CUDA: by flags in
# memory that both use, or by functions that streams call. tests/whole/waits has right programs; each
# says whether its results are right. Programs with a mistake are written here.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
whole=$top_srcdir/tests/whole/waits
cp "$whole"/*.cu "$whole"/*.h .
needs_programs
say 'run compare-swap.cu'
can_run

for file in *.cu; do
    say_json "run -lpthread $file"
    json_is '.output[0]' right "$file: its result"
    json_is .result.exit_status 0 "$file: its exit status"
    json_absent '.faults[0].kind' "$file: no checker finds anything"
done

# ---- mistakes -------------------------------------------------------------------------------

# wrong NAME WHAT LINE: NAME.cu has a mistake of the host in the line with this text.
wrong() {
    line=$(grep -nF "$3" "$1.cu" | sed 's/:.*//;q')
    say_json "run $1.cu"
    json_is '.faults[0].kind' kernel-pending "$2"
    json_is '.faults[0].source' "$1.cu:$line" "$2: the line"
}

# program NAME KERNEL-LINE HOST-LINE
program() {
    cat >"$1.cu" <<END
#include <cstdio>
#include <cuda_runtime.h>

__global__ void use(int *v, int *out)
{
    $2
}

int main()
{
    int *v, *out;
    cudaMallocManaged(&v, 100 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    v[0] = *out = 0;
    use<<<1, 32>>>(v, out);
    $3
    cudaDeviceSynchronize();
    printf("%d %d\n", v[0], *out);
    cudaFree(v);
    cudaFree(out);
    return 0;
}
END
}

program plain-flag 'while (v[0] == 0 && clock64() < 100) *out = 1;' 'v[0] = 1;'
wrong plain-flag 'a flag that the kernel reads as any other number' 'v[0] = 1;'
program volatile-result '*(volatile int *)v = 5; atomicAdd(out, 1);' 'printf("%d\n", v[0]);'
wrong volatile-result 'a volatile result that is read too early' 'printf("%d\n", v[0]);'
program lost-count 'atomicAdd_system(v, 1);' 'v[0] = v[0] + 1;'
wrong lost-count 'a count that the host changes without an atomic operation' 'v[0] = v[0] + 1;'
program early-count 'atomicAdd(v, 1);' 'for (int i = 0; i < 3; i++) printf("%d\n", v[0]);'
wrong early-count 'a count that is read a few times too early' 'for (int i = 0;'
program long-poll 'v[threadIdx.x + 1] = 3; __threadfence_system(); *(volatile int *)v = 1;' \
    'while (*(volatile int *)v == 0) v[40] = 7; v[2] = 4;'
say_json 'run long-poll.cu'
json_absent '.faults[0].kind' 'what comes behind a poll comes behind the kernel'
program mixed 'v[threadIdx.x + 1] = 3; __threadfence_system(); *(volatile int *)v = 1;' \
    'while (*(volatile int *)v == 0) v[4] = 7;'
wrong mixed 'while it polls, the host changes what the kernel writes' 'v[4] = 7;'
done_testing
