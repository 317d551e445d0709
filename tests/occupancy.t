# SPDX-License-Identifier: GPL-3.0-or-later
#
# occupancy: by numbers and by kernel, what binds, other cards, the exercise. That the arithmetic
# is NVIDIA's, tests/unit/occupancy.c shows.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# holds 'ARGUMENTS' BLOCKS WARPS BINDS
holds() {
    say_json "occupancy $1"
    json_is .status ok "occupancy $1: ok"
    json_is .result.blocks "$2" "occupancy $1: $2 blocks"
    json_is .result.warps "$3" "occupancy $1: $3 warps"
    json_is .result.binds "$4" "occupancy $1: $4 binds"
}
holds '--threads 256' 8 64 '["threads"]'
holds '--threads 256 --regs 32' 8 64 '["threads","registers"]'
holds '--threads 256 --regs 33' 6 48 '["registers"]'
holds '--threads 256 --regs 40 --smem 48K' 4 32 '["shared"]'
holds '--threads 32' 32 32 '["blocks"]'
holds '--threads 768' 2 48 '["threads"]'
holds '--threads 100' 16 64 '["threads"]'
holds '--threads 1024 --regs 65' 0 0 '["registers"]'
holds '--threads 64 --smem 227K' 1 2 '["shared"]'
holds '--threads 64 --smem 232449' 0 0 '["shared"]'
holds '--threads 256 --on t4' 4 32 '["threads"]'
holds '--threads 256 --on rtx3090' 6 48 '["threads"]'
holds '--threads 256 --on c2050' 6 48 '["threads"]'
holds '--threads 128 --on c2050' 8 32 '["blocks"]'
holds '--threads 256 --smem 2K --on g80' 3 24 '["threads"]'
holds '--threads 1024 --smem 8K --on g80' 0 0 '["threads"]'
holds '--threads 256 --regs 64 --on c2050' 0 0 '["registers"]'

say_json 'occupancy --threads 256 --regs 33 --smem 5000'
json_is .result.limits.threads 8 'each limit alone: threads'
json_is .result.limits.blocks 32 'places'
json_is .result.limits.registers 6 'registers'
json_is .result.limits.shared 38 'shared memory'
json_is .result.registers_given 1280 '33 x 32 registers, in pieces of 256'
json_is .result.shared_given 6144 '5000 and 1024 bytes, in pieces of 128'
json_is .result.max_warps 64 'of 64 warps'
json_is .result.occupancy 0.75 'as a part'
json_is '.result.by_threads[0].threads' 32 'the table begins with a warp'
json_is '.result.by_threads[5].blocks' 6 'the table has 256 as well'
json_is .result.by_threads.# 12 'twelve sizes'
json_is .result.card 'NVIDIA H100 80GB HBM3' 'whose SM'

# The device in use counts, and --on wins over it.
say_json 'occupancy --threads 1024' --device sim:t4
json_is .result.blocks 1 'one block of 1024 on a T4'
say_json 'occupancy --threads 1024 --on h100' --device sim:t4
json_is .result.blocks 2 'two on an H100'

say 'occupancy --threads 256 --regs 33'
out_has '6 blocks per SM: 48 warps of 64, 75 %; the limit: registers' 'the answer comes first'
out_like 'registers +6 < +65,536 +8 x 1,280: 33 per thread, by 256$' 'and how it comes about'
out_has 'With 32 registers per thread or fewer' 'and what would mend it'
out_like '^> 256 +#+ 48 warps = 6 x 8: registers' 'its own row is marked'
say 'occupancy --threads 100'
out_has "28 of each block's last warp have no thread" 'idle lanes are told'
say 'occupancy --threads 1024 --regs 65'
out_has '0 blocks: this launch is refused' 'a launch that can not be is told'
out_like 'thread can have at most 255' 'with the limits'

# Kernels.
say_json 'occupancy trap --variant block-shared'
json_is .status ok 'a variant of a lab'
json_is .result.kernel trap_block_shared 'is found'
json_is .result.shared_bytes 4224 'with its shared memory'
if runs_programs && { command -v ptxas >/dev/null || test -x /usr/local/cuda/bin/ptxas; }; then
    json_like .result.registers '^[1-9][0-9]?$' 'with its registers'
    json_is .result.registers_from ptxas 'as ptxas says'
    say_json 'sass trap --variant block-shared; occupancy trap --variant block-shared'
    is "$(json 2:.result.registers)" "$(json 1:.result.registers)" 'the same as sass says'
    say_json 'occupancy trap --variant block-shared --on c2050'
    json_is .status ok 'a card that ptxas makes no code for'
    json_absent .result.registers 'has no number of registers'
    json_absent .result.limits.registers 'and no limit by them'
    say 'occupancy trap --variant block-shared --on c2050'
    out_like "registers +not known, so they don.t count here: the ptxas here makes" 'and it says why'
    out_has '--regs counts them' 'and what would'
else
    skip 'no ptxas' 'registers by ptxas'
fi
say_json 'occupancy trap --variant block-shared --regs 40 --smem 4K --threads 512'
json_is .result.shared_bytes 8320 '--smem comes on top'
json_is .result.blocks 3 '--regs counts'
json_is .result.registers 40 'they are what was given'
json_absent .result.registers_from 'and not asked for'
say_json 'occupancy trap_block_shared'
json_is .result.shared_bytes 4224 "a lab's kernel by its own name"
say_json 'occupancy hello'
json_is .result.kernel hello "a lab without variants: its kernel"
cat >"$tmp/mine.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry mine()
{
    .shared .align 4 .b8 s[3000];
    .reg .b32 %r<36480>;
    st.shared.u32 [s], %r1;
    ret;
}
END
say_json "load $tmp/mine.ptx; occupancy mine --threads 64"
json_is 2:.result.kernel mine "a kernel of one's own"
json_is 2:.result.shared_bytes 3000 'with its shared memory'
ok 'the names of registers in PTX are no count of them' \
    test "$(json '1:.result.kernels[0].registers')" != 36479
ok 'what ptxas says is no such number' test "$(json 2:.result.registers)" != 36479

# The exercise: no answer before a guess.
say_json 'occupancy --exercise'
json_is '.result.exercise[0].slide' 8 "the slide's number"
json_absent '.result.exercise[0].answer' 'no answer yet'
say 'occupancy --exercise'
out_lacks '345.6' 'nor on the screen'
say_json 'occupancy --guess 3,0,1536,345.6'
json_is .result.right 4 'all right'
say_json 'occupancy --exercise --guess 8,2,4096,347.6'
json_is .result.right 0 "the slide's own are all wrong"
json_is '.result.exercise[0].answer' 3 '3 blocks of 256'
json_is '.result.exercise[1].answer' 0 'none of 1024'
json_is '.result.exercise[2].answer' 1536 '1536 loads'
json_near '.result.exercise[3].answer' 345.6 1e-9 '345.6 GFLOP/s'

for bad in 'occupancy' 'occupancy --threads 0' 'occupancy --threads -1' 'occupancy --threads 1025' \
    'occupancy --threads 32 --regs 0' 'occupancy --threads 32 --regs 256' \
    'occupancy --threads 32 --smem -1' 'occupancy --threads 32 --smem 2M' \
    'occupancy --threads 32 --on t44' 'occupancy nosuch' 'occupancy trap --variant nosuch' \
    'occupancy trap --variant serial' 'occupancy trap_race --variant race' \
    'occupancy --guess 1,2,3' 'occupancy --guess 1,2,3,x' 'occupancy --guess 1,2,3,4,5' \
    'occupancy --guess ,,,' 'occupancy --threads'; do
    say "$bad"
    status_is 1 "$bad: refused"
    err_like '[a-z]' "$bad: and told why"
done
say 'occupancy --threads 32 --on t44'
err_has 't4' 'a near card is offered'
say 'occupancy'
err_has 'occupancy --threads 256' 'what to type is told'

for width in 60 72; do
    say "set width $width; occupancy --threads 1000 --regs 255 --smem 40000
occupancy --guess 1,2,3,4"
    is "$(awk -v w=$width 'length > w' "$out")" '' "fits $width columns"
done
say 'set plain on; occupancy --threads 256 --regs 33'
out_like '^256 threads: 48 warps' 'plain: rows are told'
out_lacks '##' 'without bars'

every_try occupancy
say 'occupancy 256'
err_has 'did you mean --threads 256?' 'a number is no kernel'

done_testing
