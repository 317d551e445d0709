# SPDX-License-Identifier: GPL-3.0-or-later
#
# Students' own kernels, written by someone who never saw the simulator: each file of tests/own
# is loaded, launched as its //! lines say, and its arrays are held to a plain C reference.
# Where no approximate function is used, they must also be an H100's, byte for byte
# (tests/h100/own.txt; of PTX by the compilers named there, others may round elsewhere).
# The compilers of the kind that made the labs' kernels take turns, a file each, since a compiler is
# most of the time that this takes, and .ci/run tries a build by each kind. OWN_COMPILER names
# those that compile every file: `make check TESTS=own.t OWN_COMPILER='nvrtc nvcc'`.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

own=$top_srcdir/tests/own

# The commands for one file: its own lines, then every expected array saved.
commands() { # commands NAME COMPILER
    echo "set compiler $2"
    echo "load $1.cu"
    sed -n 's|^//! ||p' "$own/$1.cu" | grep -E '^(array|fill|launch) '
    sed -n 's|^//! expect \([^ ]*\).*|save \1 '"$tmp/$1"'/\1.raw|p' "$own/$1.cu"
}

# Is this what the H100 left in its arrays?
as_on_h100() { # as_on_h100 NAME COMPILER
    version=$("$JSONGET" 2:.result.compiler <"$out")
    if ! grep -qx "# compiler $2 $version" "$top_srcdir/tests/h100/own.txt"; then
        skip "no answers for PTX by $version" "$1, $2: as an H100 has it"
        return
    fi
    if ! grep -q "^$1 $2 " "$top_srcdir/tests/h100/own.txt"; then
        skip 'no H100 was asked yet' "$1, $2: as an H100 has it"
        return
    fi
    (cd "$tmp/$1" && sha256sum *.raw) | sed "s/\(.*\)  \(.*\)\.raw/$1 $2 \2 \1/" >"$tmp/sums"
    bad=$(grep -vxFf "$top_srcdir/tests/h100/own.txt" "$tmp/sums")
    test -s "$tmp/sums" && test -z "$bad"
    verdict $? "$1, $2: as an H100 has it" "$bad"
}

printed() { # what the launches printed, a line each
    for n in $(grep -n '"command":"launch ' "$out" | cut -d: -f1); do
        count=$("$JSONGET" "$n:.output.#" <"$out")
        for k in $(seq 0 $((count - 1))); do "$JSONGET" "$n:.output[$k]" <"$out"; done
    done
}

try() { # try NAME COMPILER WORDS
    rm -rf "${tmp:?}/$1"
    mkdir -p "$tmp/$1"
    commands "$1" "$2" >"$tmp/$1.lab"
    (cd "$own" && $CUDALAB_WRAPPER "$CUDALAB" --no-init --json "$tmp/$1.lab") >"$out" 2>"$err"
    status=$?
    last_run="$1.cu by $2"
    if test "$status" != 0; then
        verdict 1 "$1, $2: runs"
        return
    fi
    ! grep -q '^//! output' "$own/$1.cu" || printed >"$tmp/$1/out.txt"
    "$tmp/reference" "$own/$1.cu" "$tmp/$1" >"$tmp/verdict" 2>&1
    verdict $? "$1, $2: as plain C has it" "$(head -3 "$tmp/verdict")"
    case $3 in
    *approx*) ;;
    *) test -z "$(ls "$tmp/$1" | grep raw)" || as_on_h100 "$1" "$2" ;;
    esac
}

case $KERNELS_BY in
nvcc) kind='nvrtc nvcc' ;;
clang) kind=clang ;;
*) kind='nvrtc nvcc clang' ;;
esac
compilers=${OWN_COMPILER:-} turn=0
for each in $kind; do
    test -z "${OWN_COMPILER:-}" || break
    can_load "$each" && compilers="$compilers $each"
done
test -n "$compilers" || skip_all 'there is no compiler of CUDA C'

sh "$own/references" >"$tmp/references.c"
# shellcheck disable=SC2086
$CC -std=gnu11 -O1 -ffp-contract=off -I"$own" -o "$tmp/reference" "$tmp/references.c" -lm 2>"$err"
verdict $? 'the references in plain C compile'

while read -r name words; do
    by=$compilers
    if test -z "${OWN_COMPILER:-}"; then
        # shellcheck disable=SC2086
        set -- $compilers
        turn=$((turn + 1))
        shift $((turn % $#))
        by=$1
    fi
    for compiler in $by; do
        case "$compiler:$words" in
        clang:*toolkit*) ;;
        *) try "$name" "$compiler" "$words" ;;
        esac
    done
done <"$own/LIST"
done_testing
