# SPDX-License-Identifier: GPL-3.0-or-later
# Makes kernels whose verdict is known by how they are made, in the format of tests/checks:
#     awk -v seed=1 -v count=20 [-v plain=1] -f checks.awk
# plain: no struct has more padding than clang 14 copies beside its members.
# Masks that name their callers or lack one; vectors of which all elements are written or some are
# not, by plain stores or in shared memory; structs with padding that are copied; memory of malloc
# that is kept, freed or lost.

function below(n) { return int(rand() * n) }
function letter(n) { return substr("abcdefghijklmnopqrstuvwxyz", n + 1, 1) }

# The mask of these lanes, less `lacks`.
function mask_of(from, to, lacks,    m, i)
{
    for (i = from; i <= to; i++)
        m += i == lacks ? 0 : 2 ^ i
    return sprintf("%.0fu", m)
}

function head(name, args, found) {
    print "//@ array a i32 256"
    print "//@ array out i32 256 zero"
    print "//@ launch " name "<<<1, 32>>>(" args ")"
    print found ? "//@found " found " at-" name : "//@none"
}

# One of the _sync functions that takes the value v; at the line that is marked.
function call(kind, mask)
{
    if (kind == 0)
        return "__shfl_sync(" mask ", v, " first ")"
    return substr("__ballot_sync(__any_sync(   __all_sync(   ", 14 * kind - 13, 14) mask ", v & 1)"
}

# Lanes first..last call; a wrong mask lacks one of them.
function make_mask(name,    last, wrong, lacks, kind, mask) {
    first = below(16)
    last = first + 1 + below(31 - first)
    wrong = below(2)
    lacks = first + 1 + below(last - first)
    kind = below(5)
    head(name, "out", !wrong ? "" : kind == 4 ? "barrier-divergence" : "invalid-shuffle")
    print "__global__ void " name "(int *out)\n{\n    int t = threadIdx.x, v = 3 * t;"
    print "    if (t >= " first " && t <= " last ")"
    mask = mask_of(first, last, wrong ? lacks : -1)
    if (kind == 4)
        print "        __syncwarp(" mask "), out[t] = v; // at-" name "\n}"
    else
        print "        out[t] = " call(kind, mask) "; // at-" name "\n}"
}

# Vectors whose elements are written one by one; a wrong kernel leaves one out, and uses it.
function make_vector(name,    n, wrong, out, type, shared, sum, i) {
    n = below(2) ? 4 : 2
    type = "int" n
    wrong = below(2)
    out = below(n)
    shared = below(2)
    head(name, "a, out", wrong ? "uninitialized" : "")
    print "__global__ void " name "(int *a, int *out)\n{\n    int t = threadIdx.x;"
    print shared ? "    __shared__ " type " s[32];\n    int *p = (int *)s;" : "    int *p = a;"
    for (i = 0; i < n; i++)
        if (!(wrong && i == out))
            print "    p[" n " * t + " i "] = t * " i + 1 ";"
    print "    __syncthreads();"
    print "    " type " v = ((" type " *)p)[31 - t]; // at-" name
    for (i = 0; i < n; i++)
        sum = sum (sum ? " + " : "") "v." substr("xyzw", i + 1, 1)
    print "    out[t] = " sum "; // at-" name "\n}"
}

# Structs of random members, all written, then copied whole: padding is nothing to find. A wrong
# kernel forgets a member and uses it.
function make_struct(name,    n, i, wrong, out, types, sum, align) {
    split("char short int float double", types, " ")
    n = 2 + below(4)
    wrong = below(3) == 0
    out = below(n)
    align = below(3) == 0 && !plain ? "__align__(16) " : ""
    print "struct " align "S_" name " {"
    for (i = 0; i < n; i++)
        print "    " types[1 + below(5)] " m" i ";"
    print "};"
    head(name, "out", wrong ? "uninitialized" : "")
    print "__global__ void " name "(int *out)\n{"
    print "    __shared__ S_" name " s[32], c[32];\n    int t = threadIdx.x;"
    for (i = 0; i < n; i++)
        if (!(wrong && i == out))
            print "    s[t].m" i " = t + " i ";"
    print "    __syncthreads();"
    if (!wrong)
        print "    c[t] = s[31 - t];\n    __syncthreads();"
    for (i = 0; i < n; i++)
        sum = sum " + (int)" (wrong ? "s" : "c") "[t ^ 1].m" i
    print "    out[t] = 0" sum "; // at-" name "\n}"
}

# Each thread gets a chain of pieces: kept by its head, freed, or cut.
function make_heap(name,    n, how, unwritten) {
    n = 2 + below(4)
    how = below(3)
    unwritten = below(4) == 0
    print "//@ array kept u64 32 zero"
    head(name, "kept, out, " n,
         unwritten ? "uninitialized" : how == 2 ? "leak" : "")
    if (unwritten && how == 2)
        print "//@may leak"
    print "__global__ void " name "(unsigned long long *kept, int *out, int n)\n{"
    print "    unsigned long long *head = NULL;\n    for (int i = 0; i < n; i++) {"
    print "        unsigned long long *one = (unsigned long long *)malloc(32); // at-" name
    print "        asm volatile(\"\" : \"+l\"(one)); // a compiler knows that it is unwritten"
    print "        one[0] = (unsigned long long)head;"
    print "        one[1] = i;"
    if (!unwritten)
        print "        one[2] = n;"
    print "        head = one;\n    }"
    print "    out[threadIdx.x] = head[1] + head[2]; // at-" name
    if (how == 0)
        print "    kept[threadIdx.x] = (unsigned long long)(head + " below(4) ");"
    else if (how == 1)
        print "    for (unsigned long long next; head; head = (unsigned long long *)next) {\n" \
              "        next = head[0];\n        free(head);\n    }"
    else
        print "    free(head);\n    (void)kept;"
    print "}"
}

BEGIN {
    srand(seed)
    print "// made with seed " seed
    for (k = 0; k < count; k++) {
        what = below(4)
        name = "k" letter(int(k / 26)) letter(k % 26) # marks have no digits
        print ""
        if (what == 0) make_mask(name)
        else if (what == 1) make_vector(name)
        else if (what == 2) make_struct(name)
        else make_heap(name)
    }
}
