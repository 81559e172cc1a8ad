#!/usr/bin/env python3
"""The corpus at four offsets of the block grid: score.py's table for the first, then the mean figures beside what is asked.

usage: backtest.py OOMEN_BINARY [CORPUS_DIR]     (the corpus is ../shared/corpus; when it is absent, says so and exits 0)

One alignment of blocks to a series' first reading is luck, so the means are the figures.
"""
import os, re, statistics, stat, subprocess, sys, tempfile

OFFSETS = ('0s', '97s', '1571s', '20011s')
ASKED = {'recall, base': '>= .96', 'FA/cw, base': '<= .0095', 'P@1%, base': '>= .50', 'recall, born': '>= .90', 'FA, born': '<= 1 in 40 twins',
         'recall, tight': '>= .93', 'FA/cw, tight': '<= .015', 'false pages, base': '0', 'paged, base': '>= .90', 'claims, base': '<= .02', 'refuted, base': '<= .008'}
ASKED.update({f'ETA x2 {p} %, base': '>= ' + x for p, x in zip((25, 50, 75, 90), ('.87', '.90', '.87', '.70'))})
ASKED.update({f'cover {p} %, base': '.75-.87' for p in (25, 50, 75, 90)})
ASKED.update({f'none {p} %, base': '<= ' + x for p, x in zip((25, 50, 75, 90), ('.48', '.10', '.04', '.05'))})


def figures(table):
    out = {}
    for line in table.splitlines():
        part = re.match(r'all (\w+) +\d+/ *\d+=([\d.]+) +\S+ +(\d+) +\S+ +([\d.]+) +(\S+)', line)
        if part:
            name, recall, false, rate, precision = part.groups()
            out.update({f'recall, {name}': float(recall), f'FA, {name}': float(false), f'FA/cw, {name}': float(rate), f'P@1%, {name}': float(precision)})
        part = re.match(r'forecast, all (\w+)', line)
        for p, x2, cover, none in re.findall(r'(\d+) %: x2 ([\d.]+) cover ([\d.]+) none ([\d.]+)', line) if part else ():
            out.update({f'ETA x2 {p} %, {part[1]}': float(x2), f'cover {p} %, {part[1]}': float(cover), f'none {p} %, {part[1]}': float(none)})
        part = re.match(r'healthy, +all (\w+) +claims ([\d.]+) refuted ([\d.]+)', line)
        if part:
            out.update({f'claims, {part[1]}': float(part[2]), f'refuted, {part[1]}': float(part[3])})
        part = re.match(r'pages, +all (\w+) +false (\d+) .*paged (\d+)/(\d+)', line)
        if part:
            out.update({f'false pages, {part[1]}': float(part[2]), f'paged, {part[1]}': int(part[3]) / int(part[4])})
    return out


def main():
    binary = os.path.abspath(sys.argv[1])
    corpus = sys.argv[2] if len(sys.argv) > 2 else os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../../shared/corpus')
    score = os.path.join(corpus, 'score.py')
    if not os.path.exists(score):
        print(f'backtest: no corpus at {os.path.relpath(corpus)}; nothing was run')
        return
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        for offset in OFFSETS:
            wrapper = os.path.join(folder, 'oomen-' + offset)
            with open(wrapper, 'w') as out:
                out.write(f'#!/bin/sh\ncommand=$1; shift\nexec "{binary}" "$command" --grid-offset {offset} "$@"\n')
            os.chmod(wrapper, os.stat(wrapper).st_mode | stat.S_IXUSR)
            print(f'grid offset {offset} ...', flush=True)
            table = subprocess.run([sys.executable, score, wrapper], check=True, capture_output=True, text=True).stdout
            if not rounds:
                print(table, flush=True)
            rounds.append(figures(table))
    print(f"{'figure':22s} {'mean':>8s}  " + ' '.join(f'{o:>8s}' for o in OFFSETS) + '  asked')
    for name, asked in ASKED.items():
        values = [r[name] for r in rounds]
        print(f'{name:22s} {statistics.mean(values):8.4f}  ' + ' '.join(f'{v:8.4f}' for v in values) + f'  {asked}')


main()
