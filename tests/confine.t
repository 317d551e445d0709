# SPDX-License-Identifier: GPL-3.0-or-later
#
# --safe confines: whatever a source says, its compiler reads only its own files, writes nothing
# outside, and ends. tests/confine/hostile.c makes up many more such sources.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

mkdir "$tmp/desk" "$tmp/tmp" "$tmp/home"
case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
case $CUDALAB in /*) ;; *) CUDALAB=$PWD/$CUDALAB ;; esac
cd "$tmp/desk" || exit 99
export TMPDIR="$tmp/tmp" XDG_CACHE_HOME="$tmp/cache" HOME="$tmp/home"
export S3CRET=S3cretWord
kernel='__global__ void k(int *o) { *o = 1; }'
echo "$kernel" >k.cu
echo S3cretWord >secret
without=$top_builddir/tests/confine/nolandlock

runs_programs || skip_all 'this cudalab starts no compiler'

# ---- a kernel without Landlock --------------------------------------------------------------

last_run='--safe without Landlock'
status=0
"$without" "$CUDALAB" --no-init --safe --allow k.cu -c 'load k.cu; echo on' >"$out" 2>"$err" ||
    status=$?
status_is 1 'no Landlock: a .cu is refused'
err_has 'no Landlock' 'and the error says why'
out_has on 'the session goes on'
"$without" "$CUDALAB" --no-init -c 'load k.cu' >"$out" 2>"$err"
without_safe=$?

needs_compiler
is $without_safe 0 'without --safe it is loaded'

# What `help safe` says of such a kernel, command by command.
printf '.version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n' >n.ptx
echo 'int main() { return 0; }' >n.cu
cp n.ptx other.ptx
ln -s n.ptx n-link.ptx
alone() { # alone LINE: under --safe without Landlock
    last_run="--safe without Landlock: $1"
    status=0
    "$without" "$CUDALAB" --no-init --safe --allow k.cu --allow n.cu --allow n.ptx \
        --allow n-link.ptx -c "$1; echo on" >"$out" 2>"$err" </dev/null || status=$?
    ! grep -q S3cret "$out" "$err" && out_has on "no Landlock: $1: the session goes on"
}
for line in 'load k.cu' 'run n.cu' 'run ./n.cu' 'load n.ptx; sass k'; do
    alone "$line"
    status_is 1 "no Landlock: $line: refused"
    err_like 'under --safe .* this system has no Landlock' "no Landlock: $line: the error says why"
done
for line in 'load n.ptx; launch k<<<1,1>>>()' 'trap -n 64' 'array x u8 4 zero; print x'; do
    alone "$line"
    status_is 0 "no Landlock: $line: runs"
done
for line in 'load other.ptx' 'load n-link.ptx' 'source secret' 'load /proc/self/environ' \
    'array x u8 4 file:secret' 'array x u8 4; save x out' 'output out.txt' 'snap out.svg' \
    'set time-limit 1e9' 'set memory-limit 3G' 'set output-limit 0' 'set session-time 0' \
    'array x u8 2^40'
do
    alone "$line"
    status_is 1 "no Landlock: $line: refused"
done
is "$(ls out out.txt out.svg 2>/dev/null)" '' 'no Landlock: nothing was written'
say 'load k.cu' --safe --allow k.cu
grep -q 'no Landlock' "$err" && skip_all 'this kernel has no Landlock'

# ---- sources --------------------------------------------------------------------------------

untold() { # untold NAME SOURCE: by each compiler; nothing that comes out has the secret
    printf '%b\n%s\n' "$2" "$kernel" >s.cu
    for compiler in $compilers; do
        say "set compiler $compiler; load s.cu; kernels; ptx k" --safe --allow s.cu --time-limit 20
        ! grep -q S3cretWord "$out" "$err"
        verdict $? "$compiler: $1"
    done
}

compilers=
for compiler in nvrtc clang; do
    can_load $compiler && compilers="$compilers $compiler"
done
s=$tmp/desk/secret
untold 'a file by its path' "#include \"$s\""
untold 'a file beside it' '#include "secret"'
untold 'a file above' '#include <../desk/secret>'
untold 'behind other text' "int a; #include \"$s\""
untold 'a comment and a backslash with a blank' "// \\\\\\\\ \\n#include \"$s\""
untold 'a return in the directive' "#\\rinclude \"$s\""
for mark in '\0302\0240' '\0302\0205' '\0342\0200\0250' '\0343\0200\0200' '\\\\u00a0'; do
    untold "$mark before the sign" "$mark#include \"$s\""
    untold "$mark behind the sign" "#${mark}include \"$s\""
done
untold 'a backslash, a tabulator and a line end' "#\\\\\\\\\\v\\ninclude \"$s\""
untold 'a backslash, a return and a line end' "#\\\\\\\\\\r\\ninclude \"$s\""
untold 'a macro' "#define H \"$s\"\\n#include H"
untold 'a digraph' "%:include \"$s\""
untold 'a spliced line' "#inc\\\\\\\\\\nlude \"$s\""
untold 'another word for it' "#import \"$s\""
untold '#embed' "const char t[] = {\\n#embed \"$s\"\\n};"
untold '#include_next' "#include_next \"$s\""
untold '.incbin' "__device__ void z() { asm(\".incbin \\\\\\\\\"$s\\\\\\\\\";\"); }"
untold 'the environment' '#include "/proc/self/environ"'
untold "another process's environment" '#include "/proc/1/environ"'
untold 'a pragma' "#pragma GCC dependency \"$s\""
untold 'the same as an operator' "_Pragma(\"GCC dependency \\\\\\\\\"$s\\\\\\\\\"\")"

has_asked() { # has_asked NAME TEST: `found` must not be among the kernels
    printf '#define J(x, y) x##y\n#if %s\n__global__ void found() { }\n#endif\n%s\n' "$2" \
        "$kernel" >s.cu
    for compiler in $compilers; do
        say "set compiler $compiler; load s.cu" --safe --allow s.cu
        out_lacks 'found()' "$compiler: $1"
    done
}
has_asked 'is a file there' "__has_include(\"$s\")"
has_asked 'the word is put together' "J(__has_, include)(\"$s\")"

# ---- names ----------------------------------------------------------------------------------

# A file called @k.cu holds a kernel, not a compiler's options; -k.cu is no option.
for name in @k.cu -k.cu ./-o.cu; do
    echo "$kernel" >"$name"
    for compiler in $compilers; do
        say "set compiler $compiler; load '$name'" --safe --allow "$name"
        status_is 0 "$compiler: a file called $name"
        out_has 'k(int* o)' "$compiler: $name: its kernel"
    done
done
# A fault has the name that was typed.
mkdir sub
printf '__global__ void k(int *o)\n{\n    o[threadIdx.x] = 1;\n}\n' | tee sub/far.cu >far.cu
for compiler in $compilers; do
    for name in far.cu sub/far.cu ./sub/far.cu; do
        say "array o i32 4 zero; launch k<<<1, 8>>>(o)" --safe --allow "$name" \
            -c "set compiler $compiler" "$name"
        out_has "at $name:3" "$compiler: $name: where the fault is"
        out_has 'o[threadIdx.x] = 1;' "$compiler: $name: and its line"
    done
done
printf -- '-o made.by.clang\n' >@r.cu
say 'set compiler clang; load @r.cu' --safe --allow @r.cu
ok 'a file of options for clang writes nothing' test ! -e made.by.clang

# ---- -I under --safe --------------------------------------------------------------------------

mkdir inc other
echo '#define W 3' >inc/w.h
cp inc/w.h other
printf '#include "w.h"\n__global__ void k(int *o) { *o = W * N; }\n' >w.cu
for compiler in $compilers; do
    say "set compiler $compiler; load w.cu -I inc -DN=7; array o int 1; launch k<<<1,1>>>(o)
print o" --safe --allow w.cu --allow inc
    out_has 21 "$compiler: -I of a folder that --allow names"
    say "set compiler $compiler; load w.cu -I other -DN=7" --safe --allow w.cu --allow inc
    err_has '--allow FILE' "$compiler: no other folder"
    say "set compiler $compiler; set include inc; set define N=7; load w.cu; array o int 1
launch k<<<1,1>>>(o); print o" --safe --allow w.cu --allow inc
    out_has 21 "$compiler: set include of a folder that --allow names"
    say "set include inc:other; set define N=7; load w.cu" --safe --allow w.cu --allow inc
    err_has '--allow FILE' "$compiler: set include of no other folder"
done
say 'load inc/w.h; fill x file:inc/w.h' --safe --allow inc
out_lacks 'define W' 'such a folder opens nothing to the session'

# ---- what right programs need ---------------------------------------------------------------

for header in stdio.h math.h cuda_runtime.h cooperative_groups.h cuda_fp16.h mma.h curand_kernel.h
do
    printf '#include <%s>\n%s\n' $header "$kernel" >s.cu
    say 'load s.cu' --time-limit 60
    test "$status" = 0 || continue
    say 'load s.cu' --safe --allow s.cu --time-limit 60
    status_is 0 "--safe takes <$header>"
done
printf '#include <cassert>\n__global__ void k() { assert(threadIdx.x > 5); }\n' >s.cu
for compiler in $compilers; do
    say "set compiler $compiler; load s.cu; launch k<<<1,1>>>()" --safe --allow s.cu
    err_has 's.cu:2' "$compiler: lines are told by the file's name"
done
say 'set compiler nvcc; load k.cu' --safe --allow k.cu
err_like 'nvcc' '--safe says why nvcc is not used'

# ---- cudalab itself -------------------------------------------------------------------------

mkfifo pipe pipe.cu
ln -s k.cu link.cu
echo 'echo ran' >right.lab
ln -s right.lab link.lab
for name in pipe link.lab /dev/zero .; do
    lab --safe "$name" </dev/null
    status_is 2 "--safe: $name is no script"
    out_lacks ran "--safe: $name does not run"
done
for name in pipe.cu link.cu; do
    say "load $name; fill x file:$name" --safe --allow $name
    err_like 'regular file|is a link|can.t be read' "--safe: $name is not opened"
done
lab --safe right.lab </dev/null
out_has ran '--safe: a plain file runs'
mkfifo in
"$CUDALAB" --no-init --safe <in >"$out" 2>"$err" &
cudalab=$!
exec 9>in
until_true grep -q 'Seccomp:.*2' /proc/$cudalab/status
is "$(grep -c '^NoNewPrivs:.*1\|^Seccomp:.*2' /proc/$cudalab/status)" 2 'cudalab confines itself'
kill -KILL $cudalab
exec 9>&-
wait $cudalab 2>/dev/null
is_empty() { test -z "$(ls "$1")"; }
until_true is_empty "$TMPDIR"
is "$(ls "$TMPDIR")" '' 'kill -9: its folder goes'

# ---- limits ---------------------------------------------------------------------------------

cat >s.cu <<'END'
template <class T, T... I> struct S { };
__make_integer_seq<S, int, 100000000> x;
END
case $BUILD_KIND:$compilers in
plain:*clang*)
    say 'set compiler clang; load s.cu' --safe --allow s.cu
    err_like 'more memory than the [0-9]+ MiB' 'memory: the error names the limit'
    ;;
esac
cat >s.cu <<'END'
template <int N, int M> struct F {
    static const long v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v;
};
template <int M> struct F<0, M> { static const long v = M; };
__global__ void k(long *o) { *o = F<22, 1>::v; }
END
for compiler in $compilers; do
    say "set compiler $compiler; load s.cu" --safe --allow s.cu --time-limit 2
    err_like 'more than 2 s|more memory than' "$compiler: time: the error names the limit"
done

# ---- many more ------------------------------------------------------------------------------

last_run='tests/confine/run'
COMPILERS=$compilers CUDALAB=$CUDALAB sh "$top_srcdir/tests/confine/run" \
    "$top_builddir/tests/confine/hostile" 1 40 >"$out" 2>"$err"
verdict $? 'no hostile source of 40 gets out'
is "$(ls "$TMPDIR")" '' 'nothing is left in TMPDIR'

done_testing
