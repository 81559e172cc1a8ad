#!/usr/bin/env python3
"""Boots Debian's cloud kernels in plain qemu (no KVM) and runs the suites in each.

    run.py [--build DIR] [--results DIR] [--jobs N] KERNEL...     KERNEL: 5.10 6.1 6.12 sid

Writes results/KERNEL.txt as it goes, prints one line each and ends in "N passed, N failed,
N skipped". A suite that ran nothing fails its kernel.
"""
import argparse
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import checks
import guest_report
import kernels
from guest_report import Check

HERE = Path(__file__).resolve().parent
PROGRAMS = ("oomen", "truth_tests")
DISK_MIB = 128


def make_initramfs(build):
    programs = [build / name for name in PROGRAMS] + sorted((build / "programs").iterdir())
    programs = [path for path in programs if path.is_file() and not path.suffix]
    absent = [name for name in PROGRAMS if build / name not in programs]
    if absent:
        sys.exit(f"vm: not built: {' '.join(absent)}")
    out = build / "vm" / "initramfs.cpio"
    subprocess.run([HERE / "initramfs.sh", out, *programs], check=True)
    return out


def make_disk(build):
    """An empty ext4, for page cache that is really backed: NVMe and ext4 are built into these kernels."""
    disk = build / "vm" / "disk.img"
    with open(disk, "wb") as out:
        out.truncate(DISK_MIB << 20)
    subprocess.run(["/sbin/mkfs.ext4", "-q", "-F", disk], check=True)
    return disk


def boot(vmlinuz, initramfs, disk, results, timeout_s):
    """Runs one VM to its end; its second serial port goes to `results`. True: it powered off."""
    console = results.with_suffix(".console")
    for path in (results, console):
        path.unlink(missing_ok=True)
    qemu = [
        *("qemu-system-x86_64", "-accel", "tcg", "-m", "768", "-smp", "1"),
        *("-nodefaults", "-display", "none", "-no-reboot"),
        *("-kernel", vmlinuz, "-initrd", initramfs),
        *("-append", "console=ttyS0 quiet panic=-1"),
        *("-drive", f"if=none,id=disk,file={disk},format=raw,snapshot=on"),
        *("-device", "nvme,drive=disk,serial=oomen"),
        *("-serial", f"file:{console}", "-serial", f"file:{results}"),
    ]
    with subprocess.Popen(qemu, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as vm:
        try:
            _, said = vm.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            vm.kill()
            return f"ran into the time limit of {timeout_s} s"
    return f"qemu: {said.decode().strip()}" if vm.returncode else None


def run_kernel(word, initramfs, disk, options):
    """One kernel: fetch, boot, check. Returns (name for people, checks, rungs, seconds)."""
    try:
        release, vmlinuz = kernels.kernel(word)
    except kernels.Failed as why:
        return word, [Check("kernel.fetched", "failed", str(why))], {}, 0
    print(f"vm {word}: booting {release}", flush=True)
    started = time.monotonic()
    results = options.results / f"{word}.txt"
    broken = boot(vmlinuz, initramfs, disk, results, options.timeout)
    report = guest_report.parse(results.read_text(errors="replace") if results.exists() else "")
    found = checks.run_all(report)
    if broken or not report.ended:
        console = results.with_suffix(".console").read_text(errors="replace").strip()
        last = " | ".join(console.splitlines()[-3:])
        found.insert(0, Check("kernel.ran", "failed", f"{broken or 'ended before its suites did'}: {last}"))
    with open(results, "a", encoding="utf-8") as out:
        out.writelines(f"{check.verdict} {check.name} {check.why}".rstrip() + "\n" for check in found)
    return release, found, report.rungs, time.monotonic() - started


def tally(found):
    return [sum(check.verdict == verdict for check in found) for verdict in ("passed", "failed", "skipped")]


def tell(release, found, rungs, seconds):
    passed, failed, skipped = tally(found)
    attached = " ".join(rung for rung, said in rungs.items() if said.startswith("attached"))
    release = re.sub(r"-cloud-amd64$", "", release)
    print(f"vm {release}: {passed} passed, {failed} failed, {skipped} skipped in {seconds:.0f} s "
          f"(growth rungs: {attached or 'none'})")
    for check in found:
        if check.verdict == "skipped":
            print(f"skipped: {release} {check.name}: {check.why}")
        if check.verdict == "failed":
            print(f"FAILED: {release} {check.name}: {check.why}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=240, help="seconds one VM may take")
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    options = parser.parse_args()
    started, words = time.monotonic(), options.kernels or list(kernels.SUITES)
    options.results.mkdir(parents=True, exist_ok=True)
    (options.build / "vm").mkdir(parents=True, exist_ok=True)
    initramfs, disk = make_initramfs(options.build), make_disk(options.build)
    total = [0, 0, 0]
    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(run_kernel, word, initramfs, disk, options) for word in words]
        for job in jobs:
            release, found, rungs, seconds = job.result()
            tell(release, found, rungs, seconds)
            total = [a + b for a, b in zip(total, tally(found))]
    print(f"{time.monotonic() - started:.0f} s for {len(words)} kernels, {options.jobs} at a time")
    print("{} passed, {} failed, {} skipped".format(*total))
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
