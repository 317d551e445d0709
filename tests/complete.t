# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion, through the command that shows what Tab would offer.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

offers() { # offers LINE WANTED (joined by blanks)
    say "complete $1"
    is "$(tr '\n' ' ' <"$out" | sed 's/ $//')" "$2" "complete $1"
}
offers tra 'transcript trap'
offers pla play
offers 'snap --theme d' dark
offers 'co' 'code compare complete counters'
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
offers 'code tr' trap
offers '"code s"' shfl-trace
offers '"code trap --variant lock"' lockstep
offers '"echo a; tra"' 'transcript trap'
offers '"# tra"' ''
offers 'echo x' ''

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
say "complete source $tmp/dir/" --safe
out_empty 'under --safe no folder is looked at'

done_testing
