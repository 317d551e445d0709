# SPDX-License-Identifier: GPL-3.0-or-later
#
# Attempts to leave --safe, by somebody who has read the code: to read, write, run, forge or
# exhaust something. One line an attempt, many attempts a session. Each must fail, or do nothing
# but what an honest script may do; and the session must go on after it.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

case $top_builddir in /*) ;; *) top_builddir=$PWD/$top_builddir ;; esac
case $CUDALAB in /*) ;; *) CUDALAB=$PWD/$CUDALAB ;; esac
case $JSONGET in /*) ;; *) JSONGET=$PWD/$JSONGET ;; esac
mkdir -p "$tmp/desk/inc" "$tmp/tmp" "$tmp/HomeOfOperator" "$tmp/cache"
cd "$tmp/desk" || exit 99
desk=$tmp/desk
export TMPDIR="$tmp/tmp" HOME="$tmp/HomeOfOperator" S3CRET=S3cretWord XDG_CACHE_HOME="$tmp/cache"
echo S3cretWord >secret
echo S3cretWord >secret.cu
printf 'echo S3cretWord\n' >secret.lab
cp secret.lab inc
ptx_head='.version 7.0\n.target sm_70\n.address_size 64\n'
kernel='__global__ void k(int *o) { *o = 1; }'
ln -s secret.cu link.cu
mkfifo pipe.cu

# ---- a session of attempts --------------------------------------------------------------------

begin() { # begin: a new session
    count=0
    : >session.lab
    : >"$tmp/list"
    allow="--allow inc --allow link.cu --allow pipe.cu"
}

# attempt KIND WHAT COMMANDS [REGEX]: what comes of them must match REGEX.
attempt() {
    count=$((count + 1))
    printf 'echo @%s@\n%s\n' "$count" "$3" >>session.lab
    printf '%s\t%s\t%s\n' "$1" "${4-}" "$2" >>"$tmp/list"
}
try() { attempt refused "$@"; } # the last command must fail
tame() { attempt tame "$@"; }   # it may go well, if only nothing gets out
                                # loaded: the same, of a file that must have been opened

put_file() { # put_file NAME TEXT
    printf '%b\n' "$2" >"$1"
    allow="$allow --allow $1"
}

# source WHAT COMPILER TEXT: a .cu file with this text, and a kernel.
source_text() {
    can_have "$2" || return 0
    name=s$((count + 1)).cu
    put_file "$name" "$3\\n$kernel"
    attempt loaded "$2: $1" "set compiler $2; load $name; kernels; ptx k; set compiler auto"
}
# ptx_text WHAT TEXT: the same in PTX; in TEXT an entry k.
ptx_text() {
    name=p$((count + 1)).ptx
    put_file "$name" "$ptx_head$2"
    attempt loaded "$1" "load $name; kernels; launch k<<<1,1>>>(); ptx k"
}
can_have() { case " $compilers " in *" $1 "*) ;; *) return 1 ;; esac; }
repeat() { awk -v n="$1" -v t="$2" 'BEGIN { while (n--) printf "%s", t }'; }

watched() { # what must not change
    (cd "$tmp" && find desk tmp HomeOfOperator cache ! -name session.lab | sort &&
        cat desk/secret*)
}

# What came of attempt $1: its object, and all before it.
judge() {
    part=$tmp/parts/$1
    test -f "$part" || return 1
    ! grep -q 'S3cretWord\|HomeOfOperator' "$part" || return 1
    test -z "$3" || grep -Eq -e "$3" "$part" || return 1
    test "$2" != loaded || ! grep -q 'start cudalab with --allow' "$part" || return 1
    test "$2" != refused || tail -n 1 "$part" | grep -Eq '"status":"(error|fault)"'
}

# finish SECONDS KB ARGUMENT...: run the session, and look at each attempt.
finish() {
    patience=$1 most=$2
    shift 2
    before=$(watched)
    last_run="attempts: $*"
    status=0
    # shellcheck disable=SC2086
    "$top_builddir/tests/unit/peak" "$tmp/peak" $((3 * patience)) "$CUDALAB" --no-init --safe \
        --json $allow "$@" session.lab >"$out" 2>"$err" </dev/null || status=$?
    read -r kb took <"$tmp/peak"
    rm -rf "$tmp/parts"
    mkdir "$tmp/parts"
    awk -v to="$tmp/parts/" '
        match($0, /^{"command":"echo @[0-9]+@"/) { n = substr($0, 19, RLENGTH - 20); next }
        { print >(to n) }' "$out"
    number=0
    tab=$(printf '\t')
    while IFS= read -r row; do
        number=$((number + 1))
        kind=${row%%"$tab"*} row=${row#*"$tab"}
        if judge $number "$kind" "${row%%"$tab"*}"; then
            pass "${row#*"$tab"}"
        else
            flunk "${row#*"$tab"}"
            test ! -f "$tmp/parts/$number" || diag "$(cut -c1-600 "$tmp/parts/$number")"
        fi
    done <"$tmp/list"
    is "$(watched)" "$before" 'nothing was written'
    ! grep -q 'S3cretWord\|HomeOfOperator' "$out" "$err"
    verdict $? 'nothing was read'
    is "$(grep -cv '^{"command":".*}$' "$out")" 0 'no object was forged'
    is "$(grep -Evc '^session\.lab:[0-9]+: |^  ' "$err")" 0 \
        'no error was forged'
    like "$status" '^1$' 'the session ended by itself'
    test "$BUILD_KIND" != plain || test "$kb" -le "$most" && test "${took%.*}" -le "$patience"
    verdict $? "within $most KB and $patience s" "$kb KB, $took s"
}

compilers=
for compiler in nvrtc clang; do
    can_load $compiler && compilers="$compilers $compiler"
done
say 'array x u8 4' --safe
begin
put_file k.cu "$kernel"
test -z "$compilers" || { say 'load k.cu' --safe --allow k.cu; test "$status" = 0 || compilers=; }

# ---- reading: commands ------------------------------------------------------------------------

for command in 'load secret.cu' 'load ./secret.cu' 'load inc/../secret.cu' 'load link.cu' \
    'load pipe.cu' 'load /proc/self/environ' 'load ~/.cu' 'load inc/secret.lab' \
    'source secret.lab' 'source inc/secret.lab' 'source /dev/stdin' 'source /proc/self/fd/0' \
    'play secret.lab' 'replay secret' 'fatbin secret' 'fatbin /proc/self/exe' \
    'array x u8 11 file:secret' 'array x u8 11 file:./secret' 'array x u8 1 file:/dev/zero' \
    'array x u8 4; fill x file:/proc/self/environ' 'array x u8 4; fill x file:~/x' \
    'array x u8 11; compare x file:secret' 'array x u8 11; compare x file:secret.npy' \
    'watch k.cu --times 1' 'load k.cu -I .' 'load k.cu -I /' 'load k.cu -I inc/..' \
    'load k.cu -I /proc/self/cwd' "load 'k.cu -include secret'" 'load @secret' \
    'help ../../secret' 'code ../secret' 'explain ../secret' 'ptx ../secret' \
    'set device gpu' 'load k.cu --include secret'
do
    try "reading: $command" "$command"
done
# shellcheck disable=SC2016
for command in 'echo $S3CRET' 'echo ${S3CRET}' 'echo `cat secret`' 'echo $(cat secret)' \
    'echo ~/ ~root' 'complete load sec' "complete load /etc/pass" 'apropos S3cret' 'history' \
    'next' 'show; devices; devquery' 'alias ~/x ~/y; alias'
do
    tame "reading: $command" "$command"
done

# ---- reading: sources -------------------------------------------------------------------------

s=$desk/secret
for c in nvrtc clang; do
    source_text 'a NUL before the directive' $c "int a;\\\\0\\n#include \"$s\""
    source_text 'a line that claims to be of the file' $c "#line 1 \"$s\"\\n#error here"
    source_text 'the same, for ptx to show' $c "#line 1 \"$s\""
    source_text 'the name of this file is that one' $c "#line 1 \"$s\"\\n#include __FILE__"
    source_text 'a trigraph' $c "??=include \"$s\""
    source_text 'asm: another file' $c "__device__ void z() { asm(\".include \\\\\"$s\\\\\";\"); }"
    source_text 'a working folder' $c '#include "/proc/self/cwd/secret"'
    source_text 'a descriptor' $c '#include "/proc/self/fd/0"'
    source_text "cudalab's memory" $c '#include "/proc/self/mem"'
done
source_text 'a module' clang "#pragma clang module load secret\\nimport \"$s\";"
source_text 'a header unit' clang "#pragma clang module import secret"
source_text 'embed with a limit' clang "char t[] = {\\n#embed \"$s\" limit(9)\\n};"
source_text 'an alias of a header' clang \
    "#pragma include_alias(\"math.h\", \"$s\")\\n#include \"math.h\""

# ---- reading: kernels and PTX -------------------------------------------------------------------

ptx_text 'PTX: .file names the file' \
    ".file 1 \"$s\"\\n.visible .entry k()\\n{\\n.loc 1 1 0\\nret;\\n}"
ptx_text 'PTX: .include' ".include \"$s\"\\n.visible .entry k()\\n{\\nret;\\n}"
ptx_text 'PTX: .section' ".visible .entry k()\\n{\\nret;\\n}\\n.section .debug_str {\\n.b8 1\\n}"
ptx_text 'PTX: .pragma' ".visible .entry k()\\n{\\n.pragma \"include $s\";\\nret;\\n}"
for address in 0x400000 0x555555554000 0x7fffffffe000 -4096 1; do
    ptx_text "PTX: the host's memory at $address" ".visible .entry k()\\n{\\n.reg .b64 a, b;\\n
mov.b64 a, $address;\\nld.global.u64 b, [a];\\nld.u64 b, [a];\\nst.u64 [a], b;\\nret;\\n}"
done
ptx_text 'PTX: a call to nowhere' ".visible .entry k()\\n{\\n.reg .b64 a;\\nmov.b64 a, 4198400;
call a, P;\\nP: .callprototype _ ();\\nret;\\n}"

# ---- writing ----------------------------------------------------------------------------------

for command in 'array x u8 4 zero; save x out.bin' 'save x ../out.npy' "save x $desk/secret" \
    'save x /dev/stderr' 'save x ~/out' 'output out.txt' 'output /dev/tty' 'output ../out.txt' \
    'snap out.svg' 'banks 2 --svg out.svg' 'trap -n 64; snap ../out.txt' 'transcript out.txt' \
    'transcript /dev/stdout' \
    'code trap --variant shuffle --save out.cu' 'code trap --save ../secret.cu' \
    'output inc/new' 'save x inc/new'
do
    try "writing: $command" "$command"
done
for command in 'echo a > out.txt' 'echo a | tee out.txt' 'print x > out.txt' 'history -w out' \
    'next --done'
do
    tame "writing: $command" "$command"
done
source_text 'a crash, whose report is a file' clang '#pragma clang __debug crash'
source_text 'a crash in code' clang '#pragma clang __debug llvm_fatal_error'
source_text 'a dependency file' nvrtc '#pragma comment(user, "-MD -MF out.d")'
source_text 'printf writes through %n' nvrtc '#include <stdio.h>\n__device__ int n;
__global__ void w() { printf("%n|%s", &n, (char *)0x400000); }'

# ---- running ----------------------------------------------------------------------------------

for command in '!touch ran' 'system touch ran' 'shell touch ran' 'set compiler /bin/sh' \
    'set compiler nvcc; load k.cu' 'set compiler auto; load k.so' 'load @k.cu' \
    'load k.cu -Xclang -load' 'load k.cu -fplugin=x.so' 'load k.cu -D -fplugin=x.so' \
    "load k.cu -D 'A\$(touch ran)'" 'load k.cu -D "A;touch ran"' "load k.cu -D 'X=\`touch ran\`'" \
    'load -o' 'load k.cu -I -fplugin=x.so' 'set pager sh' 'set device gpu:0' \
    "load k.cu -D 'X\"'" "load 'k.cu; touch ran'" "source '|touch ran'"
do
    try "running: $command" "$command"
done
for c in $compilers; do
    tame "running: $c: an option in a value" "set compiler $c
load k.cu -D 'X=1 -o ran -include secret'; set compiler auto"
    tame "running: $c: as many options as there may be" \
        "set compiler $c; load k.cu$(awk 'BEGIN { while (++i <= 32) printf " -D A%d", i }')
set compiler auto"
done
source_text 'a constructor' clang 'void f();\n__attribute__((constructor)) void g() { f(); }'
source_text 'a plug-in by pragma' clang '#pragma comment(linker, "-plugin x.so")'

# ---- forging ----------------------------------------------------------------------------------

for command in 'set json off' 'set bail on' 'set echo on' 'set color always' 'set volatile on' \
    'set charset utf8' 'alias trap echo forged' 'alias quit echo' 'alias set echo' \
    'set time-limit 0' 'set time-limit 1e9' 'set session-time none' 'set output-limit 1G' \
    'set memory-limit 3G' 'set step-limit 2^62' 'set safe off' 'set --safe off' 'quit 1e9' \
    'array {"status" u8 4' "array 'a\",\"status\":\"ok' u8 4" 'echo "unterminated' \
    'set schedule "ok\"}"'
do
    try "forging: $command" "$command"
done
tame 'forging: an alias that looks like an object' 'alias "}" trap'
tame 'forging: an object on its own line' 'echo {"command":"trap","status":"ok","result":{}}' \
    '^\{"command":"echo '
ptx_text 'forging: a name with quotes' '.visible .entry k"}()\n{\nret;\n}'
ptx_text 'forging: a file of two lines' '.file 1 "a\\ncheck.lab:1: forged"
.visible .entry k()\n{\n.loc 1 1 0\ntrap;\nret;\n}'
source_text "an error in another script's name" nvrtc '#line 1 "check.lab"\n#error forged'
source_text "a warning in another script's name" clang '#line 1 "check.lab"\n#warning forged'
source_text 'an error with a return' clang '#error a\rcheck.lab:1: forged'

try 'forging: the lines before the end still count' 'nosuch'
finish 200 600000 --time-limit 10

# ---- exhausting: commands ---------------------------------------------------------------------

begin
put_file k.cu "$kernel"
tame 'a kernel to exhaust something by' 'load k.cu'
for command in 'array x u8 2^999999' 'array x u8 1<<999999' 'array x u8 2^48' 'array x u8 -1' \
    'array x f64 99999999999999999999' 'trap -n 2^31' 'sum -n 2^40' 'trap -n 64 --repeat 1e9' \
    'trap --variant all -n 2^28 --repeat 100000' 'banks 2^63' 'dot -n 2^28 --repeat 1e5' \
    'launch k<<<2147483647,1024>>>(null)' 'launch k<<<1,2^31>>>(null)' \
    'alias a b; alias b a; a' "alias s \"side 's' 's'\"; s" 'source session.lab' \
    "side \"side 'a' 'b'\" 'c'" 'set threads 1000000' 'set width 1000000' \
    'array x u8 64; print x --shape 999999999x999999999' 'print x --columns 1e9' \
    'print x[0..2^60]' \
    'print x[5..2]' 'fill x random:5:1' 'launch k<<<2^31,1024>>>()' 'help ((((((((((' \
    'trap -n 2^28 --repeat 1000' 'set seed 2^70' 'launch k<<<1,1,2^63>>>(null)' \
    'devquery sim:none' 'set schedule random:1..999999999999999999999999999999999999999999999'
do
    try "exhausting: $command" "$command"
done
for command in 'array x i32 2^26 iota; print x --all' 'array y i32 2^26 random; compare x y' \
    'array z i32 2^26; array w i32 2^26 iota; array v i32 2^26; array u i64 2^25 iota' \
    "side 'print x[0..99999]' 'print y[0..99999]'" \
    'free x; free y; free z; free w; free v; free u' \
    'sumtree 2^28' 'waves 2^31' 'apropos (((((a*)*)*)*)*' 'array e u8 0; print e' \
    'set threads 256; dot -n 2^24; set threads 1'
do
    tame "exhausting: $command" "$command"
done
for mark in '(' '{' '[' '"' "'" ';' '\' '<<<' '#' '-'; do
    tame "exhausting: 100000 times $mark" "launch k<<<1,1>>>($(repeat 100000 "$mark"))"
done
try 'exhausting: a line without end' "echo $(repeat 3000000 a)"

# ---- exhausting: PTX --------------------------------------------------------------------------

k='.visible .entry k()\n{\nret;\n}'
ptx_text 'a bomb of braces' \
    ".visible .entry k()\\n{\\n$(repeat 100000 '{')$(repeat 100000 '}')ret;\\n}"
ptx_text 'a bomb of parentheses' ".global .b32 x = $(repeat 100000 '(')1;\\n$k"
ptx_text 'a bomb of minus signs' ".global .b32 x[$(repeat 100000 -)1];\\n$k"
ptx_text 'registers without end' '.visible .entry k()\n{\n.reg .b64 %r<2000000000>;\nret;\n}'
ptx_text 'a local array of 4 GB' '.visible .entry k()\n{\n.local .b8 z[4000000000];\nret;\n}'
ptx_text 'a variable of 2^64 bytes' ".global .b8 g[18446744073709551615];\\n$k"
ptx_text 'an alignment of 2 GB' ".global .align 2147483648 .b8 g;\\n$k"
ptx_text 'sizes that multiply beyond 2^64' ".global .b32 g[65536][65536][65536];\\n$k"
ptx_text 'a name of 3 MB' ".visible .entry k$(repeat 3000000 k)()\\n{\\nret;\\n}"
ptx_text 'a name that doubles 30 times' ".visible .entry _Z1k1AIiiE$(
    awk 'BEGIN { d = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                 for (i = 1; i < 31; i++) {
                     s = "S" substr(d, i, 1) "_"; printf "S_I%s%sE", s, s } }')()\\n{\\nret;\\n}"
ptx_text 'a comment without end' "$k\\n/*$(repeat 100000 '/*')"
ptx_text 'a chain of 20000 calls' "$(awk 'BEGIN { while (i++ < 20000)
    printf ".func f%d() { call f%d; ret; }\\n", i, i + 1 }').func f20001() { ret; }\\n$k"
ptx_text 'a call of itself' \
    '.func f()\n{\ncall f;\nret;\n}\n.visible .entry k()\n{\ncall f;\nret;\n}'
ptx_text 'an endless loop' '.visible .entry k()\n{\nL:\nbra L;\nret;\n}'
ptx_text 'a parameter of 4 GB' '.visible .entry k(.param .b8 a[4000000000])\n{\nret;\n}'
ptx_text 'shared memory of 4 GB' ".shared .b8 s[4000000000];\\n$k"
ptx_text 'a barrier that never opens' '.visible .entry k()\n{\nbar.sync 1, 64;\nret;\n}'
ptx_text 'a file that is nothing but dots' "$(repeat 1000000 .)"
ptx_text 'prints without end' '.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.global .b8 f[3] = {97, 10, 0};\n.visible .entry k()\n{\n.reg .b64 a;\nL:\n{\n.param .b64 x;
.param .b64 y;\n.param .b32 r;\nmov.b64 a, f;\ncvta.global.u64 a, a;\nst.param.b64 [x], a;
st.param.b64 [y], 0;\ncall (r), vprintf, (x, y);\n}\nbra L;\nret;\n}'

# ---- exhausting: sources ----------------------------------------------------------------------

source_text 'a tower of macros' clang "#define A0 x x x x x x x x x x\\n$(
    awk 'BEGIN { for (i = 1; i < 12; i++) {
        printf "#define A%d", i; for (k = 0; k < 10; k++) printf " A%d", i - 1; printf "\\n" } }'
)int A11;"
for c in nvrtc clang; do
    source_text 'templates that double' $c 'template <int N, int M> struct F {
static const long v = F<N - 1, 2 * M>::v + F<N - 1, 2 * M + 1>::v; };
template <int M> struct F<0, M> { static const long v = M; };
__device__ long x = F<22, 1>::v;'
    source_text 'nested parentheses' $c "int x = $(repeat 100000 '(')1;"
    source_text 'nested angles' $c "template <class T> void f(); int y = f$(repeat 50000 '<f');"
    source_text 'it includes itself' $c '#include __FILE__'
    source_text 'a variable of 2^63 bytes' $c '__device__ char x[~0ul / 2];'
done
source_text 'a long constant' clang 'constexpr long g() { long s = 0;
for (long i = 0; i < 100000000000L; i++) s += i; return s; }\nconstexpr long x = g();'
source_text 'a sequence of 100000000' clang 'template <class T, T... I> struct S { };
__make_integer_seq<S, int, 100000000> x;'
source_text 'warnings without end' clang "$(awk 'BEGIN { while (i++ < 20000)
    printf "#warning %0200d\\n", i }')"
source_text 'structs in structs' nvrtc "$(repeat 20000 'struct { ')int a; $(repeat 20000 '} x; ')"
# A folder that --allow names, with what a hand-in may have in it besides files.
mkdir -p odd/up
ln -s ../secret odd/link.h
ln -s "$desk/secret" odd/far.h
ln -s /proc/self/environ odd/environ.h
ln -s /dev/zero odd/zero.h
ln -s ../.. odd/up/out
ln -s loop.h odd/loop.h
ln -s .. odd/self
mkfifo odd/pipe.h
allow="$allow --allow odd"
for c in $compilers; do
    for header in link.h far.h environ.h zero.h up/out/desk/secret loop.h pipe.h self/secret . \
        "$(repeat 4000 a)" "$(repeat 200 up/../)link.h"
    do
        name=o$((count + 1)).cu
        put_file "$name" "#include <$header>\\n#include \"odd/$header\"\\n$kernel"
        attempt loaded "$c: in a folder of a hand-in: $(echo "$header" | cut -c1-30)" \
            "set compiler $c; load $name -I odd; kernels; ptx k; set compiler auto"
    done
done
for command in 'load odd/link.h' 'load odd/pipe.h' 'source odd/far.h' 'load odd/zero.h -I odd/up/out' \
    'array x u8 4 file:odd/link.h' 'array x u8 4 file:odd/pipe.h' 'source odd/self/secret.lab'
do
    try "in a folder of a hand-in: $command" "$command"
done
# It stays loaded, and each `kernels` after it would ask ptxas about it.
ptx_text 'many times a million registers' ".visible .entry k()\\n{\\n$(
    awk 'BEGIN { while (++i < 400) printf "{ .reg .b64 %%r<1000000>; }\\n" }')ret;\\n}"
try 'exhausting: the session still answers' 'nosuch'
finish 240 2350000 --time-limit 1 --session-time 240

# ---- kernels ------------------------------------------------------------------------------------

# kernel_text KIND WHAT TEXT COMMANDS [REGEX]: CUDA C of its own, and what is done with it.
kernel_text() {
    can_have nvrtc || return 0
    name=g$((count + 1)).cu
    put_file "$name" "#include <stdio.h>\\n$3"
    attempt "$1" "kernel: $2" "set compiler nvrtc; set time-limit 2; load $name
array o i32 1024 zero; set time-limit 1; $4" "${5-}"
}
begin
put_file k.cu "$kernel"
kernel_text tame 'prints an object' '__global__ void a() {
printf("{\\"command\\":\\"trap\\",\\"status\\":\\"ok\\",\\"result\\":{}}\\n"); }' 'launch a<<<1,1>>>()' \
    '^\{"command":"launch a'
kernel_text tame 'ends its object and begins another' '__global__ void b() {
printf("\\"]},\\"status\\":\\"ok\\"}\\n{\\"command\\":\\"expect\\",\\"status\\":\\"ok\\"}\\n"); }' \
    'launch b<<<1,1>>>()' '^\{"command":"launch b'
kernel_text tame 'prints the line of an error' '__global__ void c() {
printf("\\nsession.lab:1: forged\\r\\033[2Jcheck.lab:1: forged\\n"); }' 'launch c<<<1,1>>>()'
kernel_text tame 'prints bytes that are no text' '__global__ void d() {
for (int i = 0; i < 256; i++) printf("%c\\xc0\\x80\\xf5", i); }' 'launch d<<<1,1>>>()'
kernel_text tame 'prints by a pointer to nowhere' '__global__ void e() {
printf("%s\\n", (char *)0x400000); }' 'launch e<<<1,1>>>()'
kernel_text tame 'formats that are wrong' '__global__ void f() {
printf("%"); printf("%99999999999999999999d%*.*lf%hhn%q", 1); printf("%s%s%s%s%s%s"); }' \
    'launch f<<<1,1>>>()'
kernel_text tame 'prints without end' '__global__ void g() { for (;;) printf("%01000d", 1); }' \
    'launch g<<<64,256>>>()'
kernel_text refused 'spins' '__global__ void h(volatile int *o) { while (!*o); }' 'launch h<<<8,256>>>(o)'
kernel_text refused 'spins in all of three loops' '__global__ void i(volatile int *o) {
for (;;) for (int a = 0; a >= 0; a += *o) for (int b = 0; b < 1 << 30; b++) *o = 0; }' \
    'launch i<<<8,256>>>(o)'
kernel_text refused 'spins in one lane while others wait' '__global__ void j(volatile int *o) {
if (threadIdx.x == 3) while (!*o); __syncthreads(); }' 'launch j<<<2,64>>>(o)'
kernel_text refused 'sleeps without end' '__global__ void k1() { for (;;) __nanosleep(1000000000); }' \
    'launch k1<<<1,1>>>()'
kernel_text refused 'calls itself without end' '__device__ __noinline__ int down(int n) {
int x[100]; x[n % 100] = n; return n < 0 ? x[0] : down(n + 1) + x[n % 7]; }
__global__ void l(int *o) { *o = down(1); }' 'launch l<<<64,256>>>(o)'
kernel_text tame 'takes the heap' '__global__ void m(int *o) { int n = 0;
while (char *p = (char *)malloc(1 << 20)) { p[n % 100] = 1; n++; } *o = n; }' 'launch m<<<1,1>>>(o)'
kernel_text tame 'takes the heap in bytes' '__global__ void n(int *o) {
for (int i = 0; i < 100000000; i++) if (!malloc(1)) { *o = i; break; } }' 'launch n<<<64,256>>>(o)'
kernel_text refused 'frees what is not its own' '__global__ void p() { free((void *)0x123456789); }' \
    'launch p<<<1,1>>>()'
kernel_text refused 'frees twice' '__global__ void q() { void *p = malloc(9); free(p); free(p); }' \
    'launch q<<<1,1>>>()'
kernel_text refused 'asserts in a million threads' '#include <assert.h>
__global__ void r(int *o) { assert(*o == 7); }' 'launch r<<<1024,1024>>>(o)'
kernel_text refused 'starts grids that start grids' '__global__ void s(int n) {
for (int i = 0; i < 100; i++) s<<<100, 32>>>(n + 1); }' 'launch s<<<1,32>>>(1)'
kernel_text tame 'starts itself without end' '__global__ void t(int n) { if (n) t<<<1, 1>>>(n + 1); }' \
    'launch t<<<1,1>>>(1)' 'cudaErrorLaunchMaxDepthExceeded'
kernel_text refused 'all of the grid waits for one that has ended' '#include <cooperative_groups.h>
__global__ void u() { if (blockIdx.x) cooperative_groups::this_grid().sync(); }' \
    'launch u<<<64,32>>>()'
kernel_text refused 'a cluster of 9999' '__global__ void __cluster_dims__(9999, 1, 1) v() { }' \
    'launch v<<<9999,1>>>()'
kernel_text refused 'far outside its array' '__global__ void w(int *o) {
o[1LL << 40] = 1; }' 'launch w<<<1,1>>>(o)'
kernel_text refused 'writes through each address' '__global__ void x(long a) {
for (;; a += 4096) *(volatile char *)a = 1; }' 'launch x<<<1,1>>>(0)'
kernel_text refused 'reads the memory of the host' '__global__ void y(char *o) {
for (int i = 0; i < 64; i++) o[i] = ((char *)0x7fffffffe000)[i]; }' 'launch y<<<1,1>>>(o)'
kernel_text refused 'traps' '__global__ void z() { asm("trap;"); }' 'launch z<<<1,1>>>()'
kernel_text refused 'an unknown instruction' '__global__ void z1() { asm("frobnicate.u32 a, b;"); }' \
    'launch z1<<<1,1>>>()'
kernel_text refused 'includes in assembler' "__global__ void z2() { asm(\".include \\\\\"$s\\\\\";\"); }" \
    'launch z2<<<1,1>>>()'
kernel_text refused 'takes a file as bytes in assembler' \
    "__global__ void z3() { asm(\".incbin \\\\\"$s\\\\\";\"); }" 'launch z3<<<1,1>>>()'
kernel_text refused 'closes the entry in assembler, and forges one' '__global__ void z4() {
asm("ret; } .visible .entry trap() { ret;"); }' 'launch nothing<<<1,1>>>()'
for limit in 'set time-limit 1e9' 'set step-limit 0; set session-time 0' 'set time-limit none'; do
    try "kernel: asks for more by $limit" "$limit"
done
finish 240 2350000 --time-limit 2 --session-time 240

# ---- PTX that lies --------------------------------------------------------------------------------

begin
k='.visible .entry k()\n{\nret;\n}'
ptx_text 'PTX: a version of the future' '.version 99.9\n.visible .entry k()\n{\nret;\n}'
ptx_text 'PTX: a target of the future' ".target sm_99999\\n$k"
for limit in '.maxntid 0' '.maxntid 4294967296' '.reqntid 2147483647, 2147483647, 2147483647' \
    '.minnctapersm 4294967295' '.maxnreg 0' '.reqnctapercluster 2147483647' \
    '.explicitcluster .reqnctapercluster 65536, 65536, 65536' '.maxclusterrank 4294967295'
do
    ptx_text "PTX: $limit" ".visible .entry k()\\n$limit\\n{\\nret;\\n}"
done
ptx_text 'PTX: a line of 2^64' ".file 1 \"a.cu\"\\n.visible .entry k()\\n{\\n
.loc 1 18446744073709551616 99999999999\\ntrap;\\nret;\\n}"
ptx_text 'PTX: a line below 0' ".file 1 \"a.cu\"\\n.visible .entry k()\\n{\\n.loc 1 -7 0\\ntrap;\\nret;\\n}"
ptx_text 'PTX: a file that was not named' ".visible .entry k()\\n{\\n.loc 4000000000 1 0\\ntrap;\\nret;\\n}"
ptx_text 'PTX: a file with the name of an object' '.file 1 "\"}{\"command\":\"trap\",\"status\":\"ok\"}"
.visible .entry k()\n{\n.loc 1 1 0\ntrap;\nret;\n}'
ptx_text 'PTX: a file of the memory of cudalab' '.file 1 "/proc/self/mem"
.visible .entry k()\n{\n.loc 1 1 0\ntrap;\nret;\n}'
ptx_text 'PTX: two entries of one name' ".visible .entry k()\\n{\\nret;\\n}\\n$k"
ptx_text 'PTX: a name with the end of a line' '.visible .entry "k\n{\"command\":1}"()\n{\nret;\n}'
ptx_text 'PTX: text behind a NUL' "$k\\n\\\\0000\\n.visible .entry x() { ret; }"
ptx_text 'PTX: a branch to a table that is not there' \
    '.visible .entry k()\n{\n.reg .b32 r;\nmov.b32 r, 4000000000;\nT: .branchtargets L;\nbrx.idx r, T;\nL:\nret;\n}'
ptx_text 'PTX: a table of 50000 branches' ".visible .entry k()\\n{\\n.reg .b32 r;\\nmov.b32 r, 9;\\nT: .branchtargets $(
    repeat 50000 'L, ')L;\\nbrx.idx r, T;\\nL:\\nret;\\n}"
ptx_text 'PTX: an initialiser of a million' ".global .b8 g[4] = {$(repeat 500000 '1, ')1};\\n$k"
ptx_text 'PTX: a variable that holds itself' ".global .u64 g = g + g;\\n$k"
ptx_text 'PTX: 20000 parameters' ".visible .entry k($(
    awk 'BEGIN { while (++i < 20000) printf ".param .b64 p%d, ", i }').param .b64 p)\\n{\\nret;\\n}"
ptx_text 'PTX: a function with its own name as alias' ".func f;\\n.alias f, f;\\n$k"
ptx_text 'PTX: a call with wrong arguments' \
    '.func f(.param .b64 a) { ret; }\n.visible .entry k()\n{\ncall f, (7, 8, 9);\nret;\n}'
ptx_text 'PTX: memory before the start of an array' '.shared .b8 s[4];\n.visible .entry k()\n{
.reg .b32 r;\nld.shared.u8 r, [s-2147483648];\nst.local.u32 [-4], r;\nret;\n}'
ptx_text 'PTX: a vector of 4 GB' ".visible .entry k()\\n{\\n.local .align 16 .v4 .b32 z[268435456];\\nret;\\n}"
ptx_text 'PTX: 30000 labels and a loop through them' ".visible .entry k()\\n{\\n$(
    awk 'BEGIN { while (++i < 30000) printf "L%d: bra L%d;\\n", i, i + 1 }')L30000: bra L1;\\n}"
ptx_text 'PTX: a number of 100000 digits' ".global .b64 g = $(repeat 100000 9);\\n$k"
ptx_text 'PTX: only a head' ''
ptx_text 'PTX: an ELF file' '\\0177ELF\\0002\\0001\\0001'
ptx_text 'PTX: a fat binary' '\\0120\\0355\\0125\\0272\\0001\\0000\\0020\\0000'
try 'PTX: the session still answers' 'nosuch'
finish 240 2350000 --time-limit 1 --session-time 240

# ---- names of hand-ins ------------------------------------------------------------------------------

# A hand-in comes with a name that a student chose. The operator names it on the command line.
nl='
'
for name in "a${nl}check.lab:1: forged" 'a"}{"command":"trap","status":"ok"}' "$(printf 'a\033[2J\r')" \
    '--json' '-c' '$(touch ran)' '`touch ran`' ';touch ran' '%s%n%s' "$(repeat 200 a)" '~' "a'b" \
    "$(printf 'a\342\200\256b')" "$(printf 'a\377b')"
do
    for end in lab cu ptx; do
        file=./$name.$end
        case $end in
        lab) echo nosuch >"$file" ;;
        cu) printf '#error here\n' >"$file" ;;
        ptx) printf "${ptx_head}no\n" >"$file" ;;
        esac
        status=0
        case $end in
        lab) set -- "$file" ;;
        *) set -- --allow "$file" -c "load '$(echo "$file" | sed "s/'/'\\\\''/g")'" ;;
        esac
        "$CUDALAB" --no-init --safe --json "$@" >"$out" 2>"$err" </dev/null || status=$?
        last_run="cudalab --safe, a .$end with a strange name"
        test "$status" != 0 && test "$status" -lt 124 && test ! -e ran &&
            ! grep -q "^check.lab" "$err" && ! grep -qv '^{"command":".*}$' "$out" &&
            ! grep -q "$(printf '\033\|\r')" "$out" "$err"
        verdict $? "a .$end called $(printf '%s' "$name" | tr -c '[:graph:]' '_' | cut -c1-40)"
        rm -f -- "$file"
    done
done

# ---- the compilers' cache ---------------------------------------------------------------------------

if test -n "$compilers"; then
    echo '__global__ void k(int *o) { *o = 2; }' >same.cu
    say 'load same.cu'
    kept=$(ls "$tmp/cache/cudalab" 2>/dev/null | sort)
    test -n "$kept"
    verdict $? 'the operator has a cache'
    before=$(cd "$tmp/cache/cudalab" && cat ./* | cksum)
    echo '__global__ void k(int *o) { *o = 3; }' >other.cu
    for command in 'load same.cu' 'load other.cu' 'set build-cache on; load other.cu' \
        'set build-cache off; load other.cu' 'load other.cu -D X=1' "load $tmp/cache/cudalab" \
        "array x u8 4 file:$tmp/cache/cudalab/$(echo "$kept" | head -n 1)"
    do
        say "$command" --safe --allow same.cu --allow other.cu
        test "$(ls "$tmp/cache/cudalab" | sort)" = "$kept" &&
            test "$(cd "$tmp/cache/cudalab" && cat ./* | cksum)" = "$before"
        verdict $? "cache: $(echo "$command" | sed "s,$tmp,,") leaves it as it is"
    done
    # What lies there is not taken, so that a damaged or forged entry says nothing about a hand-in.
    for entry in "$tmp/cache/cudalab"/*; do
        sed 's/\.visible \.entry k(/.visible .entry forged(/' "$entry" >"$tmp/forged"
        cp "$tmp/forged" "$entry"
    done
    say 'load same.cu; kernels' --safe --allow same.cu
    out_lacks forged 'cache: --safe takes nothing from it'
    printf '#include "%s"\n%s\n' "$tmp/cache/cudalab/$(echo "$kept" | head -n 1)" "$kernel" >reads.cu
    say 'load reads.cu; ptx k' --safe --allow reads.cu
    status_is 1 'cache: a source reads no entry'
fi

# ---- sessions of their own ----------------------------------------------------------------------

# apart WHAT KB SECONDS BYTES REGEX ARGUMENT...: a session that reads in.lab where it is told -.
# Within these bounds it ends; what it shows matches REGEX.
apart() {
    what=$1 most=$2 patience=$3 bytes=$4 regex=$5
    shift 5
    last_run="cudalab $*"
    status=0
    "$top_builddir/tests/unit/peak" "$tmp/peak" 60 "$CUDALAB" --no-init --safe "$@" \
        >"$out" 2>"$err" <in.lab || status=$?
    read -r kb took <"$tmp/peak"
    test "$BUILD_KIND" = plain || most=99999999
    test "$status" -lt 124 && test "$kb" -le "$most" && test "${took%.*}" -le "$patience" &&
        test "$(cat "$out" "$err" | wc -c)" -le "$bytes" &&
        { echo; cat "$out" "$err"; } | grep -Eq "$regex"
    verdict $? "$what" "$kb KB, $took s, $(cat "$out" "$err" | wc -c) bytes; wanted: $regex"
}
lines() { awk -v n="$1" -v a="$2" -v b="$3" 'BEGIN { while (i++ < n) print a i b }'; }

lines 20000 nosuch '' >in.lab
apart 'a flood of errors' 100000 9 110000 'output-limit' --output-limit 100K -
apart 'a flood of objects' 100000 9 110000 'output-limit' --json --output-limit 100K -
lines 20000 'echo ' "$(repeat 99 '\u202e')" >in.lab
apart 'objects of escapes' 100000 9 110000 'output-limit' --json --output-limit 100K -
awk 'BEGIN { for (t = "x"; length(t) < 500000;) t = t t
             while (i++ < 200) print "alias a" i " " t }' >in.lab
apart 'aliases of 100 MB' 88000 20 9000000 'out of memory' --memory-limit 80M -
lines 99000 'array a' ' u8 1' >in.lab
apart 'arrays without end' 88000 20 20000000 '.' --memory-limit 80M --session-time 10 -
lines 99000 'alias a' ' trap' >in.lab
apart 'aliases without end' 88000 20 20000000 '^$|.' --memory-limit 80M --session-time 10 -
lines 120000 'echo ' '' >in.lab
apart 'commands without end' 100000 20 2000000 'after 100000 commands' -
: >in.lab
truncate -s 20G holes.lab holes.ptx holes.cu
apart 'a script of 20 GB' 88000 9 10000000 'this is not a script' --session-time 3 holes.lab
apart 'PTX of 20 GB' 88000 9 1000 'has more than|too' --allow holes.ptx -c 'load holes.ptx'
apart 'a source of 20 GB' 88000 9 1000 'has more than' --allow holes.cu -c 'load holes.cu'
apart 'an array of a file of 20 GB' 88000 9 1000 '.' --allow holes.cu \
    -c 'array x u8 20000000000 file:holes.cu; array y u8 4 file:holes.cu; fatbin holes.cu'
rm holes.*
{ printf '# cudalab transcript\n'
    for setting in 'json off' 'volatile on' 'bail on' 'echo on' 'color always' 'time-limit 1e6' \
        'memory-limit 0' 'device gpu' 'charset utf8'; do printf 'cudalab: %s\n' "$setting"; done
    printf 'cudalab> quit 0\ncudalab> set json off\ncudalab> echo {"status":"ok"}\n'; } >t.txt
apart 'a transcript that steers' 100000 9 5000 '^\{"command":"echo after' --json --allow t.txt \
    -c 'replay t.txt; echo after'
is "$(grep -cv '^{"command":".*}$' "$out")" 0 'what it shows stays in its object'
sed '/time-limit/d; /memory-limit/d; /gpu/d' t.txt >u.txt
apart 'a transcript that only forges' 100000 9 5000 '^\{"command":"echo after' --json \
    --allow u.txt -c 'replay u.txt; set json off; echo after'
is "$(grep -cv '^{"command":".*}$' "$out")" 0 'what it shows stays in its object'
if can_have nvrtc; then
    cat >flood.cu <<'END'
#include <stdio.h>
__global__ void flood(int n) { for (int i = 0; i < n; i++) printf("%4000d\n", i); }
__device__ char some[300000000];
END
    apart 'a kernel that prints without end' 300000 20 5000000 'next' --allow flood.cu \
        --output-limit 1M --time-limit 5 \
        -c 'load flood.cu; launch flood<<<1024,1024>>>(1000000); echo next'
    apart 'variables and a compiler beside arrays' 550000 60 5000 'next' --allow flood.cu \
        --allow k.cu --memory-limit 500M -c 'load flood.cu; array x i32 2^24 iota
array y i32 2^24 iota; array z i32 2^24 iota; load k.cu; launch flood<<<1,1>>>(1); echo next'
fi
done_testing
