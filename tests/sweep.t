# SPDX-License-Identifier: GPL-3.0-or-later
#
# sweep: a command with many values of an option. Its values, its table and plots, its files, points
# that fail, and what it refuses.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

work=$tmp/work
mkdir "$work"
cd "$work" || exit 99
case $CUDALAB in /*) ;; *) CUDALAB=$OLDPWD/$CUDALAB ;; esac
case $JSONGET in /*) ;; *) JSONGET=$OLDPWD/$JSONGET ;; esac

# ---- values -------------------------------------------------------------------------------

# VALUES | THE VALUES THAT RUN
while IFS='|' read -r values wanted; do
    values=$(echo "$values" | tr -d ' ')
    say "sweep x=$values 'echo {x}' --csv -"
    is "$(sed -n '2,$s/,ok,$//p' "$out" | sed 's/,$//; s/"//g' | tr '\n' ' ' | sed 's/ $//')" "$(echo $wanted)" "x=$values"
done <<'END'
2^3..2^6       | 8 16 32 64
10^0..10^3     | 1 10 100 1000
2^2..2^7*4     | 4 16 64
2^2..2^5*3     | 4 12
1..5           | 1 2 3 4 5
1..1           | 1
-2..2          | -2 -1 0 1 2
100..1000      | 100 200 400 800
1K..4K         | 1024 2048 4096
1<<4..1<<6     | 16 32 64
0x10..0x12     | 16 17 18
0..100:25      | 0 25 50 75 100
0..100:30      | 0 30 60 90
32..600*4      | 32 128 512
0..1:0.25      | 0 0.25 0.5 0.75 1
0..0.3:0.1     | 0 0.1 0.2 0.3
0.5..8*2       | 0.5 1 2 4 8
5,1,3          | 5 1 3
1,2^4..2^6,1e3 | 1 16 32 64 1000
a,b-c,d:1      | a b-c d:1
f(a,b),(c,d)   | f(a,b) (c,d)
-1.5           | -1.5
9223372036854775806..9223372036854775807 | 9223372036854775806 9223372036854775807
END

# VALUES | WHAT IS WRONG
while IFS='|' read -r values wrong; do
    values=$(echo "$values" | tr -d ' ')
    refused "sweep x=$values 'echo {x}'" "$(echo $wrong)" "x=$values"
done <<'END'
               | x: write values after the =
1,             | x: write values after the =
1..            | `1..` is not a range: write
..4            | `..4` is not a range: write
a..b           | `a..b` is not a range: write
1..4:          | `1..4:` is not a range: write
1..4:x         | `1..4:x` is not a range: write
5..1           | the range 5..1 begins above its end
2^5..2^1       | begins above its end
10^17..10^20   | 10\^19 is too big
0..1000        | a range from 0 can't multiply; write how much to add, as in 0..1000:101
1..9:0         | the step of 1..9: 0 is too small
1..9*1         | the step of 1..9: 1 is too small
0..1.5         | a range with fractions needs a step
0..1.5:0       | never reaches its end
0..1.5*2       | never reaches its end
1..100000:1    | more than 512 values
END

# ---- a table and a plot -------------------------------------------------------------------

say 'set width 80; sweep n=2^10..2^14 trap --variant shuffle --show shuffles,ok'
status_is 0 'a sweep'
is "$(head -n 1 "$out" | sed 's/  .*//')" 'trap --variant shuffle, n = 2^10 to 2^14' 'its title'
out_like '^  2\^10 +160 +true$' 'the first row'
out_like '^  2\^14 +2,560 +true$' 'the last row'
out_like '^  check +5 answers, all right$' 'the command checks itself'
out_like '^ +2\^10 +2\^11 +2\^12 +2\^13 +2\^14$' 'powers stand below the plot'
out_like '^ *1000 \+' 'and beside it'
say 'set width 80; sweep stride=1..33 banks --show wavefronts'
out_like '^ +33 +1$' 'an operand is swept by its name'
out_like '^   +1 +stride +33$' 'an axis of near numbers is linear'
say 'sweep a=0..2:0.5 trap -n 64 --show area; sweep -n=64,128 trap --show area; sweep --threads=32,64 sum -n 500 --show threads'
status_is 0 'an option may have its dashes'
out_like '^ +64 +64$' 'threads'
say 'sweep n=100..1000:300 trap --variant=serial --show area'
out_like '^  1,000 +24\.0' 'a command without a kernel'
say 'set width 80; sweep variant=shuffle,atomic,samebank trap -n 1024 --show warp_instructions'
out_like '^shuffle +#+ 1,536$' 'words are bars'
out_like '^samebank +#+ 2,928$' 'the longest'

# Two options are curves; all variants too, without those that can't run here.
say 'set width 80; sweep n=2^6..2^12 variant=atomic,shuffle trap --show global_atomics'
out_like '^global_atomics by variant$' 'two options'
out_like '^  2\^12 +4,095 +128$' 'a column for each'
out_like '^global_atomics +A atomic +B shuffle$' 'a curve for each'
cp "$out" "$tmp/first"
say 'set width 80; sweep variant=atomic,shuffle n=2^6..2^12 trap --show global_atomics'
ok 'numbers go to the axis, whichever comes first' cmp "$out" "$tmp/first"
say 'set width 80; sweep n=100,200 sum --variant all --show warp_instructions'
status_is 0 'all variants'
out_like '^cublas: not run: ' 'one that is not for the simulator is left out'
out_hasnt 'thread0 *wrong' 'those that are wrong on purpose are left out'
grep -Eq 'cublas +[0-9-]+ *$' "$out"
verdict $((!$?)) 'it has no column'
say 'set width 80; sweep variant=all sum -n 100 --show warp_instructions'
status_is 0 'variant=all'
say 'sweep n=64,128 variant=all trap --show shuffles --csv -'
ok 'as curves too' grep -q '^64,block-1024,' "$out"
say 'sweep steps=32,64 throughput --show warp_instructions --csv -'
ok 'a lab that runs all variants is swept over them' test "$(sed -n '$=' "$out")" -gt 5

# All widths, all character sets, and sentences for a screen reader.
for width in 40 60 132; do
    say "set width $width; sweep n=2^6..2^9 trap --variant all --show warp_instructions,shuffles"
    is "$(awk -v w=$width 'length > w' "$out")" '' "at most $width columns"
done
say 'set plain on; set width 80; sweep n=2^6..2^9 variant=atomic,shuffle trap --show global_atomics'
out_has 'on a logarithmic axis' 'plain: the axis is told'
like "$(tr '\n' ' ' <"$out")" \
    'shuffle: 4 points, n and global_atomics: 64 and 8, 128 and 8, 256 and 8, 512 and 16' \
    'and so are the points'
say 'sweep n=2^6..2^9 trap --show warp_instructions' --threads 1 && cp "$out" "$tmp/first"
say 'sweep n=2^6..2^9 trap --show warp_instructions' --threads 4
ok 'the same bytes on one core and on four' cmp "$out" "$tmp/first"

# ---- times --------------------------------------------------------------------------------

say 'set width 80; sweep n=2^10..2^16 trap --variant shuffle'
out_like '^  2\^16 +[0-9.]+ us$' 'the time is shown unless told otherwise'
out_like '^  time +modelled by the simulator, not measured [(]help time[)]$' 'on the simulator it is modelled'
out_like '^time, modelled$' 'the plot says so too'
cp "$out" "$tmp/first"
say 'set width 80; sweep n=2^10..2^16 trap --variant shuffle' --threads 3
ok 'it is the same in each run, and on any number of cores' cmp "$out" "$tmp/first"
say 'sweep n=2^10,2^11 trap --csv -'
is "$(sed 1q "$out")" 'n,modelled_s,status,reason' 'its name in a file'
say_json 'trap -n 2048; sweep n=2^10,2^11 trap'
json_is '2:.result.shown' '["modelled_s"]' 'and in JSON'
json_is '2:.result.curves[0].points[1].found.modelled_s' "$(sed -n '1s/.*"modelled_s":\([^,}]*\).*/\1/p' "$out")" \
    'it is the time of the command'
say 'sweep n=2^10,2^11 trap --variant serial'
out_like '^  time +not known for these commands$' 'the host has no such time'
out_like '^  2\^10 +right$' 'its answers are checked all the same'

# ---- braces -------------------------------------------------------------------------------

say_json "sweep n=4,8 'array x i32 {n} iota; print x[{n/2-1}..{n-1}]' --show count,values,lo"
json_like .error.message '`values` is a list' 'a list is no cell'
say_json "sweep n=4,8 'array x i32 {n} iota; print x[{n/2-1}..{ n - 1 }]' --show hi,lo"
json_is '.result.curves[0].points[1].found' '{"hi":7,"lo":3}' 'expressions in braces'
json_is '.result.curves[0].points[1].command' 'array x i32 8 iota; print x[3..7]' 'the line that ran'
say "sweep n=2,3 m=5,7 'array x i32 {n*m+1}; print x' --show count --csv -"
is "$(sed -n '2,$p' "$out" | cut -d , -f 1-3 | tr '\n' ' ')" '2,5,11 2,7,15 3,5,16 3,7,22 ' \
    'both options in one expression'
say "array s u8 16 zero; sweep n=1,2 'echo {a, b} {{n}} { } {n, 1} {'"
status_is 0 'other braces are the text of the command'
refused "sweep n=1,2 'echo {n+m}'" 'has a name that is not swept' 'an unknown name'
refused "sweep n=1,2 'echo {n/0}'" 'nothing can be divided by 0' 'a quotient by 0'
refused "sweep n=1,2 'echo {n+}'" '[{]n[+][}]: ' 'half an expression'
refused "sweep n=1,2 'trap; trap'" 'write [{]n[}] where the value belongs' 'several commands need braces'
if can_load; then
    cat >scale.cu <<'END'
__global__ void scale(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 2 * x[i];
}
END
    say "load scale.cu; sweep n=2^8..2^12 'array x f32 {n} iota; launch scale<<<{(n+255)/256}, 256>>>(x, {n})' --show global_load_sectors --csv -"
    status_is 0 'a kernel of one'\''s own'
    is "$(sed -n '/^[0-9]/p' "$out" | cut -d , -f 2 | tr '\n' ' ')" '32 64 128 256 512 ' 'its counters'
else
    skip 'there is no compiler of CUDA C' 'a kernel of one'\''s own'
fi

# ---- JSON ---------------------------------------------------------------------------------

say_json 'sweep n=2^10,2^11 variant=shuffle,atomic trap --show shuffles,area'
json_count 1 'one object'
json_is .status ok 'its status'
json_is .result.command trap 'the command'
json_is .result.option n 'the option'
json_is .result.values '[1024,2048]' 'its values'
json_is .result.curve_option variant 'the second option'
json_is .result.shown '["shuffles","area"]' 'what is shown'
json_is '.result.curves[1].name' atomic 'a curve'
json_is '.result.curves[0].points[1].value' 2048 'a point'
json_is '.result.curves[0].points[1].status' ok 'how it went'
json_is '.result.curves[0].points[1].ok' true 'it checked itself'
json_is '.result.curves[0].points[1].found.shuffles' 320 'a count'
json_is '.result.curves[0].points[0].found.area' 24.000042 'a result'
json_is .result.failed 0 'none failed'
json_is .result.ok true 'all is right'
say 'sweep n=4,8 trap --show n --json'
json_is '.result.curves[0].points[0].found.n' 4 'option --json'

# ---- files --------------------------------------------------------------------------------

say 'sweep n=2^6..2^10 variant=atomic,shuffle trap --show warp_instructions,shuffles --csv a.csv --gnuplot a.gp --svg a.svg'
status_is 0 'three files'
cr=$(printf '\r')
is "$(sed -n 2p a.csv)" "64,atomic,114,0,ok,$cr" 'CSV: a row'
is "$(sed 1q a.csv)" "n,variant,warp_instructions,shuffles,status,reason$cr" 'its heads'
is "$(grep -c "$cr\$" a.csv)" 11 'RFC 4180: each line ends in CR and LF'
say "sweep x=1,2 'echo {x}; print \"a,b\"' --csv b.csv"
like "$(sed -n 2p b.csv)" '^1,,error,".*a,b.*"' 'a comma stands in quotes'
ok 'gnuplot: a script with its data' grep -q '^64 114$' a.gp
ok 'its axes are logarithmic' grep -q '^set logscale x 2$' a.gp
is "$(grep -c "title 'shuffle'" a.gp)" 2 'a curve in each of two plots'
say 'sweep variant=atomic,shuffle trap -n 64 --show warp_instructions --gnuplot b.gp --svg b.svg'
ok 'words stand below' grep -q '^2 384 "shuffle"$' b.gp
if gnuplot --version >/dev/null 2>&1; then
    for name in a b; do
        gnuplot -e 'set terminal dumb' $name.gp >drawn 2>&1 </dev/null
        verdict $? "gnuplot draws $name.gp"
        ok 'and complains of nothing' awk '/warning|line [0-9]+:/ { exit 1 }' drawn
    done
else
    skip 'there is no gnuplot' 'gnuplot draws it'
fi
well_formed() { # well_formed FILE: each element is closed, in its order; no & but of an entity
    tr -d '\n' <"$1" | sed 's/<?[^>]*?>//; s/>/>\n/g' | awk '
        { text = $0; sub(/<[^<]*$/, "", text) }
        text ~ /&/ && text !~ /^([^&]|&(amp|lt|gt|quot);)*$/ { exit 1 }
        !/<[^<]*>$/ { next }
        { sub(/^.*</, "<") }
        /\/>$/ { next }
        /^<\// { name = substr($0, 3); sub(/[ >].*/, "", name); if (open[depth--] != name) exit 1; next }
        { name = substr($0, 2); sub(/[ >].*/, "", name); open[++depth] = name }
        END { if (depth) exit 1 }'
}
say "sweep x=1,2 'echo {x} <a&b>; array x i32 {x}; print x' --show count --svg c.svg"
for name in a b c; do
    ok "$name.svg is well-formed" well_formed $name.svg
    ! xmllint --version >/dev/null 2>&1 || ok 'so says an XML parser' xmllint --noout $name.svg
done
ok 'the text of the command is a title' grep -q '<title>echo {x} &lt;a&amp;b&gt;; ' c.svg
is "$(grep -c '>shuffle<' a.svg)" 2 'each plot names its curves'
is "$(grep 'stroke-width="2"' a.svg | grep -c 'fill="none"')" 4 'four curves'
is "$(grep 'fill="none"' a.svg | grep -o 'stroke="#[0-9a-f]*"' | sort -u | wc -l | tr -d ' ')" 2 'in two colours'
is "$(grep 'fill="none"' a.svg | grep -c dasharray)" 2 'and dashes tell them apart too'
say 'sweep n=4,8 trap --show n --svg a.png; sweep n=4,8 trap --gnuplot -; sweep n=4,8 trap --csv none/a.csv'
err_has 'let the name end in .svg' 'a picture ends in .svg'
err_has '--gnuplot needs the name of a file' 'a script is a file'
err_has 'cannot write `none/a.csv`' 'a folder that is not there'
for option in csv gnuplot svg; do
    refuses=$option-safe.svg
    say "sweep n=4,8 trap --show n --$option $refuses" --safe
    err_has '--safe allows no writing to files' "--safe: --$option"
    ok 'nothing is written' test ! -e "$refuses"
done
say 'sweep n=4,8 trap --show n --csv -' --safe
status_is 0 '--safe: the screen is allowed'

# ---- points that fail ---------------------------------------------------------------------

say 'set width 80; set step-limit 2000; sweep n=2^8..2^12 trap --variant shuffle --show warp_instructions'
status_is 1 'some points fail'
out_like '^  2\^10 +1,536$' 'those before are there'
out_like '^  2\^11 +fault' 'a fault'
out_like '^ *fault at n = 2\^11 and 1 more value: timeout: ' 'with its reason'
out_has '3 of 5 answers right' 'they are no right answers'
err_like '^-c:1: 2 of 5 points failed; the first: timeout: ' 'and on stderr'
say_json "sweep n=1,2^60,2 'array x f32 {n}; print x' --show count"
json_is .status error 'too large an array'
json_is '.result.curves[0].points[1].status' error 'is one point'
json_like '.result.curves[0].points[1].reason' '.' 'with its reason'
json_is '.result.curves[0].points[2].found.count' 2 'and the sweep goes on'
json_is .result.failed 1 'one failed'
json_is .result.ok false 'so not all is right'
say 'set width 80; sweep n=64,128 variant=norange,race,shuffle trap --show n'
status_is 0 'what is wrong on purpose fails as it should'
out_like '^ +64 +wrong 64 +fault 64 +64$' 'and is marked'
out_like '^norange: wrong at n = 64 and 1 more value: norange is wrong on purpose' 'with the reason'
say_json 'sweep n=64,128 variant=norange,shuffle trap --show n'
json_is '.result.curves[0].points[0].wrong_on_purpose' true '--json: on purpose'
json_is '.result.curves[0].points[0].ok' false 'wrong'
json_is .result.failed 0 'that is no failure'

say "sweep n=10,15000,100000 'array x i32 {n} iota; print x; print x' --show count --csv -" --output-limit 400000
out_like '^100000,.*,error,this output has more than' 'too much output is an error of its point'
out_like '^15000,,error,it shows more than a command may' 'also of several commands'
out_like '^10,10,ok' 'and of no other'

# ---- what is refused ----------------------------------------------------------------------

# LINE | WHAT IS WRONG
while IFS='|' read -r line wrong; do
    line=$(echo "$line" | sed 's/ *$//')
    refused "$line" "$(echo "$wrong" | sed 's/^ *//')" "$line"
done <<'END'
sweep                                  | OPTION=VALUES is missing: usage is sweep
sweep trap                             | `trap` has no values: write what to vary
sweep n trap                           | `n` has no values: write n=1,2,4
sweep n=1..3                           | COMMAND is missing
sweep n=1..3 m=1,2                     | the command is missing
sweep n=1..3 m=1,2 o=3 trap            | at most two options can be swept, and o=3 is a third one
sweep n=1..3 n=4,5 trap                | n is swept twice
sweep n=4,8 tarp                       | there is no command `tarp`: did you mean trap[?]
sweep m=4,8 trap                       | trap has no option m to sweep
sweep thread=32,64 sum                 | sum has no option thread to sweep: did you mean threads[?]
sweep n=4,8 trap --varaint shuffle     | trap has no option --varaint: did you mean --variant[?]
sweep n=4,8 trap --variant shufle      | has no value `shufle`: did you mean shuffle[?]
sweep variant=shufle,atomic trap       | has no value `shufle`: did you mean shuffle[?]
sweep n=4,8 trap --cvs f               | neither sweep nor its command has an option --cvs: did you mean --csv[?]
sweep n=4,8 trap --gnuplt f            | did you mean --gnuplot[?]
sweep n=4,8 trap --show aera           | the result has no `aera`: did you mean area[?]
sweep n=4,8 trap --show shufles        | did you mean shuffles[?]
sweep n=4,8 trap --show area,area      | --show has area twice
sweep n=4,8 trap --show a,b,c,d,e      | --show takes at most 4 names
sweep n=4,8 trap --show ,              | --show takes names with commas between them
sweep n=4,8 trap -n 3                  | -n is given twice
sweep threads=512..2048 sum            | --threads is a whole number from 1 to 1024
sweep variant=all n=1,2 trap --variant atomic | given twice
sweep n=1,2 threads=32,64 trap --variant all | needs one variant: write --variant atomic
sweep n=1,2 quit                       | quit can't run inside sweep
sweep n=1,2 source hw.lab              | source can't run inside sweep
sweep n=1,2 quiz                       | quiz can't run inside sweep
sweep n=1,2 play x                     | play can't run inside sweep
sweep n=1,2 "sweep m=1,2 trap"         | sweep can't run inside sweep
sweep n=1,2 "echo {n}; exit"           | quit can't run inside sweep
sweep n=1,2 "echo {n}; transcript x"   | transcript can't run inside sweep
sweep n=1,2 "echo {n"                  | echo has no option n to sweep
sweep n=1,2 ""                         | COMMAND is empty
sweep n=1,2 ";"                        | sweep has no command to run
END
say "alias bye quit; sweep n=1,2 'echo {n}; bye'; echo still here"
out_has 'still here' 'an alias of quit ends nothing'
say "alias t trap --variant shuffle; sweep n=64,128 t --show shuffles --csv -"
ok 'an alias is swept' grep -q '^128,40,ok,$' "$out"

# ---- the session --------------------------------------------------------------------------

say "sweep n=4,8 'array x i32 {n} iota'; print x; show counters"
out_has 'x: i32, 8 elements' 'what a command makes stays'
out_like '^counters +off' 'settings are as before'
say "side 'sweep n=4,8 trap --show n --csv -' 'echo x'"
out_like '^4,4,ok, +<' 'inside side'
say 'sweep n=2^20..2^26 trap --show warp_instructions --csv -' --time-limit 1 --threads 1
status_is 1 'a time limit ends it'
err_has 'this took longer than the time limit' 'and says so'
ok 'what there is is shown' grep -q '^1048576,589824,ok,' "$out"
stopped() { # stopped COMMANDS: Ctrl-C after the first point
    status=0
    last_run="cudalab $1, and Ctrl-C"
    env --default-signal=INT "$CUDALAB" --no-init --json --threads 1 -c "$1" >"$out" 2>"$err" </dev/null &
    job=$!
    sleep 2
    kill -INT $job
    wait $job || status=$?
}
if command -v env >/dev/null && env --default-signal=INT true 2>/dev/null; then
    stopped 'sweep n=2^12..2^28 variant=atomic,shared trap --show n'
    status_is 130 'Ctrl-C'
    json_is .error.message stopped 'it says so'
    json_is '.result.curves[1].points[0].found.n' 4096 'what there is is kept'
    json_is .result.ok false 'not all is done'
else
    skip 'env has no --default-signal' 'Ctrl-C'
fi

# ---- at a terminal ------------------------------------------------------------------------

if has_terminal; then
    at_home
    echo 'a file of my own' >own.csv
    at_terminal "TERM=xterm exec '$CUDALAB' --no-init --device sim --threads 1" <<'END'
see "cudalab> "
key "sweep n=2^18..2^28 variant=atomic,shared trap --svg plot.svg\r"
see "sweep: n = 2^"
see " of 22"
see " left"
key "\003"
see "2^18"
see "stopped"
see "cudalab> "
key "sweep n=2^8..2^10 trap --show shuffles,n --csv plot.csv\r"
see "check"
see "plot.csv: a row for each point"
see "cudalab> "
key "sweep n=2^8..2^10 trap --csv own.csv\r"
see "Type y to overwrite"
key "n\r"
see "is kept"
see "cudalab> "
key "quit\r"
END
    status_is 0 'a progress line tells what is left; Ctrl-C ends the sweep with what there is'
    ok 'the plot is saved all the same' well_formed plot.svg
    ok 'rows too' grep -q '^1024,' plot.csv
else
    skip 'there is no terminal here' 'a progress line'
fi

# ---- completion ---------------------------------------------------------------------------

# LINE | WHAT IS OFFERED
while IFS='|' read -r line wanted; do
    line=$(echo "$line" | sed 's/ *$//')
    say "complete \"$line\""
    is "$(tr '\n' ' ' <"$out")" "$(echo $wanted) " "completion: $line"
done <<'END'
sweep n=1,2 tra               | transcript transpose trap
sweep n=1,2 trap --vari       | --variant
sweep n=1,2 trap --variant sh | shared shuffle
sweep n=1,2 m=3 trap --s      | --show --svg
sweep n=1,2 --gnu             | --gnuplot
sweep n=1,2 trap --show shu   | shuffles
END

# ---- on a GPU -----------------------------------------------------------------------------

with_fake_gpu libcuda.so.1
say 'sweep n=2^8,2^9 trap --variant shuffle' --device gpu
status_is 0 'on a GPU'
out_has 'hidden, since a GPU'\''s times differ in each run' 'times are hidden in a pipe'
out_like '^  2\^9 +right$' 'the answers are checked'
say_json 'sweep n=2^8,2^9 trap --variant shuffle' --device gpu
json_is .result.shown '[]' '--json: likewise'
json_is '.result.curves[0].points[1].found' '{}' 'nothing volatile'
json_is '.result.curves[0].points[1].ok' true 'but that it is right'
say 'set volatile on; sweep n=2^8,2^9 variant=atomic,race trap' --device gpu
status_is 0 'with times'
out_like '^  2\^9 +[0-9.]+ [a-z]*s +(wrong|fault|error)' 'right points are timed'
out_like '^  time +measured: each is the median of [0-9]+ runs' 'a median'
say_json 'set volatile on; sweep n=2^8,2^9 trap' --device gpu
json_is '2:.result.shown' '["median_s"]' '--json: the median'
json_like '2:.result.curves[0].points[1].found.median_s' '^[0-9.e-]+$' 'of each point'
say 'sweep n=2^8,2^9 trap --variant shuffle --show shuffles,time' --device gpu
out_like '^  2\^9 +80 ' 'counters come from the simulator'

done_testing
