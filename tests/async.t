# SPDX-License-Identifier: GPL-3.0-or-later
# Asynchronous copies and barriers in shared memory, with the toolkit's headers and with PTX
# (tests/async/*.cu). Right kernels have right results and no findings. If one synchronization is
# missing, the checker finds that. clang 14 compiles neither these headers nor code for such GPUs,
# except cooperative groups.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/checks.sh"
needs_compiler

if test "$compiler" = clang; then
    run_file "$top_srcdir/tests/async/tiles.cu" 'tiles by clang'
    skip 'clang 14 does not take the headers of the toolkit' 'asynchronous copies'
    done_testing
    exit 0
fi

# Runs each file under all three schedules, with each `compare` in it.
for file in "$top_srcdir"/tests/async/*.cu; do
    name=$(basename "$file" .cu)
    run_file "$file" "$name"
    is "$(grep -c '\.command[[:space:]].*compare ' "$tmp/leaves")" "$(grep -c '^//@ compare' "$file")" \
        "$name: what the right kernels made was looked at"
    is "$(grep '\.ok[[:space:]]*false' "$tmp/leaves")" '' "$name: and is right"
done


# Compiles the files for 8.0 again, for 9.0. There the wait is another instruction.
for file in barriers pipelines refill reuse tiles; do
    sed 's/set arch 80/set arch 90/' "$top_srcdir/tests/async/$file.cu" >"$tmp/$file.cu"
    run_file "$tmp/$file.cu" "$file for 9.0"
done

done_testing
