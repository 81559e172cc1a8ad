#!/usr/bin/env python3
"""The fast checks of the tree; `make lint`. Last line: N passed, N failed, N skipped.

    tests/lint/lint.py [--format]
"""
import pathlib
import re
import subprocess
import sys

LONGEST_FILE = 300
LONGEST_BPF_PROGRAM = 200
KERNEL_STYLE = "bpf/.clang-format"
HERE = pathlib.Path(__file__).parent


def tracked(*patterns):
    """Files of the tree, those not yet added too."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return [name for name in found if pathlib.Path(name).is_file()]


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout.strip().splitlines() or ["failed"] if done.returncode else []


def layers():
    return run(sys.executable, str(HERE / "layers.py"))


def the_checks_themselves():
    tests = ("layers_test.py", "../run_test.py", "../vm/guest_report_test.py")
    return [line for test in tests for line in run(sys.executable, str(HERE / test))]


def misformatted(style, *patterns):
    command = ["clang-format", f"--style={style}", "--dry-run", "--Werror", *tracked(*patterns)]
    complaints = subprocess.run(command, capture_output=True, text=True).stderr
    return [f"{name}: make format" for name in sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", complaints,
                                                                     re.MULTILINE)))]


def format_of_cpp():
    return misformatted("file", "*.cpp", "*.h")


def format_of_c():
    return misformatted(f"file:{KERNEL_STYLE}", "*.c")


def length_of_files():
    for name in tracked("*.cpp", "*.h", "*.c", "*.py", "*.sh"):
        lines = pathlib.Path(name).read_text(errors="replace").count("\n")
        most = LONGEST_BPF_PROGRAM if name.endswith(".bpf.c") else LONGEST_FILE
        if lines > most:
            yield f"{name}: {lines} lines, at most {most}"


def tests_mirror_sources():
    """tests/unit/LAYER/STEM_test.cpp stands for userspace/LAYER/STEM.{cpp,h}."""
    for name in tracked("tests/unit/*_test.cpp"):
        stem = name.removeprefix("tests/unit/").removesuffix("_test.cpp")
        if not any(pathlib.Path(f"userspace/{stem}{end}").exists() for end in (".cpp", ".h")):
            yield f"{name}: there is no userspace/{stem}.cpp or .h"


CHECKS = [layers, the_checks_themselves, format_of_cpp, format_of_c, length_of_files, tests_mirror_sources]


def format_tree():
    for style, *patterns in (("file", "*.cpp", "*.h"), (f"file:{KERNEL_STYLE}", "*.c")):
        subprocess.run(["clang-format", f"--style={style}", "-i", *tracked(*patterns)], check=True)


def main():
    if sys.argv[1:] == ["--format"]:
        return format_tree()
    failed = 0
    for check in CHECKS:
        name, found = check.__name__.replace("_", " "), list(check())
        print(f"{'FAILED' if found else 'ok'}: {name}")
        for line in found:
            print(f"  {line}")
        failed += bool(found)
    print(f"{len(CHECKS) - failed} passed, {failed} failed, 0 skipped")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
