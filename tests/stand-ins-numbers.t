# SPDX-License-Identifier: GPL-3.0-or-later
#
# Numbers of 16 bits and products of matrices, by clang with our headers and by the toolkit's
# compiler with its own: each file of tests/stand-ins leaves the same bytes in its arrays.
#
# Its lines `//! load ARCH OPTIONS` say how it is compiled, and `//! COUNT TYPE LAUNCH` which
# kernels run: each gets an array `out` of its own. `//! array` makes one that they all read.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

can_load clang || skip_all 'clang is not installed'
toolkit=
for compiler in nvcc nvrtc; do
    test -n "$toolkit" || ! can_load $compiler || toolkit=$compiler
done
oldest=75 # of CUDA 13
cp "$top_srcdir"/tests/stand-ins/*.cu "$tmp"
cd "$tmp" || exit 99

commands() { # commands COMPILER FILE ARCH OPTIONS: all that is saved begins with the compiler
    echo "set compiler $1; set arch $3; load $2 $4"
    sed -n 's|^//! \(array .*\)|\1|p' "$2"
    sed -n 's|^//! \([0-9][0-9]*\) \([^ ]*\) \([a-z_]*\)\(<.*\)|array out \2 \1 zero\
launch \3\4\
save out '"$1"'.\3.raw|p' "$2"
}

# How many bytes may differ. The toolkit's exp, log and their like correct an approximate exp2 or
# log2. The simulator's are more exact, and there the correction is wrong by one unit for a few
# numbers. Ours are rounded correctly.
allowed() { # allowed FILE KERNEL OPTIONS
    case $1.$2.$3 in half.cu.functions.) echo 64 ;; *) echo 0 ;; esac
}

for file in *.cu; do
    sed -n 's|^//! load ||p' "$file" >loads
    while read -r arch options <&3; do
        for compiler in clang $toolkit; do
            commands $compiler "$file" "$arch" "$options" >session
            rm -f $compiler.*.raw
            say "$(cat session)"
            test $compiler != clang || status_is 0 "$file $options: by clang for $arch"
        done
        test -n "$toolkit" && test "$arch" -ge "$oldest" || continue
        for kernel in $(sed -n 's|^//! [0-9].* \([a-z_]*\)<.*|\1|p' "$file"); do
            bytes=$(cmp -l clang.$kernel.raw $toolkit.$kernel.raw 2>&1 | wc -l)
            ok "$file $options, for $arch: $kernel as $toolkit has it" \
                test "$bytes" -le "$(allowed "$file" $kernel "$options")"
        done
    done 3<loads
done
done_testing
