# SPDX-License-Identifier: GPL-3.0-or-later
#
# The kinds of exercises, one by one: what each line of an exercise does. And what a hand-in must
# never learn.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
needs_programs nvcc

# grade EXERCISE HAND-IN...: all.csv gets the marks, cause and note of each hand-in
grade() {
    lab --no-init grade "$@" --report csv:all.csv </dev/null
}

# gets STUDENT MARKS NAME: the points of its tests, in the last report
gets() {
    tests=$(head -1 all.csv | tr -d '"\r' | tr , '\n' | grep -n '^points$' | cut -d: -f1)
    is "$(grep "^\"$1\"," all.csv | cut -d, -f"3-$((tests - 1))")" "$2" "$3"
}

# ---- launch by hand-in, several references, cards --------------------------------------------

cat >both.exercise <<'END'
exercise both kernel both(int n, const int *in, int *less, unsigned char *more)
input in[n * 2] iota
input less[n]
input more[n] value:7
sizes n 8
launch by hand-in
reference less expr:in-1
reference more kernel more.cu
devices h100 t4
testcase "less" points 1
  expect less == reference
end
testcase "more" points 1
  expect more[2..3] == reference
  expect more[0] == 8
end
testcase "launch" points 1
  expect blocks * threads == n
  expect in == iota
end
end
END
cat >more.cu <<'END'
//: launch <<<1, 1>>>
__global__ void both(int n, const int *in, int *less, unsigned char *more)
{
    for (int i = 0; i < n; i++)
        more[i] = more[i] + 1;
}
END
body='int i = blockIdx.x * blockDim.x + threadIdx.x; less[i] = in[i] - 1; more[i]++;'
args='int n, const int *in, int *less, unsigned char *more'
printf '//: launch <<<n / 4, 4>>>\n__global__ void both(%s) { %s }\n' "$args" "$body" >right.cu
printf '//: launch <<<dim3(2), dim3(2, 2)>>>\n__global__ void both(%s) { %s }\n' "$args" "$body" >shape.cu
printf '//: launch <<<n / 0, 4>>>\n__global__ void both(%s) { %s }\n' "$args" "$body" >zero.cu
printf '//: launch <<<nosuch, 4>>>\n__global__ void both(%s) { %s }\n' "$args" "$body" >name.cu
printf '__global__ void both(%s) { %s }\n' "$args" "$body" >none.cu
printf '//: launch <<<n / 4, 4>>>\n__global__ void both(%s) { %s }\n' "$args" "${body%more*}" >half.cu
grade both.exercise right.cu shape.cu zero.cu name.cu none.cu half.cu
status_is 0 'two references, by a formula and by a kernel'
gets right 1,1,1 'a launch of the hand-in, with the exercise'\''s numbers'
gets shape 0,0,0 'a launch with a part of the threads twice'
gets zero 0,0,0 'one that divides by 0'
gets name 0,0,0 'one with a name that is not there'
gets none 0,0,0 'none'
gets half 1,0,1 'each array is compared with its own reference'

# ---- inputs that are const -------------------------------------------------------------------

cat >copy.exercise <<'END'
exercise copy kernel copy(int n, const float *in, float *out)
input in[n] list:1,nan,3,4
input out[n]
sizes n 4
launch <<<1, 4>>>
testcase "first" points 1
  expect out[0] == in[0]
end
testcase "all" points 1
  expect out[2..3] == in[2..3]
end
end
END
cat >fair.cu <<'END'
__global__ void copy(int n, const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }
END
cat >swaps.cu <<'END'
__global__ void copy(int n, const float *in, float *out) { ((float *)in)[threadIdx.x] = out[threadIdx.x] = 7; }
END
grade copy.exercise fair.cu swaps.cu
gets fair 1,1 'a result is compared with an input'
gets swaps 0,0 'which the hand-in must not change'

# ---- inputs from files -----------------------------------------------------------------------

mkdir with-files
say 'array a i32 40 iota; save a with-files/a.bin; array b f32 40 expr:i/2; save b with-files/b.npy'
status_is 0 'files for inputs'
cat >with-files/files.exercise <<'END'
exercise files kernel files(int n, const int *a, const float *b, float *y, float *z)
input a[n] file:a.bin
input b[n] file:b.npy
input y[n] zero
input z[n] zero
sizes n 40
launch <<<1, n>>>
reference y expr:a+2*b
reference z kernel z.cu
testcase "formula" points 1
  expect y == reference
end
testcase "kernel" points 1
  expect z == reference
end
end
END
takes='int n, const int *a, const float *b, float *y, float *z'
echo "__global__ void files($takes) { int i = threadIdx.x; z[i] = b[i] - a[i]; }" >with-files/z.cu
echo "__global__ void files($takes) { int i = threadIdx.x; z[i] = b[i] - a[i]; y[i] = a[i] + 2 * b[i]; }" >read.cu
grade with-files/files.exercise read.cu
gets read 1,1 'inputs are read from files beside the exercise'
cp all.csv before.csv
grade with-files/files.exercise read.cu --marks kept
say 'array a i32 40 value:1; save a with-files/a.bin'
grade with-files/files.exercise read.cu --marks kept
ok 'other bytes in such a file are another exercise' test "$(wc -l <kept)" = 2
lab grade with-files/files.exercise read.cu --open read </dev/null
out_like '^cudalab> array b f32 40 "?file:given-input-b.npy"?$' 'a prompt has them'
err_empty 'and can read them'

# ---- findings that don't count -------------------------------------------------------------

cat >sum.exercise <<'END'
exercise sum kernel sum(const int *x, int *y)
input x[64] value:1
input y[1] zero
launch <<<1, 64>>>
testcase "runs" points 1
  expect blocks == 1
end
testcase "none" points 1
  expect faults == none
end
testcase "race" points 1
  expect faults has race-global
end
end
END
takes='const int *x, int *y'
echo "__global__ void sum($takes) { y[0] += x[threadIdx.x]; }" >race.cu
echo "__global__ void sum($takes) { __shared__ int s[64]; s[threadIdx.x] = x[threadIdx.x]; y[0] += s[63 - threadIdx.x]; }" >both.cu
echo "__global__ void sum($takes) { y[0] += x[threadIdx.x + 64]; }" >fault.cu
grade sum.exercise race.cu both.cu fault.cu
gets race 0,0,1 'a race counts'
sed 's/^launch/ignore race-global leak\n&/' sum.exercise >ignores.exercise
grade ignores.exercise race.cu both.cu fault.cu
gets race 1,1,0 'a finding that is ignored is not there'
gets both 0,0,0 'another one in the same launch counts'
gets fault 0,0,0 'so does a fault'

# ---- programs --------------------------------------------------------------------------------

cat >echo.exercise <<'END'
exercise echo program
limit steps 2^20
testcase "arguments" points 1
  run one "two words"
  expect output contains "one|two words|"
  expect exit == 2
end
testcase "input" points 1
  input-text "4\n5\n"
  run sum
  expect output contains "9"
  expect exit == 0
end
end
END
cp "$top_srcdir/tests/data/echo.cu" .
echo 'int main() { for (;;) ; }' >forever.cu
echo 'int main() { return oops; }' >wrong.cu
echo 'int main() { *(volatile int *)0 = 1; }' >crash.cu
sed 's/^limit.*/limit time 3/' echo.exercise >short.exercise
grade short.exercise echo.cu forever.cu wrong.cu crash.cu
status_is 0 'programs are graded'
if grep -q '^"echo","",1' all.csv; then
    gets echo 1,1 'arguments, input, output and status'
    echo 'int main() { void *p; cudaMalloc(&p, 4); printf("2|"); }' | sed 's/^/#include <cstdio>\n/' >kept.cu
    sed '/expect output/d; s/exit == 2/exit == 0/; s/^limit.*/limit time 20/' echo.exercise >keeps.exercise
    grade keeps.exercise kept.cu
    gets kept 0,0 'a program that frees not all'
    sed 's/^limit.*/ignore not-freed/' keeps.exercise >ignores.exercise
    grade ignores.exercise kept.cu
    gets kept 1,1 'where that is ignored'
    grade short.exercise echo.cu forever.cu wrong.cu crash.cu
    is "$(grep -o 'limit' all.csv | head -1)" limit 'a program without end is at its limit'
    is "$(grep '^"wrong"' all.csv | grep -o compile)" compile 'one that does not compile'
    is "$(grep '^"crash"' all.csv | grep -o fault)" fault 'one that crashes'
    lab --no-init grade short.exercise wrong.cu --report 'feedback:said-{}' </dev/null
    is "$(grep -c "^    wrong.cu:1:21: error: .*'oops'" said-wrong)" 2 'the compiler'\''s words, in each test'
    is "$(grep '^    run ' said-wrong | tr '\n' ' ')" \
        "$(printf '    run "wrong.cu" --  %s: clang refused the program ' 'one "two words"' \
            | sed 's/$/    run --input .given-input.txt "wrong.cu" --  sum: clang refused the program /')" \
        'and each command that was not run'
else
    skip 'no compiler for whole programs under --safe' 'arguments, input, output and status'
fi

# ---- questions -------------------------------------------------------------------------------

cat >ask.exercise <<'END'
exercise ask question
draw s 4..4
ask "What is the degree of stride $s?" as degree
ask "What serves a stride of 1?" as how word
testcase "degree" points 2
  compute banks $s
  expect answer.degree == degree
end
testcase "word" points 1
  expect answer.how == "one"
end
end
END
printf 'degree: 4\nhow: one\n' >ana.txt
printf ' degree :4.0 \n' >ben.txt
printf 'degree: degree\nhow: "one"\n' >cem.txt
printf 'degree: 4\ndegree: 4\nhow: one\n' >dan.txt
printf 'degree: $s\nhow: one; quit\n' >eva.txt
mkdir fay
cp ana.txt fay/answers.TXT
echo 'my answers' >fay/README.md
grade ask.exercise ana.txt ben.txt cem.txt dan.txt eva.txt fay
status_is 0 'questions are graded'
gets ana 2,1 'right answers'
gets ben 2,0 'a number in another form, and no word'
gets cem 0,0 'the name of the right value is not an answer'
gets dan 0,1 'two answers to one question'
gets eva 0,0 'nor is a variable'
gets fay 2,1 'the answers are in the .txt file'
lab --no-init grade ask.exercise --questions --student ana </dev/null
out_has 'What is the degree of stride 4?' 'the questions of a student'

# ---- scripts ---------------------------------------------------------------------------------

cat >lab.exercise <<'END'
exercise lab script
testcase "array" points 1
  expect x == expr:3*i
end
testcase "part" points 1
  expect x[2..3] == list:6,9
  expect x[1] == 3
end
testcase "last" points 1
  expect degree == 2
end
end
END
echo 'array x i32 9 expr:3*i; banks 2' >right.lab
echo 'array x i32 9 iota; banks 3' >other.lab
echo 'array x i32 9 expr:3*i; banks 2; quit 0' >quits.lab
echo 'echo hello' >empty.lab
echo 'arry x i32 9 expr:3*i' >slip.lab
echo 'repeat 1000000000; echo a; end' >forever.lab
mkdir notes
cp right.lab notes/s.lab
echo 'I have written a script.' >notes/README.txt
sed 's/^testcase "array"/limit output 100000\n&/' lab.exercise >bounded.exercise
grade bounded.exercise right.lab other.lab quits.lab empty.lab slip.lab forever.lab notes
status_is 0 'scripts are graded'
gets right 1,1,1 'a right script'
gets other 0,0,0 'a wrong one'
gets quits 1,1,1 'one that ends with quit'
gets empty 0,0,0 'one without the array'
gets slip 0,0,0 'one with a typing mistake'
gets forever 0,0,0 'one without end'
gets notes 1,1,1 'one with a text next to it'

# The student chooses the settings and the names of arrays.
cat >values.exercise <<'END'
exercise values script
testcase "threads" points 1
  expect threads == 128
end
testcase "degree" points 1
  expect degree == 2
end
testcase "element" points 1
  expect sum[0] == 45
end
end
END
printf 'array sum i32 1 value:45\narray degree i32 1 value:2\nset threads 128; show\n' >values.lab
printf 'array sum i32 1 value:45\nalias s show\nset threads 128; s; quit\n' >alias.lab
printf 'show\n' >only.lab
sed 's/== 128/== 0/' values.exercise >default.exercise
grade default.exercise only.lab
gets only 0,0,0 'also where it is the only one'
grade values.exercise values.lab alias.lab
gets values 0,0,1 'a setting and an array are no values of the last command'
gets alias 0,0,1 'whatever the command is called'

# ---- secrets ---------------------------------------------------------------------------------

# A hand-in that looks for the exercise does not find it. What else a worker can't see is tested in
# tests/unit/worker.c.
cat >spy.cu <<'END'
//: launch <<<n / 4, 4>>>
#if __has_include("both.exercise") || __has_include("../both.exercise") || __has_include("more.cu")
#error the exercise can be seen
#endif
END
printf '__global__ void both(%s) { %s }\n' "$args" "$body" >>spy.cu
grade both.exercise spy.cu
gets spy 1,1,1 'a source can'\''t see the exercise'
cat >spy.lab <<'END'
array x i32 9 expr:3*i
load both.exercise
source both.exercise
array y u8 9 file:both.exercise
banks 2
END
grade lab.exercise spy.lab
gets spy 1,1,1 'nor can a script'
done_testing
