# SPDX-License-Identifier: GPL-3.0-or-later
"""`python3 -m cudalab_kernel install` installs the kernel; Jupyter starts it without `install`."""
import sys


def main():
    if sys.argv[1:2] == ["install"]:
        from .install import install

        return install(sys.argv[2:])
    from ipykernel.kernelapp import IPKernelApp

    from .kernel import CudalabKernel

    IPKernelApp.launch_instance(kernel_class=CudalabKernel)
    return 0


sys.exit(main())
