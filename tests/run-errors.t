# SPDX-License-Identifier: GPL-3.0-or-later
#
# The error codes of CUDA's runtime: tests/whole/errors has calls that are odd or wrong, and what an
# H100 answers to each (driver 580.159.04, CUDA 13.0, 2026-11-26).
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

codes=$(cd "$top_srcdir/tests/whole/errors" && pwd)
mkdir "$tmp/work"
CUDALAB=$(cd "$(dirname "$CUDALAB")" && pwd)/${CUDALAB##*/}
cd "$tmp/work" || exit 99
cp "$codes/codes.cu" .
nvcc=$(command -v nvcc) || nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
test -x "$nvcc" || skip_all 'a whole program needs nvcc'
runs_programs || skip_all 'this build starts no compilers'
say 'run codes.cu'
if test "$status" != 0 && test "$BUILD_KIND" != plain; then
    skip_all 'a program of another kind cannot be started under this checker'
fi

# section NAME: its lines in the file of the H100's answers.
section() {
    sed -n "/^== $1\$/,/^== /{/^== /!p;}" "$codes/codes.out"
}

for name in $(sed -n 's/^== //p' "$codes/codes.out"); do
    section "$name" >wanted
    say "run codes.cu $name"
    head -n "$(wc -l <wanted)" "$out" >got
    cmp -s got wanted
    good=$?
    verdict $good "$name: the answers of an H100"
    test $good = 0 || diff wanted got | sed -n 's/^[<>]/# &/p'
done
done_testing
