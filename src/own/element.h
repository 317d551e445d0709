/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The types that an array's elements can have: one table, with the names that C and CUDA have for
 * them. In memory an element is its bytes, little endian as on every GPU. What depends on its type,
 * such as reading, writing and comparing, is done here.
 */
#ifndef OWN_ELEMENT_H
#define OWN_ELEMENT_H

#include "base/json.h"
#include "base/num.h"

/* X(name, NAME, bytes, kind, code in .npy, other names). NumPy itself has no bf16. */
#define ELEMENTS(X)                                                                              \
    X(i8, I8, 1, SIGNED, "|i1", "char,signed char,int8_t")                                       \
    X(u8, U8, 1, UNSIGNED, "|u1", "unsigned char,uchar,uint8_t,bool,byte")                       \
    X(i16, I16, 2, SIGNED, "<i2", "short,short int,signed short,int16_t")                        \
    X(u16, U16, 2, UNSIGNED, "<u2", "unsigned short,unsigned short int,ushort,uint16_t")         \
    X(i32, I32, 4, SIGNED, "<i4", "int,signed,signed int,int32_t")                               \
    X(u32, U32, 4, UNSIGNED, "<u4", "unsigned,unsigned int,uint,uint32_t")                       \
    X(i64, I64, 8, SIGNED, "<i8", "long,long int,long long,long long int,longlong,int64_t,"      \
      "ptrdiff_t")                                                                               \
    X(u64, U64, 8, UNSIGNED, "<u8", "unsigned long,unsigned long int,unsigned long long,"        \
      "unsigned long long int,ulong,ulonglong,uint64_t,size_t,uintptr_t")                        \
    X(f16, F16, 2, FLOAT, "<f2", "half,__half,_Float16,float16")                                 \
    X(bf16, BF16, 2, FLOAT, "", "__nv_bfloat16,nv_bfloat16,bfloat16")                            \
    X(f32, F32, 4, FLOAT, "<f4", "float,float32")                                                \
    X(f64, F64, 8, FLOAT, "<f8", "double,float64")

enum element {
#define X(name, NAME, size, kind, npy, others) ELEMENT_##NAME,
    ELEMENTS(X)
#undef X
};
enum element_kind { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT };
enum {
    ELEMENT_BYTES = 8, /* of the largest */
    ELEMENT_NAME = 40  /* room for any type's name */
};

extern const char *const element_names[]; /* "i8" ...; ends with NULL */

unsigned element_size(enum element);
enum element_kind element_kind(enum element);
const char *element_npy(enum element); /* "": it has no code there */
/* Finds "f32", "float", "unsigned int"; -1: there is no such type. */
int element_named(const char *name, enum element *);
/* For "float4" it returns 4 and copies "float" to `name`; 1: the type is no vector. */
unsigned element_of_vector(const char *type, char name[ELEMENT_NAME]);
/* Like element_named, with an error that says what would be right. */
int element_or_near(const char *name, enum element *, struct err *);

/* Reads one value: whole numbers exactly, others rounded once, and nothing out of range; nan, inf
 * and -inf where the type has them. */
int element_parse(enum element, const char *text, void *to, struct err *);
const char *element_text(enum element, const void *at, char out[NUM_TEXT]);
const char *element_hex(enum element, const void *at, char out[NUM_TEXT]); /* its bits */
void element_json(struct json *, const char *key, enum element, const void *at);

double element_real(enum element, const void *at);      /* the nearest double */
uint64_t element_whole(enum element, const void *at);   /* not of floats; signs extended */
void element_put_real(enum element, double v, void *to); /* floats: rounded once */
void element_put_whole(enum element, uint64_t v, void *to); /* not to floats: the low bits */
/* -1, 0 or 1; NaN equals nothing and gives 2. */
int element_order(enum element, const void *a, const void *b);
/* |a - b|; whole numbers are subtracted before anything is rounded. */
double element_distance(enum element, const void *a, const void *b);

#endif
