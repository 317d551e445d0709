# SPDX-License-Identifier: GPL-3.0-or-later
#
# The manual: every command, option and setting has its help; every word that a text refers to
# is explained; what a text says to try works as it stands; and the manual page, --help and the
# completion for bash have what the tables have, no more. The program is started a few times
# only: most of it is one script of `help NAME`.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

help=$top_srcdir/help

# ---- what there is --------------------------------------------------------------------------

say 'set width 72; help'
cp "$out" "$tmp/help"
status_is 0 'help'
for class in Labs 'Your own kernels' 'The session' Help; do
    out_like "^$class" "help: $class"
done
# Labs grow in number, and are the first of it; the rest is one screen.
rest=$(sed -n '/^Your own kernels/,$p' "$tmp/help" | wc -l)
ok 'what follows the labs is one screen of 50 lines' test "$rest" -gt 0 -a "$rest" -le 50
ok 'of 72 columns' test "$(awk 'length > 72' "$tmp/help" | wc -l)" -eq 0
awk '/^  [a-z]/ { print $1 }' "$tmp/help" >"$tmp/commands"
lab_names >"$tmp/labs"
say show
awk '/^[a-z]/ { print $1 }' "$out" >"$tmp/settings"
for command in trap set quit complete; do
    ok "help lists $command" grep -qx "$command" "$tmp/commands"
done
ok 'show lists settings' grep -qx projector "$tmp/settings"
(cd "$help" && ls) | sed -n 's/\.txt$//p' | sort >"$tmp/files"
for file in $(cat "$tmp/files"); do
    sed -n 's/^also://p' "$help/$file.txt"
done | tr ' ' '\n' | sed '/^$/d' | sort >"$tmp/also"
cat "$tmp/commands" "$tmp/settings" | sort -u >"$tmp/tables"
comm -23 "$tmp/files" "$tmp/tables" | sed '/^topics$/d' >"$tmp/topics"

is "$(uniq -d "$tmp/also" | tr '\n' ' ')" '' 'no word leads to two texts'
is "$(comm -12 "$tmp/also" "$tmp/files" | tr '\n' ' ')" '' 'or to another than its own'
is "$(sort "$tmp/commands" | comm -23 - "$tmp/files" | tr '\n' ' ')" '' 'every command has a text'
bad=
for file in $(cat "$tmp/files"); do
    head -n 1 "$help/$file.txt" | grep -q "^$file: [^ ].*[^.]\$" || bad="$bad $file"
    grep -Eq "^== try\$|\`$file " "$help/$file.txt" || bad="$bad $file(try)"
done
is "$bad" '' 'every text begins with its name and a summary, and has something to try'
is "$(grep -lE '[{][a-z_]+$' "$help"/*.txt)" '' 'no {slot noun} is broken at the end of a line'
is "$(LC_ALL=C grep -l '[^ -~]' "$help"/*.txt)" '' 'texts are in ASCII'

awk '/^  [A-Z]/ { print substr($0, 18) }' "$help/topics.txt" | tr ' ' '\n' | sed '/^$/d' |
    sort >"$tmp/listed"
is "$(comm -23 "$tmp/topics" "$tmp/listed" | tr '\n' ' ')" '' 'help topics lists every topic'
is "$(uniq -d "$tmp/listed" | tr '\n' ' ')" '' 'each once'
is "$(comm -13 "$tmp/files" "$tmp/listed" | tr '\n' ' ')" '' 'and nothing else'

# ---- every word has its help ----------------------------------------------------------------

# Words that a text refers to: (help X, help Y), also in what the program prints.
{
    cat "$help"/*.txt
    cat $(find "$top_srcdir/src" -name "*.c" -o -name "*.def")
} | tr '\n' ' ' | tr -s ' ' | grep -o '(help [^)]*)' | tr -d '(),' | tr ' ' '\n' |
    sed '/^help$/d; /^$/d' | sort -u >"$tmp/referred"
ok 'texts refer to one another' test "$(wc -l <"$tmp/referred")" -gt 30

# Kinds of faults and counters, by the tables that print them.
{
    sed -n '/fault_names\[\]/,/};/p' "$top_srcdir/src/sim/sim.c" | grep -o '= "[^"]*"' |
        sed 's/= "\(.*\)"/\1/; /^none$/d'
    grep -A1 -h 'struct finding_kind [a-z_]* =' $(find "$top_srcdir/src/check" -name '*.c') |
        sed -n 's/.*\.name = "\([^"]*\)".*/\1/p'
} >"$tmp/kinds"
ok 'there are kinds of faults' grep -qx out-of-bounds "$tmp/kinds"
ok 'and all of them are read' test "$(wc -l <"$tmp/kinds")" -ge 20
ok 'also those that checkers find' grep -qx race-shared "$tmp/kinds"
# Kinds of mistakes of host code, by the calls that tell them.
{
    grep -Eoh 'run_mistake[a-z_]*\(r, "[^"]*"' $(find "$top_srcdir/src/run" -name '*.c')
    grep -Eoh 'report_fault\(r, "[^"]*"' "$top_srcdir/src/repl/commands/run.c"
    grep -Eoh 'cudalab_mistake\("[^"]*"' $(find "$top_srcdir/src/run/libraries" -name '*.c')
} | sed 's/.*"\(.*\)"/\1/' | sort -u >"$tmp/host-kinds"
ok 'host code has its kinds of mistakes' test "$(wc -l <"$tmp/host-kinds")" -ge 16
is "$(sed -n 's/^  \([a-z]*-[a-z-]*\).*/\1/p' "$help/host-mistakes.txt" | sort | diff "$tmp/host-kinds" -)" \
    '' 'help host-mistakes lists each kind once'
is "$(sed -n 's/^also: //p' "$help/host-mistakes.txt" | tr ' ' '\n' | sort | diff "$tmp/host-kinds" -)" \
    '' 'help KIND leads to it'
is "$(sed -n 's/^== why //p' "$help/findings.txt" | sort | comm -23 "$tmp/host-kinds" -)" '' \
    'and each kind has a lesson'
say_json 'trap -n 64; banks 2' --no-init
grep -o '"counters":{[^}]*}' "$out" | grep -o '"[a-z_]*":[0-9]' | tr -d '":0-9' |
    sort -u >"$tmp/counters"
ok 'there are counters' grep -qx warp_instructions "$tmp/counters"

# As a program has them, and as a student may ask.
cat >"$tmp/asked" <<'END'
threads
SM
Warp
lane
__syncthreads
syncthreads
__syncwarp
__threadfence
threadIdx.x
blockDim
printf
atomicAdd
nvcc
NVRTC
wavefront
sector
cudaDeviceSynchronize
__shared__
ulp
<<<>>>
END
sort -u "$tmp/commands" "$tmp/settings" "$tmp/files" "$tmp/also" "$tmp/referred" "$tmp/kinds" \
    "$tmp/counters" "$tmp/asked" >"$tmp/words"
for width in 72 60; do
    {
        echo "set width $width"
        echo help
        sed 's/^/help /' "$tmp/words"
    } >"$tmp/all.lab"
    lab "$tmp/all.lab" </dev/null
    status_is 0 "help on each of $(wc -l <"$tmp/words") words, $width columns wide"
    is "$(awk -v most="$width" 'length > most' "$out" | sed 3q)" '' "no line is longer"
    err_empty 'nor is any word unknown'
done
cp "$out" "$tmp/screens"
bad=
for name in $(cat "$tmp/commands") $(cat "$tmp/settings"); do
    grep -Eq "^(set )?$name: ." "$out" || bad="$bad $name"
done
is "$bad" '' 'commands and settings have their sentence'

bad=$(awk '/^[a-z-]+: / { command = $1 }
           wanted { if (!/^        *[^ ]/) print wanted; wanted = "" }
           /^  --?[a-z-]+/ { spec = substr($0, 3); sub(/   *.*/, "", spec)
                             if (length($0) == length(spec) + 2) wanted = command spec }' "$out")
is "$bad" '' 'every option says what it means'
ok 'and there are options' grep -q '^  --variant NAME  *[a-z]' "$out"

# Names in backquotes are commands, settings, values or words that are explained; in the text of
# a command that is no lab they can be what it prints.
{
    cat "$tmp/words"
    for lab in $(cat "$tmp/labs"); do
        echo "complete \"$lab --variant \""
    done >"$tmp/all.lab"
    for setting in $(cat "$tmp/settings"); do
        echo "complete \"set $setting \""
    done >>"$tmp/all.lab"
    for command in $(cat "$tmp/commands"); do
        echo "complete \"$command -\""
    done >>"$tmp/all.lab"
    lab "$tmp/all.lab" </dev/null
    cat "$out"
    sed -n 's/^  \([a-z?]*\) means the same$/\1/p' "$tmp/screens"
} | sort -u >"$tmp/known"
for file in $(cat "$tmp/topics" "$tmp/labs"); do
    sed '/^    /d' "$help/$file.txt"
done | grep -o '`[A-Za-z_][A-Za-z0-9_-]*`' | tr -d '`' |
    sort -u | comm -23 - "$tmp/known" >"$tmp/unknown"
is "$(tr '\n' ' ' <"$tmp/unknown")" '' 'every word in backquotes is known'

# ---- screens --------------------------------------------------------------------------------

say 'help trap'
out_has '--variant NAME' 'help trap has its options'
out_has '1 to 2147483647' 'their ranges'
out_like '^  race +\+= without an atomic' 'it lists the variants'
cp "$out" "$tmp/help-trap"
for same in 'trap --help' 'trap -h' '? trap'; do
    say "$same"
    ok "$same is the same" cmp -s "$tmp/help-trap" "$out"
done
say 'set width 72; ?'
ok '? is help' cmp -s "$tmp/help" "$out"
say 'help exit'
out_like '^quit: ' 'help for another name'
say 'set projector on; help projector'
out_like '^set projector: ' 'help for a setting'
out_like '^  values +on or off' 'its values'
out_like '^  now +on' 'what it is'
out_like '^  at the start +off' 'and what it was'
say 'help set time-limit'
out_has 'at the start  0 at a terminal, 60 in a script' 'what a script begins with is told too'
say 'help set memory-limit' --safe
out_has 'at the start  0, or 2G with --safe' 'and what --safe begins with'
out_like '^  now +2147483648' 'which is so'
say 'help schedule'
out_like '^  values +lockstep, ' 'help schedule has the values'
out_has 'run independently' 'and its text'
cp "$out" "$tmp/help-schedule"
say 'help set schedule'
ok 'help set schedule is the same' cmp -s "$tmp/help-schedule" "$out"
say 'help echo'
out_like '^echo: ' 'where a command and a setting have one name: the command'
out_like '^set echo: ' 'and the setting'
say 'help set schedul'
err_has 'did you mean schedule?' 'help for a setting that is not'
say 'help trap shuffle'
err_has 'one thing at a time' 'help on two things'

# Each option of a command, and each that the text on nvcc has, is a word of help.
for command in $(cat "$tmp/commands"); do echo "complete \"$command -\""; done >"$tmp/all.lab"
lab "$tmp/all.lab" </dev/null
sort -u "$out" >"$tmp/options"
ok 'there are many' test "$(wc -l <"$tmp/options")" -gt 100
say 'complete "help --"'
is "$(cat "$out")" "$(grep -e '^--' "$tmp/options")" 'the long ones are completed'
sed -n 's/^    \(-[A-Za-z_0-9]*\).*/\1/p' "$help/nvcc-options.txt" | sort -u >"$tmp/of-nvcc"
ok 'nvcc has options' grep -qx -e -lineinfo "$tmp/of-nvcc"
for width in 72 60; do
    { echo "set width $width"; sed 's/^/help /' "$tmp/options" "$tmp/of-nvcc"; } >"$tmp/all.lab"
    lab "$tmp/all.lab" </dev/null
    err_empty "help on each of these options, $width columns wide"
    is "$(awk -v most="$width" 'length > most' "$out" | sed 3q)" '' 'no line is longer'
done
for lab in $(cat "$tmp/labs"); do
    say "complete \"$lab -\""
    sed "s/^/help $lab /" "$out"
done >"$tmp/all.lab"
lab "$tmp/all.lab" </dev/null
err_empty 'and on those of each lab'
is "$(grep -c '^In ' "$out")" "$(wc -l <"$tmp/all.lab" | tr -d ' ')" 'which are of this lab'
say 'help -arch'
out_like '^    -arch=sm_80  *machine code' 'an option of nvcc'
out_like '^  --arch CC' 'and one of a command that has this name'
out_lacks '-gencode' 'and no other'
out_has '`help arch` explains' 'with the setting of this name'
say 'help -gencode'
out_has 'for each kind of GPU' 'all that the text says of it'
say 'help --calls'
is "$(grep -c '^  --calls ' "$out")" 1 'what labs share is said once'
out_has 'hello, grid, vecadd' 'with those that have it'
say 'help --variant'
is "$(grep -c '^  --variant NAME  *the version to run' "$out")" 1 'defaults make no difference'
say 'help trap --variant'
out_has '(`atomic` if not given)' 'of one lab they are told'
say 'help --safe'
out_like '^safe: ' 'what is no option of a command, but a word'
for same in 'help --help' 'help -h'; do
    say "$same"
    out_like '^help: ' "$same is about help"
done
say 'help -arch=sm_90'
out_like '^    -arch=sm_80' 'with a value'
say 'explain --calls'
out_like '^  --calls ' 'explain WORD is help WORD'
refused 'help --cals' 'did you mean `help --calls`' 'a misspelt option'
refused 'help -lineinf' 'did you mean `help -lineinfo`' 'a misspelt one of nvcc'
refused 'help trap --cals' 'did you mean `help trap --calls`' 'of one command'
refused 'help banks --blocks' 'banks has no option `--blocks`' 'an option of other commands'
refused 'help --quuxly' '`help nvcc-options` lists options of nvcc' 'an option of nothing'
say 'complete "help trap --ca"'
is "$(cat "$out")" --calls 'options of a command are completed'

say 'help __syncthread'
err_has 'did you mean __syncthreads?' 'words that mean the same are offered'
say 'complete help __syncw'
is "$(cat "$out")" __syncwarp 'and completed'
say 'explain'
status_is 1 'help has not explained a lab'
say 'help warp; explain'
status_is 1 'nor has a word'
say 'trap -n 64; explain'
status_is 0 'explain'

for word in $(cat "$tmp/commands") $(cat "$tmp/settings") $(cat "$tmp/topics"); do
    echo "echo == $word"
    echo "apropos $word"
done >"$tmp/all.lab"
lab "$tmp/all.lab" </dev/null
is "$(awk '/^== / { if (word && !found) print word; word = $2; found = 0 }
           $1 == word || $2 == word { if (!/^==/) found = 1 }
           END { if (!found) print word }' "$out")" '' 'apropos finds each name'
say 'apropos memory shared'
is "$(head -n 5 "$out" | grep -c '^  shared ')" 1 'two words in any order; names and summaries first'
say 'apropos divergence lane barrier'
out_like '^  barrier-divergence ' 'words that stand apart in a text'
say "apropos warp"
is "$(head -n 1 "$out" | cut -c3-7)" 'warp ' 'warp: the text of that name is the first line'
is "$(sort "$out" | uniq -d)" '' 'each is found once'
say 'apropos warp nosuchword'
status_is 1 'one word that no text has'
err_has 'no help text contains `warp nosuchword`' 'is an error'
say 'apropos MASK'
out_like '^  shfl-trace --mask ' 'apropos finds options, in any case'
say 'apropos race'
is "$(head -n 1 "$out" | cut -c3-7)" 'race ' 'race: the name first'
is "$(grep -c '^  --trace ([0-9]* commands)' "$out") $(grep -c -e '--trace' "$out")" '1 2' \
    'an option that labs share is found once; one of another meaning as well'
for word in slide lecture demo slides; do
    say "apropos $word"
    is "$(head -n 1 "$out" | cut -c3-7)" 'play ' "$word: play first"
done
for word in course race bank; do
    say "$word"
    err_has "\`help $word\` explains the word" "$word is no command, but a word of the help"
done
say 'lecture'
err_has 'did you mean play?' 'the text of a command leads to it'
say 'projector'
err_has 'write `set projector VALUE`, where VALUE is on or off' 'a setting is no command'
say 'apropos columns of a line'
out_like '^  set width ' 'and settings'

# ---- what to try ----------------------------------------------------------------------------

# A line of Try works when all of it is pasted, remark and all.
for width in 80 40; do
    say "set width $width; banks 32"
    awk '/^Try/ { on = 1 } on { print substr($0, 6) }' "$out" >"$tmp/tries"
    is "$(grep -c '^banks' "$tmp/tries")" 3 "banks has three things to try, $width columns wide"
    script <"$tmp/tries"
    status_is 0 'which work when the lines are pasted'
done

# Of all texts: the section `== try`, in one session, each without arrays of the one before.
# A remark that begins with `fault KIND`, `finding KIND`, `wrong` (on purpose) or `refused` says how
# the command ends; all others go well. No file is there before; what waits for a person is left
# out.
folder=$tmp/try
mkdir "$folder"
# A whole program needs nvcc, and it is not started by a build that is watched (tests/run.t).
cannot=watch
find_nvcc && runs_programs && test -z "$CUDALAB_WRAPPER" && test "$BUILD_KIND" = plain ||
    cannot='run '
for file in "$help"/*.txt; do
    echo "# $(basename "$file")"
    awk '/^== / { on = $0 == "== try"; next } on && NF' "$file" |
        sed "/^step /,/^quit/!{ /^\\(quit\\|exit\\|history\\|play\\|watch\\|$cannot\\)/d; }; s/   */  # /"
    echo 'free --all'
done >"$folder/try.lab"
expected() { # the lines of try.lab that fail, and how
    awk '{ n = index($0, "  # ") } n { split(substr($0, n + 4), word, /[: ]/)
           if (word[1] == "fault" || word[1] == "finding") print NR, word[2]
           else if (word[1] == "wrong" || word[1] == "refused") print NR, word[1] }' \
        "$folder/try.lab"
}
happened() { # from what is said on stderr
    sed -n 's/ .* is wrong on purpose.*/ wrong/; s/^[^ ]*try\.lab:\([0-9]*:\)/\1/p' "$err" |
        awk -F: 'NR == FNR { kind[$1] = 1; next }
                 { sub(/^ /, "", $2); known = $2 in kind || $2 == "wrong"
                   line[++n] = $1; what[n] = known ? $2 : "refused"; wrong[$1] += $2 == "wrong" }
             # What is found in one that is wrong on purpose is its own.
             END { for (i = 1; i <= n; i++)
                       if (!wrong[line[i]] || what[i] == "wrong") print line[i], what[i] }' \
            "$tmp/kinds" -
}
ok 'texts say how to meet each kind of fault' test "$(expected | wc -l)" -gt 15
# `help faults` says which of the kinds end a launch.
for what in fault finding; do
    awk -v begin="The ${what}s are:" 'index($0, begin) { on = 1; next } on && /^[^ ]/ { exit } on' \
        "$help/faults.txt" | sed 's/([^)]*)//g' | grep -o '[a-z][a-z-]*[a-z]' >"$tmp/$what"
done
# The table of kinds has the same, and those of the host.
sed -n 's/^also: //p' "$help/host-mistakes.txt" | tr ' ' '\n' | cat - "$tmp/fault" "$tmp/finding" >"$tmp/told"
sed -n 's/.*Then the fault is \(.*\)\.$/\1/p' "$help/faults.txt" >>"$tmp/told"
sort -o "$tmp/told" "$tmp/told"
sed -n 's/^F[A-Z]*("\(.*\)")$/\1/p' "$top_srcdir/src/screen/fault-kinds.def" | sort | cmp -s - "$tmp/told"
ok 'the texts list all kinds of faults, and no others' test $? = 0
sort -u "$tmp/kinds" >"$tmp/sorted"
is "$(sort "$tmp/fault" "$tmp/finding" | diff "$tmp/sorted" -)" '' 'help faults lists each kind once'
sed -n 's/.*  # \(fault\|finding\) \([a-z-]*\).*/\1 \2/p' "$folder/try.lab" |
    while read -r what kind; do
        grep -qx -e "$kind" "$tmp/$what" || echo "$what $kind"
    done >"$tmp/mixed"
is "$(cat "$tmp/mixed")" '' 'remarks call a fault a fault, and a finding a finding'
if can_load; then
    cd "$folder" || exit 99
    lab try.lab </dev/null
    cd "$OLDPWD" || exit 99
    expected >"$tmp/expected"
    is "$(happened | diff "$tmp/expected" -)" '' 'what texts say to try works, or fails as they say'
else
    skip 'no compiler of CUDA C' 'what texts say to try works, or fails as they say'
fi

# `load help:NAME` is no file, so --safe allows it. What it lacks it says.
if can_load; then
    for safe in '' --safe; do
        say 'load help:kernel; launch help:kernel:empty<<<1, 1>>>(); reload' $safe
        status_is 0 "load help:kernel $safe"
        out_like '^help:kernel: 2 kernels' 'has the kernels of the text'
    done
    say_json 'load help:uninit; array x i32 8; launch add<<<1, 8>>>(x)'
    out_has '"source":"help:uninit:3"' 'a fault names its line; other words for the text do as well'
fi
say 'load help:nosuch'
err_has 'there is no help text `nosuch`' 'load of a text that is not there'
say 'load help:warp'
err_has 'has no example to load' 'and of one without an example'

# ---- --help and the manual page --------------------------------------------------------------

# Both have what the table of options in main.c has, and no more.
page=$top_srcdir/man/cudalab.1
lab --help </dev/null
sed -n 's/^  \(--*[a-z-]*\) .*/\1/p' "$out" | sort >"$tmp/options"
sed -n '/^static const struct option options/,/^    {0}/s/^    {"\(-[^"]*\)".*/\1/p' \
    "$top_srcdir/src/main.c" | sort >"$tmp/table"
ok 'there are options' grep -qx -e --device "$tmp/table"
is "$(diff "$tmp/table" "$tmp/options")" '' '--help has the options of the table'
is "$(awk 'length > 80' "$out")" '' 'in 80 columns'

part() { # part HEADING MACRO: what the lists under a heading of the page name
    awk -v heading="$1" '/^\.Sh / { on = substr($0, 5) == heading } on' "$page" |
        sed -n "s/^\\.It $2 //p" | sed "s/ , / /g; s/\\\\&//g"
}
part OPTIONS Fl | sed 's/ .*//; s/^/-/' | sort >"$tmp/page"
is "$(diff "$tmp/table" "$tmp/page")" '' 'the manual page has these options'
sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESC/s/^\(\.Op \)*\(\.\)*Fl \([a-z-]*\).*/-\3/p' "$page" |
    sort -u >"$tmp/page"
is "$(diff "$tmp/table" "$tmp/page")" '' 'its synopsis too'
say "set width 200; $(sed 's/^/help /' "$tmp/commands" | tr '\n' ';')"
cp "$out" "$tmp/wide"
awk '/ means the same$/ { print $1 }' "$out" | sort - "$tmp/commands" >"$tmp/wanted"
part COMMANDS Ic | sed 's/Ic //g' | tr ' ' '\n' | sort >"$tmp/page"
is "$(diff "$tmp/wanted" "$tmp/page")" '' 'every lab and every other command'
bad=
for name in $(cat "$tmp/labs"); do
    said=$(sed -n "/^\.It Ic $name\$/{n;p;}" "$page" | tr '[:upper:]' '[:lower:]')
    wanted=$(awk -v name="$name:" '$1 == name { sub(name " ", ""); print; exit }' "$tmp/wide" |
        tr '[:upper:]' '[:lower:]')
    test "$said" = "$wanted." || bad="$bad $name"
done
is "$bad" '' 'what it says of a lab is what help says'
part SETTINGS Cm | tr ' ' '\n' | sort >"$tmp/page"
is "$(sort "$tmp/settings" | diff - "$tmp/page")" '' 'and every setting'
own_items() { # settings that have an item of their own, and what it says
    awk '/^[.]Sh / { on = $2 == "SETTINGS" }
         /^[.](It|El)/ { if (name) print name ": " text; name = text = "" }
         on && /^[.]It Cm [a-z-]+$/ { name = $3; next }
         name { sub(/^[.][A-Z][a-z] /, ""); sub(/ [,.]$/, substr($0, length))
                text = text (text ? " " : "") $0 }' "$page"
}
own_items | tr '[:upper:]' '[:lower:]' >"$tmp/items"
ok 'there are items of settings' test "$(wc -l <"$tmp/items")" -ge 8
bad=
while IFS=: read -r name text; do
    say "set width 400; help set $name"
    wanted=$(sed -n "s/^set $name://p" "$out" | tr '[:upper:]' '[:lower:]')
    case $text in "$wanted"[,\;.]*) ;; *) bad="$bad $name" ;; esac
done <"$tmp/items"
is "$bad" '' 'each begins with what `help` says of it'
for part in NAME SYNOPSIS DESCRIPTION OPTIONS COMMANDS SETTINGS ENVIRONMENT FILES 'EXIT STATUS' \
    EXAMPLES 'SEE ALSO'; do
    ok "it has the part $part" grep -qx "\\.Sh $part" "$page"
done
if command -v mandoc >/dev/null; then
    is "$(mandoc -T lint -W warning "$page" 2>&1)" '' 'mandoc finds nothing wrong in it'
else
    skip 'no mandoc' 'mandoc finds nothing wrong in it'
fi

# ---- completion in bash ----------------------------------------------------------------------

in_bash() { # in_bash WORD...: what is offered after these, the last one being typed
    (cd "$folder" && LC_ALL=C bash -c '. "$1"; program=$2; shift 2
        COMP_WORDS=(cudalab "$@") COMP_CWORD=$#; _cudalab "$program"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$abs_completion" "$CUDALAB" "$@" 2>&1 | tr '\n' ' ')
}
abs_completion=$(cd "$top_srcdir" && pwd)/completion/cudalab
if command -v bash >/dev/null; then
    touch "$folder/hw.lab" "$folder/host-pointer.cu" "$folder/vote.py" "$folder/hx.py"
    is "$(in_bash - | tr ' ' '\n' | sed '/^$/d' | sort | diff "$tmp/options" -)" '' \
        'bash offers the options of --help'
    is "$(in_bash --ste)" '--step-limit ' 'those that begin so'
    is "$(in_bash --color '')" 'always auto never ' 'the values of one'
    is "$(in_bash --color = al)" 'always ' 'after = too'
    is "$(in_bash --device sim : t)" 't4 titanx ' 'what follows a colon'
    is "$(in_bash --seed '')" ' ' 'nothing for a number'
    is "$(in_bash -f h)" 'host-pointer.cu hw.lab hx.py ' 'files'
    is "$(in_bash h)" 'host-pointer.cu hw.lab ' 'scripts and sources first'
    is "$(in_bash vo)" 'vote.py ' 'else any file'
else
    skip 'no bash' 'bash offers the options of --help'
fi

# A reader knows `iota` only from `help fill`. So where a text first tries it, a remark says the
# values.
bad=
for file in $(grep -l '^array .* iota' "$top_srcdir"/help/*.txt); do
    grep -m 1 '^array .* iota' "$file" | grep -q ' iota    [^ ]' || bad="$bad ${file##*/}"
done
is "$bad" '' 'the first iota of each text has a remark'

# A slot has its name in one line, since a name with the line's end in it names nothing.
is "$(grep -n '{[a-z][a-z_0-9]*$' "$top_srcdir"/help/*.txt)" '' 'no line ends within the name of a slot'

# Columns of a table stand off by two blanks, or two cells read as one sentence.
is "$(awk '
function flush(  i, c, n, L, hits, bad, k) {
    L = 0
    for (i = 1; i <= m; i++) if (length(row[i]) > L) L = length(row[i])
    if (m >= 3) for (c = 6; c <= L; c++) {
        hits = 0; bad = 0
        for (i = 1; i <= m; i++) {
            if (substr(row[i], c - 2, 3) ~ /^  [^ ]$/ && substr(row[i], 1, c - 1) ~ /[^ ]/) hits++
            else if (substr(row[i], c - 2, 3) ~ /^[^ ] [^ ]$/ && row[i] !~ /^     /) bad = i
        }
        if (bad && hits == m - 1) print FILENAME ": " row[bad]
    }
    m = 0
}
FNR == 1 { flush() }
/^  [^ ]/ { row[++m] = $0; next }
{ flush() }
END { flush() }
' "$top_srcdir"/help/*.txt)" '' 'the columns of tables stand off by two blanks'

# ---- what a student would type --------------------------------------------------------------

# Two words are one topic: `help memory wall`. Each line: the words, then the text that they find.
cat >"$tmp/typed-words" <<'EOT'
gpgpu history: gpgpu
flynn: flynn
heterogeneous computing: heterogeneous
spmd: heterogeneous
foster: foster
embarrassingly parallel: foster
power wall: walls
memory wall: walls
performance-per-watt: watt
energy: watt
context switch: context-switch
lightweight threads: context-switch
output partitioning: reduction
opencl: alternatives
openacc: alternatives
hip: alternatives
sycl: alternatives
fpga: heterogeneous
dsp: heterogeneous
c: c
qualifiers: qualifiers
dim3: dim3
nvcc: nvcc
extern C: nvcc-options
inline ptx: inline-ptx
float: float
mpi: mpi
mpirun: mpi
hyper q: hyper-q
dynamic parallelism: child-grids
libraries: libraries
find-a-gpu: find-a-gpu
critical section: lock
prefix sum: scan
unified memory: managed
weak scaling: gustafson
EOT
sed 's/:.*//; s/^/help /' "$tmp/typed-words" >"$tmp/typed-words.lab"
$CUDALAB --no-init --json "$tmp/typed-words.lab" >"$out" 2>"$err"
sed -n 's/^{"command":"help \([^"]*\)".*"text":\["\([a-z0-9-]*\):.*/\1: \2/p' "$out" >"$tmp/led"
is "$(diff "$tmp/typed-words" "$tmp/led")" '' 'the words that a student would type lead to a text'
say 'help warp memory'
err_has 'help explains one thing at a time' 'two topics at once'

done_testing
