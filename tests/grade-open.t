# SPDX-License-Identifier: GPL-3.0-or-later
#
# `grade --open STUDENT`: a prompt in the state of a test, for each kind of exercise. What is typed
# there comes from stdin here, and at the end from a terminal.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
needs_programs nvcc

# opened WHAT EXERCISE HAND-IN...: what is typed is stdin
opened() {
    opened_what=$1
    shift
    lab grade "$@" --open "$opened_what"
}

# ---- kernels -------------------------------------------------------------------------------

cat >twice.exercise <<'END'
exercise twice kernel twice(int n, float f, const float *in, float *out)
seed 5
input f 2
input in[n] iota
input out[n]
sizes n 64
launch <<<(n + 31) / 32, 32>>>
reference out expr:$f*in
testcase "right"
  expect out ~ reference
end
testcase "edges" hidden needs "right"
  sizes n 64 33
  expect out ~ reference
end
testcase "orders"
  schedules lockstep random:1..2
  expect out[0] == 0
end
end
END
mkdir all several
args='int n, float f, const float *in, float *out'
body='int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n)'
echo "__global__ void twice($args) { $body out[i] = f * in[i]; }" >all/anna.cu
echo "__device__ int in; __device__ int none() { return in; } __global__ void twice($args) { $body out[i] = n == 33 && i == 7 ? 5 : f * in[i] + none(); }" >all/bert.cu
echo "__global__ void twice($args) { oops }" >all/cora.cu
echo "__global__ void twice($args) { __trap(); }" >all/dora.cu
: >all/emil.cu
mkdir 'several/Fay Li_12_assignsubmission_file_' 'several/Fay Li_13_assignsubmission_file_'
cp all/bert.cu 'several/Fay Li_12_assignsubmission_file_'
cp all/anna.cu 'several/Fay Li_13_assignsubmission_file_'

opened bert twice.exercise all <<'END'
compare out_ out_reference_
print in_[32]
show schedule
END
status_is 0 'a prompt in the state of a test that fails'
out_has 'bert fails "edges".' 'it says which'
out_has 'With n = 33:' 'and in which run'
out_has 'first at [7]: wanted 14' 'and what was found'
out_like '^cudalab> load "bert.cu"' 'the commands of its state are shown'
out_like '^cudalab> launch twice<<<.*>>>\(33, 2, in_, out_\)' 'with the launch'
is "$(grep -c '^cudalab> launch' "$out")" 1 'no other run is among them'
out_has '1 of 33 elements differ' 'what is right is there'
out_like '^ *32: +32$' 'inputs have the values of that run'

opened anna twice.exercise all </dev/null
status_is 0 'a hand-in that is right'
out_has 'anna passes all tests. This is the last one, "orders".' 'its last test is opened'
out_has 'cudalab> set schedule random:2' 'in its last run'

echo 'compare out out_reference' | opened anna:edges twice.exercise all
out_has 'anna passes "edges".' 'a test that is named'
out_has 'cudalab> compare out out_reference' 'has its references'
err_empty 'and they agree there'

opened dora twice.exercise all </dev/null
out_has 'dora fails "right".' 'a test with a fault'
out_like '^fault  trap' 'its launch shows the fault again'

opened cora twice.exercise all </dev/null
status_is 0 'a hand-in that does not compile'
out_has 'cora fails all tests.' 'it fails all tests'
err_has 'oops' 'and the compiler says why'

opened emil twice.exercise all </dev/null
status_is 1 'an empty file'
out_has 'emil.cu is empty' 'it says what is wrong'
err_has 'there is nothing to open' 'and opens no prompt'

opened berta twice.exercise all </dev/null
status_is 2 'a student who is not there'
err_has 'did you mean bert?' 'the near one is offered'
opened bert twice.exercise </dev/null
status_is 2 'no hand-ins'
err_has 'grade needs hand-ins' 'it is said so'
opened bert:edge twice.exercise all </dev/null
status_is 2 'a test that is not there'
err_has 'did you mean "edges"?' 'the near one is offered'
opened 'Fay Li' twice.exercise several </dev/null
status_is 2 'two students of one name'
err_has 'name one by its number' 'the number tells them apart'
opened 12:edges twice.exercise several </dev/null
out_has 'Fay Li fails "edges".' 'a number and a test'

lab --json grade twice.exercise all --open bert </dev/null
tail -n 1 "$out" >last && cp last "$out"
json_is .result.student bert 'as JSON: who'
json_is .result.test edges 'which test'
json_is .result.state failed 'how it ended'
json_is '.result.commands[0]' 'load "bert.cu"' 'and the commands'

# ---- what a hand-in must not do --------------------------------------------------------------

echo '__global__ void k() {}' >secret.cu
mkdir scratch
TMPDIR=$PWD/scratch opened bert twice.exercise all <<'END'
load ../../../secret.cu
source ../../../twice.exercise
save out_ stolen.bin
END
is "$(grep -c -e '--safe' "$err")" 3 'the prompt is confined'
ok 'nothing is left of it' test -z "$(ls scratch)"
say 'grade twice.exercise all --open bert' --safe
err_has 'under --safe nothing can be graded' 'a session under --safe opens none'

# ---- the other kinds -------------------------------------------------------------------------

e=$top_srcdir/exercises
opened one-more "$e/configuration/configuration.exercise" "$e/configuration/wrong" </dev/null
out_like '^cudalab> load ".given/scale.cu"' 'a configuration: the kernel of the exercise'
out_like '^cudalab> launch scale<<<' 'with the launch of the hand-in'

cat >copy.exercise <<'END'
exercise copy program
testcase "one"
  input-text "first"
  run 1
  expect exit == 0
end
testcase "two"
  input-text "second"
  run 2 3
  expect output contains "third"
end
end
END
cat >copy.cu <<'END'
#include <stdio.h>
int main(int argc, char **argv)
{
    char line[80];
    printf("%s with %d\n", fgets(line, sizeof line, stdin) ? line : "nothing", argc);
    return 0;
}
END
opened copy copy.exercise copy.cu </dev/null
out_has 'copy fails "two".' 'a program'
out_like '^second with 3' 'it runs with its arguments and its input'
out_lacks 'first with 2' 'and not as in another test'

echo arrays | opened twice "$e/script/script.exercise" "$e/script/wrong"
out_has 'cudalab> source "twice.lab"' 'a script'
out_like '^f32 +1000' 'its session goes on'

opened no-names "$e/questions/questions.exercise" "$e/questions/wrong" </dev/null
out_like '^1\. Lane i of a warp' 'questions are shown'
out_like '^cudalab> banks [0-9]' 'and what computes the answer'

# ---- at a terminal -------------------------------------------------------------------------

has_terminal || { done_testing; exit; }
at_home
at_terminal "$CUDALAB grade twice.exercise all --open bert" <<'END'
see "file:given-reference-out"
see "cudalab> "
key "print out_\[7]\r"
see "7:  5"
see "cudalab> "
key "\003"
see "cudalab> "
key "launch --trace twice<<<1, 32>>>(33, 2, in_, out_)\r"
see "instruction"
see "cudalab> "
key "quit\r"
END
status_is 0 'at a terminal, Ctrl-C is for the prompt'
done_testing
