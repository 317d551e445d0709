// NVRTC refuses: an error of the source, an option, a name too late, a name that is none.
// link: -lnvrtc
#include <cstdio>
#include <cstring>
#include <nvrtc.h>
#include <string>

#define SHOW(what, call) printf("%s: %s\n", what, nvrtcGetErrorString(call))

int main()
{
    nvrtcProgram program;
    size_t bytes;
    const char *name;
    const char *bad_option[] = {"--no-such-option"};
    SHOW("create", nvrtcCreateProgram(&program, "__global__ void k(int *p) { *p = y; }\n", "bad.cu",
                                      0, nullptr, nullptr));
    SHOW("early", nvrtcGetLoweredName(program, "k", &name));
    SHOW("compile", nvrtcCompileProgram(program, 0, nullptr));
    SHOW("log", nvrtcGetProgramLogSize(program, &bytes));
    std::string log(bytes, ' ');
    SHOW("log", nvrtcGetProgramLog(program, &log[0]));
    printf("%s\n", log.substr(0, log.find('\n')).c_str());
    SHOW("destroy", nvrtcDestroyProgram(&program));
    SHOW("again", nvrtcDestroyProgram(&program));

    SHOW("create", nvrtcCreateProgram(&program, "__global__ void k() {}\n", nullptr, 0, nullptr,
                                      nullptr));
    SHOW("option", nvrtcCompileProgram(program, 1, bad_option));
    SHOW("destroy", nvrtcDestroyProgram(&program));
    SHOW("create", nvrtcCreateProgram(&program, "__global__ void k() {}\n", nullptr, 0, nullptr,
                                      nullptr));
    SHOW("compile", nvrtcCompileProgram(program, 0, nullptr));
    SHOW("late", nvrtcAddNameExpression(program, "k"));
    SHOW("none", nvrtcGetLoweredName(program, "k", &name));
    SHOW("destroy", nvrtcDestroyProgram(&program));
    SHOW("no program", nvrtcCreateProgram(nullptr, "", "", 0, nullptr, nullptr));
}
