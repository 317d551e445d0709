# SPDX-License-Identifier: GPL-3.0-or-later
# The checkers on kernels that tests/fuzz/checks.awk makes up, each with its verdict: of one seed
# here, or for FUZZ_SECONDS of one seed after the other (`make fuzz-sync`).
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/checks.sh"
needs_compiler

plain=
test "$compiler" != clang || plain=1
seed=${FUZZ_SEED:-1}
end=$(($(date +%s) + ${FUZZ_SECONDS:-0}))
while :; do
    awk -v seed="$seed" -v count=40 -v plain="$plain" -f "$top_srcdir/tests/fuzz/checks.awk" \
        > "$tmp/made.cu"
    is "$(grep -c "^__global__" "$tmp/made.cu")" 40 "seed $seed: kernels are made"
    run_file "$tmp/made.cu" "seed $seed by $compiler"
    seed=$((seed + 1))
    test "$(date +%s)" -lt "$end" || break
done
done_testing
