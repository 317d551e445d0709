# tries: to have names that are options and files of options
# gets: 0 0 check | elements differ
mkdir options && cd options || exit
echo '__global__ void twice(int n, float f, const float *in, float *out) { }' >'--help.cu'
echo '-DX=1 -include /etc/passwd' >'@options.h'
echo >'-include.h'
echo >'$(touch cudalab-hostile)`touch cudalab-hostile`;.h'
