# SPDX-License-Identifier: GPL-3.0-or-later
#
# The language of scripts: variables, expressions, blocks, expect and testcase. Most of it is tables:
# a line is a case, and all cases of a table run in one script.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# ---- expressions ----------------------------------------------------------------------------

# values <<TABLE: EXPRESSION|what echo shows of it
values() {
    cat >"$tmp/table"
    awk -F'|' '{ print "let v = " $1; print "echo $v" }' "$tmp/table" | lab "$@"
    err_empty 'each expression has a value'
    awk -F'|' '{ print $2 }' "$tmp/table" >"$tmp/wanted"
    is "$(diff "$tmp/wanted" "$out")" '' 'and each the right one'
}
values <<'END'
1|1
2^20|1048576
1<<20|1048576
1 << 20|1048576
64K|65536
1e6|1000000
0x10|16
1.5|1.5
-3|-3
- -3|3
+7|7
7 / 2|3
-7 / 2|-3
7 % 3|1
-7 % 3|-1
7.0 / 2|3.5
1 + 2 * 3|7
(1 + 2) * 3|9
2^3^2|512
-2^2|-4
2^-1|0.5
10 - 4 - 3|3
100 / 10 / 5|2
1.5 + 1|2.5
5.5 % 2|1.5
9223372036854775807|9223372036854775807
-9223372036854775807 - 1|-9223372036854775808
0^0|1
(-1)^63|-1
1^9223372036854775807|1
2^62 + (2^62 - 1)|9223372036854775807
(1000 + 255) / 256|4
"a text"|a text
'$v'|$v
"with \"quotes\""|with "quotes"
""|
true|true
false|false
END

# mistakes <<TABLE: COMMAND|REGEX of what is said. Nothing runs, and the cause is the script.
mistakes() {
    cat >"$tmp/table"
    awk -F'|' '{ print $1 }' "$tmp/table" >"$tmp/mistakes"
    lab --grade "$@" <"$tmp/mistakes"
    status_is 2 'mistakes of a script have the status 2 with --grade'
    bad='' number=0
    while IFS='|' read -r command regex; do
        number=$((number + 1))
        grep -q -E -e "^<stdin>:$number: .*$regex" "$err" || bad="$bad
$command: $(grep "^<stdin>:$number: " "$err")"
    done <"$tmp/table"
    is "$bad" '' 'each mistake is told with its line, and what would be right'
    is "$(grep -c '^<stdin>' "$err")" "$number" 'each once'
}
mistakes --json <<'END'
let v = 1 / 0|divides by zero
let v = 1 % 0|divides by zero
let v = 1.5 % 0|divides by zero
let v = 2^63|does not fit 64 bits
let v = 9223372036854775807 + 1|does not fit 64 bits
let v = (0 - 9223372036854775807 - 1) / -1|does not fit 64 bits
let v = 3 << 62|62 places
let v = 1 << -1|62 places
let v = 2 ^ 0.5|whole number
let v = "a" + 1|needs numbers
let v = 1 +|a value is missing
let v =|a value is missing
let v = 1 2|nothing more is expected at `2`
let v = * 3|a value is missing before
let v = 12abc|12abc
let = 5|needs a name
let v 5|needs a =
let v == 5|needs a =
let 1 = 5|is an argument of the script
let 1a = 5|can't be called
let a-b = 5|can't be called
let true = 5|is a value
let v = $nosuch|no variable \$nosuch
let v = $|name behind the \$ is missing
let v = ${1x}|a name does not begin with a digit
let v = $1x|script has no arguments
let v = ${v|name behind the \$ is missing
let v = $1|script has no arguments
let v = $0|first argument of a script is \$1
let v = nosuch|no `nosuch`
echo $nosuch|no variable \$nosuch
END
is "$(grep -c '"cause":"script"' "$out")" "$(wc -l <"$out" | tr -d ' ')" 'each object has the cause'
say 'let blocks = 4; echo $block'
err_has 'did you mean $blocks?' 'a name that is near is named'
awk 'BEGIN { printf "let v = "; for (i = 0; i < 5000; i++) printf "("; print 1 }' | lab
err_has 'is not closed' 'parentheses without end'
awk 'BEGIN { printf "let v = "; for (i = 0; i < 5000; i++) printf "("; printf 1
             for (i = 0; i < 5000; i++) printf ")"; print "" }' | lab
err_has 'nested too deep' 'thousands of parentheses are refused'
awk 'BEGIN { printf "let v = "; for (i = 0; i < 5000; i++) printf "-"; print 1 }' | lab
err_has 'too many signs' 'and thousands of signs'
awk 'BEGIN { printf "let v = "; for (i = 0; i < 60000; i++) printf "1^"; print 1 }' | lab
err_has 'too many powers' 'and thousands of powers'
script <<'END'
array x i64 2 list:-9223372036854775808,6
let v = x[0] / -1
let v = x[1] / -1
echo $v
END
err_has ':2: the result does not fit 64 bits' 'the smallest number of an array, divided by -1'
is "$(tail -n 1 "$out")" -6 'and another one'

# ---- variables in commands ------------------------------------------------------------------

script <<'END'
let n = 3; let s = "a b"
echo $n ${n}x "$n" '$n' \$n $s "$s"
echo a$n$n.$n $ $. costs 5$
let n = $n + 1
echo $n $#
let k = "trap"
$k -n 10$n
alias four echo $n
let n = 9
four
END
err_empty 'variables are put into commands'
out_like '^3 3x "3" .\$n. \$n a b "a b"$' 'by $n, ${n}, in double quotes; not in single ones'
out_like '^a33\.3 \$ \$\. costs 5\$$' 'a $ alone is a $'
out_like '^4 0$' '$# without arguments is 0'
out_like 'n = 104, ' 'a command can be a variable'
is "$(tail -n 1 "$out")" 4 'an alias has the value of when it was made'
script <<'END'
let e = "one; echo two"
echo $e
END
is "$(cat "$out")" 'one; echo two' 'a value can not begin another command'
script <<'END'
let n = 5
let v = "it's $n, \$n, \\$n, \"$n\" and '$n'"
let
END
out_like "^v = it's 5, [\$]n, \\\\5, \"5\" and '5'\$" 'quotes inside a text in double quotes are plain letters'
printf 'echo $1 $2 $# ${1}0\nlet n = $1 * 2\necho $n\n' >"$tmp/args.lab"
lab "$tmp/args.lab" -- 5 'f o' </dev/null
is "$(tr '\n' '|' <"$out")" '5 f o 2 50|10|' 'arguments stand behind --'
lab -c 'echo $1 $#' -- -n </dev/null
is "$(cat "$out")" '-n 1' 'also after -c, and a dash has no meaning there'
lab "$tmp/args.lab" -- 5 </dev/null
err_has "$tmp/args.lab:1: there is no \$2: the script has 1 argument" 'a missing argument is told'
cp "$tmp/args.lab" "$tmp/-x.lab"
(cd "$tmp" && "$CUDALAB" --no-init -- -x.lab </dev/null >"$out" 2>"$err")
err_has 'has no arguments' 'before any script, -- begins the names of files'

# ---- blocks ---------------------------------------------------------------------------------

script <<'END'
repeat i = 1..4
  if $i == 1
    echo one
  else if $i == 2
    echo two
  else if $i == 3; echo three
  else
    echo $i is more
  end
end
repeat 2; echo again; end
repeat 0; echo never; end
repeat i = 3..1; echo never; end
if not 1 == 2; echo not; end
if $i > 3; echo $i; end
if ""; echo never; else; echo empty; end
if 0.0
  echo never
end
repeat i = 1..2; repeat j = 1..2; echo $i$j; end; end
END
err_empty 'blocks run'
is "$(tr '\n' '|' <"$out")" \
    'one|two|three|4 is more|again|again|not|4|empty|11|12|21|22|' 'as they should'

# shape <<SCRIPT: what is said of it, and what it shows
shape() { # shape ERROR OUTPUT NAME <<SCRIPT
    cat >"$tmp/shape.lab"
    lab "$tmp/shape.lab" </dev/null
    err_has "$tmp/shape.lab:$1" "$3: told"
    is "$(grep -c "shape.lab:" "$err")" 1 "$3: once"
    is "$(tr '\n' '|' <"$out")" "$2" "$3: what else runs"
}
shape '2: the `if` of line 2 has no `end`' 'a|' 'a missing end' <<'END'
echo a
if 1
echo b
END
shape '3: the `repeat` of line 3 has no `end`' '' 'the innermost one' <<'END'
if 1

repeat 2
END
shape '1: `end` ends no block here' 'b|' 'an end too many' <<'END'
end
echo b
END
shape '1: `else` belongs into an `if`' 'b|' 'an else too many' <<'END'
else
echo b
END
shape '2: `else` belongs into an `if`, and the block that is open here is the `repeat` of line 1' \
    'b|' 'an else in a repeat' <<'END'
repeat 2
else
echo a
end
echo b
END
shape '3: this `if` has an `else` already' 'b|' 'a second else' <<'END'
if 1
else
else
end
echo b
END
shape '2: a testcase can'"'"'t be inside another one' 'b|' 'a testcase in a testcase' <<'END'
testcase "a"
testcase "b"
if 1
end
end
end
echo b
END
shape '2: `end` is a line of its own' 'b|' 'more behind end' <<'END'
if 1
end if
end
echo b
END
shape '2: there is no `elif` here: write `else if`' 'b|' 'another language' <<'END'
if 1
elif 2
end
echo b
END
shape '1: a value is missing' 'b|' 'if without a condition' <<'END'
if 1 ==
echo a
end
echo b
END
shape '1: repeat counts in whole numbers' 'b|' 'half a turn' <<'END'
repeat 1.5
echo a
end
echo b
END
shape '1: a range needs ..' 'b|' 'a range without ..' <<'END'
repeat i = 1 5
echo a
end
echo b
END
shape '4: there is no command `nosuch`' 'a|b|' 'a command that is wrong has its own line' <<'END'
if 1
  echo a

  nosuch
end
echo b
END
nested() { # nested N: N blocks in one another
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "if 1"; print "echo deep"
                           for (i = 0; i < n; i++) print "end"; print "echo after" }' | lab
}
nested 64
is "$(tr '\n' '|' <"$out")" 'deep|after|' '64 blocks in one another'
nested 65
err_has 'nested more than 64 deep' '65 are refused'
is "$(tr '\n' '|' <"$out")" 'after|' 'as a whole'
nested 5000
is "$(tr '\n' '|' <"$out")" 'after|' 'and 5000'
printf 'echo in\nif 1\necho two\nend\n' >"$tmp/inner.lab"
printf 'repeat 2\nsource %s\nend\n' "$tmp/inner.lab" | lab
is "$(tr '\n' '|' <"$out")" 'in|two|in|two|' 'a script that a block sources has its own blocks'
printf 'if 1\nsource %s\nend\necho b\n' "$tmp/inner.lab" >"$tmp/outer.lab"
printf 'if 1\n' >"$tmp/inner.lab"
lab "$tmp/outer.lab" </dev/null
err_has "$tmp/inner.lab:1: the \`if\` of line 1 has no" 'an end in the outer script ends no inner block'
is "$(cat "$out")" b 'and the outer script goes on'
printf 'repeat 2^60\nend\necho after\n' >"$tmp/long"
lab --session-time 1 <"$tmp/long"
status_is 1 'a repetition without end is ended by the time of the session'
err_has 'session-time' 'which is told'
printf 'repeat 2^60\nlet a = 1\nend\n' >"$tmp/long"
lab --session-time 1 --grade <"$tmp/long"
status_is 5 'it is a limit'
printf 'let s = "0123456789abcdef"\nrepeat 100; let s = "$s$s"; end\necho after\n' >"$tmp/long"
lab --grade <"$tmp/long"
status_is 5 'a text that doubles again and again reaches a limit'
err_has 'would have more than 1 MiB' 'which is told'
is "$(cat "$out")" after 'and the script goes on'
printf 'let s = "0123456789abcdef"\nrepeat 16; let s = "$s$s"; end\necho $s$s$s$s\necho after\n' >"$tmp/long"
lab --grade <"$tmp/long"
status_is 5 'so does a line that is made of such texts'
is "$(cat "$out")" after 'and it does not run'
say 'repeat 5; echo a; quit 3; end; echo b'
status_is 3 'quit in a block ends all'
is "$(cat "$out")" a 'at once'
printf 'repeat 3; nosuch; end\necho b\n' | lab --bail
is "$(grep -c nosuch "$err")" 1 '--bail too'
say 'bench if 1'
err_has "if can't run inside bench" 'no block runs inside a command that measures'
say 'side "if 1" "echo a"; echo b'
err_has 'this `if` has no `end`' 'a block inside side ends there'
is "$(tail -n 1 "$out")" b 'and nothing behind it is lost'

# ---- expect ---------------------------------------------------------------------------------

# judged_all right|wrong|script <<TABLE: expectations about what stands in $before
before='array x i32 8 iota
array y f32 4 value:1.5
array u u64 2 value:18446744073709551615
array one f32 1 value:24
array n f32 2 list:nan,1
let k = 3
banks 4'
all_are() {
    { printf '%s\n' "$before"; sed 's/^/expect /'; } >"$tmp/expect.lab"
    lab --json "$tmp/expect.lab" </dev/null
    case $1 in
    right) wanted='"status":"ok"' ;;
    wrong) wanted='"cause":"check"' ;;
    script) wanted='"cause":"script"' ;;
    esac
    is "$(grep '^{"command":"expect' "$out" | grep -v "$wanted" | cut -c1-200)" '' "all are: $1"
    is "$(grep -c '^{"command":"expect' "$out")" "$(grep -c '^expect' "$tmp/expect.lab")" 'each one'
    json_valid 'valid JSON'
}
all_are right <<'END'
degree == 4
result.degree == 4
degree != 5
degree < 5
degree <= 4
degree > 3
degree >= 4
degree ~ 4.00001
degree ~ 4.1 atol 0.2
degree ~ 4.1 rtol 0.1
degree ~ 4.1 rtol=0.1 atol=0 "a hint"
degree == $k + 1
degree - 1 == $k
degree / 8 == 0.5
degree % 3 == 1
-degree == -4
(degree + 4) * 2 == 2^4
ok
ok == true
status == ok
status == "ok"
status != error
command == "banks 4"
command contains banks
kernel contains 4
counters.shared_load_conflicts == 3
counters.shared_load_conflicts + 1 == wavefronts
faults == none
device == sim
block[0] == 32
block.0 == 32
block has 32
explain contains "bank"
x == iota
x != zero
x == expr:i
x ~ expr:i+0*n
x == list:0,1,2,3,4,5,6,7
x[0..3] == iota
x[4..7] == iota
x[4..7] == expr:i
x[3] == 3
x[$k] == $k
x[3] + x[4] == x[7]
x[2..2] == value:2
x == x
x != expr:2*i
y == value:1.5
y ~ value:1.500001
y ~ value:1 atol 0.5
one ~ 24
one == 24
one * 2 == 48
u == value:18446744073709551615
n != n
n[1] == 1
nan != nan
inf > 1e300
END
all_are wrong <<'END'
degree == 5
degree != 4
degree < 4
degree > 4
degree ~ 4.1
degree ~ 4.1 atol 0.01 "a hint"
degree ~ nan
status == error
command contains nosuch
faults has race-shared
faults == race-shared
faults != none
x == zero
x != iota
x == list:0,1,2,3,4,5,6,8
x[4..7] == list:4,5,6,6
y == value:1.4999999
n == n
n ~ n
one == 25
nan == nan
block has 33
END
all_are script <<'END'
degre == 4
result.nosuch == 4
counters.shared_load_conflict == 0
shared_load_conflicts == 0
degree = 4
degree is 4
degree === 4
degree ==
degree == 4 5
degree == 4 rtol 1
degree ~ 4 rtol
degree ~ 4 rtol -1
degree ~ 4 rtol "a"
degree == "four"
degree contains 4
degree has 4
status < 5 6
faults has race-sharde
faults == nosuch
x == 5
x == iot
x == list:1,2,3,4,5,6,7,8,9
x == y
x == x[0..3]
x == value:1.5
x == expr:nosuch
x == value:
x[9] == 1
x[0..9] == iota
nosuch == iota
y == expr:row
x == file:nosuch
== 4
4 4
"a" "b" "c"
degree == $nosuch
variant shuffle faster-than atomic
variant shuffle better-than atomic
variant a
degree == 4 "one hint" "two hints"
END
script <<'END'
banks 4
expect degre == 4
expect shared_load_conflicts == 0
array x i32 8 iota
expect x == 5
expect degree = 4
expect faults has race-sharde
expect counters.branchs == 5
END
err_has 'did you mean degree?' 'a value that is near is named'
err_has 'did you mean counters.shared_load_conflicts?' 'also where its path was forgotten'
err_has 'compare it with an array or with value:5, or take one element, as in x[0]' \
    'an array is no number'
err_has '`=` is not an operator: did you mean ==?' 'an operator of elsewhere'
err_has 'did you mean race-shared?' 'a kind of fault'
err_has 'did you mean branches?' 'a counter'
say 'expect area == 24'
err_has 'no command has run yet' 'nothing to judge'

# A command that does not run is looked at as well, once, when its block has run.
script --grade <<'END'
alias go echo 5
repeat 2
  if 1 == 2
    go
    esle
    echo 6
  else
    echo $#
  end
end
testcase "a"
  expect 1 == 2
end
testcase "b" needs "a"
  ecko 1
end
if 1 == 1
  quit
else
  nosuch
end
END
status_is 2 'a misspelt `else` in a part that does not run is a mistake of the script'
err_has '<stdin>:5: there is no command `esle`: did you mean else?' 'it is named'
is "$(grep -c esle "$err")" 1 'once, and not in each turn'
err_has '<stdin>:15: there is no command `ecko`: did you mean echo?' 'so is one in a testcase that is left out'
is "$(grep -c 'there is no command' "$err")" 2 'and none of a script that has ended'

# What is said of a failure.
script <<'END'
array x i32 100 expr:i%90
banks 4
expect x == iota "is the index right?"
expect x[89..95] ~ expr:i atol 2
expect counters.shared_load_conflicts == 0
expect degree ~ 5 atol 0.5
expect faults has race-shared
expect command contains nosuch
END
status_is 1 'failed checks are failures'
err_has '<stdin>:3: x: 10 of 100 elements differ, first at [90]: wanted 90, found 0' \
    'the first element that differs, with its index and both values'
err_like '^Hint: is the index right[?]$' 'the hint'
err_has 'x[89..95]: 6 of 7 elements differ, first at [90]: wanted 90 (atol 2), found 0' \
    'the index is that of the array, also of a part'
err_has 'counters.shared_load_conflicts: wanted 0, found 3' 'what was wanted, what was found'
err_like '^Shared memory has 32 banks.*[(]help bank[)]$' 'and why it matters'
err_has 'degree: wanted ~ 5 (atol 0.5), found 4' 'the tolerance'
err_has 'faults: wanted has race-shared, found none' 'faults'
out_lacks expected 'what holds is not shown'
say_json 'array x i32 4 iota; expect x == zero "h"; expect x == iota'
is "$(sed -n 's/.*"cause":"check".*"result":\({[^}]*}\).*/\1/p' "$out")" \
    '{"ok":false,"left":"x","op":"==","wanted":0,"found":1,"index":1,"differ":3,"count":4,"hint":"h"}' \
    'the verdict as JSON'
say_json 'expect 1 == 1'
json_is .result.ok true 'and of one that holds'

# The last command is judged; what only a launch has, of the last one that launched.
script --json <<'END'
banks 4
array x i32 4 iota
print x
expect faults == none
expect counters.shared_load_conflicts == 3
expect values[2] == 2
nosuch
expect faults == none
expect count == 4
print x
expect faults == none
END
is "$(sed -n 's/^{"command":"expect.*"status":"\([a-z]*\)".*/\1/p' "$out" | tr '\n' ' ')" \
    'ok ok ok error error error ' 'a command that failed has no faults that could be none'
is "$(grep -c '"command":"expect.*"cause":"check".*the command failed: there is no command' "$out")" 2 \
    'which is told with the reason'

# Variants.
script <<'END'
sum -n 4096 --variant all
expect variant shuffle faster-than atomic
expect variant shuffle faster-than atomic by 1.01 "use a warp"
expect variant atomic slower-than shuffle
expect variant shuffle fewer-than atomic counters.global_atomics by 128
expect variants[shuffle].counters.global_atomics == 4096 / 128
expect variant shuffle faster-than atomic by 0.5
expect variant atomic faster-than shuffle by 1e-6
expect variant == all
expect variants has shuffle
END
status_is 0 'variants are compared by modelled time, and by counts'
script <<'END'
sum -n 4096 --variant all
expect variant atomic faster-than shuffle "use a warp"
expect variant shuffle faster-than atomic by 1e6
expect variant shuffle fewer-than atomic counters.global_atomics by 129
expect variant shufle faster-than atomic
expect variant shuffle faster-than atomic by 0
expect variant shuffle fewer-than atomic
expect variant shuffle fewer-than atomic counters.nosuch
banks 4
expect variant shuffle faster-than atomic
END
err_like '^<stdin>:2: variant atomic: wanted 1 times as fast as shuffle, found .* [(]modelled time[)]$' \
    'it says that the time is modelled'
err_like '^<stdin>:4: .*wanted 129 times as few as atomic, found 128 times: shuffle has 32, and atomic has 4096 [(]counted[)]$' \
    'or what was counted'
err_has '<stdin>:5: there is no variant `shufle`: did you mean shuffle?' 'a variant that is near'
err_has '<stdin>:6: the factor behind `by` is a number above 0' 'a factor of nothing'
err_has '<stdin>:7: what is counted is missing' 'what is counted'
err_has '<stdin>:8: the variants shuffle and atomic do not both have `counters.nosuch`' 'no such count'
err_has '<stdin>:10: the last command ran no variants' 'no variants'

# ---- testcase -------------------------------------------------------------------------------

cat >"$tmp/tests.lab" <<'END'
testcase "right" points 2
  banks 1
  expect degree == 1
end
testcase "wrong" points 3
  hint "look at the banks"
  banks 4
  expect degree == 1 "the distance"
  expect faults == none
end
testcase "needs a right one" points 4 needs "right"
  echo ran
end
testcase "needs a wrong one" points 5 hidden needs "wrong"
  echo never
end
testcase "a fault that is expected"
  trap --variant race
  expect faults has race-global
end
testcase "a fault"
  trap --variant race
end
testcase "half" points 0.5
end
let k = 7
testcase "named $k"
end
END
lab "$tmp/tests.lab" </dev/null
is "$(grep -E '^(passed|skipped|[0-9]+ of)' "$out" | tr '\n' '|')" \
    'passed: right (2 points)|passed: needs a right one (4 points)|skipped: needs a wrong one (it needs "wrong")|passed: a fault that is expected (1 point)|passed: half (0.5 points)|passed: named 7 (1 point)|5 of 8 testcases passed: 8.5 of 17.5 points|' \
    'tests pass, fail and are skipped'
err_has "$tmp/tests.lab:5: testcase \"wrong\" failed (0 of 3 points)" 'a failed one, with the line'
err_like '^look at the banks$' 'and its hint'
err_has "$tmp/tests.lab:21: testcase \"a fault\" failed" 'a fault that nothing expects'
out_lacks never 'what is skipped does not run'
lab --json "$tmp/tests.lab" </dev/null
sed -n 's/^{"command":"testcase.*"testcase":"\([^"]*\)","points":\([^,]*\),"scored":\([^,]*\),"passed":\([a-z]*\),"skipped":\([a-z]*\),"hidden":\([a-z]*\),"checks":\([0-9]*\).*/\1 \2 \3 \4 \5 \6 \7/p' \
    "$out" >"$tmp/got"
is "$(cat "$tmp/got")" "right 2 2 true false false 1
wrong 3 0 false false false 2
needs a right one 4 4 true false false 0
needs a wrong one 5 0 false true true 0
a fault that is expected 1 1 true false false 1
a fault 1 0 false false false 0
half 0.5 0.5 true false false 0
named 7 1 1 true false false 0" 'the same as JSON'
out_has '"feedback":["degree: wanted 1, found 4","the distance","look at the banks"]' 'with the feedback'
is "$(sed -n 's/^{"command":"testcase.*"cause":"\([a-z]*\)".*/\1/p' "$out" | tr '\n' ' ')" 'check fault ' \
    'and the cause of each that failed'
mistakes <<'END'
testcase; end|needs a name in quotes
testcase name; end|needs a name in quotes
testcase ""; end|not empty
testcase "a" points; end|a value is missing
testcase "b" points -1; end|0 or more
testcase "c" points "x"; end|0 or more
testcase "d" pionts 2; end|has no `pionts`
testcase "e" needs "nosuch"; end|no testcase before this one
testcase "f" needs; end|name of another testcase
hint "x"|belongs into a testcase
END
say 'testcase "a"; hint x; end'
err_has 'hint needs a text in quotes' 'a hint without quotes'
say 'testcase "a"; end; testcase "a"; end'
err_has 'line 1 has a testcase "a" already' 'two tests of one name'
script <<'END'
testcase "status of a later command"; trap -n 0; echo hi; expect status == ok; end
testcase "faults of a later launch"
sum --variant nobarrier
trap -n 1000
expect faults == none
end
testcase "status of its own"; trap -n 0; expect status == error; end
testcase "faults of its own"
sum --variant nobarrier
echo hi
expect faults has race-shared
end
END
is "$(sed -n 's/^passed: //p' "$out" | tr '\n' '|')" \
    'status of its own (1 point)|faults of its own (1 point)|' \
    'only an expectation about the command that failed takes its end back'
say 'testcase "abc"; end; testcase "b" needs "abd"; end'
err_has 'did you mean "abc"?' 'a test that is near'
printf 'testcase "a"\nexpect 1 == 2\nquit\nend\necho b\n' | lab --json
out_has '"passed":false' 'a test that quit ends has failed all the same'

# ---- completion -----------------------------------------------------------------------------

offers() { # offers BEFORE LINE WANTED: what Tab offers after these commands
    say "$1; complete '$2'"
    is "$(tail -n +1 "$out" | grep -v '^. *is\|:' | tr '\n' ' ' | sed 's/ $//')" "$3" "complete $2"
}
offers 'let number = 1; let name = 2' 'trap -n $n' '$name $number'
offers 'array abc i32 4; array abd i32 4' 'expect ab' 'abc abd'
say "banks 4; complete 'expect counters.shared_load'"
out_like '^counters.shared_load_conflicts$' 'counters of the last launch'
say "banks 4; complete 'expect deg'"
out_like '^degree$' 'what the last command found'
say "banks 4; complete 'if deg'"
out_like '^degree$' 'also after if'

# ---- at the prompt --------------------------------------------------------------------------

if has_terminal; then
    at_home
    at_terminal "$CUDALAB --no-init --device sim" <<'END'
see "cudalab> "
key "repeat i = 1..2\r"
see "`end` is missing"
see ".> "
key "echo turn \$i\r"
see ".> "
key "end\r"
see "turn 1"
see "turn 2"
see "cudalab> "
key "expect 1 == 1\r"
see "as expected"
see "cudalab> "
key "if 1\r"
see ".> "
key "\003"
see "cudalab> "
key "echo fine\r"
see "fine"
key "quit\r"
END
    status_is 0 'a block is typed over several lines, and Ctrl-C drops it'
fi

done_testing
