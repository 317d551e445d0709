# SPDX-License-Identifier: GPL-3.0-or-later
#
# The Jupyter kernel: it is installed, talks as Jupyter does, and a notebook has the outputs that are
# kept in it. UPDATE_GOLDEN=1 keeps what comes out now.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

notebook=$top_srcdir/jupyter/examples/first.ipynb

has_modules() {
    "$1" -c "import ipykernel, jupyter_client, $2" >"$out" 2>&1
}

find_python() { # find_python MODULE: $python has what the kernel needs, and this module
    for python in python3 /usr/bin/python3; do
        has_modules "$python" "$1" && return 0
    done
    return 1
}
runs_programs || skip_all 'this cudalab starts no programs'
find_python sys || skip_all 'no Python with ipykernel and jupyter_client (python3-ipykernel)'
test -z "$CUDALAB_WRAPPER" || skip_all 'Jupyter starts the kernel without the checker'
at_home
unset NO_COLOR PYTHONPATH JUPYTER_PATH JUPYTER_DATA_DIR JUPYTER_CONFIG_DIR
PYTHONDONTWRITEBYTECODE=1 PYDEVD_DISABLE_FILE_VALIDATION=1
CUDALAB_OPTIONS='--no-init --device sim'
export PYTHONDONTWRITEBYTECODE PYDEVD_DISABLE_FILE_VALIDATION CUDALAB_OPTIONS CUDALAB

run_python() { # run_python ARGUMENT...: leaves $out, $err and $status
    last_run="python $*"
    status=0
    PYTHONPATH=$top_srcdir/jupyter "$python" "$@" >"$out" 2>"$err" </dev/null || status=$?
}

# ---- installing ---------------------------------------------------------------------------
run_python -m cudalab_kernel install --prefix "$tmp/prefix" --program "$CUDALAB"
status_is 0 'install --prefix'
ok 'Jupyter finds a kernel there' test -s "$tmp/prefix/share/jupyter/kernels/cudalab/kernel.json"
run_python -m cudalab_kernel install --nosuch
status_is 2 'an option that does not exist'
PYTHONPATH=$top_srcdir/jupyter # where the build folder is not in the tree
export PYTHONPATH
lab --jupyter
unset PYTHONPATH
status_is 0 'cudalab --jupyter installs it for the user'
ok 'in the home folder' test -s "$HOME/.local/share/jupyter/kernels/cudalab/kernel.json"
ok 'with this program' grep -q "\"CUDALAB\": \"$(readlink -f "$CUDALAB")\"" \
    "$HOME/.local/share/jupyter/kernels/cudalab/kernel.json"
path=$PATH PATH=$tmp/home
lab --jupyter
PATH=$path
status_is 1 'cudalab --jupyter without Python'
err_has 'python3' 'it says what is missing'

# ---- as Jupyter talks ---------------------------------------------------------------------
mkdir "$tmp/here"
cd "$tmp/here" || exit 99
write_endless
run_python "$top_srcdir/tests/jupyter/talk.py"
grep '^note' "$out" | while IFS=$tab read -r _ note; do diag "$note"; done
grep -E "^(pass|fail)$tab" "$out" >verdicts
judged verdicts
is "$status" 0 'the conversation came to its end'
test "$status" = 0 || diag_file stderr "$err"

# ---- a notebook ---------------------------------------------------------------------------
if ! find_python nbconvert; then
    skip 'no nbconvert (python3-nbconvert)' 'a notebook'
elif ! can_load; then
    skip 'no compiler of CUDA C' 'a notebook'
else
    cp "$notebook" first.ipynb
    run_python -m nbconvert --to notebook --execute --output done.ipynb \
        --ClearMetadataPreprocessor.enabled=True \
        --ClearMetadataPreprocessor.preserve_cell_metadata_mask=tags \
        --ClearMetadataPreprocessor.preserve_nb_metadata_mask=kernelspec first.ipynb
    status_is 0 'nbconvert runs it'
    test -z "${UPDATE_GOLDEN:-}" || cp done.ipynb "$notebook"
    "$python" "$top_srcdir/tests/jupyter/notebook.py" "$notebook" done.ipynb >verdicts 2>"$err"
    judged verdicts
    ok 'nothing stays beside the notebook' test ! -e .cells
fi
done_testing
