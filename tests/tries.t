# SPDX-License-Identifier: GPL-3.0-or-later
#
# Help texts and screens suggest commands to try. Each of these works, unchanged, in a session of its
# own: those of a sample of the help texts, and those below a fault. Those that labs suggest are tests/labs.t's.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels
. "$top_srcdir/tests/labs.sh"

test "$BUILD_KIND" = plain && test -z "$CUDALAB_WRAPPER" ||
    skip_all 'this build or its wrapper is for looking inside, and starts slowly'

# ---- help texts -----------------------------------------------------------------------------

# tests/help.t runs all texts in one session. Here each text has its own session, so it can't use
# what another text has loaded. Commands that wait for a person are left out. A remark marks a line
# that fails.
try_of() { # try_of FILE
    awk '/^== / { on = $0 == "== try"; next } on && NF' "$1" |
        sed '/^\(quit\|exit\|history\|play\|watch\)/d; s/   */  # /'
}
may_fail() { # how many lines may fail, by their remarks
    grep -Ec '  # (fault |finding |wrong|refused)' "$tmp/desk/one.lab"
}
if can_load; then
    bad=
    for file in $(printf '%s\n' "$top_srcdir"/help/*.txt | sample 3); do
        rm -rf "$tmp/desk"
        mkdir "$tmp/desk"
        try_of "$file" >"$tmp/desk/one.lab"
        test -s "$tmp/desk/one.lab" || continue
        cd "$tmp/desk" || exit 99
        lab one.lab </dev/null
        cd "$OLDPWD" || exit 99
        failed=$(sed -n 's/^one\.lab:\([0-9]*\):.*/\1/p' "$err" | sort -u | wc -l | tr -d ' ')
        test "$failed" = "$(may_fail)" || bad="$bad $(basename "$file")"
    done
    is "$bad" '' 'what each text says to try works in a session of its own'
else
    skip 'no compiler of CUDA C' 'what each text says to try works in a session of its own'
fi

# ---- faults ---------------------------------------------------------------------------------

# Commands below a fault: `explain KIND` works anywhere, `findings` only after the launch.
sed -n '/fault_names\[\]/,/};/p' "$top_srcdir/src/sim/sim.c" | grep -o '= "[^"]*"' |
    sed 's/= "\(.*\)"/explain \1/; /none$/d' >"$tmp/kinds.lab"
grep -A1 -h 'struct finding_kind [a-z_]* =' $(find "$top_srcdir/src/check" -name '*.c') |
    sed -n 's/.*\.name = "\([^"]*\)".*/explain \1/p' >>"$tmp/kinds.lab"
ok 'there are kinds of faults' test "$(wc -l <"$tmp/kinds.lab")" -ge 20
lab "$tmp/kinds.lab" </dev/null
status_is 0 'explain says more of each'
err_empty 'and refuses none'
cat >"$tmp/null.ptx" <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k()
{
    .reg .u64 %rd<2>;
    mov.u64 %rd1, 0;
    st.global.u64 [%rd1], %rd1;
    ret;
}
END
say_json "load $tmp/null.ptx; launch k<<<1, 1>>>()"
"$JSONGET" --leaves <"$out" | labs_tries | sed "1i load $tmp/null.ptx; launch k<<<1, 1>>>()" >"$tmp/after.lab"
ok 'a fault says what to try' test "$(wc -l <"$tmp/after.lab")" -gt 1
lab --json "$tmp/after.lab" </dev/null
is "$(grep -c '"status":"error"' "$out")" 0 'which works after it'

done_testing
