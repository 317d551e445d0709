# SPDX-License-Identifier: GPL-3.0-or-later
#
# The program of WebAssembly, under node, gives the same bytes as a native one: the rows of each lab's
# test and the commands that its help suggests, as text and as JSON. $NATIVE is the native program;
# both must have the same PTX (--with-kernels=BUILD/kernels/ptx).
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/labs.sh"

: "${NATIVE:=$(cd "$top_srcdir" && pwd)/build/cudalab}"
test -x "$NATIVE" || skip_all "no native program to compare with; NATIVE=PATH names one"
test -f "$CUDALAB.wasm" || skip_all 'this is no build of WebAssembly'

# commands LAB: its rows (tests/labs.sh), and what its help says to try without values of a run
commands() {
    sed -n 's/^#[:!] //p' "$top_srcdir/tests/$1.t" | sed 's/ *|.*//; s,@TMP@,.,g'
    awk '/^== / { on = /^== try/; next } on && NF && !/[{]/' "$top_srcdir/help/$1.txt" |
        sed '/^\(quit\|exit\|history\|play\|watch\|load\|run\|grade\)/d; s/   .*//'
}

for lab in $(lab_names); do
    commands "$lab" >"$tmp/$lab.lab"
    for form in text json; do
        option=
        test $form = text || option=--json
        (cd "$tmp" && "$NATIVE" --no-init $option --device sim "$lab.lab" >native 2>native.err </dev/null)
        (cd "$tmp" && "$CUDALAB" --no-init $option --device sim "$lab.lab" >page 2>page.err </dev/null)
        cat "$tmp/native.err" >>"$tmp/native"
        cat "$tmp/page.err" >>"$tmp/page"
        ok "$lab, $form: the same bytes" cmp -s "$tmp/native" "$tmp/page"
        cmp -s "$tmp/native" "$tmp/page" ||
            diff "$tmp/native" "$tmp/page" | cut -c1-200 | sed 's/^/# /' | head -6
    done
done

# The examples of the help texts, of which this build has the PTX. A native build asks a compiler and
# ptxas: their names and numbers are left out.
tell() { # tell PROGRAM NAME: what the help text suggests to do with its example
    (cd "$tmp" && "$1" --no-init --device sim -c "set volatile off; source $2.lab" 2>&1 </dev/null) |
        sed 's/ by \(nvcc\|NVRTC\|clang\) .*//; s/[0-9]* registers per thread ([^)]*),* *//' | sed '/^ *$/d'
}
for text in $(sh "$top_srcdir/build-aux/help-code" "$top_srcdir"); do
    name="the example of \`help $text\`, with its PTX: the same bytes"
    awk '/^== / { on = $0 == "== try"; next } on && NF && !/[{]/' "$top_srcdir/help/$text.txt" |
        sed '/^\(quit\|exit\|history\|play\|watch\|run\|grade\)/d; s/   .*//' >"$tmp/$text.lab"
    tell "$NATIVE" "$text" >"$tmp/native"
    tell "$CUDALAB" "$text" >"$tmp/page"
    if grep -q 'built without compilers' "$tmp/native"; then
        skip "$NATIVE has no compiler" "$name"
    else
        ok "$name" cmp -s "$tmp/native" "$tmp/page"
        diff "$tmp/native" "$tmp/page" | cut -c1-200 | sed 's/^/# /' | head -6
    fi
done
done_testing
