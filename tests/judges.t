# SPDX-License-Identifier: GPL-3.0-or-later
#
# The judges (tests/judge): each gives the verdicts that are kept for good and bad input.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

kept=$top_srcdir/tests/judge

# verdicts_are NAME: $out is what is kept as the judge's verdicts
verdicts_are() {
    : >"$err"
    same_as "judge/$1.verdicts" "$1: its verdicts"
    for word in pass flunk; do
        ok "$1: it can say $word" grep -q "^$word" "$out"
    done
}

"$JSONGET" --leaves <"$kept/findings.json" >"$tmp/leaves"
for title in kernels 'kernels by clang'; do
    "$JUDGES/findings" "$kept/findings.cu" "$tmp/leaves" "$title"
done >"$out"
verdicts_are findings

{
    "$JUDGES/labs" shows sim "$kept/labs.rows" "$kept/labs.sim"
    "$JUDGES/labs" shows gpu "$kept/labs.rows" "$kept/labs.gpu"
    for card in same other; do
        "$JUDGES/labs" $card "$kept/labs.rules" "$kept/labs.rows" "$kept/labs.sim" \
            "$kept/labs.gpu"
    done
} >"$out"
verdicts_are labs

for width in 20 0 100; do
    "$JUDGES/screens" $width "$kept/screens.commands" "$kept/screens.ascii" "$kept/screens.utf8" \
        "$kept/screens.colours" "$kept/screens.plain"
done >"$out"
verdicts_are screens

cd "$kept" || exit 99
mkdir "$tmp/rules"
cp "$top_srcdir/tests/data/prose/terms.txt" "$top_srcdir/tests/data/prose/verbs.txt" "$tmp/rules"
cp prose.forms "$tmp/rules/forms.txt"
{
    "$JUDGES/prose" show "$top_srcdir/tests/data/prose" prose-good.txt prose-bad.txt \
        prose-hard.txt prose-page.md prose-page.1 prose-literals.def prose-comments.cu
    "$JUDGES/prose" judge "$top_srcdir/tests/data/prose" prose.later prose-good.txt \
        prose-bad.txt prose-hard.txt prose-page.md
    "$JUDGES/prose" rules "$tmp/rules"
} >"$out"
cd "$OLDPWD" || exit 99
verdicts_are prose

# A judge that can't judge says why, and no test passes.
for call in 'findings none.cu none title' 'labs shows sim none none' 'labs' 'findings' 'screens 80 none - -' \
    'prose' 'prose show none' 'prose other none'; do
    # shellcheck disable=SC2086
    "$JUDGES"/$call >"$out" 2>"$err"
    is $? 99 "$call: it gives up"
    out_empty "$call: without a verdict"
done
done_testing
