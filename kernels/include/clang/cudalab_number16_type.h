/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A number of 16 bits and a pair of them, as types; included once for each (cudalab_number16.h).
 *
 * A number converts to and from the types of C, as in the toolkit. The pair stays a plain struct,
 * so that one instruction loads or stores it.
 */
struct __align__(2) CUDALAB_RAW {
    unsigned short x;
};
struct __align__(4) CUDALAB_RAW2 {
    unsigned short x, y;
};

struct __align__(2) CUDALAB_N {
protected:
    unsigned short bits;

public:
    CUDALAB_N() = default;
    constexpr CUDALAB_IN_CLASS CUDALAB_N(const CUDALAB_RAW &raw) : bits(raw.x) {}
    CUDALAB_IN_CLASS CUDALAB_N &operator=(const CUDALAB_RAW &raw) { bits = raw.x; return *this; }
    CUDALAB_IN_CLASS volatile CUDALAB_N &operator=(const CUDALAB_RAW &raw) volatile
    { bits = raw.x; return *this; }
    CUDALAB_IN_CLASS volatile CUDALAB_N &operator=(const volatile CUDALAB_RAW &raw) volatile
    { bits = raw.x; return *this; }
    CUDALAB_IN_CLASS operator CUDALAB_RAW() const { return CUDALAB_RAW{bits}; }
    CUDALAB_IN_CLASS operator CUDALAB_RAW() const volatile { return CUDALAB_RAW{bits}; }

#ifdef CUDALAB_CONVERSIONS
    explicit CUDALAB_IN_CLASS CUDALAB_N(CUDALAB_OTHER other);
    CUDALAB_IN_CLASS CUDALAB_N(float x);
    CUDALAB_IN_CLASS CUDALAB_N(double x);
    CUDALAB_IN_CLASS operator float() const;
    CUDALAB_IN_CLASS CUDALAB_N &operator=(float x) { return *this = CUDALAB_N(x); }
    CUDALAB_IN_CLASS CUDALAB_N &operator=(double x) { return *this = CUDALAB_N(x); }
#define CUDALAB_CONVERTS(type, word)                                                           \
    CUDALAB_IN_CLASS CUDALAB_N(type x);                                                        \
    CUDALAB_IN_CLASS operator type() const;                                                    \
    CUDALAB_IN_CLASS CUDALAB_N &operator=(type x) { return *this = CUDALAB_N(x); }
    CUDALAB_INTEGERS(CUDALAB_CONVERTS)
#undef CUDALAB_CONVERTS
    CUDALAB_IN_CLASS operator char() const;
    CUDALAB_IN_CLASS operator signed char() const;
    CUDALAB_IN_CLASS operator unsigned char() const;
    CUDALAB_IN_CLASS constexpr operator bool() const { return (bits & 0x7fff) != 0; }
#endif
};

struct __align__(4) CUDALAB_N2 {
    CUDALAB_N x, y;

    CUDALAB_N2() = default;
    constexpr CUDALAB_IN_CLASS CUDALAB_N2(const CUDALAB_N &low, const CUDALAB_N &high)
        : x(low), y(high) {}
    CUDALAB_IN_CLASS CUDALAB_N2(const CUDALAB_RAW2 &raw)
        : x(CUDALAB_RAW{raw.x}), y(CUDALAB_RAW{raw.y}) {}
    CUDALAB_IN_CLASS operator CUDALAB_RAW2() const
    { return CUDALAB_RAW2{CUDALAB_RAW(x).x, CUDALAB_RAW(y).x}; }
};

CUDALAB_BOTH unsigned short cudalab_bits(CUDALAB_N a) { return CUDALAB_RAW(a).x; }
CUDALAB_BOTH unsigned cudalab_bits(CUDALAB_N2 a) { return __builtin_bit_cast(unsigned, a); }
