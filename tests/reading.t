# SPDX-License-Identifier: GPL-3.0-or-later
#
# code and ptx on labs, and on a student's own kernels: by PTX with its source beside it, which
# needs no compiler, and by the compilers that are here. The words for instructions are tested by
# tests/unit/words.c.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

data=$top_srcdir/tests/data
own="load $data/reading.ptx"
cu=$data/reading.cu
line_of() { # line_of TEXT: its line in reading.cu
    grep -nF -e "$1" "$cu" | head -n 1 | cut -d: -f1
}

# what_code_shows LOAD WHO
what_code_shows() {
    say "$1; code enlarge"
    status_is 0 "$2: code of a template"
    out_like "^ *$(line_of '// Scales x')  // Scales x" "$2: from the comment above"
    out_like "^ *$(line_of 'tools::twice(x[i])')          x\[i\] = tools::twice" \
        "$2: with its lines"
    out_like "^ *$(line_of 'float twice')  __device__ __noinline__ float twice" "$2: what it calls"
    out_has '/* Doubles,' "$2: with the comment above"
    out_has '__constant__ float coef[4];' "$2: what that uses"
    out_lacks 'never' "$2: nothing that it doesn't"
    out_lacks 'float unused' "$2: no variable that it doesn't use"
    say "$1; code total"
    out_has '__device__ int hits, misses[2];' "$2: a variable among others"
    out_lacks 'extern "C"' "$2: not what encloses it"
    out_lacks 'twice' "$2: total calls nothing"
}

# what_ptx_shows LOAD WHO
what_ptx_shows() {
    say "$1; ptx 'enlarge<float>'"
    status_is 0 "$2: ptx of a template"
    out_has '.entry _Z7enlargeIfEvPT_i(' "$2: the kernel"
    out_like "// reading.cu:$(line_of 'int i = ')  int i = blockIdx.x" "$2: source lines in between"
    out_like '\.func.*twice' "$2: the function that it calls"
    out_lacks '.loc' "$2: .loc is gone"
    out_lacks 'total_param' "$2: no other kernel"
    say "$1; ptx total --explain"
    status_is 0 "$2: ptx --explain"
    out_has 'holds i = blockIdx.x * blockDim.x + threadIdx.x' "$2: the thread's number in the grid"
    out_like 'Predicates, as %p1' "$2: which are predicates"
    out_has 'the parameter out' "$2: parameters by their names"
    out_has 'float from shared memory at s' "$2: shared arrays too"
    out_lacks '_Z7enlarge' "$2: no other kernel"
    is "$(awk 'length > 80 && !/[.](cu|ptx)/ && !/^  \/\// && !/^    [a-z@]/' "$out" |
        wc -l | tr -d ' ')" 0 "$2: words within 80 columns"
    say "set width 72; $1; ptx total --explain"
    out_like '^        %r[0-9]+ = threadIdx.x, this thread' "$2: in 72 columns words stand below"
}

what_code_shows "$own" 'source beside PTX'
what_ptx_shows "$own" 'source beside PTX'

say_json "$own; code total"
json_is 2:.result.line "$(line_of 'void total(')" 'JSON: the first line'
json_is '2:.result.lines[0]' '__global__ void total(const float *x, float *out, int n)' \
    'JSON: lines'
json_is 2:.result.file "$cu" 'JSON: the file'
say_json "$own; ptx total --explain"
json_like '2:.result.instructions[0].text' '^ld.param.u64 %rd1, ' 'JSON: an instruction'
json_is '2:.result.instructions[0].words' '%rd1 = the parameter x, an unsigned 64-bit number' \
    'JSON: its words'
json_is '2:.result.instructions[0].source' "$cu:$(line_of 'void total(')" 'JSON: where it came from'
json_is '2:.result.instructions[0].line' \
    "$(grep -n '\[total_param_0\]' "$data/reading.ptx" | cut -d: -f1)" 'JSON: its line in the PTX'
say_json "$own; ptx total"
json_like '2:.result.lines[0]' '^\.visible \.entry total\(' 'JSON: lines of PTX'

# ---- which one is meant -------------------------------------------------------------------

say "$own; code ov"
status_is 1 'two kernels of one name'
err_has 'ov(int*), ov(float*)' 'both are offered'
say "$own; code 'ov(float*)'; ptx 'ov(float*)'"
status_is 0 'one of them'
out_has '.entry _Z2ovPf(' 'is that one'
say "$own; code reading.ptx:total"
status_is 0 'FILE:k'
say "$own; code reading.ptx:totall"
err_has 'has no kernel' 'FILE:k that is not there'
say "$own; ptx totall"
err_has 'did you mean total?' 'a slip in the name'
say "$own; ptx trap_atomc"
err_has 'did you mean trap_atomic?' 'and in that of a lab'
say "$own; ptx total --variant x"
err_has 'only labs have variants' 'a kernel has no variants'
say "$own; code total --variant x"
err_has 'no variants' 'in code either'
cp "$data/reading.ptx" "$tmp/alone.ptx"
sed 's/\<total\>/hello/' "$data/reading.ptx" >"$tmp/hello.ptx"
say "load $tmp/hello.ptx; code hello"
out_like '^hello\.cu' "a lab's name is the lab"
out_has 'note: `hello` is the lab; your kernel is `hello.ptx:hello`' 'and a note has the other one'
say "load $tmp/hello.ptx; ptx hello.ptx:hello"
out_has 'hello.ptx, kernel hello' 'FILE:k is the kernel'
say "load $tmp/alone.ptx; code total"
err_has 'is not next to it' 'PTX without its source'
say "load $tmp/alone.ptx; ptx total"
status_is 0 'whose instructions are shown all the same'
out_lacks '// reading.cu' 'without source lines'
say "$own; code total --save $tmp/saved.cu"
ok '--save' grep -q '^__global__ void total' "$tmp/saved.cu"
# Kernels of one file often have parameters of the same name. The words tell the kernel's own.
for file in "$top_srcdir"/tests/ptx/*.ptx; do
    echo "load $file"
    sed -n 's/^.*[.]entry  *\([A-Za-z_0-9$]*\).*/ptx \1 --explain/p' "$file"
done >"$tmp/own-names.lab"
lab --json "$tmp/own-names.lab"
awk '/^{"command":"ptx / { split($0, word, " "); own = word[2]; line = $0
        while (match(line, /parameter number [0-9]+ of [A-Za-z_0-9$]+/)) {
            split(substr(line, RSTART, RLENGTH), word, " "); all++
            if (word[5] != own) print own ": " word[5]
            line = substr(line, RSTART + RLENGTH) } }
    END { if (all < 100) print "only " all + 0 " parameters" }' "$out" >"$tmp/others"
is "$(sort -u "$tmp/others" | head -5)" '' 'ptx --explain names the parameters of this kernel'

say 'ptx trap_atomic --explain'
out_has 'the parameter trap_p' "a lab's parameters have their names"
say 'code trap_atomic'
out_like '^ +[0-9]+  extern "C" __global__ void trap_atomic' \
    "code takes a lab's kernel by its own name"
out_lacks '__global__ void trap_shuffle' 'and shows that one'
ok 'lines longer than the screen are folded' test -z "$(grep '.\{81,\}' "$out")"
say 'code trap --variant shuffle'
out_has 'lab_sums.h' 'code shows what a variant uses of a header that labs share'
out_like '^ +[0-9]+  .*float Warp_sum' 'the function'
out_lacks 'Block_sum' 'and nothing else of it'
say 'code trap_block_shuffle'
out_like '^ +[0-9]+  .*float Block_sum' 'of a kernel as well'
out_like '^ +[0-9]+  .*float Part_warp_sum' 'with what that uses in turn'
say 'code trap_atomik'
err_has 'did you mean trap_atomic?' 'a misspelt one is offered'
say "$own; complete \"ptx e\""
is "$(tail -n 2 "$out" | tr '\n' ' ')" 'enlarge<float> errors ' \
    'completion offers kernels and labs'
say "load $data/reading.ptx; ptx total" --safe --allow "$data/reading.ptx"
status_is 0 '--safe'
out_lacks '// reading.cu' 'no file is read that is not allowed'

# ---- labs ---------------------------------------------------------------------------------

say 'code trap --variant shuffle'
out_has '__shfl_down_sync' 'code shows the kernel'
out_lacks 'trap_atomic(' 'and no other'
out_lacks '//:' 'nor the marks between'
line=$(grep -n 'void trap_shuffle(' "$top_srcdir/kernels/trap.cu" | cut -d: -f1)
out_like "^ *$line  extern" "with the file's own line numbers"
say "code trap --variant atomic --save $tmp/saved.cu"
ok 'code --save' grep -q '^extern "C" __global__ void trap_atomic' "$tmp/saved.cu"
for lab in $(lab_names); do
    say "code $lab; ptx $lab"
    status_is 0 "code and ptx of $lab"
    out_has .entry "ptx $lab has a kernel"
done
say 'ptx trap --variant shuffle'
out_has 'shfl.sync.down.b32' 'ptx shows instructions'
out_like '// trap\.cu:[0-9]+ ' 'beside the source'
say 'ptx trap_atomic'
out_like 'atom|red' 'ptx takes a kernel too'

# ---- by compilers -------------------------------------------------------------------------

for compiler in nvcc clang; do
    say "set compiler $compiler; load $cu"
    if test "$status" = 0; then
        what_code_shows "set compiler $compiler; load $cu" "$compiler"
        what_ptx_shows "set compiler $compiler; load $cu" "$compiler"
    else
        skip "no $compiler" "by $compiler"
    fi
done

done_testing
