# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion, through the command that shows what Tab would offer.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

offers() { # offers LINE WANTED (joined by blanks)
    say "complete $1"
    is "$(tr '\n' ' ' <"$out" | sed 's/ $//')" "$2" "complete $1"
}
offers tra trap
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
offers 'help race' race
offers 'code tr' trap
offers '"code s"' shfl-trace
offers '"code trap --variant lock"' lockstep
offers '"echo a; tra"' trap
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

# In bash.
if command -v bash >/dev/null; then
    got=$(bash -c '. "$1"; COMP_WORDS=(cudalab --ste) COMP_CWORD=1; _cudalab
        echo "${COMPREPLY[*]}"' bash "$top_srcdir/completion/cudalab" 2>/dev/null)
    is "$got" --step-limit 'bash completes options'
    lab --help </dev/null
    bad=
    for option in $(sed -n 's/^  \(--*[a-z-]*\) .*/\1/p' "$out"); do
        grep -Fqe "$option" "$top_srcdir/completion/cudalab" || bad="$bad $option"
    done
    is "$bad" '' 'and knows each of them'
else
    skip 'no bash' 'bash completes options'
fi

done_testing
