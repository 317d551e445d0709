# SPDX-License-Identifier: GPL-3.0-or-later
# Kernels by people who knew CUDA and INTERFACE's kinds of faults, but not one line of the checkers
# (tests/unseen/*.cu): 240 wrong ones, each with its kind, its line and the array's element that it
# should be told of, and 218 right ones that look suspicious. A kernel whose fault is known to be
# missed stays here and says so (//@missed). clang 14 moves accesses across barriers, and lacks
# headers of the toolkit: only nvcc's code is as it was written.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/checks.sh"
needs_compiler

if test "$compiler" = clang; then
    skip 'clang 14 compiles other accesses than those written' 'kernels written unseen'
    done_testing
    exit 0
fi

for file in "$top_srcdir"/tests/unseen/*.cu; do
    run_file "$file" "$(basename "$file" .cu)"
done

# What the tree promises: of 200 wrong kernels at least 190 are found, and no right one is reported.
cat "$top_srcdir"/tests/unseen/*.cu | awk '
    /^\/\/@found unsupported/ { next }
    /^\/\/@found / { wrong++ }
    /^\/\/@missed/ { missed++ }
    /^\/\/@none/ { right++ }
    END { print wrong - missed, wrong, right }' > "$tmp/sum"
read -r told wrong right < "$tmp/sum"
diag "$told of $wrong wrong kernels are found, $right right ones pass"
is "$((told * 200 >= wrong * 190))" 1 'at least 190 in 200 wrong kernels are found'
is "$((wrong >= 200 && right >= 200))" 1 'there are 200 of each'
done_testing
