# SPDX-License-Identifier: GPL-3.0-or-later
#
# Help, and that the manual page has every option and command.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say help
status_is 0 'help'
for word in Labs Reading 'The session' Help Topics; do
    out_has "$word" "help: $word"
done
ok 'help fits 80 columns' test "$(awk 'length > 80' "$out" | wc -l)" -eq 0
say help --no-init
cp "$out" "$tmp/help"

# Every command has help, and it names all its options.
commands=$(sed -n 's/^  \([a-z-][a-z-]*\)  *[a-zA-Z].*/\1/p' "$tmp/help" | sort -u)
for command in trap set quit complete; do
    ok "help lists $command" sh -c 'echo "$1" | grep -qx "$2"' sh "$commands" "$command"
done
bad=
for command in $(awk '/^Topics/ { exit } /^  / { print $1 }' "$tmp/help"); do
    say "help $command"
    test "$status" = 0 && grep -q "^$command" "$out" || bad="$bad $command"
done
is "$bad" '' 'help COMMAND for each'
bad=
for topic in $(awk '/^Topics/ { on = 1; next } on && /^  / { print } on && !/^  / { exit }' \
    "$tmp/help"); do
    say "help $topic"
    test "$status" = 0 && test -s "$out" || bad="$bad $topic"
done
is "$bad" '' 'help TOPIC for each'

say 'help trap'
out_has '--variant NAME' 'help trap has its options'
out_has '1 to 2147483647' 'their ranges'
cp "$out" "$tmp/help-trap"
say 'trap --help'
ok 'trap --help is the same' cmp -s "$tmp/help-trap" "$out"
say 'trap -h'
ok 'and trap -h' cmp -s "$tmp/help-trap" "$out"
out_like '^  race +\+= without atomic' 'it lists the variants'
ok 'help trap fits 80 columns' test "$(awk 'length > 80' "$out" | wc -l)" -eq 0
say '? trap'
ok '? trap is the same' cmp -s "$tmp/help-trap" "$out"
say 'help exit'
out_like '^quit: ' 'help for another name'
say 'apropos SHUFFLE'
out_like '^  trap ' 'apropos, in any case'
say 'trap -n 64; explain'
status_is 0 'explain'

say 'code trap --variant shuffle'
out_has '__shfl_down_sync' 'code shows the kernel'
out_lacks 'trap_atomic(' 'and no other'
out_lacks '//:' 'nor the marks between'
line=$(grep -n 'void trap_shuffle(' "$top_srcdir/kernels/trap.cu" | cut -d: -f1)
out_like "^ *$line  extern" "with the file's own line numbers"
say "code trap --variant atomic --save $tmp/saved.cu"
ok 'code --save' grep -q '^extern "C" __global__ void trap_atomic' "$tmp/saved.cu"
for lab in $(sed 's/#.*//' "$top_srcdir/src/labs/LIST"); do
    say "code $lab; ptx $lab"
    status_is 0 "code and ptx of $lab"
    out_has .entry "ptx $lab has a kernel"
done
say 'ptx trap --variant shuffle'
out_has 'shfl.sync.down.b32' 'ptx shows instructions'
out_like '// trap\.cu:[0-9]+ ' 'beside the source'
say 'ptx trap_atomic'
out_like 'atom|red' 'ptx takes a kernel too'

# A line of Try works when all of it is pasted, remark and all.
say 'banks 32'
awk '/^Try/ { on = 1 } on { print substr($0, 6) }' "$out" >"$tmp/tries"
is "$(wc -l <"$tmp/tries" | tr -d ' ')" 3 'banks has three things to try'
script <"$tmp/tries"
status_is 0 'which work when the whole line is pasted'

# ---- the manual page ----------------------------------------------------------------------

page=$top_srcdir/man/cudalab.1
lab --help </dev/null
bad=
for option in $(sed -n 's/^  -\(-*[a-z-]*\) .*/\1/p' "$out"); do
    grep -Eq "^\.It Fl $option( |\$)" "$page" || bad="$bad -$option"
done
is "$bad" '' 'the manual has every option'
bad= # the labs are left out: `help` lists them, so that a new one needs no change there
for command in $(awk '/^Topics/ { exit } /^[A-Z]/ { lab = $1 == "Labs" }
                      /^  / && !lab { print $1 }' "$tmp/help"); do
    grep -Eq "^\.It Ic $command( |\$)" "$page" || bad="$bad $command"
done
is "$bad" '' 'and every command that is no lab'
ok 'the manual tells where labs are listed' grep -q 'lists the labs' "$page"
if command -v mandoc >/dev/null; then
    is "$(mandoc -T lint -W warning "$page" 2>&1)" '' 'mandoc finds nothing wrong in it'
else
    skip 'no mandoc' 'mandoc finds nothing wrong in it'
fi

done_testing
