#!/usr/bin/env python3
"""compile_commands.json on stdout: FLAGS_FILE holds compiler and flags as the shell reads them.

    tests/lint/compile_commands.py FLAGS_FILE SOURCE...
"""
import json
import pathlib
import shlex
import sys

flags = shlex.split(pathlib.Path(sys.argv[1]).read_text())
folder = str(pathlib.Path.cwd())
json.dump([{"directory": folder, "file": source, "arguments": [*flags, "-c", source]}
           for source in sys.argv[2:]], sys.stdout, indent=1)
