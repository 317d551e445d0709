# SPDX-License-Identifier: GPL-3.0-or-later
#
# The error codes of CUDA's runtime: tests/whole/errors has calls that are odd or wrong, and what an
# H100 answers to each (driver 580.159.04, CUDA 13.0, 2026-11-26).
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
codes=$top_srcdir/tests/whole/errors
cp "$codes/codes.cu" .
needs_programs nvcc
say 'run codes.cu'
can_run

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
