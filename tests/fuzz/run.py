#!/usr/bin/env python3
"""Runs each fuzz target for some seconds; the last line counts: N passed, N failed, N skipped.

    tests/fuzz/run.py FOLDER_OF_PROGRAMS CORPUS SECONDS_EACH TARGET...

What is found new goes to CORPUS/TARGET; an input that breaks a target to CORPUS/TARGET-crash-*.
"""
import pathlib
import re
import subprocess
import sys

MOST_BYTES = 4096


def fuzz(program, corpus, seconds, target):
    found = corpus / target
    found.mkdir(parents=True, exist_ok=True)
    command = [program / target, found, f"tests/fuzz/seeds/{target}", f"-max_total_time={seconds}",
               f"-max_len={MOST_BYTES}", "-timeout=5", "-rss_limit_mb=512", f"-artifact_prefix={corpus}/{target}-"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = done.stdout.decode(errors="replace")
    runs = re.findall(r"^Done (\d+) runs", output, re.MULTILINE)
    print(f"{target:16} {'ok, ' + runs[-1] + ' runs' if runs and not done.returncode else 'FAILED'}", flush=True)
    if done.returncode or not runs:
        print(output[-4000:])
        return False
    return True


def main():
    program, corpus, seconds, targets = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    good = [fuzz(program, corpus, seconds, target) for target in targets]
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed, 0 skipped")
    return not all(good)


if __name__ == "__main__":
    sys.exit(main())
