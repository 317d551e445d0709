# SPDX-License-Identifier: GPL-3.0-or-later
#
# The program of WebAssembly, under node, shows the same bytes as a native one, for all commands of
# tests/parity.sh. $NATIVE is the native program; both must have the same PTX
# (--with-kernels=BUILD/kernels/ptx). What a page can't do ends with a sentence, never with a trap.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/parity.sh"

test -f "$CUDALAB.wasm" || skip_all 'this is no build of WebAssembly'
CUDALAB=$(cd "$(dirname "$CUDALAB")" && pwd)/$(basename "$CUDALAB")

# ---- memory ---------------------------------------------------------------------------------

# A module of WebAssembly has 2 GB at most. More is refused, and what is there can all be used.
for bytes in 1500M 2G 3G 4G 4294967295 4294967296 4294967297 16G 79G; do
    say "array a u8 $bytes; array b u8 1G; free --all; array c u8 64; hello 1 1; echo next"
    is "$(tail -n 1 "$out")" next "an array of $bytes bytes: the next commands work"
    out_has 'c: u8, 64 elements' "an array of $bytes bytes: another one fits then"
    case $bytes in 1500M) continue ;; esac
    err_has "this computer has no $(echo "$bytes" | awk '/G/ { printf "%.0f", $0 * 2^30; next } { print }') bytes" \
        "an array of $bytes bytes: a sentence says what is missing"
done
say 'array a u8 80G; devquery; echo next'
err_has 'the device has 85,017,493,504' 'more than the device has is refused by its own size'
out_has 'global memory               85,017,493,504 bytes' 'which has all its digits'
is "$(tail -n 1 "$out")" next 'and the next command works'

# ---- what the module asks of the page ---------------------------------------------------------

# A symbol that no library has would end the program where it is called. So the list is closed. The
# script gives each function under the name that the module asks for, which may be a short one.
cat >"$tmp/asked.cjs" <<'END'
const fs = require('fs'), [script, binary] = process.argv.slice(2);
const asked = new Set(WebAssembly.Module.imports(new WebAssembly.Module(fs.readFileSync(binary))).map((i) => i.name));
const given = /asmLibraryArg *= *{([^}]*)}/.exec(fs.readFileSync(script, 'utf8'))[1];
for (const pair of given.split(',')) {
    const [name, value] = pair.split(':').map((part) => part.trim().replace(/^"|"$/g, ''));
    if (asked.delete(name))
        console.log((value ?? name).replace(/^_*/, ''));
}
asked.delete('memory');
for (const name of asked)
    console.log(name + ' of nobody');
END
for module in "$CUDALAB" "$top_builddir/web/cudalab"; do
    test -f "$module.js" || continue
    node "$tmp/asked.cjs" "$module.js" "$module.wasm" | sort -u >"$tmp/imports"
    sed '/^#/d; s/ .*//; s/^_*//' "$top_srcdir/tests/data/page-imports.txt" | sort >"$tmp/allowed"
    is "$(comm -23 "$tmp/imports" "$tmp/allowed" | tr '\n' ' ')" '' "${module#"$top_builddir/"} asks for nothing else"
    ok 'it asks for some' test "$(wc -l <"$tmp/imports")" -gt 20
done

# ---- the same bytes ---------------------------------------------------------------------------

: "${NATIVE:=$(cd "$top_srcdir" && pwd)/build/cudalab}"
if ! test -x "$NATIVE"; then
    skip "no native program to compare with; NATIVE=PATH names one" 'the same bytes as natively'
    done_testing
fi
# A page has no MPI. A program that has it says something else where the lab scale speaks of it.
parity_not=
"$NATIVE" --no-init --device sim --json -c 'scale --gpus 1 -n 1000' 2>&1 | grep -q 'built without MPI' ||
    parity_not='scale( .*)?'
parity_scripts "$tmp/native" || exit 99
cp -R "$tmp/native" "$tmp/page" || exit 99
mkdir -p "$tmp/toolkit/bin"
printf '#!/bin/sh\nexit 1\n' >"$tmp/toolkit/bin/nvcc"
chmod +x "$tmp/toolkit/bin/nvcc"

# natively NAME FORM; in_page NAME FORM: what the script shows
natively() {
    CUDA_HOME=$tmp/toolkit PATH=$tmp/toolkit/bin:/usr/bin:/bin parity_run "$NATIVE" "$tmp/native" "$1" "$2"
}
in_page() {
    parity_run "$CUDALAB" "$tmp/page" "$1" "$2"
}

commands=0 bytes=0
for script in "$tmp/native"/*.lab; do
    name=$(basename "$script" .lab)
    grep -q '[^ ]' "$script" || continue # all of it differs
    for form in text json narrow; do
        # Lines fit a narrow screen by the same code for all. So labs are tried there in full.
        case $form/$name in narrow/all-help | narrow/session) ;; narrow/*) in_full || continue ;; esac
        natively "$name" $form >"$tmp/native.out"
        in_page "$name" $form >"$tmp/page.out"
        ok "$name, $form: the same bytes" cmp -s "$tmp/native.out" "$tmp/page.out"
        cmp -s "$tmp/native.out" "$tmp/page.out" ||
            diff "$tmp/native.out" "$tmp/page.out" | cut -c1-200 | sed 's/^/# /' | head -6
        bytes=$((bytes + $(wc -c <"$tmp/page.out")))
    done
    commands=$((commands + $(grep -c '[^ ]' "$script")))
    ok "$name: no command ended the program" test -s "$tmp/page.out"
done
diag "$commands commands, $bytes bytes are the same"

# Each exception is needed: each of its commands shows something else here, and the program goes on.
sed -n 's/^\([^#].*[^ ]\)  *| .*/\1/p' "$top_srcdir/tests/data/not-the-same.txt" >"$tmp/rows"
while read -r row; do
    grep -Ex "$row" "$tmp/native/excepted" | sort -u >"$tmp/commands"
    ok "$row: a command is like this" test -s "$tmp/commands"
    while read -r command; do
        printf '%s\necho next\n' "$command" | tee "$tmp/native/one.lab" >"$tmp/page/one.lab"
        natively one text >"$tmp/native.out"
        in_page one text >"$tmp/page.out"
        is "$(tail -n 1 "$tmp/page.out")" next "$command: the next command works"
        ok "$command: it differs" test "$(cat "$tmp/native.out")" != "$(cat "$tmp/page.out")"
    done <"$tmp/commands"
done <"$tmp/rows"

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
    tell "$NATIVE" "$text" >"$tmp/native.out"
    tell "$CUDALAB" "$text" >"$tmp/page.out"
    if grep -q 'built without compilers' "$tmp/native.out"; then
        skip "$NATIVE has no compiler" "$name"
    else
        ok "$name" cmp -s "$tmp/native.out" "$tmp/page.out"
        diff "$tmp/native.out" "$tmp/page.out" | cut -c1-200 | sed 's/^/# /' | head -6
    fi
done
done_testing
