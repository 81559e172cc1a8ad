#!/usr/bin/env python3
"""The agent and `oomen run` as processes: bad input, crowds, churn, few rights, no BPF. `make test-agent`, as root.

usage: agent_test.py OOMEN PROGRAMS
Last line: N passed, N failed, N skipped.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from cgroups import Cgroups, remove_folder
from monitoring import Agent, Checks, Service, eventually, fetch, say

NOBODY = 65534
RIGHTS = "-all,+bpf,+perfmon,+dac_read_search"


class OwnAgent(Agent):
    """An agent with more words on its command line, under another uid where asked."""

    def __init__(self, folder, name, oomen, words=(), prefix=()):
        Service.__init__(self, folder, name)
        self.oomen = oomen
        self.words, self.prefix = list(words), list(prefix)

    def command(self):
        return [*self.prefix, *super().command(), *self.words]

    def ask(self, what):
        return json.loads(fetch(self.url(f"/api/v1/{what}")))

    def pods(self):
        return {c["pod"] for c in self.ask("containers")}


def outcome(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60, **more)
    return done.returncode, done.stderr


def bad_input(check, oomen, folder, agent):
    def refused(what, words, expected, code=2):
        status, text = outcome([oomen, *words])
        lines = text.strip().splitlines()
        check(f"{what}: exit {status}, says '{lines[-1] if lines else ''}'", status == code and re.search(expected, text))

    config = pathlib.Path(folder, "config.yaml")
    config.write_text("node_name: here\nlisten_on: 1\n")
    refused("a misspelt key", ["agent", "--config", str(config)], r"config.yaml:2: .*listen_on.*did you mean 'listen'")
    config.write_text("listen: [\n")
    refused("half a file", ["agent", "--config", str(config)], r"config.yaml:\d+")
    refused("a busy port", ["agent", "--listen", f"127.0.0.1:{agent.port}", "--state", folder + "/other"], str(agent.port))
    refused("a state folder in use", ["agent", "--listen", "127.0.0.1:0", "--state", agent.folder], r"in use by another oomen agent")
    refused("a size that is none", ["run", "--limit", "12Q", "--", "true"], r"12Q")
    refused("a name without a pod", ["run", "--name", "demo", "--", "true"], r"NAMESPACE/POD")
    refused("no command", ["run", "--limit", "64Mi"], r"command")
    refused("a series that is not there", ["replay", folder + "/none.csv"], r"none.csv")


def lives(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def run_codes(check, oomen, programs):
    check("run hands on the exit code of its command", outcome([oomen, "run", "--limit", "64Mi", "--", "/bin/sh", "-c", "exit 7"])[0] == 7)
    check("run of a command that is not there is 127", outcome([oomen, "run", "--", "/nonexistent"])[0] == 127)
    status, text = outcome([oomen, "run", "--limit", "8Mi", "--name", "t/tiny", "--", f"{programs}/hog", "1000"])
    check("a limit below what the program needs is a kill with its autopsy", status == 137 and "t/tiny" in text and "killed by the kernel" in text)
    run = subprocess.Popen([oomen, "run", "--name", "t/term", "--", f"{programs}/crowd", "3"], stderr=subprocess.PIPE, text=True)
    started = eventually("the command", lambda: pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().strip())
    child = int(started)
    eventually("the exec", lambda: b"crowd" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes())
    crowd = [int(p) for p in pathlib.Path(f"/proc/{child}/task/{child}/children").read_text().split()]
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=30)
    check(f"SIGTERM goes to the command: exit {run.returncode}", run.returncode == 143)
    check("no process of it is left", eventually("their end", lambda: not any(lives(pid) for pid in [child, *crowd])))


def crowds(check, oomen, programs, folder):
    groups = Cgroups()
    try:
        say("   2,000 cgroups, 50 of them with a process")
        for i in range(2000):
            groups.make(f"n{i}")
        for i in range(50):
            groups.release(groups.start(f"{groups.mount}{groups.path}/n{i}", f"{programs}/gate", [f"{programs}/crowd", "1"]))
        agent = OwnAgent(folder, "crowd", oomen)
        agent.start()
        try:
            seen = eventually("50 containers", lambda: len([p for p in agent.pods() if re.fullmatch(r"n\d+", p)]) == 50)
            check("2,000 cgroups at start: the 50 with processes are containers", seen)
            churn(check, agent, groups, programs)
            no_errors = {k: v for k, v in agent.ask("status")["errors"].items() if k != "witness_disagreement"}
            check(f"no error was counted on the way: {no_errors}", not any(no_errors.values()))
        finally:
            agent.stop()
    finally:
        groups.remove()


def churn(check, agent, groups, programs):
    def one(i):
        process = groups.start(groups.make(f"v{i}"), f"{programs}/gate", [f"{programs}/crowd", "1"])
        groups.release(process)
        return process
    lives = [one(i) for i in range(100)]
    check("100 births are seen", eventually("the births", lambda: len([p for p in agent.pods() if re.fullmatch(r"v\d+", p)]) == 100))
    for i, process in enumerate(lives):
        process.kill()
        process.wait()
        remove_folder(f"{groups.mount}{groups.path}/v{i}")
    check("100 cgroups that vanish leave nothing behind", eventually("the ends", lambda: not [p for p in agent.pods() if re.fullmatch(r"v\d+", p)]))
    folder = groups.make("again", 64 << 20)
    first = os.stat(folder).st_ino
    os.rmdir(folder)
    groups.release(groups.start(groups.make("again", 32 << 20), f"{programs}/gate", [f"{programs}/crowd", "1"]))
    again = eventually("the second life", lambda: [c for c in agent.ask("containers") if c["pod"] == "again"])
    check("a cgroup made again under its name is another one", again and again[0]["id"] != str(first) and again[0]["ceiling"]["bytes"] == 32 << 20)


def kill_one(groups, programs, name):
    """A container killed at its limit of 16 MiB; its pid."""
    process = groups.start(groups.make(name, 16 << 20), f"{programs}/gate", [f"{programs}/hog", "8"])
    groups.release(process)
    process.wait(60)
    return process.pid


def few_rights(check, oomen, programs, folder):
    prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", f"--inh-caps={RIGHTS}", f"--ambient-caps={RIGHTS}", f"--bounding-set={RIGHTS}"]
    agent = OwnAgent(folder, "nobody", oomen, prefix=prefix)
    os.chmod(folder, 0o755)
    os.chown(agent.folder, NOBODY, NOBODY)
    groups = Cgroups()
    agent.start()
    try:
        status = pathlib.Path(f"/proc/{agent.process.pid}/status").read_text()
        rights = re.search(r"CapEff:\s+(\w+)", status).group(1)
        check(f"it runs as uid {NOBODY} with capabilities {rights}", f"Uid:\t{NOBODY}" in status and int(rights, 16) == 1 << 39 | 1 << 38 | 1 << 2)
        node = agent.ask("status")
        check(f"with few rights every hook is attached: {[h['name'] + ' ' + h['rung'] for h in node['hooks']]}", all(h["attached"] for h in node["hooks"]))
        check(f"and nothing is degraded: {node['degraded_because']}", not node["degraded"])
        pid = kill_one(groups, programs, "poor")
        told = eventually("the autopsy", lambda: [a for a in agent.ask("autopsies") if a["pod"] == "poor"])
        check("it tells of a kill with victim and exit code", told and told[0]["victim_pid"] == pid and told[0]["exit_code"] == 137)
    finally:
        agent.stop()
        groups.remove()


def without_bpf(check, oomen, programs, folder):
    agent = OwnAgent(folder, "nobpf", oomen, words=["--no-bpf"])
    groups = Cgroups()
    agent.start()
    try:
        node = agent.ask("status")
        check("without BPF it says what it lost", node["degraded"] and len(node["degraded_because"]) >= 5)
        process = groups.start(groups.make("blind", 16 << 20), f"{programs}/gate", [f"{programs}/hog", "8", "child"])
        groups.release(process)
        seen = eventually("the container", lambda: "blind" in agent.pods())
        check("a container is found by its files alone", seen)
        told = eventually("the autopsy", lambda: [a for a in agent.ask("autopsies") if a["pod"] == "blind"])
        check("a kill is told by the counter alone", told and told[0]["kind"] == "container_limit" and told[0]["limit_bytes"] == 16 << 20 and told[0]["victim_pid"] in (None, 0))
        process.kill()
    finally:
        agent.stop()
        groups.remove()


def limit_in_place(check, oomen, programs, folder):
    agent = OwnAgent(folder, "resize", oomen)
    groups = Cgroups()
    agent.start()
    try:
        cgroup = groups.make("resized", 64 << 20)
        groups.release(groups.start(cgroup, f"{programs}/gate", [f"{programs}/crowd", "1"]))
        ceiling = lambda: next(((c["ceiling"]["level"], c["ceiling"]["bytes"]) for c in agent.ask("containers") if c["pod"] == "resized"), (None, None))
        check("its limit is its ceiling", eventually("the ceiling", lambda: ceiling() == ("container", 64 << 20)))
        pathlib.Path(cgroup, "memory.max" if groups.v2 else "memory.limit_in_bytes").write_text(str(128 << 20))
        check("a limit raised in place is taken over", eventually("the new ceiling", lambda: ceiling() == ("container", 128 << 20)))
        pathlib.Path(cgroup, "memory.max" if groups.v2 else "memory.limit_in_bytes").write_text("max" if groups.v2 else "-1")
        check("a limit taken away leaves the node's", eventually("the node", lambda: ceiling()[0] in ("node", "cgroup")))
    finally:
        agent.stop()
        groups.remove()


def main():
    oomen, programs = (os.path.abspath(word) for word in sys.argv[1:3])
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="oomen-agent-") as folder:
        agent = OwnAgent(folder, "plain", oomen)
        agent.start()
        try:
            bad_input(checks.check, oomen, folder, agent)
        finally:
            agent.stop()
        run_codes(checks.check, oomen, programs)
        crowds(checks.check, oomen, programs, folder)
        few_rights(checks.check, oomen, programs, folder)
        without_bpf(checks.check, oomen, programs, folder)
        limit_in_place(checks.check, oomen, programs, folder)
    print(f"{checks.passed} passed, {checks.failed} failed, 0 skipped")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
