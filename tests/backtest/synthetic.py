"""Leaks and healthy series that the corpus does not hold, seeded: fast ones at a reading a second, accelerating
ones, heaps whose peaks grow with their floor. make(folder, seeds) writes CSV files and returns manifest rows."""
import math, os, random

MIB = 1 << 20
LIMIT = 96 * MIB


def sawtooth(rng, heights, periods):
    state = dict(start=0.0, length=rng.uniform(*periods), size=rng.uniform(*heights))
    def at(t):
        while t >= state['start'] + state['length']:
            state['start'] += state['length']
            state['length'] = rng.uniform(*periods); state['size'] = rng.uniform(*heights)
        return state['size'] * (t - state['start']) / state['length']
    return at


def gc_heap(rng, floor, gain, periods):
    """Grows from the floor to gain x floor, then is collected."""
    state = dict(start=0.0, length=rng.uniform(*periods))
    def at(t):
        while t >= state['start'] + state['length']:
            state['start'] += state['length']; state['length'] = rng.uniform(*periods)
        live = floor(t)
        return live * (1 + (gain - 1) * (t - state['start']) / state['length'])
    return at


def families(rng):
    life = 60 * math.exp(rng.uniform(math.log(1.3), math.log(40)))      # 80 s .. 40 min
    base = rng.uniform(.05, .3); swing = rng.uniform(.03, .12); period = (rng.uniform(2, 6), rng.uniform(6, 12))
    saw = sawtooth(rng, (swing * .6, swing * 1.4), period)
    noise = lambda: rng.gauss(0, .002)
    rise = 1 - base
    yield 'linear', lambda t: base + rise * t / life + saw(t) + noise(), True
    stair = life / rng.uniform(12, 40)
    yield 'stairs', lambda t: base + rise * math.floor(t / stair) * stair / life + saw(t) + noise(), True
    power = rng.uniform(1.5, 2.5)
    yield 'accelerating', lambda t: base + rise * (t / life) ** power + saw(t) + noise(), True
    floor = lambda t: (base + rise * t / life)
    heap = gc_heap(rng, floor, rng.uniform(1.3, 2), period)
    yield 'gcheap', lambda t: heap(t) + noise(), True
    onset = life * rng.uniform(.5, 2); plateau = rng.uniform(.2, .45); tau = rng.uniform(8, 40)
    warm = lambda t: base * .5 + (plateau - base * .5) * (1 - math.exp(-t / tau))
    yield 'plateau_leak', lambda t: warm(t) + (max(0, t - onset) / life) * (1 - plateau) + saw(t) + noise(), True
    top = rng.uniform(.3, .75); tau2 = rng.uniform(10, 200)
    yield 'warmup', lambda t: base * .5 + (top - base * .5) * (1 - math.exp(-t / tau2)) + saw(t) + noise(), False
    yield 'flat', lambda t: base + saw(t) + noise(), False


def make(folder, seeds):
    rows = []
    for seed in range(seeds):
        rng = random.Random(seed)
        for name, at, leaks in families(rng):
            path = os.path.join(folder, f'{name}-{seed}.csv')
            step = rng.choice((1, 1, 1, 5, 10)); t = 0; oom = ''
            with open(path, 'w') as out:
                while t < 7200:
                    x = at(t) * LIMIT
                    if x >= LIMIT:
                        oom = t; break
                    if t > 1500 and not leaks:
                        break
                    out.write(f'{t},{max(0, x):.0f}\n'); t += step
            if leaks and not oom:
                continue
            rows.append(dict(file=path, dataset='synthetic+leak' if leaks else 'synthetic', label='leak' if leaks else 'healthy',
                             limit_bytes=str(LIMIT), onset_s='0' if name != 'plateau_leak' else str(int(oom * .4)), oom_s=str(oom), duration_s=str(t),
                             note=name))
    return rows
