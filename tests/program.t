# SPDX-License-Identifier: GPL-3.0-or-later
#
# code LAB --host: every lab with a kernel has a host part, each variant's program has every call
# checked, but for those that show what comes of not checking, and compilers take it: a sample of
# them by clang, where that made the labs' kernels, and where nvcc did, by nvcc the first of every
# second lab, to the end.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

kernels=$top_srcdir/kernels

variants() { # variants LAB: those that its kernel file, and a second one, have parts of
    cat "$kernels/$1.cu" "$kernels/$1"-*.cu 2>/dev/null | sed -n 's|^//: variant ||p' |
        tr ' ' '\n'
}

for lab in $(lab_names); do
    test -f "$kernels/$lab.cu" || continue
    labs="${labs-} $lab"
    say "code $lab --host"
    status_is 0 "$lab: it has a host part"
    for variant in $(variants "$lab"); do
        echo "code $lab --variant $variant --host --save $tmp/$lab.$variant.cu"
    done >"$tmp/$lab.lab"
    lab "$tmp/$lab.lab"
    status_is 0 "$lab: each variant has a program"
done

# One look at all programs writes the verdicts, as judged() reads them. What may stand unchecked is
# what turns an error into words. A launch is watched if cudaGetLastError() is the next call.
awk '
    function judge(good, what, why) {
        printf "%s\t%s: %s\t%s\n", good ? "pass" : "fail", name, what, good ? "" : why
    }
    function judge_program() {
        if (waits) unwatched = unwatched " " waits
        if (name ~ /^errors[.](badconfig|async)$/) {
            judge(unchecked ~ /cudaMemcpy[(]h, y_d/, "it asks nobody, as it should", unchecked)
            judge(!checks, "nor the launch", checks)
        } else {
            judge(unchecked == "", "every call is checked", unchecked)
            judge(unwatched == "", "every launch too", unwatched)
        }
        judge(!markers, "no marker is left", markers)
        judge(mains == 1, "one main", mains)
        judge(built, "how it is built", "line 5 says no nvcc -o NAME NAME.cu")
    }
    FNR == 1 {
        if (name != "") judge_program()
        name = FILENAME
        sub(/.*\//, "", name)
        sub(/[.]cu$/, "", name)
        unchecked = unwatched = ""
        waits = checks = markers = mains = built = 0
    }
    /cuda[A-Z][A-Za-z]* *\(/ && !/CHECK\(cuda/ && !/cudaGetError/ {
        unchecked = unchecked " " FNR ":" $0
    }
    />>>\(/ { waits = FNR }
    waits && /CHECK\(/ {
        if (!/cudaGetLastError/) unwatched = unwatched " " waits
        waits = 0
    }
    /CHECK\(cuda|GetLastError\(\)/ { checks++ }
    /KERNEL|^\/\/: / { markers++ }
    /^int main\(/ { mains++ }
    FNR == 5 { built = /^ [*]     nvcc -o [a-z0-9_-]+ / && index($5, $4 ".cu") == 1 }
    END { judge_program() }' "$tmp"/*.*.cu >"$tmp/verdicts"
judged "$tmp/verdicts"

if test "$KERNELS_BY" != nvcc && can_load clang; then
    # A call of a library is no kernel, and clang makes no program for 9.0.
    for program in $(grep -l __global__ "$tmp"/*.*.cu | sample 4); do
        grep -q '^ \*     nvcc .*-arch=sm_90' "$program" || echo "load $program"
    done >"$tmp/all.lab"
    say "set compiler clang; source $tmp/all.lab"
    status_is 0 'they compile by clang'
else
    skip 'by the compiler of this build' 'they compile by clang'
fi

nvcc=$(sed -n 's/^KERNEL_CC = *//p' "$top_builddir/Makefile")
case $nvcc in *nvcc*) ;; *) nvcc= ;; esac
for lab in $(printf '%s\n' $labs | sample 2); do
    program=$tmp/$lab.$(variants "$lab" | sed -n 1p).cu
    if test -z "$nvcc"; then
        skip 'by the compiler of this build' "$lab: nvcc builds it"
    else
        $nvcc -Werror all-warnings -o "$tmp/built" "$program" $(sed -n '5s/.*[.]cu//p' "$program") \
            >"$err" 2>&1
        status=$?
        last_run="$nvcc $program"
        status_is 0 "$lab: nvcc builds it, and warns of nothing"
    fi
done

# builds LAB.VARIANT HEADER LIBRARY: a program that calls one of NVIDIA's libraries.
builds() {
    echo "#include <$2>" >"$tmp/header.cu"
    if test -z "$nvcc" || ! $nvcc -E "$tmp/header.cu" >"$tmp/header" 2>&1; then
        skip 'no nvcc, or no header of the library' "$1: nvcc builds its calls of a library"
    else
        $nvcc -Werror all-warnings -o "$tmp/built" "$tmp/$1.cu" "$3" >"$err" 2>&1
        status=$?
        last_run="$nvcc $1.cu $3"
        status_is 0 "$1: nvcc builds its calls of a library"
    fi
}
builds sum.cublas cublas_v2.h -lcublas
builds dot.cublas cublas_v2.h -lcublas
builds matmul.cublas cublas_v2.h -lcublas
builds pi.host curand.h -lcurand

# ---- which one, and what is said of it ----------------------------------------------------

say 'code trap --host'
out_has 'trap_atomic.cu, a whole program: nvcc -o trap_atomic trap_atomic.cu' 'the first variant'
out_like '^ +[0-9]+      trap_atomic<<<blocks, threads>>>\(a, b, h, n, trap_p\);' \
    'its kernel is launched'
out_lacks 'trap_shuffle' 'and no other is there'
out_has 'trap --variant atomic' 'which is a variant'
say 'code trap_shuffle --host'
out_like ' float Warp_sum' "by the kernel's name, with what it needs"
out_lacks 'lab_sums.h' 'not the header that has it,'
out_lacks 'Block_sum' 'nor what else is there'
say 'code hello --host'
out_has 'hello<<<blocks, threads>>>();' 'hello, for a lab of several kernels but no table'
out_lacks 'hello3d' 'is the first of them'
out_has "a kernel of cudalab's \`hello\` as a program" 'and no --variant, which hello lacks'
say 'code waves --host'
out_has 'waves_blocks<<<blocks, threads>>>(rounds_d, record_d, out_d);' 'waves: the blocks'
say 'code waves_warps --host'
out_has 'waves_warps<<<1, threads>>>(next_d, out_d, clocks_d, rounds, steps);' 'and the warps'
out_lacks 'Now(' 'without what only the blocks need'
say 'code devquery --host'
out_has 'reservedSharedMemPerBlock' 'devquery asks for what the lab shows'
out_has 'nvcc -o devquery devquery.cu' "a lab of one kernel gives its name to the program"
say 'code memory --host --variant symbol'
out_has 'through_symbols.cu, a whole program' 'of two variants with one kernel, the first'
out_has 'CHECK(cudaMemcpyToSymbol(where, &out_d' 'sets the pointer'
say 'code memory --host --variant unset'
out_has 'memory_unset.cu, a whole program: nvcc -o memory_unset memory_unset.cu' 'the second'
out_has 'through_symbols<<<blocks, threads>>>(terms);' 'launches the same kernel'
out_lacks 'cudaMemcpyToSymbol(where' 'and leaves the pointer unset'
say_json 'code trap --diff atomic shuffle'
json_like .result.rows '"mark":"right"[^}]*float Warp_sum' \
    'what a variant needs of a header is compared too'
say 'code sum --host --variant cublas'
out_has 'sum_cublas.cu, a whole program: nvcc -o sum_cublas sum_cublas.cu -lcublas' \
    'what nvcc must be told'
out_lacks '`load` takes it' 'without a kernel it is nothing to load'
out_has 'CHECK_BLAS(cublasSdot(handle, n, data_d, 1, one_d, 0, sum_d));' 'it has the call'
say 'code dot --host --variant cublas'
out_has 'CHECK_BLAS(cublasSdot(handle, n, a_d, 1, b_d, 1, &dot));' 'dot: the call'
out_lacks '__device__' 'and nothing that only kernels need'
say 'code sum --host --variant thread0'
out_lacks '#endif' 'of a header nothing that is not needed, though a comment says "nothing"'
say_json 'code trap --host --variant noscale'
json_is .result.file trap_noscale.cu 'JSON: the file'
json_is .result.build 'nvcc -o trap_noscale trap_noscale.cu' 'JSON: how it is built'
json_like .result.lines '"    float area = trap; .*WRONG' \
    'JSON: what a wrong one leaves out is left out here'
say_json 'code trap --host --variant shuffle'
json_like .result.lines '"    float area = trap [*] h;"' 'and here it is done'
say "code trap --host --save $tmp/saved.cu; load $tmp/saved.cu" --safe
status_is 1 '--safe writes nothing'
ok 'nothing at all' test ! -e "$tmp/saved.cu"
say 'code trap --host --variant all'
err_has 'a program runs one variant' 'all of them are no program'
say 'code trap --host --variant serial'
err_has 'runs on the host' 'a variant without a kernel'
say 'code trap --host --variant shufle'
err_has 'did you mean shuffle?' 'a slip in the name'
say "load $top_srcdir/tests/data/reading.ptx; code total --host"
err_has '--host is for labs' "a student's own kernel has its host already"
say 'set width 72; code trap --host'
is "$(awk 'length > 72' "$out")" '' 'it keeps within 72 columns'

# ---- two variants -------------------------------------------------------------------------

line_of() { # line_of TEXT: its line in trap.cu
    grep -nF -e "$1" "$kernels/trap.cu" | head -n 1 | cut -d: -f1
}
atomic=$(line_of '        atomicAdd(trap_p, my_trap);')
say 'code trap --diff atomic shuffle'
status_is 0 '--diff'
out_has 'trap, atomic and shuffle: ' 'what is compared'
out_has '- atomic: one atomic operation per thread' 'what the one is'
out_has '+ shuffle: warps add in registers' 'and the other'
out_like "^- +$atomic +atomicAdd\(trap_p, my_trap\);" 'a line that only the first has'
out_like '^\+ +[0-9]+ +float result = Warp_sum\(my_trap\);' 'one that only the second has'
out_like '^   +[0-9]+ +int my_i = blockDim.x' 'one that both have'
out_like '[.]{3} [0-9]+ lines that both have' 'where many are the same, they are counted'
is "$(awk 'length > 80 || / $/' "$out")" '' 'within 80 columns, no blanks at their ends'
say 'set width 130; code trap --diff atomic shuffle'
out_like "^ +$atomic +atomicAdd\(trap_p, my_trap\); +[|<]" 'side by side where there is room'
out_like ' > +[0-9]+ +float result = Warp_sum' 'with a mark between them'
is "$(awk 'length > 130 || / $/' "$out")" '' 'within the width'
say 'set plain on; code trap --diff race atomic'
out_like "^atomic, line $atomic +atomicAdd\(trap_p, my_trap\);" 'read aloud: whose line it is'
out_has 'wrong on purpose; `atomic` fixes it' 'a wrong one is called so'
say 'code trap --diff noscale shuffle --host'
out_like '^- +[0-9]+ +float area = trap;' 'programs differ in their host parts too'
out_lacks 'nvcc -o' 'but not in what each one is called'
say "code trap --diff atomic shuffle --save $tmp/saved.diff"
ok 'saved as programs write differences' grep -qx -- '-        atomicAdd(trap_p, my_trap);' \
    "$tmp/saved.diff"
sed -n 's/^[- ]//p' "$tmp/saved.diff" >"$tmp/left"
say "code trap --variant atomic --save $tmp/atomic.cu"
ok 'what it lost and kept is the first' cmp -s "$tmp/left" "$tmp/atomic.cu"
say_json 'code trap --diff nobarrier block-shuffle'
json_is .result.left nobarrier 'JSON: left'
json_is .result.right block-shuffle 'JSON: right'
json_like .result.rows '"mark":"(right|changed)"[^}]*"right":"    __syncthreads[(][)];"' \
    'JSON: the barrier that is missing'
json_like .result.same '^[0-9]+$' 'JSON: how many are the same'

say 'code trap --diff atomic'
err_has '--diff needs two values: --diff V W' 'one is too few'
say 'code trap --diff atomic --host'
err_has 'needs two values' 'an option is no value'
say 'code trap --diff=atomic shuffle'
status_is 0 'the first behind an equals sign'
say 'code --diff atomic shuffle trap'
status_is 0 'options stand anywhere'
say 'code trap --diff atomic shufle'
err_has 'did you mean shuffle?' 'a slip'
say 'code trap --diff atomic atomic'
err_has 'name two different variants' 'twice the same'
say 'code trap --diff atomic all'
err_has 'name two different variants' 'all is no variant'
say 'code trap --diff atomic serial'
err_has 'runs on the host' 'a host variant has no kernel'
say 'code trap --diff atomic shuffle --variant race'
err_has 'leave --variant out' 'and no third'
say 'code trap_atomic --diff a b'
err_has 'compares two variants of a lab' 'a kernel has none'
say 'complete "code trap --diff at"'
is "$(cat "$out")" atomic 'completion of the first'
say 'complete "code trap --diff atomic at"'
is "$(cat "$out")" atomic 'and of the second'
say 'complete "code --diff a b tr"'
is "$(tr '\n' ' ' <"$out")" 'transpose trap ' 'and of the lab after them'

done_testing
