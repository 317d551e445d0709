# SPDX-License-Identifier: GPL-3.0-or-later
#
# `cudalab run hw.cu` in a shell: what it says is for somebody who has no prompt.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
needs_programs nvcc
cat >sums.cu <<'EOF'
__global__ void sums(int *out)
{
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4];
        s[t] += s[t + 2];
        s[t] += s[t + 1];
        out[t] = s[0];
    }
}
int main()
{
    int *out;
    if (cudaMalloc(&out, 32 * sizeof *out))
        return 1;
    sums<<<1, 64>>>(out);
    return cudaDeviceSynchronize() || cudaFree(out);
}
EOF
lab run sums.cu
can_run
status_is 1 'a program with races'
err_like '^cudalab run: race-shared: .*\(sums\.cu:9\)$' 'stderr has a line for each finding'
is "$(grep -vc '^cudalab run: race-shared: ' "$err")" 0 'and no place in a script'
out_like '^ *and [0-9]* more$' 'not all findings are on the screen'
out_has "Try  cudalab -c 'explain race-shared' " 'commands to try are for a shell'
out_has "cudalab -c 'run sums.cu; findings --all' " 'one that looks at the findings runs the program first'
cp "$out" alone
say 'run sums.cu'
err_like '^-c:1: race-shared: ' 'with -c, errors have the place'
out_has 'Try  explain race-shared ' 'and commands are for a prompt'
say 'run sums.cu; findings --all'
is "$(sed -n "s/^     cudalab -c 'run/run/p" alone | sed "s/'.*//")" 'run sums.cu; findings --all' \
    'the command that was suggested'
is "$(grep -c '^found  race' "$out")" "$((5 + $(grep -c '^-c:1' "$err")))" \
    'shows all of them'
lab run 'it is.cu'
err_like '^cudalab run: cannot read `it is.cu`' 'a file that is not there'
lab --json run sums.cu
json_is '.try[0].command' 'explain race-shared' 'JSON has the plain commands'

has_terminal || { done_testing; exit; }
at_home
at_terminal "exec '$CUDALAB' --no-init run sums.cu" <<'EOF'
see "found"
EOF
status_is 1 'at a terminal'
out_has "cudalab -c 'explain race-shared'" 'the screen has the findings'
out_lacks 'cudalab run: race-shared' 'and does not repeat them'
done_testing
