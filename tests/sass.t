# SPDX-License-Identifier: GPL-3.0-or-later
#
# sass: ptxas assembles, where it is; a stand-in for nvdisasm prints tests/data/sass.txt, written
# by hand in nvdisasm's format, whatever it is asked for. What a real one prints isn't tested here.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

data=$top_srcdir/tests/data
own="load $tmp/reading.ptx"
# ptxas wants the strings of inlined functions' names, which the data has no more.
sed 's/, function_name.*//' "$data/reading.ptx" >"$tmp/reading.ptx"
cp "$data/reading.cu" "$tmp"
mkdir "$tmp/bin" "$tmp/none" "$tmp/both"
printf '#!/bin/sh\ncat "%s"\n' "$data/sass.txt" >"$tmp/bin/nvdisasm"
chmod +x "$tmp/bin/nvdisasm"
# cuobjdump knows no source lines, and calls functions in another way.
{
    printf '#!/bin/sh\n%s\n' 'test "$1" = -sass || exit 1' 'cat <<END'
    sed -e '/##/d' -e 's/^.text.\(.*\):$/\t\tFunction : \1/' "$data/sass.txt" | sed 's/`/\\`/g'
    echo END
} >"$tmp/both/cuobjdump"
chmod +x "$tmp/both/cuobjdump"

# ---- what is asked wrongly needs no tools -------------------------------------------------

refused() { # refused COMMAND WORDS
    say "$1"
    status_is 1 "$1"
    err_has "$2" "$1: $2"
}
refused 'sass trap --variant serial' 'runs on the host'
refused 'sass trap --variant shufle' 'did you mean shuffle?'
refused 'sass nosuch' 'no lab or kernel'
refused 'sass trap_atomic --variant shuffle' 'only labs have variants'
refused 'sass trap --arch x' '`x` is neither a compute capability nor a card'
refused 'sass trap --arch 0' '`0` is neither a compute capability'
refused 'sass' 'NAME is missing'
say 'complete "sass trap --variant lock"'
is "$(cat "$out")" lockstep 'completion of variants'

no_tools() { # a machine without the toolkit: nothing on the PATH, and a folder for it that isn't
    PATH=$tmp/none CUDA_HOME=$tmp/none "$CUDALAB" --no-init -c "$1" >"$out" 2>"$err" </dev/null
    status=$?
    last_run="$1, without tools"
}
if test -x /usr/local/cuda/bin/ptxas; then
    skip 'there is one' 'without ptxas it says how to have it'
else
    no_tools 'sass trap'
    err_has "comes with NVIDIA's CUDA Toolkit" 'without ptxas it says how to have it'
fi

mkdir "$tmp/scratch"
TMPDIR=$tmp/scratch
export TMPDIR
say 'sass trap --variant shuffle --arch 90'
if grep -q 'there is no ptxas\|built without the programs' "$err"; then
    skip 'no ptxas' 'what ptxas makes'
    done_testing
fi

# ---- what ptxas tells ---------------------------------------------------------------------

status_is 0 'sass'
out_like 'trap.ptx, variant shuffle, for sm_90: [0-9]+ instructions of SASS from [0-9]+ of PTX' \
    'how many'
out_like '[0-9]+ registers per thread, none spilled' 'and what they take'
say_json 'sass trap --variant shuffle' --device sim:t4
json_is .result.arch 75 "JSON: this device's kind"
json_is .result.kernel trap_shuffle 'JSON: the kernel'
json_like .result.registers '^[1-9][0-9]*$' 'JSON: registers'
json_like .result.ptx_instructions '^[1-9][0-9]*$' 'JSON: instructions of PTX'
bytes=$(json .result.bytes)
ok 'JSON: 16 bytes each, without what fills up the end' test \
    "$(json .result.sass_instructions)" -gt 10 \
    -a "$(json .result.sass_instructions)" -le "$((bytes / 16))"
json_is .result.spill_store_bytes 0 'JSON: spilled'
for profile in gtx970 quadro600; do
    say 'sass trap' --device "sim:$profile"
    status_is 1 "$profile is older than what ptxas still knows"
    err_has '--arch chooses another kind' 'and what would be right'
done
is "$(ls "$TMPDIR")" '' 'nothing is left behind'

# ---- with a disassembler ------------------------------------------------------------------

PATH=$tmp/bin:$PATH
say "$own; sass total --arch 75"
status_is 0 'with a disassembler'
out_like '^  // reading.cu:35  int i = blockIdx.x \* blockDim.x' 'source lines'
out_like '^    mov.u32 %r[0-9]+, %[a-z]+.x; +0010  S2R R0, SR_CTAID.X$' \
    'PTX and SASS beside each other'
out_like '0030  IMAD R0, R0, c\[0x0\]\[0x0\], R5$' 'with addresses'
is "$(awk '/reading.cu:36/ { on = 1; next } /^  \/\// { on = 0 } on' "$out" |
    grep -o '00[456]0  .*' | tr '\n' '|')" \
    '0040  ISETP.GE.AND P0, PT, R0,|0050  @!P0 LDG.E.SYS R2, [R2]|0060  STS [R5.X4], R2|' \
    'each at its line; what a header put in, where it was put'
out_like '^ +[.]L_x_1:$' 'where branches go'
out_lacks '0x00000000ff027984' 'no encodings'
is "$(grep -c 'R1, c\[0x0\]\[0x28\]' "$out")" 1 'no other kernel'
is "$(awk 'length > 80' "$out")" '' 'within 80 columns'
say "set width 72; $own; sass total --arch 75"
out_like '^    ptx   mov.u32 ' 'in 72 columns PTX stands above'
out_like '^    sass  0010  S2R R0, SR_CTAID.X' 'SASS below'
is "$(awk 'length > 72' "$out")" '' 'within 72 columns'
say_json "$own; sass total --arch 75"
json_is 2:.result.disassembler nvdisasm 'JSON: by what'
json_is 2:.result.sass_instructions 14 'JSON: how many'
json_is '2:.result.instructions[1].text' 'S2R R0, SR_CTAID.X' 'JSON: an instruction'
json_is '2:.result.instructions[1].address' 16 'JSON: its address'
json_like '2:.result.instructions[1].source' '/reading.cu:35$' 'JSON: its line'
json_absent '2:.result.instructions[0].source' 'JSON: none where none is known'
say 'sass trap_atomic --arch 75'
status_is 1 'a listing without the kernel'
err_has 'nvdisasm printed no instructions of trap_atomic' 'is an error'

PATH=$tmp/both:${PATH#*:}
say_json "$own; sass total --arch 75"
json_is 2:.result.disassembler cuobjdump 'cuobjdump will do'
json_is 2:.result.sass_instructions 14 'it has as many'
json_absent '2:.result.instructions[1].source' 'but no lines'
printf '#!/bin/sh\necho "cuobjdump fatal   : no such thing" >&2; exit 3\n' >"$tmp/both/cuobjdump"
say "$own; sass total --arch 75"
err_has 'cuobjdump refuses: no such thing' 'one that fails is cited'

# ---- load and kernels ask ptxas -----------------------------------------------------------

cat >"$tmp/both/ptxas" <<END
#!/bin/sh
echo called >>"$tmp/calls"
cat >&2 <<INNER
ptxas info    : Compiling entry function 'other' for 'sm_90'
ptxas info    : Used 200 registers, used 0 barriers
ptxas info    : Compiling entry function 'total' for 'sm_90'
ptxas info    : Function properties for total
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 77 registers, used 1 barriers, 256 bytes smem
INNER
END
chmod +x "$tmp/both/ptxas"
say_json "$own; kernels"
at=$(json 1: | sed 's/"signature"/\n&/g' | grep -n '"total(' | cut -d: -f1)
at="result.kernels[$((at - 2))]"
json_is "1:.$at.registers" 77 'load: the registers that ptxas gives that kernel'
json_is "1:.$at.registers_from" ptxas 'load: from ptxas'
json_is "2:.$at.registers" 77 'kernels: the same'
say "$own"
out_has '77 registers per thread (ptxas, sm_90)' 'and on the screen'
is "$(grep -c called "$tmp/calls")" 1 'ptxas ran once: the session, then the cache keep its answer'
say "set device sim:a100; $own"
is "$(grep -c called "$tmp/calls")" 2 'for another card it runs again'
printf '#!/bin/sh\necho called >>"%s"\necho "ptxas fatal   : no" >&2; exit 1\n' "$tmp/refused" >"$tmp/both/ptxas"
say "$own"
cp "$tmp/refused" "$tmp/once"
rm "$tmp/refused"
say "$own; kernels; kernels"
status_is 0 'a ptxas that refuses is no error'
out_lacks 'registers' 'then nothing is said of registers'
ok 'and the session does not ask again' cmp -s "$tmp/refused" "$tmp/once"
printf '#!/bin/sh\nkill -SEGV $$\n' >"$tmp/both/ptxas"
say "$own"
status_is 0 'a ptxas that always crashes is no error'
out_has 'note: the number of registers is not known: ptxas crashed (SIGSEGV)' 'but a note tells it'
printf '#!/bin/sh\nexit 127\n' >"$tmp/both/ptxas"
say "$own"
out_has 'registers is not known: ptxas refuses: it said nothing' 'likewise if it says nothing'
{
    cat "$tmp/reading.ptx"
    awk 'BEGIN { while (n++ < 5000) print "// a comment that makes this PTX longer than 256 KiB" }'
} >"$tmp/long.ptx"
printf '#!/bin/sh\necho "entry function '\''total'\'': Used 9 registers" >&2\n' >"$tmp/both/ptxas"
say "load $tmp/long.ptx"
out_lacks 'registers' 'load does not wait for ptxas where the PTX is long'
say "load $tmp/long.ptx; kernels"
out_has '9 registers per thread' 'kernels does'

done_testing
