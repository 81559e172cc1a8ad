#!/usr/bin/env python3
"""Draws one run of `oomen run --save FILE` with what the engine said of it, as SVG on standard output.

usage: picture.py OOMEN SERIES.csv
"""
import csv, json, subprocess, sys

W, H, LEFT, RIGHT, TOP, BOTTOM = 860, 380, 70, 20, 50, 50
MIB = 1 << 20


def main():
    oomen, path = sys.argv[1:3]
    rows = [(float(r['time_s']), float(r['bytes']), float(r['limit_bytes'])) for r in csv.DictReader(open(path))]
    said = [json.loads(l) for l in subprocess.run([oomen, 'replay', '--json', '--every', '1s', path], capture_output=True, text=True, check=True).stdout.splitlines()]
    limit, end = rows[-1][2], rows[-1][0]
    x = lambda t: LEFT + (W - LEFT - RIGHT) * t / (end * 1.25)
    y = lambda b: H - BOTTOM - (H - TOP - BOTTOM) * b / (limit * 1.08)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {H}" font-family="sans-serif" font-size="13">',
           f'<rect width="{W}" height="{H}" fill="#fff"/>']
    text = lambda px, py, words, color='#333', anchor='start', weight='normal': out.append(f'<text x="{px:.1f}" y="{py:.1f}" fill="{color}" text-anchor="{anchor}" font-weight="{weight}">{words}</text>')
    firing = next((e for e in said if e['event'] == 'firing'), None)
    if firing:
        t, level = firing['time_s'], min(rows, key=lambda r: abs(r[0] - firing['time_s']))[1]
        eta = firing['eta_s']
        out.append(f'<path d="M{x(t):.1f},{y(level):.1f} L{x(t + eta["p10"]):.1f},{y(limit):.1f} L{x(t + eta["p90"]):.1f},{y(limit):.1f} Z" fill="#f4b183" opacity=".45"/>')
        out.append(f'<line x1="{x(t):.1f}" y1="{TOP}" x2="{x(t):.1f}" y2="{H - BOTTOM}" stroke="#c55a11" stroke-dasharray="5 4"/>')
        text(x(t) - 6, TOP + 16, f'alert, {end - t:.0f} s before', '#c55a11', 'end', 'bold')
        text(x(t + eta['p50']), y(limit) - 8, f'limit expected here: in {eta["p10"]:.0f} to {eta["p90"]:.0f} s', '#c55a11', 'middle')
    out.append(f'<line x1="{LEFT}" y1="{y(limit):.1f}" x2="{W - RIGHT}" y2="{y(limit):.1f}" stroke="#c00" stroke-width="1.5"/>')
    text(LEFT + 6, y(limit) - 8, f'limit {limit / MIB:.0f} MiB', '#c00')
    out.append('<polyline fill="none" stroke="#2f5597" stroke-width="1.8" points="' + ' '.join(f'{x(t):.1f},{y(b):.1f}' for t, b, _ in rows) + '"/>')
    out.append(f'<circle cx="{x(end):.1f}" cy="{y(rows[-1][1]):.1f}" r="5" fill="#c00"/>')
    text(x(end) + 9, y(rows[-1][1]) + 16, 'killed, exit 137', '#c00', 'start', 'bold')
    for t in range(0, int(end * 1.25) + 1, 20):
        text(x(t), H - BOTTOM + 20, f'{t} s', '#666', 'middle')
    for b in range(0, int(limit / MIB) + 1, 24):
        text(LEFT - 8, y(b * MIB) + 4, f'{b} MiB', '#666', 'end')
        out.append(f'<line x1="{LEFT}" y1="{y(b * MIB):.1f}" x2="{W - RIGHT}" y2="{y(b * MIB):.1f}" stroke="#eee"/>')
    text(LEFT, 24, 'Memory of a leaking container that reclaim can not take back, its sawtooth of short-lived memory on top', '#333')
    print('\n'.join(out + ['</svg>']))


main()
