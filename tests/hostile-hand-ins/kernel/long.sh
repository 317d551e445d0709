# tries: to have more instructions than a launch may execute, without a loop
# gets: 0 0 limit | timeout: no end after
awk 'BEGIN {
    print ".version 7.0\n.target sm_70\n.address_size 64"
    print ".visible .entry twice(.param .u32 n, .param .f32 f, .param .u64 in, .param .u64 out)"
    print "{\n.reg .f32 a;"
    while (i++ < 300000) print "add.f32 a, a, a;"
    print "ret;\n}" }' >long.ptx
