/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the ABI's codes for operators, builtin types and names of the standard library. */
#include "cxx/codes.h"

#include <stddef.h>
#include <string.h>

static const struct cxx_code operators[] = {
    {"aN", "&=", 2},      {"aS", "=", 2},         {"aa", "&&", 2},        {"ad", "&", 1},
    {"an", "&", 2},       {"aw", "co_await ", 1}, {"cl", "()", 0},        {"cm", ",", 2},
    {"co", "~", 1},       {"dV", "/=", 2},        {"da", "delete[] ", 1}, {"de", "*", 1},
    {"dl", "delete ", 1}, {"ds", ".*", 2},        {"dv", "/", 2},         {"eO", "^=", 2},
    {"eo", "^", 2},       {"eq", "==", 2},        {"ge", ">=", 2},        {"gt", ">", 2},
    {"ix", "[]", 2},      {"lS", "<<=", 2},       {"le", "<=", 2},        {"ls", "<<", 2},
    {"lt", "<", 2},       {"mI", "-=", 2},        {"mL", "*=", 2},        {"mi", "-", 2},
    {"ml", "*", 2},       {"mm", "--", 1},        {"na", "new[]", 0},     {"ne", "!=", 2},
    {"ng", "-", 1},       {"nt", "!", 1},         {"nw", "new", 0},       {"oR", "|=", 2},
    {"oo", "||", 2},      {"or", "|", 2},         {"pL", "+=", 2},        {"pl", "+", 2},
    {"pm", "->*", 2},     {"pp", "++", 1},        {"ps", "+", 1},         {"pt", "->", 2},
    {"qu", "?", 3},       {"rM", "%=", 2},        {"rS", ">>=", 2},       {"rm", "%", 2},
    {"rs", ">>", 2},      {"ss", "<=>", 2},
};

static const struct cxx_code builtin_types[] = {
    {"v", "void", 0},
    {"w", "wchar_t", 0},
    {"b", "bool", 0},
    {"c", "char", 0},
    {"a", "signed char", 0},
    {"h", "unsigned char", 0},
    {"s", "short", 0},
    {"t", "unsigned short", 0},
    {"i", "int", 0},
    {"j", "unsigned int", 0},
    {"l", "long", 0},
    {"m", "unsigned long", 0},
    {"x", "long long", 0},
    {"y", "unsigned long long", 0},
    {"n", "__int128", 0},
    {"o", "unsigned __int128", 0},
    {"f", "float", 0},
    {"d", "double", 0},
    {"e", "long double", 0},
    {"g", "__float128", 0},
    {"z", "...", 0},
    {"Dd", "decimal64", 0},
    {"De", "decimal128", 0},
    {"Df", "decimal32", 0},
    {"DF16_", "_Float16", 0},
    {"DF16b", "std::bfloat16_t", 0},
    {"Dh", "half", 0},
    {"Di", "char32_t", 0},
    {"Ds", "char16_t", 0},
    {"Du", "char8_t", 0},
    {"Da", "auto", 0},
    {"Dc", "decltype(auto)", 0},
    {"Dn", "decltype(nullptr)", 0},
};

static const struct cxx_code standard_names[] = {
    {"t", "std", 0},           {"a", "std::allocator", 0}, {"b", "std::basic_string", 0},
    {"s", "std::string", 0},   {"i", "std::istream", 0},   {"o", "std::ostream", 0},
    {"d", "std::iostream", 0},
};

static const struct cxx_code *find(const struct cxx_code *table, size_t count, const char *at)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(at, table[i].code, strlen(table[i].code)) == 0)
            return &table[i];
    return NULL;
}

const struct cxx_code *cxx_operator(const char *at)
{
    return find(operators, sizeof operators / sizeof operators[0], at);
}

const struct cxx_code *cxx_builtin(const char *at)
{
    return find(builtin_types, sizeof builtin_types / sizeof builtin_types[0], at);
}

const struct cxx_code *cxx_standard(const char *at)
{
    return find(standard_names, sizeof standard_names / sizeof standard_names[0], at);
}
