# SPDX-License-Identifier: GPL-3.0-or-later
#
# Requests with sizes and handles that no right program has: tests/whole/hostile/requests.cu. Each of
# them once ended cudalab, was served, or left cudalab waiting. And requests at random: noise.cu.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

source=$(cd "$top_srcdir" && pwd)
mkdir "$tmp/work"
CUDALAB=$(cd "$(dirname "$CUDALAB")" && pwd)/${CUDALAB##*/}
cd "$tmp/work" || exit 99
cp "$source/tests/whole/hostile/requests.cu" .
nvcc=$(command -v nvcc) || nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
test -x "$nvcc" || skip_all 'a whole program needs nvcc'
runs_programs || skip_all 'this build starts no compilers'
say "run -I $source/src requests.cu nothing"
if test "$status" != 0 && test "$BUILD_KIND" != plain; then
    skip_all 'a program of another kind cannot be started under this checker'
fi
out_like '^served$' 'the program runs'

for what in copy-behind copy-around fill truncate shared no-threads no-graph; do
    say "run -I $source/src requests.cu $what; echo next"
    out_like '^refused$' "$what: refused"
    out_like '^next$' "$what: the prompt goes on"
done
say "set time-limit 20; run -I $source/src requests.cu leave; echo next"
out_lacks 'did not end within' 'leave: cudalab waits no longer than the program lives'
out_like '^next$' 'leave: the prompt goes on'

# Requests of all kinds, with numbers that are drawn.
cp "$source/tests/whole/hostile/noise.cu" .
for seed in 1 2 3 4; do
    say "set step-limit 20000; set time-limit 30; run -I $source/src noise.cu $seed 1500; echo next"
    out_like '^all were answered$' "seed $seed: all requests are answered"
    out_like '^next$' "seed $seed: the prompt goes on"
done
done_testing
