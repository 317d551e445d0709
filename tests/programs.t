# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that tests/programs/generate makes up leave the same bytes however nvcc compiles them,
# and no checker complains: a few here, many by `make fuzz-programs`, there also on a GPU.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

generate=$top_builddir/tests/programs/generate
"$generate" 1 3 >"$tmp/once.cu"
"$generate" 1 3 >"$tmp/again.cu"
"$generate" 1 3 2 >"$tmp/one.cu"
is "$(grep -c '^extern "C" __global__' "$tmp/once.cu")" 3 'as many kernels as wanted'
ok 'a seed gives the same programs again' cmp -s "$tmp/once.cu" "$tmp/again.cu"
is "$(grep '^// launch' "$tmp/one.cu")" "$(grep '^// launch k2<' "$tmp/once.cu")" \
    'one of them alone'
is "$("$generate" 7 | wc -c | tr -d ' ')" 4096 'the words that they read'

compiler=$(command -v "${NVCC:-nvcc}") || {
    skip 'there is no nvcc' '32 programs agree'
    done_testing
}
devices=sim
runs() { # runs PROGRAMS SEED NVCC VARIANTS
    status=0
    last_run="tests/programs/run: $1 programs of seed $2, $4"
    COUNT=$1 BATCH=$1 SEED=$2 JOBS=1 DEVICES=$devices NVCC=$3 VARIANTS=$4 FOUND=$tmp/found \
        CUDALAB=$CUDALAB GENERATE=$generate TMPDIR=$tmp \
        sh "$top_srcdir/tests/programs/run" >"$out" 2>"$err" || status=$?
}
runs 32 1 "$compiler" 'O3-75 O3-90 O0-75 O0-90'
status_is 0 '32 programs agree'
out_has 'all agree' 'and it says so'

# Does it see a difference? This compiler takes one instruction for another, without optimisation.
cat >"$tmp/nvcc" <<END
#!/bin/sh
"$compiler" "\$@" || exit
case " \$* " in *' -O0 '*) ;; *) exit 0 ;; esac
while test \$# -gt 1; do shift; done
sed 's/shr.u64/shl.b64/' "\$1" >"\$1.new" && mv "\$1.new" "\$1"
END
chmod +x "$tmp/nvcc"
runs 1 1 "$tmp/nvcc" 'O3-90 O0-90'
status_is 1 'a compiler that errs is found'
out_like '^seed 1 k[0-9]+: sim O0-90: word [0-9]+ is [0-9a-f]{8}, sim.O3-90 has [0-9a-f]{8}$' \
    'seed, kernel, variant and word are told'
kept=$(ls "$tmp"/found/seed-1-k*/k*.O0-90.ptx | sed -n 1p)
ok 'and the program is kept' test -s "$kept"

# This GPU takes one instruction for another, as by a mistake of its optimiser. It makes none for
# `plain`, which stands for the driver without it.
cat >"$tmp/lab" <<END
#!/bin/sh
case " \$* " in *' --device gpu '*)
    sed -i 's/shr.u64/shl.b64/' ./*.ptx
    for word; do
        shift
        test "\$word" != gpu || word=sim
        set -- "\$@" "\$word"
    done ;;
esac
exec "$CUDALAB" "\$@"
END
printf '#!/bin/sh\ncat sim.O3-90.bin\n' >"$tmp/plain"
printf '#!/bin/sh\ncat gpu.O3-90.bin\n' >"$tmp/as-wrong"
chmod +x "$tmp/lab" "$tmp/plain" "$tmp/as-wrong"
on_gpu() { # on_gpu PLAIN
    devices='sim gpu' PLAIN=$1
    export PLAIN
    (CUDALAB=$tmp/lab && runs 1 1 "$compiler" O3-90 && exit "$status")
    status=$? devices=sim
}
on_gpu "$tmp/as-wrong"
status_is 1 'a GPU that differs is found'
out_like '^seed 1 k0: gpu O3-90: word [0-9]+ is [0-9a-f]{8}, sim.O3-90 has [0-9a-f]{8}$' \
    'and its first word'
DEVICES='sim gpu' CUDALAB=$tmp/lab NVCC=$compiler sh "$top_srcdir/tests/programs/where" \
    "$tmp/found/seed-1-k0" >"$out" 2>"$err"
out_like 'k0.cu: after line [0-9]+ of the program' 'the statement after which it differs'
line=$(sed -n 's/.*after line \([0-9]*\) .*/\1/p' "$out")
is "$(sed -n 2p "$out")" "$(sed -n "${line}p" "$tmp/found/seed-1-k0/k0.cu")" 'and its text'
on_gpu "$tmp/plain"
status_is 0 'where only the optimiser differs, that counts as agreement'
out_like "^seed 1 k0: gpu O3-90: .*; the optimiser's$" 'and is told'
out_like 'all agree .1 on the GPU only without its optimiser.$' 'also in the sum'

# A device that is not there is no agreement.
devices='sim gpu' CUDA_VISIBLE_DEVICES=
export CUDA_VISIBLE_DEVICES
runs 1 1 "$compiler" 'O3-90'
status_is 1 'without a GPU nothing agrees with it'
out_like '^seed 1: gpu O3-90: no result' 'and it says so'
done_testing
