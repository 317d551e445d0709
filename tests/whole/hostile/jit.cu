// A program that has NVRTC compile a text with options, which are its arguments. It has no header
// of the toolkit. --own: the options name files of its own folder that NVRTC would write.
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" {
int nvrtcCreateProgram(void **, const char *, const char *, int, const char *const *,
                       const char *const *);
int nvrtcCompileProgram(void *, int, const char *const *);
int nvrtcGetProgramLogSize(void *, size_t *);
int nvrtcGetProgramLog(void *, char *);
int nvrtcGetPTXSize(void *, size_t *);
int nvrtcGetPTX(void *, char *);
}

static int compile(const char *text, const std::vector<const char *> &options)
{
    void *p = nullptr;
    size_t n = 0;
    nvrtcCreateProgram(&p, text, "a.cu", 0, nullptr, nullptr);
    int result = nvrtcCompileProgram(p, (int)options.size(), options.data());
    if (nvrtcGetProgramLogSize(p, &n) == 0) {
        std::string log(n + 1, '\0');
        nvrtcGetProgramLog(p, &log[0]);
        printf("%s\n", log.c_str());
    }
    if (result == 0 && nvrtcGetPTXSize(p, &n) == 0) {
        std::string ptx(n + 1, '\0');
        nvrtcGetPTX(p, &ptx[0]);
        printf("got PTX%s\n", strstr(ptx.c_str(), "S3cret") ? " with S3cretWord" : "");
    }
    fflush(stdout);
    return result;
}

static int files_of(const char *folder)
{
    int n = 0;
    DIR *d = opendir(folder);
    while (d && readdir(d))
        n++;
    return n;
}

int main(int argc, char **argv)
{
    if (strcmp(argv[1], "--own") != 0)
        return compile(argv[1], std::vector<const char *>(argv + 2, argv + argc)) ? 1 : 0;
    char self[400] = "";
    if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
        return 2;
    *strrchr(self, '/') = '\0';
    const int before = files_of(self);
    for (const char *start : {"-time=", "-fdevice-time-trace=", "-create-pch="}) {
        const std::string option = std::string(start) + self + "/new";
        compile(argv[2], {option.c_str()});
    }
    printf("%s\n", files_of(self) != before ? "a new file" : "nothing new");
    return 0;
}
