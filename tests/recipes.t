# SPDX-License-Identifier: GPL-3.0-or-later
#
# HACKING.md's recipes, followed in a copy of the tree: a lab, an instruction, a checker, a card
# and a command. Each is made of the files and lines that its recipe names, and of nothing else.
# The copy is built, with the objects of this build where nothing changed, and runs.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

tree=$tmp/tree
srcdir_as_configured=$(sed -n 's/^srcdir = //p' "$top_builddir/Makefile")
case $srcdir_as_configured in
..) build=$tree/build ;;
../..) build=$tree/build/sub ;;
*) skip_all "the copy needs a build folder below the sources, configured as ../configure" ;;
esac
command -v automake >/dev/null || skip_all 'a new file needs automake'
test "$KERNELS_BY" != shipped || skip_all 'a new kernel needs a compiler'
test "$BUILD_KIND" = plain || skip_all 'one build is enough'

# ---- the copy -----------------------------------------------------------------------------

mkdir -p "$tree"
(cd "$top_srcdir" && set -- --exclude=./.git
    for made in */config.status; do set -- "$@" --exclude="./${made%/*}"; done
    tar cf - "$@" .) | (cd "$tree" && tar xpf -)
mkdir -p "$build"
(cd "$top_builddir" && tar cf - --exclude=./bare-* --exclude=./fuzz --exclude='*.t.*' --exclude='tests/fake/*.so*' \
    --exclude='./tests/*/*.trs' .) | (cd "$build" && tar xpf -)
chmod -R u+w "$tree"

# after PATTERN LINE FILE: one line more, behind the first that matches
after() {
    awk -v pattern="$1" -v line="$2" '{ print } !done && $0 ~ pattern { print line; done = 1 }
        END { exit !done }' "$tree/$3" >"$tmp/edited" && cat "$tmp/edited" >"$tree/$3"
}
recipe=$top_srcdir/tests/recipes

# A lab: its folder, a kernel, a help text, a test, and a line of order.
mkdir "$tree/src/labs/twice"
cp "$recipe/lab.c" "$tree/src/labs/twice/lab.c"
cp "$recipe/lab.cu" "$tree/kernels/twice.cu"
cp "$recipe/help.txt" "$tree/help/twice.txt"
cp "$recipe/lab.t" "$tree/tests/twice.t"
ok 'a lab is one line of order' after '^hello$' twice src/labs/LIST

# An instruction: one line, and its test data.
ok 'an instruction is one line' after '^ *BINARY[(]sub_f32' \
    'BINARY(recipe_u32, "recipe.u32", u32, u32, u32, a + 2 * b)' src/sim/exec/ops.def
cp "$recipe/instruction.ptx" "$tree/tests/ptx/recipe.ptx"

# A checker: one file and one line, and a line for its kind of finding.
cp "$recipe/checker.c" "$tree/src/check/lonely.c"
ok 'a checker is one line' after '^CHECKER[(]SYNC' 'CHECKER(LONELY, lonely)' src/check/checkers.def
ok 'a kind of finding is one line' after '^FINDING[(]"leak"' 'FINDING("lonely-store")' src/screen/fault-kinds.def

# A card: one row.
ok 'a card is one row' after 'as measured: tests.h100.device' \
    'CARD("recipe", "Recipe 9000", 9, 0, GB(24), MB(40), 100, 1500, 2000, 4096, 3, 1, 0, 0)' \
    src/dev/cards.def

# A command: one struct, and one line.
cp "$recipe/command.c" "$tree/src/repl/commands/greet.c"
ok 'a command is one line' after '^COMMAND[(]apropos' 'COMMAND(greet)' src/repl/commands.def

# ---- it builds, and all are there ------------------------------------------------------

"$MAKE" -C "$build" CFLAGS=-O0 SIM_CFLAGS= all >"$tmp/log" 2>&1 </dev/null
built=$?
verdict $built 'the copy builds' "$(tail -n 12 "$tmp/log")"
test $built = 0 || done_testing

CUDALAB=$build/cudalab
export CUDALAB
(cd "$build" && top_srcdir=$tree top_builddir=. sh "$tree/tests/twice.t") >"$tmp/log" 2>&1
verdict $? "the lab's own test passes" "$(cat "$tmp/log")"
say 'help'
out_like '^  twice +each thread doubles one number' 'help lists the lab'
out_like '^  greet +say hello to somebody' 'help lists the command'
say 'complete "twice -"'
out_like '^-n$' 'completion knows its option'
say 'code twice'
out_has 'y[i] = 2 * x[i];' 'code shows its kernel'
say 'ptx twice'
status_is 0 'ptx shows its PTX'

say "load $tree/tests/ptx/recipe.ptx; array out u32 32; launch one<<<1, 32>>>(out); print out"
out_has '100  102  104' 'the instruction computes'

say "load $tree/tests/ptx/recipe.ptx; array x u32 32; launch one<<<1, 1>>>(x) --check lonely"
err_has 'one lane stores alone' 'the checker finds'
err_has 'lonely-store' 'by the name of its kind'
say 'complete "launch one<<<1, 1>>>(x) --check "'
out_like '^lonely$' 'completion offers it'

say 'devquery' --device sim:recipe
out_has 'Recipe 9000' 'the card is there'
say 'occupancy --threads 256 --on recipe'
status_is 0 'and other commands know it'

say 'greet --loud World'
out_has 'Hello, World!' 'the command runs'
say 'greet'
err_has 'NAME is missing' 'its operand is asked for'
done_testing
