#!/usr/bin/env python3
"""Checks userspace/LAYERS: which layer may include which, and which one .cpp holds each library.

    tests/lint/layers.py [ROOT]     one line for each breach, exit 1 when there is any
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
# What comes with the compiler, the C library and the kernel's headers. Anything else is a library.
SYSTEM_FOLDERS = ("sys/", "linux/", "asm/", "net/", "netinet/", "arpa/", "bits/")
C_LIBRARY = frozenset(
    "dirent.h dlfcn.h elf.h errno.h fcntl.h getopt.h grp.h ifaddrs.h link.h limits.h mntent.h netdb.h "
    "poll.h pthread.h pty.h pwd.h sched.h signal.h stddef.h stdint.h stdio.h stdlib.h string.h "
    "syscall.h termios.h time.h unistd.h".split())
# A pure layer sees neither files nor clocks, not even through base.
IMPURE = frozenset(
    "chrono ctime cstdio fstream iostream filesystem thread mutex time.h base/fd.h base/clock.h".split())
WRITES = re.compile(r"\b(?:std::(?:cout|cerr|clog)\b|(?:f|v|vf)?printf\s*\(|f?puts\s*\(|perror\s*\()")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class Rules:
    def __init__(self, text):
        self.layers = {}    # layer -> layers it may include
        self.libraries = {}  # header prefix -> files that may include it
        self.pure = []
        for line in text.splitlines():
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0].startswith("!"):
                self.libraries.setdefault(words[0][1:], set()).update(words[1:])
            elif words[0] == "pure":
                self.pure += words[1:]
            elif words[0].endswith(":"):
                self.layers[words[0][:-1]] = words[1:]
            else:
                raise SystemExit(f"LAYERS: not understood: {line!r}")


def is_system(header):
    is_cpp = "/" not in header and "." not in header
    return is_cpp or header.startswith(SYSTEM_FOLDERS) or header in C_LIBRARY


def breaches_of_layer_list(rules, folders):
    for folder in sorted(folders - rules.layers.keys()):
        yield f"userspace/{folder}/ is missing from LAYERS"
    for layer, may in rules.layers.items():
        if layer not in folders:
            yield f"LAYERS: {layer} has no folder"
        for other in may:
            if other not in rules.layers:
                yield f"LAYERS: {layer} may include {other}, which is no layer"
            elif layer in reachable(rules, other):
                yield f"LAYERS: {layer} and {other} may include each other"


def reachable(rules, layer):
    found, waiting = set(), [layer]
    while waiting:
        for other in rules.layers.get(waiting.pop(), []):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def breaches_of_include(rules, name, quoted, header):
    layer = name.split("/")[0]
    if layer in rules.pure and header in IMPURE:
        yield f"includes {header}, but {layer} is pure: no files, no clock"
    library = next((prefix for prefix in rules.libraries if header.startswith(prefix)), None)
    target = header.split("/")[0]
    if library:
        if name.endswith(".h"):
            yield f"includes {header}: a library's header never appears in a .h"
        elif name not in rules.libraries[library]:
            yield f"includes {header}, which belongs to {' '.join(sorted(rules.libraries[library]))}"
    elif quoted and target in rules.layers:
        if target != layer and target not in rules.layers.get(layer, []):
            yield f"includes {header}, but {layer} may not include {target}"
    elif quoted or not is_system(header):
        yield f"includes {header}, which LAYERS does not know"


def check(root):
    rules = Rules((root / "userspace/LAYERS").read_text())
    userspace = root / "userspace"
    sources = sorted(path for path in userspace.glob("*/*") if path.suffix in (".h", ".cpp"))
    yield from breaches_of_layer_list(rules, {path.parent.name for path in sources})
    used = set()
    for path in sources:
        name, text = str(path.relative_to(userspace)), path.read_text()
        for mark, header in INCLUDE.findall(text):
            used.update(prefix for prefix in rules.libraries if header.startswith(prefix))
            for what in breaches_of_include(rules, name, mark == '"', header):
                yield f"userspace/{name}: {what}"
        if not name.startswith("app/") and WRITES.search(COMMENT.sub("", text)):
            yield f"userspace/{name}: prints; only app/ talks"
    for prefix in rules.libraries:
        if prefix not in used:
            yield f"LAYERS: nothing includes {prefix}"


if __name__ == "__main__":
    found = list(check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found) or "layers hold")
    sys.exit(bool(found))
