# tries: to take the place of headers of the toolkit
# gets: 0 0 compile | a header of mine
mkdir system-headers && cp "$honest" system-headers/a.cu
sed -i '1i #include <math.h>\n#include "cuda_runtime.h"' system-headers/a.cu
echo '#error a header of mine' >system-headers/math.h
cp system-headers/math.h system-headers/cuda_runtime.h
