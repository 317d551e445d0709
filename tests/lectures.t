# SPDX-License-Identifier: GPL-3.0-or-later
#
# The lectures: each plays to its end, on a projector of 20 lines with 60 columns, and what its
# slides say is what the screens show.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler

cd "$top_srcdir/lectures" || exit 99

# of COMMAND PATH [K]: what the K-th such command of the lecture that was played told
of() {
    of_line=$(grep -nF "{\"command\":\"$1\"" "$out" | sed -n "${3-1}s/:.*//p")
    "$JSONGET" "${of_line:-0}:$2" <"$out"
}
line() { # line FILE TEXT [K]: the number of the K-th line with it
    grep -nF "$2" "$1" | sed -n "${3-1}s/:.*//p"
}

# A lecture finds its kernels wherever it is played, and a script its files.
cd "$PWD/.." || exit 99
say 'play lectures/tree.lab'
status_is 0 'a lecture of another folder plays to its end'
lab lectures/tree.lab
status_is 0 'and as a script it runs'
mkdir "$tmp/elsewhere"
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n' \
    | tee "$tmp/elsewhere/k.ptx" >"$tmp/elsewhere/secret.ptx"
echo 'load k.ptx; launch k<<<1,1>>>()' >"$tmp/elsewhere/s.lab"
echo 'load secret.ptx' >"$tmp/elsewhere/t.lab"
lab --safe --allow "$tmp/elsewhere/k.ptx" "$tmp/elsewhere/s.lab"
status_is 0 'under --safe a file that is allowed is found beside the script, too'
lab --safe --allow "$tmp/elsewhere/k.ptx" "$tmp/elsewhere/t.lab"
status_is 1 'and no other one'
err_has 'under --safe `secret.ptx` can'\''t be read' 'of which nothing is told'
cd lectures || exit 99

for lecture in *.lab; do
    name=${lecture%.lab}
    steps=$(grep -vc '^#\|^$' "$lecture")
    ok "$name: 12 to 25 steps" test "$steps" -ge 12 -a "$steps" -le 25
    is "$(awk '/^#:/ && length($0) > 78' "$lecture")" '' "$name: slides of a usual width"
    is "$(awk 'length($0) > 52' "$name.cu")" '' "$name: no line of a kernel is cut"
    is "$(grep -c '^#: Question: .*' "$lecture") $(tail -n 3 "$lecture" | grep -c '^#: Answer: ')" \
        '1 1' "$name: a question, and its answer at the end"
    for width in 60 80; do
        say "set width $width; play $lecture"
        status_is "$(test -s "$err" && echo 1 || echo 0)" "$name: it plays to its end"
        ok "$name: no error but the mistakes that are found" test "$(grep -vc '^[a-z]*.lab:[0-9]*: [a-z-]*: .*([a-z]*.cu:[0-9]*)$' "$err")" -eq 0
        is "$(awk -v w=$width 'length($0) > w' "$out")" '' "$name: $width columns suffice"
        # The views of step tell of the lanes, or that the launch or a lane has ended.
        is "$(awk '
            /^cudalab> / { if (view && n > 20) print what, n; what = $0; n = view = 0 }
            /^$/ { if (view && n > 20) print what, n; view = 0 }
            { n++ }
            /^lanes  |^\(the / { view = 1 }' "$out")" '' \
            "$name: each view of $width columns has at most 19 lines, and its command"
    done
    say_json "play $lecture"
    cp "$out" "$tmp/$name.json"
done
played() { # played NAME: `of` asks about it
    cp "$tmp/$1.json" "$out"
}

played divergence
is "$(of 'to divergence' '.result.groups[0].lanes')" 0x55555555 'divergence: even lanes'
is "$(of 'to divergence' '.result.groups[1].lanes')" 0xaaaaaaaa 'divergence: odd lanes'
is "$(of 'until 9' .result.line)" "$(line divergence.cu 'return -v')" 'divergence: line 9 is in negative'
is "$(of 'until 4' '.result.groups[0].lanes')" 0x55555555 'divergence: line 4 is for the even lanes'
is "$(of 'rstep 3' '.result.groups[0].lanes')" 0xffffffff 'divergence: the whole warp before'
is "$(of 'to divergence' .result.stop 2)" not-there 'divergence: none in the second kernel'
ok 'divergence: which needs fewer instructions' \
    test "$(of 'to end' .result.place 2)" -lt "$(of 'to end' .result.place)"

played tree
is "$(of 'until 11' '.result.groups[0].lanes')" 0x3f 'tree: six lanes add'
is "$(of 'until 11' '.result.groups[0].lanes' 2)" 0x7 'tree: three lanes add'
is "$(of 'until 11' '.result.groups[0].lanes' 3)" 0x1 'tree: one lane adds'
is "$(of 'until 11' '.result.variables.d[0]' 2)" 3 'tree: the variable d is on the screen'
is "$(of 'print s[0]' '.result.values[0]')" 8 'tree: and the sum is wrong'
is "$(of 'print x' '.result.values[0]')" 12 'tree: that of the other kernel is right'
is "$(of 'print x' '.result.values[0]' 2)" 8 'tree: as is that of eight numbers'

played shuffle
is "$(of 'until 11' '.result.variables.v[0]') $(of 'until 11' '.result.variables.v[1]')" '496 512' \
    'shuffle: only lane 0 has 496'
is "$(of rstep '.result.variables.v[0]') $(of rstep '.result.variables.v[1]')" '240 256' \
    'shuffle: 240 and 256 are before it'
is "$("$JSONGET" "$(grep -nF '{"command":"next 2"' "$out" | cut -d: -f1):.result.variables.v" <"$out" |
    tr -d '[]' | tr , '\n' | sort -u | paste -s -d' ' -)" '240 256' 'shuffle: two different sums are left'
is "$(of 'print x[0..3]' .result.values)" '[496,496,496,496]' 'shuffle: and then one'

played race
is "$(of 'launch shift<<<1, 64>>>(x)' '.faults[0].kind')" race-shared 'race: it is found'
is "$(of step .result.finding.thread.warp) $(of step .result.finding.other.warp)" '1 0' \
    'race: warp 1 reads what warp 0 has written'
is "$(of step .result.line)" "$(line race.cu 'x[i] = s[')" 'race: it is about to'
is "$(of 'print s[63]' '.result.values[0]')" 0 'race: s[63] is not written when warp 0 has ended'
is "$(of 'print x[0..3]' .result.values)" '[0,0,1,2]' 'race: so x[0] is wrong'
is "$(of 'print x[32..35]' '.result.values[0]')" 0 'race: in another order x[32] is wrong'
is "$(of 'to barrier' '.result.warps[0].groups[0].state')" barrier 'race: at the barrier warp 0 waits'
is "$(of 'print s[63]' '.result.values[0]' 2)" 63 'race: for what warp 1 writes'
is "$(of 'print x[0..3]' .result.values 2)" '[63,0,1,2]' 'race: then x[0] is right'
is "$(of 'launch mended<<<1, 64>>>(x)' .status)" ok 'race: and nothing is found'

played deadlock
is "$(of 'launch apart<<<1, 64>>>(x)' '.faults[0].kind')" deadlock 'deadlock: it is found'
is "$(of step '.result.warps[0].groups[0].line')" "$(line deadlock.cu 'wait(1)')" \
    'deadlock: warp 0 waits at one barrier'
is "$(of 'warp 1' .result.line)" "$(line deadlock.cu 'wait(2)')" 'deadlock: warp 1 comes to the other'
is "$(of stepi .result.fault)" deadlock 'deadlock: one instruction more'
is "$(of 'rstep 2' .result.line)" "$(line deadlock.cu 'if (i < 32)')" 'deadlock: the branch before'
is "$(of 'until 22' '.result.warps[0].groups[0].state' 2)" barrier 'deadlock: mended, warp 0 waits'
is "$(of 'print x[0]' '.result.values[0]')" 63 'deadlock: and both come to the end'

# ---- a lecturer who moves by hand -----------------------------------------------------------------

if has_terminal; then
    at_terminal "exec '$CUDALAB' --quiet --no-init" <<'END'
see "cudalab> "
key "play tree.lab --from 3\r"
see "play 3/24> "
key "goto 1\r"
see "play 1/24> "
key "\r"
see "play 2/24> "
key "\r"
see "play 3/24> "
key "\r"
see "play 4/24> "
key "\r"
see ">    8  "
see "play 5/24> "
key "back 1\r"
see ">    7  "
key "n\r"
see ">    8  "
key "q\r"
see "The launch is left."
key "quit\r"
see "cudalab> "
key "\004"
END
    status_is 0 'by hand: words of step move the launch, and the lecture waits'
else
    skip 'no terminal' 'by hand: words of step move the launch, and the lecture waits'
fi
done_testing
