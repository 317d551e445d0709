# SPDX-License-Identifier: GPL-3.0-or-later
#
# README and HACKING show what really happens. A block that starts with ```console is a
# transcript: a line "cudalab> COMMAND" is run, and what follows, up to the next such line,
# must be what comes out. The commands of a block are one session; what they write to stderr is
# not shown. A line that is only "..." stands for any lines, and at a line's end for its rest. A
# shell line "$ ./quickstart ... -c 'COMMAND'" is run by this build's cudalab in its place. A block
# ```cuda is a file, whose name its first line tells.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# Cut the transcripts into $tmp/N.command and $tmp/N.wanted; $tmp/N.before has the commands that
# came before it in its block.
cut_transcripts() {
    awk -v tmp="$tmp" '
        function begin(kind, text) {
            n++
            print kind > (tmp "/" n ".kind")
            print text > (tmp "/" n ".command")
            printf "%s", before > (tmp "/" n ".before")
            before = before text "\n"
            printf "" > (tmp "/" n ".wanted")
        }
        /^```console/ { inside = 1; before = ""; next }
        /^```cuda/ { file = "?"; next }
        /^```/ { inside = 0; open = 0; file = ""; next }
        file == "?" { file = tmp "/" $2 }
        file != "" { print > file; next }
        !inside { next }
        /^cudalab> / { begin("say", substr($0, 10)); open = 1; next }
        /^\$ / { open = 0 }
        /^\$ \.\/quickstart .*-c / {
            sub(/^\$ \.\/quickstart (-y )?/, "")
            begin("shell", $0)
            open = 1
            next
        }
        open { print > (tmp "/" n ".wanted") }
        END { print n + 0 }' "$1"
}

# without_margins: no blank lines before and after
without_margins() {
    sed -e '/./,$!d' | awk '{ b = b $0 "\n" } /./ { printf "%s", b; b = "" }'
}

# matches WANTED GOT: the same lines, where "..." stands for any number of them.
matches() {
    awk '
        NR == FNR { want[++w] = $0; next }
        { got[++g] = $0 }
        function fits(i, j, rest) {
            for (; i <= w; i++) {
                if (want[i] == "...") {
                    for (; j <= g + 1; j++)
                        if (fits(i + 1, j)) return 1
                    return 0
                }
                if (j > g) return 0
                rest = want[i] ~ /[^.]\.\.\.$/ ? length(want[i]) - 3 : 0
                if (rest ? substr(want[i], 1, rest) != substr(got[j], 1, rest) : want[i] != got[j])
                    return 0
                j++
            }
            return j == g + 1
        }
        END { exit !fits(1, 1) }' "$1" "$2"
}

loads=$(can_load && echo yes)
runs=$(test "$BUILD_KIND" = plain && runs_programs && echo yes)

# said COMMANDS: what a session of these writes.
said() {
    lab --device sim -f - <"$1"
    cat "$out"
}

run_transcripts() {
    file=$top_srcdir/$1
    rm -f "$tmp"/*.command "$tmp"/*.wanted "$tmp"/*.kind "$tmp"/*.before
    total=$(cut_transcripts "$file")
    number=1
    while test "$number" -le "$total"; do
        command=$(cat "$tmp/$number.command")
        if test -z "$loads" && grep -q '^load ' "$tmp/$number.before" "$tmp/$number.command"; then
            skip 'there is no compiler of CUDA C' "$1 says what comes of: $command"
            number=$((number + 1))
            continue
        fi
        if test -z "$runs" && grep -q '^run ' "$tmp/$number.command"; then
            skip 'this build starts no programs' "$1 says what comes of: $command"
            number=$((number + 1))
            continue
        fi
        if test "$(cat "$tmp/$number.kind")" = say; then
            said "$tmp/$number.before" >"$tmp/before"
            cat "$tmp/$number.before" "$tmp/$number.command" >"$tmp/session"
            said "$tmp/session" | tail -c "+$(($(wc -c <"$tmp/before") + 1))" >"$tmp/part"
            cp "$tmp/part" "$out"
        else
            eval "lab $command </dev/null"
        fi
        # Blank lines round an answer are the page's own.
        without_margins <"$tmp/$number.wanted" >"$tmp/wanted"
        without_margins <"$out" >"$tmp/got"
        matches "$tmp/wanted" "$tmp/got"
        result=$?
        verdict $result "$1 says what comes of: $command"
        test $result = 0 || diff -u "$tmp/wanted" "$tmp/got" | sed 's/^/#   /'
        number=$((number + 1))
    done
    test "$total" -gt 0
    verdict $? "$1 has transcripts"
}

cd "$tmp" || exit 99
run_transcripts README.md

# What README promises about files must be there.
lacking=
for file in $(sed -n 's/.*](\([A-Za-z0-9_./-]*\)).*/\1/p' "$top_srcdir/README.md" \
    "$top_srcdir/HACKING.md"); do
    test -e "$top_srcdir/$file" || lacking="$lacking $file"
done
is "$lacking" '' 'the files that README and HACKING point to are there'

done_testing
