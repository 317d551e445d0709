#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A real GPU's answers to tests/own, in two steps.
#
#   own.sh prepare DIR [COMPILER...]    here: the PTX that cudalab makes of each file
#   own.sh measure DIR OUT              on a machine with a GPU: runs them, writes OUT/own.txt
#
# own.txt has a line for each array: file, compiler, array, the fingerprint of its bytes. Plain
# additions and products get .rn, as cudalab does before PTX goes to a driver: ptxas would else
# fuse them, and no two of its versions alike.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
own=$here/tests/own
step=$1 dir=$2
mkdir -p "$dir"

prepare() {
    for compiler in "${@:-nvrtc}"; do
        while read -r name words; do
            case "$compiler:$words" in clang:*toolkit*) continue ;; esac
            cache=$(mktemp -d)
            (cd "$own" && XDG_CACHE_HOME=$cache "${CUDALAB:-$here/cudalab}" --no-init \
                -c "set compiler $compiler; load $name.cu" >/dev/null) || exit 1
            # An entry of the cache: a line of head, then a log, then the PTX.
            sed '1d' "$cache"/cudalab/*.ptx | sed -n '/^\/\/$/,$p' |
                sed -E 's/(^|[^.a-z])(add|sub|mul)((\.ftz|\.sat)*)\.f(32|64)\b/\1\2.rn\3.f\5/' \
                >"$dir/$name.$compiler.ptx"
            rm -rf "$cache"
        done <"$own/LIST"
    done
}

measure() {
    out=$1
    gcc -std=gnu11 -O1 -I"${CUDA_HOME:-/usr/local/cuda}/include" -I"$own" -o "$out/runner" \
        "$here/tests/gpu/own.c" -lcuda || exit 1
    sh "$own/references" >"$out/references.c"
    gcc -std=gnu11 -O1 -ffp-contract=off -I"$own" -o "$out/reference" "$out/references.c" -lm ||
        exit 1
    for ptx in "$dir"/*.ptx; do
        base=$(basename "$ptx" .ptx) name=${ptx##*/}
        name=${name%%.*} compiler=${base##*.}
        answers=$(mktemp -d)
        "$out/runner" "$own/$name.cu" "$ptx" "$answers" >"$answers/out.txt" 2>"$answers/err" || {
            echo "$name $compiler failed: $(head -1 "$answers/err")"
            continue
        }
        grep -q '^//! output' "$own/$name.cu" || rm -f "$answers/out.txt"
        "$out/reference" "$own/$name.cu" "$answers" >"$answers/verdict" ||
            echo "# $name $compiler $(head -1 "$answers/verdict")"
        for raw in "$answers"/*.raw; do
            echo "$name $compiler $(basename "$raw" .raw) $(sha256sum <"$raw" | cut -d' ' -f1)"
        done
        rm -rf "$answers"
    done >"$out/own.txt"
    rm -f "$out/reference" "$out/references.c" "$out/runner"
}

shift 2
case $step in
prepare) prepare "$@" ;;
measure) measure "$1" ;;
*) echo "usage: own.sh prepare|measure DIR ..." >&2; exit 2 ;;
esac
