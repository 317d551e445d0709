# SPDX-License-Identifier: GPL-3.0-or-later
#
# A kernel's source, with a printf before each statement: its line, and the bytes of each variable
# that is set there. Functions and lambdas have their head in one line, and statements too; a block
# opens at the end of a line. What is declared without "=" is printed behind a line with
# "// set: NAME". The head of a lambda is a line of two functions, so nothing is printed there. A
# lambda prints what is its own; what it captured has no name of its own there.

function name_in(text) { # of "const float *p"
    sub(/ *\[.*/, "", text)
    gsub(/.*[ *&]/, "", text)
    return text
}

function declare(name, at) { names[++count] = name; scope[count] = at }

# The parameters of a head, whose first "(" opens their list.
function declare_parameters(head, at,   i, c, level, text, parts, part) {
    level = 0
    text = ""
    for (i = index(head, "("); i <= length(head); i++) {
        c = substr(head, i, 1)
        level += (c == "(") - (c == ")")
        if (!level)
            break
        if (level > 1 || c != "(")
            text = text c
    }
    gsub(/<[^<>]*>/, "", text)
    parts = split(text, part, ",")
    for (i = 1; i <= parts; i++)
        if (part[i] ~ /[a-z]/ && part[i] != "void")
            declare(name_in(part[i]), at)
}

function shown(   i, k, text, hidden, args) {
    text = ""
    args = ""
    for (i = own + 1; i <= count; i++) {
        hidden = 0
        for (k = i + 1; k <= count; k++)
            hidden += names[k] == names[i]
        if (!hidden) {
            text = text " " names[i] "=%llx"
            args = args ", digest(" names[i] ")"
        }
    }
    return "printf(\"@" NR text "\\n\"" args "); "
}

function go_to(new_depth) {
    depth = new_depth
    while (count && scope[count] > depth)
        count--
    if (depth < lambda)
        lambda = own = 0
    if (depth < body)
        body = 0
}

BEGIN {
    print "#include <cstdio>"
    print "template <class T> static __device__ unsigned long long digest(const T &value) {"
    print "    unsigned long long hash = 14695981039346656037ull;"
    print "    const unsigned char *bytes = (const unsigned char *)&value;"
    print "    for (unsigned i = 0; i < sizeof(T); i++) hash = (hash ^ bytes[i]) * 1099511628211ull;"
    print "    return hash;"
    print "}"
    print "template <class T> static __device__ unsigned long long digest(T *const &value) {"
    print "    unsigned is_local;"
    print "    asm(\"{ .reg .pred p; isspacep.local p, %1; selp.u32 %0, 1, 0, p; }\""
    print "        : \"=r\"(is_local) : \"l\"(value));"
    print "    const unsigned long long address = is_local ? 0 : (unsigned long long)value;"
    print "    return digest(address);"
    print "}"
}

{
    line = $0
    code = $0
    sub(/ *\/\/.*/, "", code)
    begins = code
    sub(/^[ \t]*/, "", begins)
    uncounted = code
    gsub(/'[{}]'/, "", uncounted)
    opens = gsub(/\{/, "{", uncounted)
    closes = gsub(/\}/, "}", uncounted)
}

# Outside of functions. A head's parameters are of the scope that it opens, here or in the next line.
# What the compiler computes itself (constexpr) can't print.
!body {
    print line
    if (code ~ /__(global|device)__.*\(.*(\)|\) const|\{)$/ && code !~ /constexpr|;| = /) {
        declare_parameters(code, depth + 1)
        is_head = 1
    }
    if (is_head && opens > closes) {
        body = depth + 1
        is_head = 0
    }
    if (!is_head)
        go_to(depth + opens - closes)
    next
}

{
    is_lambda = begins ~ /\[[^\]]*\]\([^()]*\)( mutable)? \{$/
    if (begins ~ /^(if|switch) .*\{$/ ||
        (begins ~ /;$/ && begins !~ /^(\}|for|using)/ && begins !~ /__shared__/))
        print shown() line
    else
        print line
    if (begins ~ /^\}/) { # "} else {" closes a scope first
        go_to(depth - 1)
        closes--
    }
    if (is_lambda) {
        head = begins
        sub(/^.*\]/, "", head)
        own = count
        lambda = depth + 1
        declare_parameters(head, lambda)
    } else if (begins ~ /^for \(/) {
        head = begins
        sub(/^for \(/, "", head)
        sub(/ (=|:) .*/, "", head)
        if (head ~ / /)
            declare(name_in(head), depth + 1)
    } else if (begins ~ /^(\} else )?(if|switch) \([^;=]* = [^;]*;.*\{$/) {
        head = begins
        sub(/^(\} else )?(if|switch) \(/, "", head)
        sub(/ = .*/, "", head)
        declare(name_in(head), depth + 1)
    } else if (begins ~ /^(static |const |constexpr |volatile |unsigned |signed |long )*[A-Za-z_][A-Za-z0-9_:<>]*(\([a-z]*\))? +[*&]*[a-z_A-Z][a-z_A-Z0-9]*(\[[^=]*\])?( = .*);$/ && begins !~ /^(return|goto|else|case) /) {
        head = begins
        sub(/ = .*/, "", head)
        declare(name_in(head), depth)
    }
    if (line ~ /\/\/ set: /) {
        head = line
        sub(/.*\/\/ set: /, "", head)
        declare(head, depth)
    }
    go_to(depth + opens - closes)
}
