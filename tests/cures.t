# SPDX-License-Identifier: GPL-3.0-or-later
#
# Wrong kernels and their right cures, both written by somebody who never saw the checkers
# (tests/cures/*.cu). Each says how it is launched, what is wrong, which cure fits, and where that
# goes. The first finding must name this cure, and the kernel that follows it (-D CURED) must be
# silent. clang 14 compiles other accesses than those written, so only nvcc's code is looked at.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler
export XDG_CACHE_HOME="$tmp/cache"
if test "$KERNELS_BY" = clang; then
    skip 'clang 14 compiles other accesses than those written' 'cures of kernels written unseen'
    done_testing
    exit 0
fi

says() { sed -n "s|^//@ $2 ||p" "$1"; } # says FILE WORD: the line of its comment

# session OPTIONS: all kernels in one session; $tmp/launches has an object for each, in their order
session() {
    for file in "$top_srcdir"/tests/cures/*.cu; do
        arch=$(says "$file" arch)
        echo "free --all"
        echo "set arch ${arch:-0}"
        echo "load $file $1"
        says "$file" launch | sed 's/; */\n/g'
    done >"$tmp/all.lab"
    $CUDALAB_WRAPPER "$CUDALAB" --no-init --json "$tmp/all.lab" >"$out" 2>"$err"
    grep '^{"command":"launch ' "$out" >"$tmp/launches"
}

# What the lesson says of the place, by the words of help/findings.txt. A place may come with more.
place_fits() { # place_fits PLACE TEXT
    case $1 in
    between) echo "$2" | grep -q 'between line\|between the two accesses' ;;
    loop-end) echo "$2" | grep -q "at the end of the loop's body" ;;
    split) echo "$2" | grep -q 'ead into a local variable' ;;
    esac
}

session ''
cp "$tmp/launches" "$tmp/wrong"
session '-D CURED'
is "$(wc -l <"$tmp/wrong")" "$(ls "$top_srcdir"/tests/cures/*.cu | wc -l)" 'each kernel was launched'
n=0 named=0
for file in "$top_srcdir"/tests/cures/*.cu; do
    n=$((n + 1))
    name=$(basename "$file" .cu)
    cure=$(says "$file" cure) place=$(says "$file" place) line=$(says "$file" line)
    found=$("$JSONGET" "$n:.faults[0].cure" <"$tmp/wrong")
    is "$found" "$cure" "$name: the cure"
    test "$found" != "$cure" || named=$((named + 1))
    sed -n "${n}p" "$tmp/wrong" | grep -q "\"kind\":\"$(says "$file" kind)\""
    verdict $? "$name: what is wrong"
    text=$("$JSONGET" "$n:.explain" <"$tmp/wrong")
    case $cure in
    syncthreads | syncwarp)
        place_fits "$place" "$text"
        verdict $? "$name: and its place, $place" "$text"
        ;;
    barrier-all)
        echo "$text" | grep -q "condition on line $line[ ,.]"
        verdict $? "$name: and the condition, in line $line" "$text"
        ;;
    esac
    is "$("$JSONGET" "$n:.status" <"$tmp/launches") $("$JSONGET" "$n:.faults.#" <"$tmp/launches")" 'ok 0' \
        "$name: silent when cured"
done
ok "at least 57 of 60 cures are named: $named of $n" test "$((named * 60))" -ge "$((n * 57))"
done_testing
