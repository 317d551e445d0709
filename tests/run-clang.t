# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whole programs by clang with our own headers, as on a machine without the CUDA Toolkit: those
# programs of tests/whole that tests/run.t does not try by nvcc, and in full all. None of them needs
# a header that only the toolkit has, such as those of Thrust and CUB.
top_srcdir=${top_srcdir:-$(dirname "$0")/..}
RUN_BY=clang

by_clang() {
    clang=$(command -v clang)
    mkdir "$tmp/bin"

    # This clang notes which files it reads.
    mkdir "$tmp/read"
    cat >"$tmp/bin/clang" <<END
#!/bin/sh
case "\$*" in
*--cuda-device-only* | *--cuda-host-only*) exec "$clang" "\$@" -MD -MF "$tmp/read/\$\$" ;;
*) exec "$clang" "\$@" ;;
esac
END
    chmod +x "$tmp/bin/clang"
    before=$PATH
    PATH=$tmp/bin:$PATH
    say "${with}run functor-map.cu"
    PATH=$before
    cat "$tmp"/read/* | tr ' ' '\n' | grep '^/.*[^:]$' >"$tmp/files"
    is "$(grep -c '/kernels/include/cuda/cuda_runtime\.h$' "$tmp/files")" 2 \
        'clang reads our cuda_runtime.h, for the device and for the host'
    is "$(grep -v "/kernels/\\|/clang/\\|^/usr/include/\\|/c++/\\|^$tmp/" "$tmp/files")" '' \
        'and no file but ours and those of the C and C++ libraries'

    # The runtime has all functions that our headers declare, except the one for clang with an old CUDA.
    cat "$top_srcdir"/kernels/include/cuda/cuda_runtime_api.h \
        "$top_srcdir"/kernels/include/cuda/cudalab_runtime_graphs.h |
        sed -n 's/^cudaError_t \(cuda[A-Za-z0-9_]*\)(.*/\1/p' | grep -v '^cudaConfigureCall$' |
        sort -u >"$tmp/declared"
    "${NM:-nm}" -D "$top_builddir/run/libcudart.so" | sed -n 's/.* T \([^@]*\).*/\1/p' |
        sort -u >"$tmp/exported"
    ok 'our headers declare functions' test "$(wc -l <"$tmp/declared")" -gt 150
    is "$(comm -23 "$tmp/declared" "$tmp/exported")" '' 'our runtime has each function of our headers'

    # Clusters need a clang that knows 9.0.
    if test "$("$clang" -dumpversion | sed 's/[.].*//')" -lt 16; then
        say "${with}run launch-forms.cu"
        err_like "'this_cluster' is unavailable: clusters need" 'an older clang has no clusters'
        err_like '^launch-forms\.cu:12:' 'at the line of the program'
    fi

    # This clang works as where g++ is not installed.
    printf '#!/bin/sh\nexec "%s" -nostdinc++ "$@"\n' "$clang" >"$tmp/bin/clang"
    PATH=$tmp/bin:$PATH
    say "${with}run functor-map.cu"
    PATH=$before
    status_is 1 'without a library of C++'
    err_like 'clang finds no library of C\+\+ here: install g\+\+' 'it says what to install'

    echo 'int main() { return x; }' >broken.cu
    say "${with}run broken.cu"
    status_is 1 'a program that does not compile'
    is "$(grep -c 'broken\.cu:1:21: error: use of undeclared identifier' "$err")" 1 \
        "the compiler's own message, once"
    cat >wrong-call.cu <<'END'
int main()
{
    int *p;
    cudaMalloc(&p);
}
END
    say "${with}run wrong-call.cu"
    err_like '^wrong-call\.cu:4:5: error: no matching function' "the student's line comes first"
    awk 'BEGIN {
        for (i = 0; i < 60; i++) {
            printf "__global__ void k%d(float *p) { float x = p[0];\n", i
            for (j = 0; j < 120; j++) printf "x = sqrtf(x + %d.5f); if (x > %d) p[%d] = x;\n", j, j, j
            print "}"
        }
        print "int main() { return cudaFree(0); }"
    }' >big.cu
    say "${with}run --nvcc -G functor-map.cu"
    status_is 0 'the option -G is for nvcc alone'
    say "${with}run big.cu"
    status_is 0 'a program whose PTX has more than 1 MiB'
    echo 'int other(); int main() { return other(); }' >undefined.cu
    say "${with}run undefined.cu"
    err_like 'undefined.cu:1: undefined reference to .other' "the linker's message"
    cat >first.cu <<'END'
#include <cstdio>
void add_ten(int *x);
static __global__ void add(int *x) { *x += 1; }
int main()
{
    int *x, y = 0;
    cudaMalloc(&x, sizeof y);
    cudaMemcpy(x, &y, sizeof y, cudaMemcpyHostToDevice);
    add<<<1, 1>>>(x);
    add_ten(x);
    cudaMemcpy(&y, x, sizeof y, cudaMemcpyDeviceToHost);
    printf("sum %d\n", y);
    cudaFree(x);
}
END
    cat >second.cu <<'END'
static __global__ void add(int *x) { *x += 10; }
void add_ten(int *x) { add<<<1, 1>>>(x); }
END
    say "${with}run first.cu second.cu"
    out_like '^sum 11$' 'two sources have a kernel of the same name each'
    say "${with}run -rdc=true first.cu second.cu"
    err_like '-rdc=true.* needs nvcc' 'clang does not link device code'
    cat >blas.cu <<'END'
#include <cublas_v2.h>
int main()
{
    cublasHandle_t handle;
    cublasCreate(&handle);
}
END
    say "${with}run blas.cu"
    status_is 1 'a library that is not there'
    err_like 'blas\.cu:5:.*cublasCreate' 'is named with the line of its call'

    if test ! -x /usr/local/cuda/bin/nvcc; then
        unset CUDA_HOME CUDA_PATH
        PATH=$tmp/none
        say 'run functor-map.cu'
        PATH=$before
        err_like 'install clang and g\+\+' 'without a compiler it says what to install'
    fi
    PATH=$tmp/none
    say "${with}run functor-map.cu"
    PATH=$before
    err_has 'there is no clang here' 'without clang'
}

if test "${KERNELS_BY:-clang}" != clang && test -z "${CHECK_LONG:-}"; then
    . "$top_srcdir/tests/lib.sh"
    skip_all 'tried where clang compiles the kernels'
fi
. "$top_srcdir/tests/run.t"
