#!/usr/bin/env python3
"""What oomen costs and how quick it is, measured on this machine in one run.

usage: bench.py OOMEN PROGRAMS [--rounds N] [--containers N] [--births N] [--kills N] [--quiet-seconds N]

Costs to others: the same program in turn without the agent, with it, and without it again; a figure is the median of
the ratios with/without, and beside it stands the spread of without/without: an effect counts when it is past that.
"""
import argparse, json, os, pathlib, re, signal, statistics, subprocess, sys, tempfile, time, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'e2e'))
from cgroups import Cgroups, remove_folder

PAGE = os.sysconf('SC_PAGESIZE'); TICK = os.sysconf('SC_CLK_TCK')


def note(text):
    print(f'   … {text}', file=sys.stderr, flush=True)


class Agent:
    def __init__(self, oomen, options=()):
        self.folder = tempfile.TemporaryDirectory(prefix='oomen-bench-')
        self.log = open(os.path.join(self.folder.name, 'log'), 'w')
        self.process = subprocess.Popen([oomen, 'agent', '--listen', '127.0.0.1:0', '--state', self.folder.name, *options],
                                        stderr=self.log, stdout=subprocess.DEVNULL)
        for _ in range(600):
            found = re.search(r'oomen agent started .*\bport=(\d+)', open(self.log.name).read())
            if found:
                break
            if self.process.poll() is not None:
                raise SystemExit('the agent did not start:\n' + open(self.log.name).read())
            time.sleep(.05)
        self.port = int(found.group(1))

    def get(self, what):
        with urllib.request.urlopen(f'http://127.0.0.1:{self.port}/api/v1/{what}', timeout=10) as answer:
            return json.load(answer)

    def cpu_seconds(self):
        fields = open(f'/proc/{self.process.pid}/stat').read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def resident_bytes(self):
        return int(open(f'/proc/{self.process.pid}/statm').read().split()[1]) * PAGE

    def stop(self):
        self.process.terminate(); self.process.wait(10); self.log.close(); self.folder.cleanup()


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def row(what, figure, budget, beside=''):
    print(f'{what:34s} {figure:>24s}   {budget:30s} {beside}', flush=True)


def cost_figures(program):
    words = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    return {words[i]: float(words[i + 1]) for i in range(0, len(words), 2)}


def bench_costs(oomen, programs, rounds):
    without, with_agent, again = [], [], []
    for turn in range(rounds):
        note(f'cost to others, round {turn + 1} of {rounds}')
        without.append(cost_figures(f'{programs}/cost'))
        agent = Agent(oomen)
        rung = {h['name']: h['rung'] for h in agent.get('status')['hooks']}['growth']
        with_agent.append(cost_figures(f'{programs}/cost'))
        agent.stop()
        again.append(cost_figures(f'{programs}/cost'))
    limits = {'fault': '≤ 1 %', 'mmap_munmap': '≤ 5 %' if rung == 'vm_unmapped_area' else '≤ 3 %', 'getppid': '0 (past the spread)'}
    for name, budget in limits.items():
        base = statistics.median(w[name] for w in without)
        ratios = [2 * b[name] / (a[name] + c[name]) for a, b, c in zip(without, with_agent, again)]
        spread = [c[name] / a[name] for a, c in zip(without, again)]
        row(f'{name}, {base:.1f} ns without', f'{100 * (statistics.median(ratios) - 1):+.2f} %', f'budget {budget}',
            f'without against itself {100 * (statistics.median(spread) - 1):+.2f} %, {100 * (min(spread) - 1):+.1f} to {100 * (max(spread) - 1):+.1f} %')
    print(f'   growth by {rung}, {rounds} rounds of without, with, without', flush=True)


def bench_agent(oomen, programs, containers, seconds):
    groups = Cgroups()
    try:
        note(f'{containers} containers of 4 processes')
        for i in range(containers):
            groups.release(groups.start(groups.make(f'c{i}', 64 << 20), f'{programs}/gate', [f'{programs}/crowd', '4']))
        agent = Agent(oomen)
        watched = len([c for c in agent.get('containers') if re.fullmatch('c[0-9]+', c['pod'])])
        time.sleep(15)  # past the first passes
        cpu, start = agent.cpu_seconds(), time.monotonic()
        time.sleep(seconds)
        share = 100 * (agent.cpu_seconds() - cpu) / (time.monotonic() - start)
        status = agent.get('status')
        row('agent, CPU of one core', f'{share:.2f} %', 'budget ≤ 0.5 % in quiet', f'{watched} containers, {4 * containers} processes, {seconds} s; a tick of the clock is {100 / TICK / seconds:.2f} %')
        row('agent, resident', f"{agent.resident_bytes() / (1 << 20):.1f} MiB", 'budget ≤ 32 MiB')
        row('agent, BPF maps', f"{status['bpf_map_bytes'] / (1 << 20):.2f} MiB", 'budget ≤ 8 MiB')
        agent.stop()
    finally:
        groups.remove()


def wait_until(agent, what, seen, since):
    while time.monotonic() - since < 10:
        if any(seen(item) for item in agent.get(what)):
            return 1000 * (time.monotonic() - since)
    raise SystemExit(f'/api/v1/{what}: not there after 10 s')


def bench_latency(oomen, programs, births, kills):
    groups = Cgroups()
    agent = Agent(oomen, ['--cgroup', groups.path])
    try:
        ask = []
        for _ in range(50):
            start = time.monotonic(); agent.get('containers'); ask.append(1000 * (time.monotonic() - start))
        born, died = [], []
        for i in range(births):
            process = groups.start(groups.make(f'birth{i}', 64 << 20), f'{programs}/gate', [f'{programs}/crowd', '1'])
            start = time.monotonic()
            groups.release(process)
            born.append(wait_until(agent, 'containers', lambda c: c['pod'] == f'birth{i}', start))
            process.kill(); process.wait(); remove_folder(f'{groups.mount}{groups.path}/birth{i}')
        for i in range(kills):
            process = groups.start(groups.make(f'kill{i}', 8 << 20), f'{programs}/gate', [f'{programs}/hog', '1000'])
            groups.release(process)
            process.wait()
            start = time.monotonic()  # the parent has just been told of the end
            if process.returncode != -signal.SIGKILL:
                raise SystemExit(f'kill{i}: ended with {process.returncode}, not by SIGKILL')
            died.append(wait_until(agent, 'autopsies', lambda a: a['pod'] == f'kill{i}', start))
        beside = f'one request alone takes {statistics.median(ask):.1f} ms'
        row('birth to /api/v1/containers', f'p50 {percentile(born, .5):.1f}, p99 {percentile(born, .99):.1f} ms', 'budget p99 ≤ 50 ms', f'{births} births; {beside}')
        row('kill to /api/v1/autopsies', f'p50 {percentile(died, .5):.1f}, p99 {percentile(died, .99):.1f} ms', 'budget p99 ≤ 50 ms', f'{kills} kills; {beside}')
    finally:
        agent.stop(); groups.remove()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('oomen'); ap.add_argument('programs')
    ap.add_argument('--rounds', type=int, default=30); ap.add_argument('--containers', type=int, default=250)
    ap.add_argument('--births', type=int, default=200); ap.add_argument('--kills', type=int, default=100)
    ap.add_argument('--quiet-seconds', type=int, default=60)
    a = ap.parse_args()
    bench_costs(a.oomen, a.programs, a.rounds)
    bench_agent(a.oomen, a.programs, a.containers, a.quiet_seconds)
    bench_latency(a.oomen, a.programs, a.births, a.kills)


main()
