# SPDX-License-Identifier: GPL-3.0-or-later
#
# Every command of the first three sessions with every variant, as tests/data/labs.txt lists them:
# right ones right, wrong ones failing as their row says; nothing that the program offers is
# missing there; what they say to try works, of which a sample is tried; and the time that it takes, on one core.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/labs.sh"

# cpu: seconds of all processes that have ended, user and system
cpu() {
    times >"$tmp/times"
    awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); s += t[1] * 60 + t[2] } print s }' \
        "$tmp/times" >"$tmp/cpu"
}
less() { # less A B LIMIT: A - B is at most that
    awk -v a="$1" -v b="$2" -v limit="$3" 'BEGIN { exit !(a - b <= limit) }'
}

labs_list
ok 'there are commands' test "$(wc -l <"$tmp/rows")" -gt 300

# ---- nothing is missing -------------------------------------------------------------------

row_is() { # row_is COMMAND: what it shows
    awk -F'\t' -v command="$1" '$3 == command { print $1; exit }' "$tmp/rows"
}
shown() { # shown REGEX: is there such a command?
    cut -f 3 "$tmp/rows" | grep -Eq -e "$1"
}

say help
reading=$(sed -n '/^Reading and the machine/,/^$/s/^  \([a-z-]*\) .*/\1/p' "$out")
for command in $reading $(lab_names); do
    ok "$command is in the list" shown "^$command( |\$)"
    say "complete \"$command --\"; complete \"$command -\""
    for option in $(grep '^-' "$out" | sort -u); do
        case $option in
        --json | --long | --svg | --trace | --counters | --repeat) continue ;;
        --blocks | --threads | --seed) continue ;;
        esac
        ok "$command $option is in the list" shown "^$command .*$option( |\$)"
    done
done
for command in $(lab_names); do
    say "help $command"
    sed -n '/^wrong on purpose$/,/^$/s/^  \([a-z0-9-]*\) .*/\1/p' "$out" >"$tmp/wrong"
    say "complete \"$command --variant \""
    grep -v '^-' "$out" >"$tmp/variants"
    while IFS= read -r variant; do
        shows=$(row_is "$command --variant $variant")
        if grep -qx -e "$variant" "$tmp/wrong"; then
            like "$shows" '^(fault .*|wrong)$' "$command --variant $variant: wrong on purpose, and listed so"
        else
            like "$shows" '^(right|library)$' "$command --variant $variant: listed as right"
        fi
    done <"$tmp/variants"
done

# ---- what is taken if an option is not given ----------------------------------------------

# The options of the help, each in one line.
options_of() {
    awk '/^  -/ { if (line) print line; line = $0; next }
         line && /^      / { sub(/^ +/, " "); line = line $0; next }
         line { print line; line = "" }
         END { if (line) print line }' "$out"
}
for command in $(lab_names); do
    say "help $command"
    options_of >"$tmp/options"
    is "$(grep 'if not given.*if not given' "$tmp/options")" '' "$command: no option has two defaults"
    is "$(grep '([a-z][^ ]* if not given)' "$tmp/options")" '' "$command: a default that is a word is quoted"
    default=$(sed -n 's/^  --variant .*(`\([a-z0-9-]*\)` if not given)$/\1/p' "$tmp/options")
    grep -q '^  --variant ' "$tmp/options" || continue
    say_json "$command"
    json_is .result.variant "$default" "$command: without --variant it runs what its help says"
done

# ---- host calls ---------------------------------------------------------------------------

# Each lab with a kernel takes --calls. A variant with a kernel has a section `== calls` in the help
# of its lab: all slots have a value, and each call has a remark. What stands in Why is of these
# calls: it names no function of CUDA or of its libraries that the variant does not call.

# A line for each result with such a function: the command, and the functions.
names_others() {
    awk '{
        at = index($0, "\"explain\":"); end = index($0, "\",\"try\":")
        calls = substr($0, 1, at); why = substr($0, at, end - at); others = ""
        while (match(why, /(cuda|cublas)[A-Z][A-Za-z0-9_]*/)) {
            name = substr(why, RSTART, RLENGTH)
            why = substr(why, RSTART + RLENGTH)
            if (!index(calls, name)) others = others " " name
        }
        split($0, part, "\"")
        if (others) print part[4] ":" others
    }' "$out"
}
for command in $(lab_names); do
    say "complete \"$command --\""
    if ! grep -qx -e --calls "$out"; then
        say "code $command"
        is "$status" 1 "$command has no --calls, so it has no kernel"
        continue
    fi
    case $command in
    hello) operand=' 2 4' ;;
    grid) operand=' 4 5' ;;
    shfl-trace) operand=' down 1' ;;
    *) operand= ;;
    esac
    say "complete \"$command --variant \""
    { grep -v -e '^-' -e '^all$' "$out" | sed 's/^/ --variant /' | grep . || echo; } >"$tmp/variants"
    sed "s/^/$command$operand/; s/\$/ --calls/" "$tmp/variants" >"$tmp/calls.lab"
    lab "$tmp/calls.lab" </dev/null
    like "$(cat "$err")" '^([^ ]*: [a-z]* runs on the host and calls no device.*)?$' \
        "$command --calls: none is refused but what runs on the host"
    shown=$(grep -c '^  1  ' "$out")
    is "$((shown + $(grep -c 'runs on the host' "$err")))" "$(wc -l <"$tmp/calls.lab" | tr -d ' ')" \
        'each other variant has calls'
    is "$(awk '/^ +[0-9]+  / { call = NR; if (/[{}]/) print; next }
               call && NR == call + 1 && !/^       [^ ]/' "$out")" '' \
        'each of them with its values, and a remark'
    cut -f 3 "$tmp/rows" | grep -e "^$command .*--calls" >>"$tmp/calls.lab"
    lab --json "$tmp/calls.lab" </dev/null
    is "$(names_others)" '' 'Why names only functions that are called'
done

# ---- what they show -----------------------------------------------------------------------

cpu && before=$(cat "$tmp/cpu")
labs_run sim sim
cpu && after=$(cat "$tmp/cpu")
labs_judge sim

# ---- what they say to try -------------------------------------------------------------------

# Each command works, unchanged, in a session of its own, or it is wrong on purpose.
refused() { # refused COMMAND: it fails, but not on purpose
    say_json "$1" --device sim
    case $("$JSONGET" .status <"$out") in ok | fault) return 1 ;; esac
    grep -q ' is wrong on purpose' "$err" && return 1
    diag "$1: $(sed -n 1p "$err")"
}
# .ci/run tries them once. A build or a wrapper for looking inside starts too slowly.
if test -z "${KERNELS_ONLY:-}$CUDALAB_WRAPPER" && test "$BUILD_KIND" = plain; then
    labs_tries <"$tmp/sim.leaves" >"$tmp/tries"
    ok 'labs say what to try' test "$(wc -l <"$tmp/tries")" -gt 300
    for command in $(lab_names); do
        grep -q "^$command" "$tmp/tries" || echo "$command"
    done >"$tmp/never"
    is "$(tr '\n' ' ' <"$tmp/never")" '' 'and each lab is tried from somewhere'
    bad=0
    sample 3 <"$tmp/tries" >"$tmp/tried"
    while IFS= read -r command; do
        refused "$command" && bad=$((bad + 1))
    done <"$tmp/tried"
    is $bad 0 "each of the $(wc -l <"$tmp/tried" | tr -d ' ') works in a session of its own"
fi

# ---- how long it takes --------------------------------------------------------------------

if test "$BUILD_KIND" != plain || test -n "$CUDALAB_WRAPPER"; then
    skip 'this build or its wrapper is for looking inside' 'how long it takes'
    done_testing
fi
diag "all $(wc -l <"$tmp/rows" | tr -d ' ') commands in one session:" \
    "$(echo "$after $before" | awk '{ printf "%.1f", $1 - $2 }') s of one core, user and system"
ok 'all of them within 60 s of one core' less "$after" "$before" 60
awk -F'\t' '{ split($3, word, " ") } !seen[word[1]]++ { print $3 }' "$tmp/rows" >"$tmp/first"
while IFS= read -r command; do
    cpu && before=$(cat "$tmp/cpu")
    say "$command"
    cpu && after=$(cat "$tmp/cpu")
    ok "$command: within half a second, start included" less "$after" "$before" 0.5
    echo "$after $before" | awk -v command="$command" '{ printf "%.2f s  %s\n", $1 - $2, command }' \
        >>"$tmp/slow"
done <"$tmp/first"
sort -r "$tmp/slow" | sed 's/^/# /'
done_testing
