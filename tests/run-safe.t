# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whole programs under --safe. What is right works as it does without --safe. A hostile program gets
# nothing: neither while it is compiled nor while it runs (tests/whole/hostile/escapes.cu).
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
whole=$top_srcdir/tests/whole
without=$top_builddir/tests/confine/nolandlock
mkdir "$tmp/tmp" "$tmp/home"
export TMPDIR="$tmp/tmp" XDG_CACHE_HOME="$tmp/cache" HOME="$tmp/home" S3CRET=S3cretWord
echo S3cretWord >secret
echo 'int main() { return 0; }' >empty.cu
needs_programs clang

safe() { # safe FILE LINE [ARGUMENT...]: the line, which may read the file
    file=$1 line=$2
    shift 2
    say "$line" --safe --allow "$file" "$@"
}
kept() { # kept FILE LINE [ARGUMENT...]: likewise, and a program that was compiled before is kept
    safe "$@" --cache "$tmp/kept"
}

# ---- what it needs ---------------------------------------------------------------------------

last_run='--safe without Landlock'
status=0
"$without" "$CUDALAB" --no-init --safe --allow empty.cu -c 'run empty.cu; echo on' \
    >"$out" 2>"$err" </dev/null || status=$?
status_is 1 'no Landlock: no program runs'
err_has 'no Landlock' 'and the error says why'
out_has on 'the session goes on'
safe empty.cu 'run empty.cu'
grep -q 'no Landlock' "$err" && skip_all 'this kernel has no Landlock'
grep -q 'is not here' "$err" && skip_all 'a whole program under --safe needs clang'
can_run
status_is 0 'a program runs'
safe empty.cu 'set compiler nvcc; run empty.cu'
err_has "nvcc can't be used" 'nvcc is refused'
say 'run empty.cu' --safe
err_has '--allow' 'a file that is not allowed is refused'
for option in '-I .' '-L .' '--report r.html' '--input secret' '--device gpu' '--compare'; do
    safe empty.cu "run $option empty.cu; echo next"
    status_is 1 "$option: refused"
    err_has 'safe' "$option: since --safe does not allow it"
    out_has next "$option: the session goes on"
done

# ---- right and wrong programs ----------------------------------------------------------------

for name in callback-after host-threads saxpy-managed stream-chunks; do
    cp "$whole/right/$name.cu" .
    safe $name.cu "run $name.cu"
    status_is 0 "$name: as without --safe"
    head -n "$(wc -l <"$whole/right/$name.out")" "$out" >"$tmp/printed"
    cmp -s "$tmp/printed" "$whole/right/$name.out"
    verdict $? "$name: its output"
done
for name in frames shop_prices score_board; do
    cp "$whole/wrong/$name.cu" .
    say_json "run $name.cu" --safe --allow $name.cu
    names_a_line $name.cu "$name: the line is named"
done
cat >copies.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "size.h"
int main()
{
    char *d, *h = (char *)malloc(SIZE), *back = (char *)calloc(SIZE, 1), word[20] = "";
    for (int i = 0; i < SIZE; i++)
        h[i] = (char)(i * 7 + i / 999);
    cudaMalloc(&d, SIZE);
    cudaMemcpy(d, h, SIZE, cudaMemcpyHostToDevice);
    cudaMemcpy(back, d, SIZE, cudaMemcpyDeviceToHost);
    printf("%s\n", memcmp(h, back, SIZE) ? "differs" : "the same");
    printf("%s\n", cudaGetErrorName(cudaMemcpy(d, (void *)8, 100, cudaMemcpyHostToDevice)));
    printf("%s\n", cudaGetErrorName(cudaMemcpy((void *)8, d, SIZE, cudaMemcpyDeviceToHost)));
    FILE *f = fopen("word", "r");
    printf("%s\n", f && fscanf(f, "%19s", word) == 1 ? word : "no word");
    cudaFree(d);
    return scanf("%19s", word) == 1 ? 3 : 4;
}
END
echo '#define SIZE 3000001' >size.h
echo allowed >word
safe copies.cu 'run copies.cu'
err_like 'size\.h.*Permission denied' 'a header that is not allowed'
safe copies.cu 'run copies.cu' --allow size.h
is "$(head -n 4 "$out" | tr '\n' ' ')" \
    'the same cudaErrorInvalidValue cudaErrorInvalidValue no word ' \
    'copies of 3 MB, and of memory that is not there; a file that is not allowed'
out_like 'exit status +4$' 'nothing is on stdin'
safe copies.cu 'run --input word copies.cu' --allow size.h --allow word
out_like '^allowed$' 'a file that is allowed'
out_like 'exit status +3$' '--input gives one'
lab --safe --allow copies.cu --allow size.h run copies.cu <word
out_like 'exit status +3$' 'the operator may give stdin'
echo 'run copies.cu' >theirs.lab
lab --safe --allow copies.cu --allow size.h theirs.lab <word
out_like 'exit status +4$' 'it is not for a script of others'

# ---- programs that try to leave ----------------------------------------------------------------

cp "$whole/hostile/escapes.cu" .
watched() { (cd "$tmp" && find work tmp home | sort && cat work/secret); }
before=$(watched)
s=$PWD/secret
tries="read:secret read:$s read:/etc/passwd read:/proc/self/environ read:/proc/self/cwd/secret
    memory-of-others list:. list:/ list:/tmp list:/proc write:new write:secret write:/tmp/new
    write-own terminal descriptors environment start signals owner look network limits many
    memory:malloc memory:shared memory:stack memory:managed
    $(sed -n '/ calls\[\] = {/,/};/s/{"/\n{"/gp' escapes.cu | sed -n 's/^{"\([^"]*\)".*/call:\1/p')
    threads"
# shellcheck disable=SC2086
safe escapes.cu "run escapes.cu $(echo $tries)"
# A sanitizer needs rights that are refused otherwise.
# shellcheck disable=SC2086
test "$BUILD_KIND" = plain || tries=$(echo $tries | sed 's/ look / /; s/ limits.*//')
for try in $tries; do
    grep -Fqx "$try: nothing" "$out"
    verdict $? "$try: nothing" "$(grep -F "$try:" "$out")"
done
for program in /bin/sh /usr/bin/env; do
    kept escapes.cu "run escapes.cu become:$program; echo next"
    ! grep -q 'S3cret\|got in' "$out"
    verdict $? "become:$program: nothing"
    out_has next 'and the session goes on'
done
kept escapes.cu 'run escapes.cu abort; echo next'
out_has SIGABRT 'abort() ends the program, and no other'
out_has next 'and the session goes on'
if test "$BUILD_KIND" = plain; then
    kept escapes.cu 'run escapes.cu memory:file; echo next'
    err_like 'more than the [0-9]+ MiB that --safe' 'memory that it shares with cudalab: ended'
    out_has next 'and the session goes on'
fi
cat >flood.cu <<'END'
#include <cstdio>
int main(int argc, char **)
{
    while (argc == 1)
        puts("0123456789012345678901234567890123456789");
    for (;;)
        continue;
}
END
kept flood.cu 'run flood.cu; echo next' --output-limit 1M
err_has 'printed more than 262144 bytes' 'output without end'
out_has next 'and the session goes on'
ok 'no more than that is shown' test "$(wc -c <"$out")" -le 300000
kept flood.cu 'run flood.cu on; echo next' --time-limit 5
out_has 'did not end within 5 s' 'a program without end'
out_has next 'and the session goes on'

# ---- sources that try to leave -----------------------------------------------------------------

body='int main() { return 0; }'
source_text() { # source_text WHAT TEXT: neither clang nor the linker shows the secret
    printf '%b\n%s\n' "$2" "$body" >source.cu
    safe source.cu 'run source.cu; echo next' --time-limit 20
    ! grep -q S3cret "$out" "$err" && grep -q '^next$' "$out"
    verdict $? "a source: $1"
}
source_text 'a file by its path' "#include \"$s\""
source_text 'a file beside it' '#include "secret"'
source_text 'a file of the system' '#include </etc/shadow>'
source_text 'assembler that includes' \
    "asm(\".data\\\\nt: .incbin \\\\\"$s\\\\\"\");"
source_text 'embed' 'char t[] = {\n#embed "secret"\n};'
source_text 'a line that claims to be of the file' '#line 1 "secret"\n#error here'
echo "#line 1 \"secret\"
int main() { int *p; cudaMalloc(&p, 4); return 0; }" >source.cu
safe source.cu 'run source.cu'
out_has secret:1 'the lines of a program may name a file'
out_lacks S3cret 'which is not shown'
echo '#line 2 "check.lab"
int main() { int *p; cudaMalloc(&p, 4); return 0; }' >source.cu
printf 'run source.cu\n# S3cretWord\n' >check.lab
lab --safe --allow source.cu check.lab </dev/null
out_has check.lab:2 'also the script of the operator'
out_lacks S3cret 'which is not shown either'
if test "$BUILD_KIND" = plain; then
    source_text 'memory without end' 'template <class T, T... I> struct S { };
__make_integer_seq<S, int, 100000000> x;'
    err_has 'that --safe gives a compiler' 'the compiler has its part'
fi
echo "$body" >source.cu
while IFS= read -r options; do
    safe source.cu "run $options source.cu; echo next"
    ! grep -q S3cret "$out" "$err" && grep -q '^next$' "$out"
    verdict $? "options: $options"
done <<END
--nvcc "@secret"
--nvcc "-include secret"
--nvcc "-o out.o"
--nvcc "-Xlinker -T -Xlinker $s"
--nvcc "-Xlinker --just-symbols=$s"
--nvcc "-Xlinker -Map=map.txt"
--nvcc "-Xlinker -o -Xlinker $PWD/linked"
--nvcc "-Xlinker -plugin -Xlinker $PWD/p.so"
-Xcompiler -fplugin=$PWD/p.so
-Xcompiler -save-temps
-Xcompiler -MD,-MF,dep.d
-Xcompiler -fuse-ld=$PWD/ld
-l :../../..$s
END
# A plug-in that tells where it runs: no option makes a compiler or the linker load it.
cat >plug.c <<'END'
#include <stdio.h>
__attribute__((constructor)) static void here(void) { fputs("S3cret: a plug-in runs\n", stderr); }
int onload(void *linker) { return linker == 0; }
END
if "${CC:-cc}" -shared -fPIC -o p.so plug.c 2>/dev/null; then
    say 'set compiler clang; run --nvcc -fplugin=./p.so source.cu'
    out_has 'a plug-in runs' 'without --safe clang loads this plug-in'
    for option in -fplugin=$PWD/p.so -fpass-plugin=$PWD/p.so "-Xclang -load -Xclang $PWD/p.so" \
        -Wl,-plugin,$PWD/p.so "-Xlinker -plugin -Xlinker ./p.so" -fplugin=./p.so @plug.options \
        -Wl,@link.options "--config plug.options"
    do
        echo -fplugin=./p.so >plug.options
        echo '-plugin ./p.so' >link.options
        safe source.cu "run --nvcc \"$option\" source.cu; echo next" --allow p.so \
            --allow plug.options --allow link.options
        ! grep -q S3cret "$out" "$err" && grep -q '^next$' "$out" &&
            ! grep -q 'needs more memory' "$err"
        verdict $? "a plug-in: $option"
    done
    mkdir "$tmp/tmp/a b"
    TMPDIR="$tmp/tmp/a b" safe source.cu 'run --nvcc -fplugin=./p.so source.cu' --allow p.so
    status_is 1 'a temporary folder with a blank in its name'
    out_lacks S3cret 'and no plug-in runs'
    rmdir "$tmp/tmp/a b"
fi
rm -f plug.c p.so plug.options link.options
rm -f source.cu flood.cu check.lab
before=$(echo "$before" | grep -v '/source\.cu$\|/flood\.cu$')
is "$(watched)" "$before" 'nothing was written'

# ---- what a program asks NVRTC for --------------------------------------------------------------

if can_load nvrtc; then
    cp "$whole/hostile/jit.cu" .
    rm -f asked
    kept jit.cu 'run --nvcc -lnvrtc jit.cu "__global__ void k() {}"'
    out_has 'got PTX' 'NVRTC serves a program'
    while IFS= read -r asked; do
        kept jit.cu "run --nvcc -lnvrtc jit.cu $asked; echo next" --time-limit 10
        ! grep -q 'S3cret\|got PTX\|MemTotal\|opened' "$out" "$err" && grep -q '^next$' "$out"
        verdict $? "NVRTC: $asked" "$(cat "$out")"
    done <<END
'#include "$s"'
'#include "secret"' -I.
'#include "secret"' -I$PWD
'#include </proc/self/environ>'
'#include </proc/self/maps>'
'#include </proc/self/fd/0>'
'#include </proc/meminfo>'
'#include </proc/self/cgroup>'
'#include </sys/fs/cgroup/cgroup.controllers>'
'#include </etc/passwd>'
'int x;' -include=$s
'int x;' --pre-include=/proc/meminfo
'int x;' --options-file=$s
'int x;' -optf $s
'int x;' -fplugin=$PWD/p.so
'__global__ void k() { asm(".include \\"$s\\";"); }' -nosuch
'template <int N, int M> struct F { static const long v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; }; template <int M> struct F<0, M> { static const long v = M; }; __device__ long x = F<22, 1>::v;'
END
    kept jit.cu 'run --nvcc -lnvrtc jit.cu --own "__global__ void k() {}"; echo next' --time-limit 10
    out_lacks 'a new file' 'NVRTC writes no file to the folder of the program'
    out_has next 'and the session goes on'
    rm jit.cu
fi

# ---- a program that is built already -----------------------------------------------------------

if find_nvcc && "$nvcc" -cudart shared -o empty-shared empty.cu 2>/dev/null; then
    "$nvcc" -o escapes escapes.cu
    safe empty-shared 'run ./empty-shared'
    status_is 0 'a program with the shared runtime'
    safe escapes 'run ./escapes read:secret list:. write:new environment start memory:managed'
    is "$(grep -c ': nothing$' "$out")" 6 'one with the static runtime gets nothing'
    say 'run ./escapes' --safe
    err_has '--allow' 'it has to be allowed'
fi
done_testing
