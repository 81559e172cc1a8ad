#!/usr/bin/env python3
"""The main job, for people to watch: a real container leaks to its real Exit 137, and oomen says so before.

usage: demo.py OOMEN LEAKY [--lead SECONDS]

Starts an agent, a container that leaks about 1 MiB/s under a limit of 96 MiB, and one beside it that only warms up.
Exit 0 only if the alert came at least LEAD seconds before the kernel's kill, the autopsy names the cgroup, pid, limit
and exit code that were seen from outside, and nothing was said against the neighbour.
"""
import argparse, json, os, re, signal, subprocess, sys, tempfile, threading, time, urllib.request
from datetime import datetime

LIMIT = 96 << 20


def say(text):
    print(text, flush=True)


def parse_time(text):
    return datetime.fromisoformat(text.replace('Z', '+00:00')) if text else None


class Agent:
    def __init__(self, oomen, folder):
        self.log = open(os.path.join(folder, 'agent.log'), 'w+')
        self.process = subprocess.Popen([oomen, 'agent', '--listen', '127.0.0.1:0', '--state', os.path.join(folder, 'state')],
                                        stderr=self.log, stdout=subprocess.DEVNULL)
        self.port = self.wait_for_port()

    def text(self):
        with open(self.log.name) as log:
            return log.read()

    def wait_for_port(self):
        for turn in range(300):
            found = re.search(r'oomen agent started .*\bport=(\d+)', self.text())
            if found:
                return int(found.group(1))
            if self.process.poll() is not None:
                break
            if turn % 20 == 19:
                say('   … the agent is still starting')
            time.sleep(.1)
        raise SystemExit('the agent did not start:\n' + self.text())

    def get(self, what):
        with urllib.request.urlopen(f'http://127.0.0.1:{self.port}/api/v1/{what}', timeout=10) as answer:
            return json.load(answer)

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


class Run:
    """`oomen run`, its lines shown as they come (or kept, for the neighbour)."""

    def __init__(self, oomen, name, show, command):
        self.name, self.lines = name, []
        self.process = subprocess.Popen([oomen, 'run', '--limit', str(LIMIT), '--name', name, '--'] + command,
                                        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, errors='replace')
        self.reader = threading.Thread(target=self.read, args=(show,), daemon=True)
        self.reader.start()

    def read(self, show):
        for line in self.process.stderr:
            self.lines.append(line.rstrip())
            if show:
                say('   ' + line.rstrip())

    def child(self):
        """pid and memory cgroup of the watched command, as the kernel tells them, not oomen."""
        for _ in range(100):
            with open(f'/proc/{self.process.pid}/task/{self.process.pid}/children') as children:
                for pid in children.read().split():
                    with open(f'/proc/{pid}/cgroup') as cgroup:
                        lines = cgroup.read().splitlines()
                    memory = [l for l in lines if ':memory:' in l] or [l for l in lines if l.startswith('0::')]
                    path = memory[0].split(':', 2)[2]
                    if 'oomen-run' in path:
                        return int(pid), path
            time.sleep(.1)
        raise SystemExit(f'{self.name}: no process of it got into a cgroup:\n' + '\n'.join(self.lines))

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        self.reader.join(5)


def of(items, name):
    namespace, pod = name.split('/')
    return [i for i in items if i['namespace'] == namespace and i['pod'] == pod]


def watch_neighbour(agent, stop, seen):
    while not stop.wait(1):
        for container in of(agent.get('containers'), 'demo/warm'):
            seen.append((container['verdict'], container['severity']))


def check(checks, text, good):
    checks.append(bool(good))
    say(f"   {'ok  ' if good else 'FAIL'} {text}")


def judge(agent, leaky, pid, cgroup, lead, seen, warm):
    checks = []
    found = of(agent.get('autopsies'), 'demo/leaky')
    check(checks, f'one autopsy of demo/leaky (there are {len(found)})', len(found) == 1)
    if found:
        a = found[0]
        first, death = parse_time(a['first_alert_time']), parse_time(a['time'])
        before = (death - first).total_seconds() if first else None
        check(checks, f'the alert came {before if before is None else round(before, 1)} s before the kill (asked: {lead} s)', before is not None and before >= lead)
        check(checks, f"kind {a['kind']}", a['kind'] == 'container_limit')
        check(checks, f"cgroup {a['victim_cgroup']}", a['victim_cgroup'] == cgroup and a['limit_owner_cgroup'] == cgroup)
        check(checks, f"victim pid {a['victim_pid']} {a['victim_comm']}", a['victim_pid'] == pid)
        check(checks, f"limit {a['limit_bytes']} bytes", a['limit_bytes'] == LIMIT)
        check(checks, f"exit code {a['exit_code']}", a['exit_code'] == 137)
        check(checks, f"witnesses {', '.join(sorted({w['source'] for w in a['witnesses']}))}; disagreements {len(a['disagreements'])}", not a['disagreements'])
    check(checks, f'oomen run gave its command\'s exit code, {leaky.process.returncode}', leaky.process.returncode == 137)
    alerted = [s for _, s in seen if s in ('warning', 'critical')] or [l for l in warm.lines if 'ALERT' in l]
    verdicts = sorted({v for v, _ in seen})
    check(checks, f"the neighbour that only warms up was not alerted on (seen {len(seen)} times: {', '.join(verdicts)})", seen and not alerted)
    return checks


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('oomen'); ap.add_argument('leaky'); ap.add_argument('--lead', type=float, default=25)
    a = ap.parse_args()
    with tempfile.TemporaryDirectory(prefix='oomen-demo-') as folder:
        say('1. the agent starts: it loads its eBPF programs and looks at every memory cgroup of this machine')
        agent, runs, stop = Agent(a.oomen, folder), [], threading.Event()
        try:
            for hook in agent.get('status')['hooks']:
                say(f"   {hook['name']:14s} {hook['rung'] if hook['attached'] else 'missing: ' + hook['reason']}")
            say('2. demo/warm only warms up; demo/leaky keeps 1 MiB more every second, under a limit of 96 MiB each')
            warm = Run(a.oomen, 'demo/warm', False, [a.leaky, '--warm', '40', '12', '8', '5']); runs.append(warm)
            leaky = Run(a.oomen, 'demo/leaky', True, [a.leaky, '1024', '8', '5', '8']); runs.append(leaky)
            pid, cgroup = leaky.child()
            seen = []
            neighbour = threading.Thread(target=watch_neighbour, args=(agent, stop, seen), daemon=True); neighbour.start()
            leaky.process.wait(150)
            leaky.reader.join(5)
            time.sleep(1)  # two more looks at the neighbour
            stop.set(); neighbour.join()
            say('3. what the agent knows, against what was seen from outside')
            checks = judge(agent, leaky, pid, cgroup, a.lead, seen, warm)
            good = all(checks)
        finally:
            stop.set()
            for run in runs:
                run.stop()
            agent.stop()
        if not good:
            say('the agent\'s log:\n' + agent.text())
        say('demo: ' + ('passed' if good else 'FAILED'))
        say(f'{sum(checks)} passed, {len(checks) - sum(checks)} failed, 0 skipped')
        return 0 if good else 1


sys.exit(main())
