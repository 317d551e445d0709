# SPDX-License-Identifier: GPL-3.0-or-later
#
# Did you mean: what students mistype, what other programs taught them, and what each is told.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

cat >"$tmp/k.ptx" <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry saxpy(.param .u64 x) { ret; }
END

# TYPED | WHAT IS OFFERED
while IFS='|' read -r typed offered; do
    case $typed in '' | '#'*) continue ;; esac
    typed=$(echo "$typed" | sed 's/ *$//')
    offered=$(echo "$offered" | sed 's/^ *//')
    say "load $tmp/k.ptx; array weights f32 8; $typed"
    test "$status" = 1 && grep -Eq "did you mean $offered" "$err"
    verdict $? "$typed: $offered" "stderr should offer: $offered"
done <<'END'
# labs
tarp                          | trap\?
tra                           | trap\?
trapp                         | trap\?
TRAP                          | trap\?
bank                          | banks\?
bansk 4                       | banks\?
hallo                         | hello\?
helo 4                        | hello\?
shfl_trace                    | shfl-trace\?
shfltrace down 1              | shfl-trace\?
devqery                       | devquery\?
# commands
Help                          | help\?
hlep                          | help\?
lauch saxpy<<<1,32>>>(x)      | launch\?
kernles                       | kernels\?
arryas                        | arrays\?
pritn weights                 | print\?
laod k.cu                     | load\?
quti                          | quit\?
exti                          | exit\?
compair a b                   | compare\?
conters                       | counters\?
aprops warp                   | apropos\?
# options and their values
trap --varaint shuffle        | --variant\?
trap --varient shuffle        | --variant\?
trap -variant shuffle         | --variant
trap --variant shufle         | shuffle\?
trap --variant Race           | race\?
trap --variant blockshuffle   | block-shuffle\?
trap --blcoks 4               | --blocks\?
trap --thread 4               | --threads\?
trap --n 4                    | -n
code trap --variant shufle    | shuffle\?
# settings and their values
set sed 3                     | seed\?
set colour always             | color\?
set color allways             | always\?
set timelimit 3               | time-limit\?
set time_limit 3              | time-limit\?
set counters onn              | on\?
set schedule lokstep          | lockstep\?
show devise                   | device\?
set device sim:h10            | sim:h100\?
set device smi                | sim\?
# kernels, arrays, topics
launch saxpi<<<1,32>>>(weights) | saxpy\?
code saxp                     | saxpy\?
ptx spaxy                     | saxpy\?
print weigths                 | weights\?
fill wieghts 1                | weights\?
free weight                   | weights\?
help sufle                    | shuffle\?
help divergense               | divergence\?
help atomcs                   | atomics\?
help trapp                    | trap\?
# other programs' habits
ls                            | arrays\?
dir                           | arrays\?
start                         | launch\?
r hw.cu                       | run\?
man trap                      | help\?
info trap                     | help\?
?trap                         | help trap\?
exit()                        | exit\?
quit()                        | quit\?
bye                           | quit\?
\q                            | quit\?
:q                            | quit\?
.help                         | help\?
.quit                         | quit\?
\h                            | help\?
clear                         | Ctrl-L\?
cls                           | Ctrl-L\?
list trap                     | code\?
nvcc k.cu                     | load\?
make                          | load\?
saxpy<<<1,32>>>(weights)      | launch saxpy<<<1,32>>>\(weights\)\?
END

done_testing
