# tries: to overflow the reader of PTX by blocks in blocks
# gets: 0 0 compile | inside each other
awk 'BEGIN {
    print ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry twice(.param .u32 n)\n{"
    while (i++ < 200000) printf "{"
    while (--i > 0) printf "}"
    print "ret;\n}" }' >deep.ptx
