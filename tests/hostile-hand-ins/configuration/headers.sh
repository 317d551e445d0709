# tries: to change the kernel that is given, by headers of its own
# gets: 0 0 check | elements differ
mkdir headers && cd headers || exit
echo '<<<1, 1, 4>>>' >launch.txt
for header in limits.h stdint.h cuda_runtime.h math.h; do
    echo '#define x[i] x[i] = 0; for (int k = 0; k < n; k++) x[k]' >$header
    echo '#define blockIdx threadIdx' >>$header
done
mkdir .given
cp launch.txt .given/scale.cu
cp launch.txt given-scale.cu
