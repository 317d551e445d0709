# SPDX-License-Identifier: GPL-3.0-or-later
#
# Mistakes in an exercise: each is told with its line, a caret, and what would be right.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
runs_programs || skip_all 'this build starts no compilers'

cat >right.exercise <<'END'
exercise twice kernel twice(int n, float f, const float *in, float *out)
seed 5
input f 2
input in[n] random:-8:8
input out[n]
sizes n 64
launch <<<(n + 31) / 32, 32>>>
reference out expr:$f*in
testcase "right" points 2
  expect out ~ reference rtol 1e-6
end
end
END
lab --no-init grade --lint right.exercise </dev/null
status_is 0 'an exercise without mistakes'
out_has 'It has no mistakes' 'it is said so'

printf '0123456789ab' >three
# mistake SED LINE COLUMN MESSAGE: this change makes this mistake
mistake() {
    sed "$1" right.exercise >wrong.exercise
    lab --no-init grade --lint wrong.exercise </dev/null
    tr '\n' ' ' <"$err" | sed 's/  */ /g' >joined
    caret=$(sed -n 's/^\( *\)^$/\1/p' "$err" | head -1)
    got="$status $(sed -n 's/^wrong\.exercise:\([0-9]*\): .*/\1/p' "$err" | head -1) $((${#caret} - 1))"
    grep -Fq -e "$4" joined
    verdict "$?" "$1"
    is "$got" "2 $2 $3" 'its status, line and column'
}
mistake '1s/exercise/exercice/' 1 1 'an exercise begins with a line'
mistake '1s/kernel/kernal/' 1 16 'did you mean kernel?'
mistake '1s/float f/flot f/' 1 36 'there is no type `flot`: did you mean float?'
mistake '1s/int n/n/' 1 29 'a parameter is a type and a name'
mistake '1s/)$//' 1 23 'a signature is the name of the kernel and its parameters'
mistake '1s/float f/float n/' 1 35 'two parameters have the name n'
mistake '12d' 9 1 'the `testcase` of line 9 has no `end`'
mistake '2s/5/-1/' 2 6 'a seed is a whole number'
mistake '2s/seed/sed/' 2 1 'did you mean seed?'
mistake '2s/.*/limit step 5/' 2 1 'limit needs steps, time, memory or output'
mistake '2s/.*/limit memory 1000/' 2 14 'need at least 256M of memory'
mistake '2s/.*/ignore leaks/' 2 8 'there is no finding `leaks`: did you mean leak?'
mistake '2s/.*/ignore leak trap/' 2 13 'trap can'\''t be ignored: it ends the launch'
mistake '2s/.*/ignore/' 2 1 'ignore needs a finding'
mistake '2s/.*/run 5/' 2 1 'an exercise has no line `run`'
mistake '2s/.*/source x.cu/' 2 1 'has no meaning in an exercise of the kind kernel'
mistake '2s/.*/if 1; end/' 2 1 'this belongs into a testcase'
mistake '3s/ f / g /' 3 7 'the kernel has no parameter g'
mistake '3s/2/two/' 3 9 'a number is missing here'
mistake '3s/ f 2/ f[n]/' 3 7 'f is a number in the signature'
mistake '4s/\[n\] .*/ 3/' 4 7 'in is a pointer in the signature'
mistake '4s/\[n\]/[m]/' 4 10 'there is no number m'
mistake '4s/\[n\]/[n/' 4 9 'a ] is missing'
mistake '4s/random:-8:8/rando/' 4 13 'did you mean random?'
mistake '4s/random:-8:8/file:nosuch/' 4 13 'nosuch'
mistake '4s/random:-8:8/file:$n/' 4 13 'has no blanks and no $'
mistake '4s/random:-8:8/file:three/' 4 10 'three` has 12 bytes of data where in takes 256'
mistake '5s/out/in/' 5 7 'in is an array already, in line 4'
mistake '6d' 1 1 'the parameter n has no value'
mistake '6s/64/64 x/' 6 12 'a number is missing here'
mistake '6s/64/-3/' 4 10 'the number of elements is a whole number of 1 or more'
mistake '7s/.*/launch <<<n \/ 0, 32>>>/' 7 8 'this divides by zero'
mistake '7s/.*/launch <<<m, 32>>>/' 7 8 'there is no number m here'
mistake '7s/.*/launch <<<n * 2^40, 32>>>/' 7 8 'a grid has at most'
mistake '7s/.*/launch <<<n, 32 * n>>>/' 7 8 'a block has at most 1024 threads'
mistake '7s/.*/launch <<<n, dim3(1, 1, 65)>>>/' 7 8 'a block has at most 1024 x 1024 x 64 threads'
mistake '7s/.*/launch <<<dim3(n, 65536), 32>>>/' 7 8 'a grid has at most 2147483647 x 65535 x 65535 blocks'
mistake '7s/.*/launch <<<n, 32, 227 * 1024 + 1>>>/' 7 8 '232448 bytes of shared memory on the card h100'
mistake '7s/.*/&\ndevices t5/' 8 9 'there is no profile `t5`; did you mean sim:t4'
mistake '7s/.*/launch 3, 4/' 7 8 'launch needs <<<GRID, BLOCK>>>'
mistake '7d' 1 1 'the exercise has no launch'
mistake '8s/out/ot/' 8 1 'did you mean out?'
mistake '8s/\$f/$g/' 8 15 'there is no variable $g'
mistake '8s/\*in/*inn/' 8 22 'did you mean in?'
mistake '8s/expr:.*/kernel nosuch.cu/' 8 22 'nosuch.cu'
mistake '8s/expr:.*/nosuch.cu/' 8 15 'expr:FORMULA, kernel FILE or file PATH'
mistake '9s/points/point/' 9 1 'a testcase has no `point`'
mistake '9s/$/ needs "a"/' 9 1 'no testcase before this one is called "a"'
mistake '1s/exercise/exercse/' 1 1 'not with `exercse`: did you mean exercise?'
mistake '9s/testcase/testcse/' 9 1 'there is no `testcse` here: did you mean testcase?'
mistake '$s/end/edn/' 12 1 'did you mean end?'
mistake '11s/end/ned/' 11 1 'there is no `ned` here: did you mean end?'
mistake '10s/^/if n == 3\nesle\n/; 11s/^/end\n/' 11 1 'a testcase has no line `esle`: did you mean else?'
mistake '10s/^/iif n == 3\n/; 11s/^/end\n/' 10 1 'there is no `iif` here: did you mean if?'
mistake '10d' 9 1 'this testcase expects nothing'
mistake '10s/out/oot/' 10 10 'oot'
mistake '10s/rtol/rtoll/' 10 26 'nothing more is expected at `rtoll 1e-6`'
mistake '10s/.*/expects out/' 10 1 'did you mean expect?'
mistake '10s/.*/expect counters.global_load_sector == 1/' 10 8 'did you mean global_load_sectors?'
mistake '10s/.*/expect faults has rase-shared/' 10 1 'did you mean race-shared?'
mistake '10s/.*/expect faults has lane/' 10 1 'there is no kind of fault `lane`'
mistake '10s/.*/expect faults has leaks/' 10 1 'there is no kind of fault `leaks`: did you mean leak?'
mistake '10s/.*/schedules random:3..1/' 10 1 'there is no schedule `random:3..1`'
mistake '10s/.*/sizes m 1/' 10 1 'the exercise has no number m'
mistake '10s/.*/demand share/' 10 1 'a testcase can demand `shared`'
mistake '10s/.*/run 1/' 10 1 'has no meaning in a testcase of the kind kernel'

mistake '8s/expr:.*/expr:sqrt(in-100)/' 8 15 'the reference of out is nan at out[0]; no hand-in can equal that'

# twice LINE: the same line twice in an exercise with questions
twice() {
    printf 'exercise q question\n%s\nask "b" as b\n%s\ntestcase "t" points 1\nexpect answer.b == 1\nend\nend\n' \
        "$1" "$1" >wrong.exercise
    lab --no-init grade --lint wrong.exercise </dev/null
    status_is 2 "twice: $1"
    err_has 'wrong.exercise:4: ' 'the second one is told'
    tr '\n' ' ' <"$err" | sed 's/  */ /g' >joined
    ok 'and what is wrong' grep -q 'needs a name of its own' joined
}
twice 'draw s 2..33'
twice 'ask "a" as a'

# Several mistakes are told at once.
sed '2s/seed/sed/; 3s/ f / g /; 10s/expect/expects/' right.exercise >wrong.exercise
lab --no-init grade --lint wrong.exercise </dev/null
err_has 'has 3 mistakes' 'all mistakes are counted'
is "$(grep -c '^wrong\.exercise:[0-9]*: ' "$err")" 3 'and told'
# Whatever a file has, it is read without harm.
: >wrong.exercise
lab --no-init grade --lint wrong.exercise </dev/null
status_is 2 'an empty file'
head -c 3000 "$CUDALAB" >wrong.exercise
lab --no-init grade --lint wrong.exercise </dev/null
status_is 2 'a binary file'
lab --no-init grade --lint . </dev/null
status_is 2 'a folder'
done_testing
