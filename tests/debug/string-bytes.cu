// SPDX-License-Identifier: GPL-3.0-or-later
// launch: 1 32: i32[] 0 step 1, i32[] 0
__device__ int length(const char *s) {
    int n = 0;
    while (s[n] != '\0') {
        n++;
    }
    return n;
}

__device__ bool isVowel(char c) {
    switch (c) {
        case 'a':
        case 'e':
        case 'i':
        case 'o':
        case 'u':
            return true;
    }
    return false;
}

extern "C" __global__ void strbytes(const int *x, int *out) {
    int t = threadIdx.x;
    char word[16] = "kernel debugger";
    int len = length(word);
    int vowels = 0;
    int shift = x[t] % 26;
    for (int i = 0; i < len; i++) {
        char c = word[i];
        if (isVowel(c)) {
            vowels++;
        }
        if (c >= 'a' && c <= 'z') {
            int letter = (c - 'a' + shift) % 26;
            word[i] = (char)('A' + letter);
        }
    }
    char firstChar = word[0];
    char lastChar = word[len - 1];
    out[t] = firstChar * 256 + lastChar;
    out[t + 64] = vowels * 100 + len;
}
