# SPDX-License-Identifier: GPL-3.0-or-later
#
# -D: a student's macro may have the name of whatever the headers call something that the compiler
# reads unasked: the toolkit's, and cudalab's own. All letters and common names are tried, by each
# compiler; and what a macro must still do.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels
runs_programs || skip_all 'built without compilers'
cd "$tmp" || exit 99

lower='a b c d e f g h i j k l m n o p q r s t u v w x y z'
upper='A B C D E F G H I J K L M N O P Q R S T U V W X Y Z'
words='size value count index len data from to at result sum width height left right begin end first
    last mask lane rank thread block out in src dst ptr text format base state name'
others='bytes step total type op init seed num tmp row col size_x size_y max_size min_value new_value old address object
    scope order group tile pred bits lo hi sign exponent mantissa low high'
capitals='SIZE BLOCK TILE TYPE Type Value Size Index WIDTH HEIGHT ROWS COLS LEN COUNT DIM RADIUS'

# A source whose own names are none of these.
cat >own_.cu <<'X'
#include <stdio.h>
#include <assert.h>
__global__ void own_kernel(float *own_out, int own_n)
{
    assert(own_n >= 0);
    own_out[own_n] = sqrtf(own_out[own_n]) + GIVEN;
    if (own_n < 0)
        printf("%d\n", own_n);
}
X
defines() { # defines VALUE NAME...: each NAME has that value
    value_=$1
    shift
    printf "%s=$value_," "$@"
}
takes() { # takes WHAT MACROS: the compiler takes the source with these macros
    say "set compiler $compiler; set define ${2}GIVEN=1; load own_.cu"
    if test "$status" = 0; then pass "$compiler: $1"; else flunk "$compiler: $1"; diag_file stderr "$err"; fi
}
found() { # found WANTED NAME OPTION...: the value that the kernel w computes
    wanted=$1 name=$2
    shift 2
    say_json "set compiler $compiler; load w.cu $*; array o int 1; launch w<<<1,1>>>(o); print o"
    json_is 5:.result.values[0] "$wanted" "$compiler: $name"
}

cat >w.cu <<'X'
#include <assert.h>
#ifndef N
#define N 1
#endif
#ifdef NDEBUG
#define CHECKS 0
#else
#define CHECKS 100
#endif
template <typename X> __device__ X twice(X x) { return x + x; }
__global__ void w(int *o)
{
    assert(N < 50);
    *o = twice<T>(N) + CHECKS;
}
X
for compiler in nvrtc nvcc clang; do
    if ! can_load $compiler; then
        skip "no $compiler" "$compiler: macros"
        continue
    fi
    # shellcheck disable=SC2086
    {
        takes 'small letters as numbers' "$(defines 4 $lower)"
        takes 'capital letters as numbers' "$(defines 4 $upper)"
        takes 'capital letters as types' "$(defines float $upper)"
        takes 'common words' "$(defines 4 $words)"
        takes 'more words' "$(defines 4 $others)"
        takes 'common words in capitals' "$(defines 4 $capitals)"
        takes 'macros without a value' "$(printf '%s,' $upper)"
    }
    found 102 'a type' -D T=int
    found 114 'a type and a number' -D T=int -D N=7
    found 108 'the last one of a name counts' -D T=float -D N=3 -D N=4 -D T=int
    found 160 'NDEBUG takes assert away' -D T=int -D N=80 -D NDEBUG
done

# What is wrong in a macro is told with the place of the macro, not with a file of ours.
if can_load clang; then
    say 'set compiler clang; load w.cu -D T=nosuch'
    status_is 1 'a macro that names no type is refused'
    is "$(cat "$out" "$err" | grep -c 'cudalab_macros\|/cudalab-')" 0 'and no file of ours is named'
fi

# A source's own #define comes before the headers that it includes. Those in place of the C library's
# are as careful as that library: their names begin with __.
if can_load clang; then
    # shellcheck disable=SC2086
    for name in $lower $upper $words $others; do echo "#define $name 4"; done >safe_.cu
    for header in "$top_srcdir"/kernels/include/libc/*; do
        echo "#include <${header##*/}>"
    done >>safe_.cu
    echo '__global__ void own_kernel(float *own_out) { *own_out = 1; }' >>safe_.cu
    say 'set compiler clang; load safe_.cu' --safe --allow safe_.cu
    if grep -q 'no Landlock' "$err"; then
        skip 'no Landlock' 'headers of the C library below macros'
    else
        status_is 0 'headers of the C library below macros'
    fi
fi

# So are those in place of the toolkit's C++ library, as far as letters go.
for header in "$top_srcdir"/kernels/include/clang/cuda/std/*; do
    echo "#include <cuda/std/${header##*/}>"
done >letters_.cu
for header in atomic barrier latch semaphore; do echo "#include <cuda/$header>"; done >>letters_.cu
echo '__global__ void own_kernel(float *own_out) { *own_out = 1; }' >>letters_.cu
if can_load clang; then
    # shellcheck disable=SC2086
    for letters in "$lower" "$upper"; do
        say "set compiler clang; set define $(defines 4 $letters)GIVEN; load letters_.cu"
        status_is 0 "headers of the C++ library below macros: ${letters%% *} and so on"
    done
fi

# Whole programs, where clang compiles them with headers of ours.
cat >p.cu <<'X'
#include <cstdio>
template <typename X> __global__ void p(X *o) { o[0] = n; }
int main()
{
    T *o, host = 0;
    cudaMalloc(&o, sizeof *o);
    p<<<1, 1>>>(o);
    cudaMemcpy(&host, o, sizeof host, cudaMemcpyDeviceToHost);
    printf("%g\n", (double)host);
    return cudaFree(o);
}
X
if can_load clang; then
    say 'set compiler clang; run -D n=4 -D T=float p.cu'
    if grep -q 'apt install\|built without' "$err"; then
        skip 'no library of C++' 'run: macros with the names of headers'
    else
        out_like '^4$' 'run: macros with the names of headers'
        say 'set compiler clang; run -Dn=4 -D T=float -Dn=5 p.cu'
        out_like '^5$' 'run: the last one of a name counts'
    fi
fi
done_testing
