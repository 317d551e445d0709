# tries: to hide behind a NUL byte
# gets: 0 0 check | has NUL bytes
printf 'a\000b' >nul.cu
