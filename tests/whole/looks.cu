// Ways to call a function of CUDA that fails. The functions `ignores_...` don't look at what it
// returns, all others do.
#include <cstdio>
#include <utility>
#include <vector>

const size_t huge = size_t(1) << 50;
static int *p;
static cudaError_t kept;
static int fails;

static bool bad(cudaError_t error)
{
    fails += error != cudaSuccess;
    return error != cudaSuccess;
}
template <class T> static T same(T value) { return value; }

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess)                                                                 \
            fails++;                                                                               \
    } while (0)
#define GET(pointer) cudaMalloc(&pointer, huge)
#define GET_CHECKED(pointer) CHECK(cudaMalloc(&pointer, huge))
#define GET_LONG(pointer)                                                                          \
    do {                                                                                           \
        cudaError_t error_ = cudaMalloc(&pointer, huge);                                           \
        if (error_ != cudaSuccess)                                                                 \
            fails++;                                                                               \
    } while (0)
#define GET_BLIND(pointer)                                                                         \
    do {                                                                                           \
        cudaMalloc(&pointer, huge);                                                                \
        fails++;                                                                                   \
    } while (0)
#define SIZE huge

void macro_of_one_line() { CHECK(cudaMalloc(&p, huge)); }
void macro_of_lines()
{
    CHECK(
        cudaMalloc(
            &p,
            huge));
}
void macro_that_calls() { GET_CHECKED(p); }
void macro_that_calls_in_lines() { GET_LONG(p); }
void value_of_macro()
{
    if (GET(p) != cudaSuccess)
        fails++;
}
void ignores_value_of_macro() { GET(p); }
void ignores_inside_macro() { GET_BLIND(p); }
void macro_as_argument() { CHECK(cudaMalloc(&p, SIZE)); }
void ignores_plainly() { cudaMalloc(&p, huge); }
void ignores_in_lines()
{
    cudaMalloc(
        &p,
        huge);
}
void ignores_with_namespace() { ::cudaMalloc(&p, huge); }
void ignores_in_branch(bool is)
{
    if (is)
        cudaMalloc(&p, huge);
}
void ignores_in_other_branch(bool is)
{
    if (!is)
        fails++;
    else
        cudaMalloc(&p, huge);
}
void choice(bool is)
{
    cudaError_t error = is
        ? cudaMalloc(&p, huge)
        : cudaMallocHost(&p, 1);
    fails += bad(error);
}
void other_choice(bool is)
{
    cudaError_t error = !is
        ? cudaMallocHost(&p, 1)
        : cudaMalloc(&p, huge);
    fails += bad(error);
}
void condition()
{
    if (cudaMallocHost(&p, 1) != cudaSuccess ||
        cudaMalloc(&p, huge) != cudaSuccess)
        fails++;
    while (cudaMalloc(&p,
                      huge) == cudaSuccess)
        fails--;
    for (int i = 0; cudaMalloc(&p, huge) == cudaSuccess; i++)
        fails--;
    switch (cudaMalloc(&p, huge)) {
    default:
        fails++;
    }
    do
        fails++;
    while (cudaMalloc(&p, huge) == cudaSuccess);
}
void short_circuit() { cudaMalloc(&p, huge) == cudaSuccess || bad(cudaSuccess); }
cudaError_t result()
{
    return
        cudaMalloc(&p, huge);
}
void result_of_function() { bad(result()); }
void argument()
{
    bad(
        cudaMalloc(&p,
                   huge));
    bad(same(cudaMalloc(&p, huge)));
    printf("%s\n", cudaGetErrorName(
                       cudaMalloc(&p, huge)));
}
void assignment()
{
    cudaError_t error;
    error =
        cudaMalloc(&p,
                   huge);
    if (bad(error))
        return;
}
void ignores_assigned()
{
    cudaError_t error =
        cudaMalloc(&p,
                   huge);
    error = cudaSuccess;
    bad(error);
}
void kept_for_others() { kept = cudaMalloc(&p, huge); }
void reads_kept() { bad(kept); }
void to_reference(cudaError_t &error) { error = cudaMalloc(&p, huge); }
void by_reference()
{
    cudaError_t error;
    to_reference(error);
    bad(error);
}
void by_lambda()
{
    auto get = [](size_t n) { return cudaMalloc(&p, n); };
    bad(get(huge));
    cudaError_t error;
    auto set = [&] {
        error = cudaMalloc(&p, huge);
    };
    set();
    bad(error);
    bad([&] {
        return cudaMalloc(&p, huge);
    }());
}
void ignores_in_lambda()
{
    auto get = [] {
        cudaMalloc(&p, huge);
    };
    get();
}
void braces()
{
    cudaError_t error{cudaMalloc(&p, huge)};
    bad(error);
    for (cudaError_t each : std::vector<cudaError_t>{
             cudaMalloc(&p, huge),
             cudaMalloc(&p, huge)})
        bad(each);
    std::pair<int, cudaError_t> both = {1, cudaMalloc(&p, huge)};
    bad(both.second);
}
void two_branches(bool is)
{
    cudaError_t error;
    if (is) {
        error = cudaMalloc(&p, huge);
    } else {
        error = cudaMallocHost(&p, 1);
    }
    bad(error);
}
void cases(int which)
{
    cudaError_t error = cudaSuccess;
    switch (which) {
    case 1:
        error = cudaMalloc(&p, huge);
        break;
    case 2:
        error = cudaMallocHost(&p, 1);
        break;
    }
    bad(error);
}
void loop()
{
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 2; i++) {
        if (bad(error))
            break;
        error = cudaMalloc(&p, huge);
    }
}
template <class T> void in_template(T **to)
{
    cudaError_t error = cudaMalloc<T>(
        to, huge);
    bad(error);
}
template <class T> void ignores_in_template(T **to)
{
    cudaMalloc<T>(
        to, huge);
}
struct holder {
    cudaError_t error;
    int *at;
    holder() : error(cudaMalloc(&at, huge)) {}
    void again() { error = cudaMalloc(&at, huge); }
};
void members()
{
    holder one;
    bad(one.error);
    one.again();
    bad(one.error);
}
void pointer_to_function()
{
    cudaError_t (*get)(void **, size_t) = cudaMalloc;
    bad(get((void **)&p, huge));
}
__global__ void nothing() {}
void ignores_launch() { nothing<<<1, 2000>>>(); }
void ignores_launch_in_lines()
{
    nothing
        <<<1,
           2000>>>();
}
void launch_with_value()
{
    void *none[1];
    bad(cudaLaunchKernel((void *)nothing, dim3(1), dim3(2000), none, 0, 0));

    nothing<<<1, 1>>>();
}

int main()
{
    macro_of_one_line();
    macro_of_lines();
    macro_that_calls();
    macro_that_calls_in_lines();
    value_of_macro();
    ignores_value_of_macro();
    ignores_inside_macro();
    macro_as_argument();
    ignores_plainly();
    ignores_in_lines();
    ignores_with_namespace();
    ignores_in_branch(true);
    ignores_in_other_branch(true);
    choice(true);
    other_choice(true);
    condition();
    short_circuit();
    result_of_function();
    argument();
    assignment();
    ignores_assigned();
    kept_for_others();
    reads_kept();
    by_reference();
    by_lambda();
    ignores_in_lambda();
    braces();
    two_branches(true);
    cases(1);
    loop();
    in_template(&p);
    ignores_in_template(&p);
    members();
    pointer_to_function();
    ignores_launch();
    ignores_launch_in_lines();
    launch_with_value();
    cudaDeviceSynchronize();
    printf("end\n");
}
