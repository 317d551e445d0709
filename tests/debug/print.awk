# SPDX-License-Identifier: GPL-3.0-or-later
#
# A kernel's source, with a printf before each statement: its line, and the bytes of each variable
# that is set there. Functions have their head in one line, and statements too; a block opens at the
# end of a line. What is declared without a value is printed behind a line with "// set: NAME".

function name_in(text) { # of "const float *p"
    sub(/\[.*/, "", text)
    gsub(/.*[ *&]/, "", text)
    return text
}

function declare(name) { names[++count] = name; scope[count] = depth }

function shown(   i, k, text, hidden, args) {
    text = ""
    args = ""
    for (i = 1; i <= count; i++) {
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

{ line = $0; code = $0; sub(/ *\/\/.*/, "", code) }

# A head: its parameters are of the scope that follows.
depth == 0 && code ~ /__(global|device)__.*\)$/ {
    inside = code
    sub(/^[^(]*\(/, "", inside)
    sub(/\)$/, "", inside)
    gsub(/<[^<>]*>/, "", inside)
    parts = split(inside, part, ",")
    depth = 1
    count = 0
    for (i = 1; i <= parts; i++)
        if (part[i] ~ /[a-z]/ && part[i] != "void")
            declare(name_in(part[i]))
    depth = 0
    print line
    next
}

depth == 0 && code !~ /^\{/ { in_type = in_type || code ~ /^(struct|enum).*\{$/; print line; if (code ~ /^\}/) in_type = 0; next }

{
    begins = code
    sub(/^[ \t]*/, "", begins)
    is_case = begins ~ /^(case .*|default):$/
    opens = gsub(/\{/, "{", code)
    closes = gsub(/\}/, "}", code)
    if (begins ~ /^(if|switch) .*\{$/ || (begins ~ /;$/ && begins !~ /^(\}|for)/ && begins !~ /__shared__/))
        print shown() line
    else
        print line
    if (begins ~ /^\}/) { # "} else {" closes a scope first
        depth--
        while (count && scope[count] > depth)
            count--
        closes--
    }
    if (begins ~ /^for \(/) {
        head = begins
        sub(/^for \(/, "", head)
        sub(/ = .*/, "", head)
        depth++
        if (head ~ / /)
            declare(name_in(head))
        opens--
    } else if (begins ~ /^(const |constexpr |volatile |unsigned |signed |long )*[A-Za-z_][A-Za-z0-9_:<>]* +[*&]*[a-z_A-Z][a-z_A-Z0-9]*(\[[^=]*\])?( = .*);$/ && begins !~ /^(return|goto|else|case) /) {
        head = begins
        sub(/ = .*/, "", head)
        declare(name_in(head))
    }
    if (line ~ /\/\/ set: /) {
        head = line
        sub(/.*\/\/ set: /, "", head)
        declare(head)
    }
    depth += opens - closes
    while (count && scope[count] > depth)
        count--
}
