#!/usr/bin/env python3
"""Learn how far each window of the forecast is to be believed, and how wide the interval must be.

usage: fit.py CANDIDATES_BINARY CORPUS_DIR [--write userspace/engine/reliability_weights.cpp] [--no-synthetic]

A window is right when its p50 is within x1.7 of the truth; a logistic over its signs (engine/candidate.h), each bent at three
knots, learns how often. Windows on healthy series are wrong. The interval's width is two quantile lines (pinball loss) over
the figures of width_terms(). Everything printed is cross-validated: five folds by series (a series and its twins in other
sets are one), or one data set left out; the numbers written are then fitted on all. Needs numpy.
"""
import argparse, csv, os, random, subprocess, tempfile, zlib
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import synthetic

SIGNS = 'kSlopeError kGrowthNoise kBlocks kSecondHalf kFirstHalf kLastQuarter kRegret kNewGround kPeakSlope kPeakHeadroom'.split()
FIXED = 12                      # columns before the signs, as candidates.cpp writes them
TIME, LEVEL, BLOCKS, AGE, WIDTH, P50, P10, P10ALL, SWING, SCATTER, LINE, SLOPE = range(FIXED)
FRACTIONS = [round(.10 + .05 * i, 2) for i in range(17)]
SHOWN = (.25, .50, .75, .90)
HEALTHY_TIMES, NEGATIVE_SAMPLE, NEGATIVE_WEIGHT, RIDGE, SHARPNESS = 15, .4, .75, 3., 6


def moments(row):
    if row['label'] == 'healthy':
        rng = random.Random(zlib.crc32(os.path.basename(row['file']).encode())); end = int(row['duration_s'])
        return [(t, None, None) for t in sorted(rng.uniform(.02, 1) * end for _ in range(HEALTHY_TIMES))]
    onset, oom = int(row['onset_s'] or 0), int(row['oom_s'])
    return [(onset + f * (oom - onset), f, oom) for f in FRACTIONS]


def collect(binary, corpus, row):
    asked = moments(row)
    path = os.path.join(corpus, row['file'])
    raw = subprocess.run([binary, path, row['limit_bytes']] + [f'{t:.3f}' for t, _, _ in asked], check=True, capture_output=True).stdout
    x = np.frombuffer(raw, dtype=np.float32).reshape(-1, FIXED + len(SIGNS)).astype(float)
    out = []
    for time in np.unique(x[:, TIME]):
        part = x[x[:, TIME] == time]
        passed = [a for a in asked if a[0] <= time + .01]
        if not passed:
            continue
        _, fraction, oom = passed[-1]
        out.append(dict(row=row, x=part, fraction=fraction, left=None if oom is None else max(1., oom - time),
                        limit=float(row['limit_bytes'])))
    return out


def basis(x, knots):
    columns = [np.ones(len(x))]
    for s in range(len(SIGNS)):
        v = x[:, FIXED + s]
        columns.append(v)
        columns += [np.maximum(0, v - k) for k in knots[s]]
    return np.stack(columns, 1)


def logistic(a, y, w):
    scale = np.maximum(a.std(0), 1e-9); scale[0] = 1
    b = a / scale
    theta = np.zeros(a.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-np.clip(b @ theta, -30, 30)))
        ridge = RIDGE * np.ones(len(theta)); ridge[0] = 0
        gradient = b.T @ (w * (p - y)) + ridge * theta
        hessian = (b * (w * p * (1 - p))[:, None]).T @ b + np.diag(ridge + 1e-6)
        step = np.linalg.solve(hessian, gradient)
        theta -= step
        if np.abs(step).max() < 1e-5:
            break
    return theta / scale


def training(evaluations):
    rng = np.random.default_rng(1)
    xs, ys, ws = [], [], []
    for e in evaluations:
        if e['left'] is None:
            keep = rng.random(len(e['x'])) < NEGATIVE_SAMPLE
            xs.append(e['x'][keep]); ys.append(np.zeros(keep.sum())); ws.append(np.full(keep.sum(), NEGATIVE_WEIGHT))
        else:
            off = np.abs(np.log(np.maximum(e['x'][:, P50], 1e-3) / e['left']))
            xs.append(e['x']); ys.append((off < np.log(1.7)).astype(float)); ws.append(np.ones(len(off)))
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(ws)


def fit_reliability(evaluations, knots):
    x, y, w = training(evaluations)
    return logistic(basis(x, knots), y, w)


def vote(e, theta, knots):
    """What combine() of engine/forecast.cpp does."""
    x = e['x']
    p = 1 / (1 + np.exp(-np.clip(basis(x, knots) @ theta, -30, 30)))
    w = p ** SHARPNESS
    order = np.argsort(x[:, P50]); total = np.cumsum(w[order])
    p50 = x[order[np.searchsorted(total, total[-1] / 2)], P50]
    top = x[np.argmax(p)]; limit = e['limit']
    headroom = max(limit - top[LINE], 1e-3 * limit); rel = (w * p).sum() / w.sum()
    ln = lambda v: np.log(max(v, 1e-4))
    safe = max(p50, .01 * top[WIDTH])
    early = max(0., ln(safe / max(top[P10ALL], 1e-3 * safe)))
    terms = [1, np.clip(ln(1 - rel), -4, 0), np.clip(ln(top[WIDTH] / safe), -6, 4), ln(early + .05),
             np.clip(ln(top[SWING] / headroom), -6, 1), np.clip(ln(top[SCATTER] / headroom), -8, 1)]
    near = p >= .75 * p.max()
    return dict(p50=p50, rel=rel, top=top, age=x[near, AGE].max(), terms=terms, left=e['left'], fraction=e['fraction'], row=e['row'])


def pinball(votes, sign, tau):
    """Quantile line: ln(spread) = exp(terms . theta), by subgradient descent with momentum."""
    votes = [v for v in votes if v['left'] is not None and v['p50'] > 0]
    z = np.array([v['terms'] for v in votes])
    off = np.array([sign * np.log(v['left'] / max(v['p50'], 1e-3)) for v in votes])
    mean, scale = z.mean(0), np.maximum(z.std(0), 1e-9); mean[0], scale[0] = 0, 1
    b = (z - mean) / scale
    theta = np.zeros(z.shape[1]); theta[0] = -.5
    m = np.zeros_like(theta); s = np.zeros_like(theta)
    for i in range(1, 4001):
        g = np.exp(np.clip(b @ theta, -5, 2))
        slope = np.where(off > g, -tau, 1 - tau) * g
        gradient = (b * slope[:, None]).mean(0)
        m = .9 * m + .1 * gradient; s = .99 * s + .01 * gradient ** 2
        theta -= .01 / (1 + i / 800) * m / (1 - .9 ** i) / (np.sqrt(s / (1 - .99 ** i)) + 1e-9)
    out = theta / scale
    out[0] = theta[0] - (theta[1:] * mean[1:] / scale[1:]).sum()
    return out


def spread(terms, theta):
    return np.exp(np.clip(np.exp(min(np.dot(terms, theta), 2)), .02, 5))


def interval(v, lower, upper):
    top = v['top']
    p10 = min(v['p50'] / spread(v['terms'], lower), top[P10], top[P10ALL]) - top[WIDTH] / 4
    return max(0, p10), v['p50'] * spread(v['terms'], upper) + top[WIDTH] / 4


def told(v):
    return v['rel'] >= .5 and v['p50'] <= 4 * v['age'] and v['p50'] <= 7 * 86400


def report(title, votes, widths):
    def line(name, some, gate):
        cells = []
        for f in SHOWN:
            at = [v for v in some if v['fraction'] == f]
            said = [v for v in at if not gate or told(v)]
            if not said:
                cells.append('-'); continue
            ratio = [v['p50'] / v['left'] for v in said]
            covered = [lo <= v['left'] <= hi for v in said for lo, hi in [interval(v, *widths[id(v)])]]
            cells.append(f"{100 * f:.0f} %: x2 {np.mean([.5 <= r <= 2 for r in ratio]):.2f} cover {np.mean(covered):.2f} none {1 - len(said) / len(at):.2f}")
        print(f'{title:14s} {name:26s} ' + ' | '.join(cells))
    leaks = [v for v in votes if v['left'] is not None]
    kind = lambda v: 'base' if '.' not in v['row']['dataset'] else v['row']['dataset'].split('.')[1].split('+')[0]
    real = [v for v in leaks if not v['row']['dataset'].startswith('synthetic')]
    for gate in (False, True):
        for name in ('base', 'born', 'tight'):
            line(name + (' told' if gate else ' all'), [v for v in real if kind(v).startswith(name)], gate)
    for name in sorted({v['row']['note'] for v in leaks if v['row']['dataset'].startswith('synthetic')}):
        line('synthetic ' + name, [v for v in leaks if v['row']['note'] == name and v['row']['dataset'].startswith('synthetic')], True)
    healthy = [v for v in votes if v['left'] is None and not v['row']['dataset'].startswith('synthetic')]
    base = [v for v in healthy if kind(v) == 'base']
    print(f"{title:14s} healthy claims: base {np.mean([told(v) for v in base]):.4f}, all {np.mean([told(v) for v in healthy]):.4f}")
    for lo, hi in ((0, .3), (.3, .5), (.5, .6), (.6, .7), (.7, .8), (.8, .9), (.9, 1)):
        part = [v for v in real if lo <= v['rel'] < hi]
        if part:
            print(f"{title:14s} stated {lo:.1f}-{hi:.1f}: within x1.7 {np.mean([abs(np.log(max(v['p50'], 1e-3) / v['left'])) < np.log(1.7) for v in part]):.2f} of {len(part)}")


def cross_validate(title, evaluations, fold_of, tau):
    folds = sorted({fold_of(e) for e in evaluations})
    votes, widths = [], {}
    for fold in folds:
        train = [e for e in evaluations if fold_of(e) != fold]
        knots = knots_of(train); theta = fit_reliability(train, knots)
        inner = [vote(e, theta, knots) for e in train if e['left'] is not None]
        pair = pinball(inner, -1, tau[0]), pinball(inner, 1, tau[1])
        for e in evaluations:
            if fold_of(e) == fold:
                votes.append(vote(e, theta, knots)); widths[id(votes[-1])] = pair
    report(title, votes, widths)


def knots_of(evaluations):
    x = np.concatenate([e['x'] for e in evaluations if e['left'] is not None])
    return [np.round(np.quantile(x[:, FIXED + s], (.25, .5, .75)), 3) for s in range(len(SIGNS))]


def source(knots, theta, lower, upper):
    number = lambda v: f'{v:.5g}'
    row = lambda v: '{' + ', '.join(number(x) for x in v) + '}'
    weights = theta[1:].reshape(len(SIGNS), -1)
    return '\n'.join(['// Written by tests/backtest/fit.py; do not edit.', '#include "engine/reliability.h"', '', 'namespace oomen::engine {', '',
                      '// clang-format off', 'const ReliabilityWeights kReliability = {', f'    {number(theta[0])},',
                      '    {{' + ',\n      '.join(f'{row(k)}' for k in knots) + '}},',
                      '    {{' + ',\n      '.join(f'{row(w)}  /* {s} */' for w, s in zip(weights, SIGNS)) + '}}};', '',
                      'const WidthWeights kWidth = {', f'    {row(lower)},', f'    {row(upper)}}};', '// clang-format on', '', '}  // namespace oomen::engine', ''])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('binary'); ap.add_argument('corpus'); ap.add_argument('--write'); ap.add_argument('--no-synthetic', action='store_true')
    ap.add_argument('--tau', type=float, nargs=2, default=(.85, .90)); ap.add_argument('--no-cv', action='store_true'); ap.add_argument('--seeds', type=int, default=40)
    a = ap.parse_args()
    rows = [r for r in csv.DictReader(open(os.path.join(a.corpus, 'manifest.csv'))) if r['label'] == 'healthy' or r['oom_s']]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        if not a.no_synthetic:
            rows += synthetic.make(folder, a.seeds)
        evaluations = [e for part in pool.map(lambda r: collect(a.binary, a.corpus, r), rows) for e in part]
    print(f"{len(rows)} series, {len(evaluations)} moments, {sum(len(e['x']) for e in evaluations)} windows")
    series = lambda e: os.path.basename(e['row']['file'])
    family = lambda e: e['row']['dataset'].split('.')[0].split('+')[0]
    if not a.no_cv:
        cross_validate('by series', evaluations, lambda e: zlib.crc32(series(e).encode()) % 5, a.tau)
        cross_validate('by data set', evaluations, family, a.tau)
    knots = knots_of(evaluations); theta = fit_reliability(evaluations, knots)
    votes = [vote(e, theta, knots) for e in evaluations]
    leaks = [v for v in votes if v['left'] is not None]
    lower, upper = pinball(leaks, -1, a.tau[0]), pinball(leaks, 1, a.tau[1])
    if a.write:
        with open(a.write, 'w') as out:
            out.write(source(knots, theta, lower, upper))


main()
