# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion, through the command that shows what Tab would offer.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

offers() { # offers LINE WANTED (joined by blanks)
    say "complete $1"
    is "$(tr '\n' ' ' <"$out" | sed 's/ $//')" "$2" "complete $1"
}
offers tra 'transcript transpose trap'
offers pla play
offers 'snap --theme d' dark
offers 'co' 'coalesce code compare complete counters'
offers 'trap --var' --variant
offers 'trap --variant bl' 'block-1024 block-shared block-shuffle'
offers 'trap --variant=bl' 'block-1024 block-shared block-shuffle'
offers 'trap -n 5 --variant gr' gridstride
offers 'nosuch --x' ''
offers 'set time' time-limit
offers '"set color "' 'always auto never'
offers 'set device sim:h' sim:h100
offers 'set counters o' 'off on'
offers 'show sch' schedule
offers 'help apro' apropos
offers 'help race-g' race-global
offers 'code tr' 'transpose trap'
offers '"code s"' 'scale shared shfl-trace stencil streams sum sumtree'
offers '"code trap --variant lock"' lockstep
offers '"echo a; tra"' 'transcript transpose trap'
offers '"# tra"' ''
offers 'echo x' ''

offers 'help proj' projector
offers 'launch sca' ''

say 'complete "trap --"'
out_has --variant 'options of a lab'
out_has --json 'options of all labs'
say 'complete "trap --trace --"'
out_lacks --trace 'not those that stand there'
say 'complete ""'
for command in trap set help quit; do
    ok "a blank line offers $command" grep -qx "$command" "$out"
done

mkdir "$tmp/dir"
: >"$tmp/dir/one.lab"
: >"$tmp/dir/two.lab"
mkdir "$tmp/dir/sub"
offers "source $tmp/dir/" "$tmp/dir/one.lab $tmp/dir/sub/ $tmp/dir/two.lab"
offers "source $tmp/dir/o" "$tmp/dir/one.lab"
offers "play $tmp/dir/o" "$tmp/dir/one.lab"
offers "replay $tmp/dir/o" "$tmp/dir/one.lab"
offers "transcript $tmp/dir/o" "$tmp/dir/one.lab"
offers "snap $tmp/dir/o" "$tmp/dir/one.lab"
HOME=$tmp/dir
export HOME
offers 'source ~/o' '~/one.lab'
echo 'echo at home' >"$tmp/dir/one.lab"
say 'source ~/one.lab; echo ~/one.lab; source "~/one.lab"'
is "$(tr '\n' '|' <"$out")" 'at home|~/one.lab|' 'and ~/ is home, but not in quotes'
mkdir "$tmp/dir/sub/more"
: >"$tmp/dir/sub/k.cu"
: >"$tmp/dir/sub/k.txt"
: >"$tmp/dir/sub/two words.cu"
say "complete load $tmp/dir/sub/"
is "$(sed 's,.*/sub/,,' "$out" | tr '\n' '|')" 'k.cu|more/|two words.cu|' 'load: what it can load'
say "complete load $tmp/dir/"
is "$(sed 's,.*/dir/,,' "$out" | tr '\n' '|')" 'sub/|' 'and where that may be'
say "complete 'load \"$tmp/dir/sub/two w'"
is "$(cat "$out")" "$tmp/dir/sub/two words.cu" 'within a quote, a blank is part of the name'
say "complete source $tmp/dir/" --safe
out_empty 'under --safe no folder is looked at'

# ---- all there is ---------------------------------------------------------------------------

# unique BEFORE <NAMES: for each name a line `BEFORE beginning|name`, the beginning as short as no
# other name has it.
unique() {
    awk -v before="$1" '{ name[NR] = $0 }
        END { for (i = 1; i <= NR; i++) {
                  for (k = 1; k < length(name[i]); k++) {
                      others = 0
                      for (j = 1; j <= NR; j++)
                          others += j != i && index(name[j], substr(name[i], 1, k)) == 1
                      if (!others) break
                  }
                  if (k < length(name[i])) print before substr(name[i], 1, k) "|" name[i] } }'
}
# answers <LINES|WANTED: what `complete` says to each line, in one session; prints what is wrong.
answers() {
    cat >"$tmp/asked"
    sed 's/\(.*\)|.*/echo @; complete "\1"/' "$tmp/asked" | script
    awk -F'|' 'NR == FNR { line[NR] = $1; want[NR] = $2; next }
        /^@$/ { n++; next } { got[n] = got[n] (got[n] == "" ? "" : " ") $0 }
        END { for (i in want) if (got[i] != want[i]) print line[i] " gives " got[i] }' \
        "$tmp/asked" "$out"
    test "$(grep -c '^@$' "$out")" = "$(wc -l <"$tmp/asked" | tr -d ' ')" || echo 'no answer'
}
say 'complete ""'
cp "$out" "$tmp/commands"
is "$(unique '' <"$tmp/commands" | answers)" '' \
    'a unique beginning of every command completes to it'
bad= options=0
for command in $(cat "$tmp/commands"); do
    say "complete \"$command -\""
    options=$((options + $(wc -l <"$out")))
    cp "$out" "$tmp/options"
    bad=$bad$(unique "$command " <"$tmp/options" | answers)
    say "help $command"
    for option in $(cat "$tmp/options"); do
        grep -Eq -e "^  $option( |\$)" "$out" || bad="$bad no help: $command $option"
    done
done
is "$bad" '' 'one of every option does too, and `help COMMAND` has it'
ok 'and there are many' test "$options" -gt 50
say 'complete "set "'
cp "$out" "$tmp/settings"
is "$(unique 'set ' <"$tmp/settings" | answers)" '' 'one of every setting'
bad=
for setting in $(cat "$tmp/settings"); do
    say "help $setting; show $setting"
    grep -q "^set $setting: ..*" "$out" && grep -Eq "^$setting +[^ ]+ +[^ ]" "$out" &&
        test "$status" = 0 || bad="$bad $setting"
    say "complete \"set $setting \""
    cp "$out" "$tmp/values"
    bad=$bad$(unique "set $setting " <"$tmp/values" | answers)
done
is "$bad" '' 'each has its help, and its values complete'
say 'complete "set device "'
is "$(grep -c '^sim:' "$out")" 10 'every profile is offered'

printf '.version 6.4\n.target sm_70\n.address_size 64\n%s\n' \
    '.visible .entry matvec(.param .u64 x) { ret; }' >"$tmp/k.ptx"
given() { # given LINE WANTED: with a kernel and two arrays
    say "load $tmp/k.ptx; array left f32 8; array lower f32 8; echo @; complete '$1'"
    is "$(sed '1,/^@$/d' "$out" | tr '\n' ' ' | sed 's/ $//')" "$2" "complete $1"
}
given 'launch ma' matvec
given 'code matv' matvec
given 'ptx matv' matvec
given 'launch matvec<<<1,32>>>(le' left
given 'launch matvec<<<1,32>>>(left, l' 'left lower'
given 'print le' left
given 'fill lo' lower
given 'save le' left
given 'free l' 'left lower'
given 'echo x; print le' left

done_testing
