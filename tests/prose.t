# SPDX-License-Identifier: GPL-3.0-or-later
#
# How cudalab writes, as far as it can be measured: HACKING.md has the style, tests/judge/prose.c
# what is measured. Every text must be without complaints, but for those that later.txt names:
# they are not rewritten yet. One that has no complaint any more must leave that list, so the list
# only shrinks. `make prose` shows all complaints.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

rules=tests/data/prose
cd "$top_srcdir" || exit 99

"$JUDGES/prose" rules $rules >"$out" 2>"$err"
is $? 0 'the rules are read'
judged "$out"

find src -name '*.c' -o -name '*.def' | LC_ALL=C sort >"$tmp/sources"
# The files of the labs that `code` shows. Students do not see gpu-*.cu and the headers for
# compilers.
find kernels -name include -prune -o \( -name '*.cu' -o -name 'lab_*.h' \) -print | grep -v gpu- | LC_ALL=C sort >>"$tmp/sources"
# Of the questions, each text is a paragraph. A question counts as a statement, and a choice that is
# no sentence as none.
awk 'function flush() {
         if (line ~ /^  choice .*[^.]$/) line = ""
         if (sub(/^  (choice|then|why) /, "", line)) line = "\n" line "\n"
         if (line !~ /^  /) { gsub(/\?/, ".", line); print line }
         line = ""
     }
     /^      / { sub(/^ */, " "); line = line $0; next }
     { flush(); line = $0 }
     END { flush() }' quiz/questions.txt >"$tmp/questions.txt"
# shellcheck disable=SC2046
"$JUDGES/prose" judge $rules $rules/later.txt "$tmp/questions.txt" help/*.txt README.md lectures/README.md platforms/README.md man/*.1 \
    $(cat "$tmp/sources") \
    >"$out" 2>"$err"
is $? 0 'the texts are read'
judged "$out"
is "$(LC_ALL=C sort -u $rules/later.txt | diff - $rules/later.txt)" '' 'later.txt is in order'
done_testing
