# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a run learns from the student's text about a call: whether the program looks at what it
# returns (tests/whole/looks.cu), and what its array is called (tests/whole/names.cu).
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
cp "$top_srcdir"/tests/whole/looks.cu "$top_srcdir"/tests/whole/names.cu .
needs_programs nvcc
say 'run names.cu'
can_run

# ---- errors that are ignored ----------------------------------------------------------------

# A line "LINE FUNCTION" for each line of the file.
awk '/^(template <class T> )?(static |__global__ )?(bool|void|int|cudaError_t) [a-z_]+\(/ {
        name = $0; sub(/\(.*/, "", name); sub(/.* /, "", name) }
    { print NR, name }' looks.cu >functions
awk '$2 ~ /^ignores/ { print $2 }' functions | sort -u >wanted
is "$(wc -l <wanted | tr -d ' ')" 12 'functions that ignore an error'
looks_by() { # looks_by COMPILER
    say_json "set compiler $1; run looks.cu"
    json_is 2:.result.exit_status 0 "looks.cu by $1: it runs to its end"
    for i in $(seq 0 40); do
        test "$(json "2:.faults[$i].kind")" != error-ignored ||
            json "2:.faults[$i].source" | sed 's/.*://'
    done | while read -r line; do awk -v line="$line" '$1 == line { print $2 }' functions; done |
        sort -u >told
    is "$(diff wanted told)" '' "looks.cu by $1: these errors are told, and no others"
}
looks_by nvcc
if can_load clang; then looks_by clang; else skip 'there is no clang' 'looks.cu by clang'; fi

# ---- names of arrays ------------------------------------------------------------------------

number=0
for name in $(sed -n 's,^    keep(.*// ,,p' names.cu); do
    say_json "run names.cu $number"
    test "$name" != '?' || name='an array'
    json_is '.faults[0].message' "the address lies in $name, but not at its start" \
        "array $number is called $name"
    number=$((number + 1))
done
json_is .result.exit_status 2 'all arrays have been tried'
done_testing
