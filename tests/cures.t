# SPDX-License-Identifier: GPL-3.0-or-later
#
# Wrong kernels and their right cures (tests/cures/*.cu), written down before cudalab was asked. Each
# says how it is launched, what is wrong, which cure fits, and where that goes. It may also say what
# the lesson must say, what it must not say, and how far the two threads are apart that it names. The
# first finding must name this cure, and the kernel that follows it (-D CURED) must be silent. clang 14 compiles other accesses than those written, so only nvcc's code is looked at.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler
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
        launch=$(says "$file" launch)
        cured=$(says "$file" cured)
        test -z "$1" || launch=${cured:-$launch}
        echo "$launch" | sed 's/; */\n/g'
    done >"$tmp/all.lab"
    $CUDALAB_WRAPPER "$CUDALAB" --no-init --json "$tmp/all.lab" >"$out" 2>"$err"
    grep '^{"command":"launch ' "$out" >"$tmp/launches"
}

width_of() { # width_of FILE: of its blocks, in threads
    says "$1" launch | sed 's/.*<<<//; s/^dim3([^)]*)//; s/^[^,]*, *//; s/dim3(//; s/[,)> ].*//'
}

# What the lesson says of the place, by the words of help/findings.txt. A place may come with more.
place_fits() { # place_fits PLACE TEXT
    case $1 in
    between) echo "$2" | grep -q 'between line\|between the two accesses' ;;
    loop-end) echo "$2" | grep -q "at the end of the loop's body" ;;
    call-end) echo "$2" | tr '\n' ' ' | grep -q 'at the end of the function' ;;
    split) echo "$2" | grep -q 'ead into a local variable' ;;
    esac
}

# What the file wants of the lesson and of the two threads in it.
lesson_fits() { # lesson_fits FILE NAME TEXT
    words=$(says "$1" says) unsaid=$(says "$1" unsaid) lines=$(says "$1" line)
    test -z "$words" || like "$(echo "$3" | tr '\n' ' ')" "$words" "$2: the lesson says so"
    test -z "$lines" || like "$3" "[Ll]ine $lines[ ,.]" "$2: the line"
    test -z "$unsaid" && return
    case $3 in *"$unsaid"*) false ;; *) true ;; esac
    verdict $? "$2: nothing is said of what does not help" "$3"
}

# Are the two threads of the first finding as far apart as the lesson says?
pair_fits() { # pair_fits TEXT NAME NUMBER SIZE-X SIZE-Y
    one=$("$JSONGET" "$3:.faults[0].thread" <"$tmp/wrong" | tr -d '[] ')
    other=$("$JSONGET" "$3:.faults[0].other.thread" <"$tmp/wrong" | tr -d '[] ')
    block=$("$JSONGET" "$3:.faults[0].block" <"$tmp/wrong")
    beside=$("$JSONGET" "$3:.faults[0].other.block" <"$tmp/wrong")
    warp=$(echo "$one,$4" | awk -F, '{ print int(($1 + $2 * $4) / 32) }')
    near=$(echo "$other,$4" | awk -F, '{ print int(($1 + $2 * $4) / 32) }')
    case $1 in
    *'are in different warps'*) test "$block" = "$beside" && test "$warp" != "$near" ;;
    *'are in different blocks'*) test "$block" != "$beside" ;;
    *'lanes of one warp'*) test "$block $warp" = "$beside $near" ;;
    esac
    verdict $? "$2: the two threads are as far apart as is said" "$block $one; $beside $other: $1"
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
    lesson_fits "$file" "$name" "$text"
    pair_fits "$(echo "$text" | tr '\n' ' ')" "$name" "$n" "$(width_of "$file")"
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
ok "at least 19 of 20 cures are named: $named of $n" test "$((named * 20))" -ge "$((n * 19))"
done_testing
