// SPDX-License-Identifier: GPL-3.0-or-later
// Solves many tridiagonal systems of 128 equations after Thomas, one system a thread, in
// doubles. Neighbouring threads read neighbouring numbers.
//: small   array a f64 16384 random; array b f64 16384 random:3:4; array c f64 16384 random; array d f64 16384 random; array p f64 16384; array x f64 16384; launch thomas<<<2, 64>>>(x, p, a, b, c, d, 128, 128)
//: middle  array a f64 262144 random; array b f64 262144 random:3:4; array c f64 262144 random; array d f64 262144 random; array p f64 262144; array x f64 262144; launch thomas<<<32, 64>>>(x, p, a, b, c, d, 128, 2048)
//: large   array a f64 4194304 random; array b f64 4194304 random:3:4; array c f64 4194304 random; array d f64 4194304 random; array p f64 4194304; array x f64 4194304; launch thomas<<<512, 64>>>(x, p, a, b, c, d, 128, 32768)

__global__ void thomas(double *x, double *p, const double *a, const double *b, const double *c,
                       const double *d, int length, int systems)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= systems)
        return;
    double cp = 0, dp = 0;
    for (int k = 0; k < length; k++) {
        int at = k * systems + i;
        double below = k ? a[at] : 0.0, m = 1.0 / (b[at] - below * cp);
        dp = (d[at] - below * dp) * m;
        cp = c[at] * m;
        p[at] = cp;
        x[at] = dp;
    }
    for (int k = length - 2; k >= 0; k--) {
        int at = k * systems + i;
        dp = x[at] - p[at] * dp;
        x[at] = dp;
    }
}
