#!/usr/bin/env python3
"""A real Prometheus and a real Alertmanager between a real leak and a webhook: `make test-prometheus`.

usage: prometheus_test.py OOMEN LEAKY

A container leaks to the kernel's kill under `oomen run`, another one only warms up; an agent watches, Prometheus
scrapes it with the rules of deploy/, Alertmanager delivers. The alert must be at the webhook before the kill.
Last line: N passed, N failed, N skipped.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from monitoring import Alertmanager, Agent, Checks, Prometheus, Webhook, eventually, say

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = "64Mi"
LEAK = ["1024", "4", "5", "4"]          # KiB/s kept, MiB and seconds of the sawtooth, MiB at the start
WARM_UP = ["--warm", "30", "8", "4", "5"]  # MiB at the end, time constant in seconds, the sawtooth
LONGEST_LIFE_S = 150
# Names of this run alone: the agent sees every container of the machine.
LEAKY, WARM = f"leaky-{os.getpid()}", f"warm-{os.getpid()}"


def start_run(oomen, leaky, pod, words):
    command = [oomen, "run", "--limit", LIMIT, "--name", f"demo/{pod}", "--", leaky, *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def stop_run(run):
    if run and run.poll() is None:
        run.send_signal(signal.SIGTERM)
        run.wait(20)


def live_through_it(run, prometheus, webhook, agent, seen):
    """Notes when each thing was first seen, until the leaking container is dead."""
    predicted = {"alertname": "OomenOomPredicted", "pod": LEAKY}
    next_word = time.time() + 10
    while run.poll() is None and time.time() < seen["start"] + LONGEST_LIFE_S:
        if "prometheus_firing" not in seen and prometheus.firing(**predicted):
            seen["prometheus_firing"] = time.time()
        if "webhook" not in seen and (told := webhook.first("firing", **predicted)):
            seen["webhook"], seen["alert"] = told.time, told.alert
            seen["metrics"] = agent.metrics()
        if time.time() > next_word:
            next_word += 10
            say(f"   {time.time() - seen['start']:.0f} s: " + ("alert delivered, waiting for the kill"
                if "webhook" in seen else "firing in Prometheus" if "prometheus_firing" in seen else "no alert yet"))
        time.sleep(.1)
    seen["run_ended"] = time.time()


def check_before(checks, seen, run):
    """What had to happen before the kill."""
    autopsy = seen["autopsy"]
    checks.check(f"oomen run ended as its command did, with {run.poll()}", run.poll() == 137)
    if not checks.check("the agent has an autopsy of it: " + (autopsy or {}).get("sentence", "none"), autopsy):
        return
    kill = seen["kill"]
    fired, told = seen.get("prometheus_firing"), seen.get("webhook")
    checks.check(f"OomenOomPredicted fired in Prometheus {before(fired, kill)} the kill", fired and fired < kill)
    checks.check(f"and was delivered to the webhook {before(told, kill)} the kill", told and told < kill)
    labels = seen.get("alert", {}).get("labels", {})
    expected = {"namespace": "demo", "pod": LEAKY, "container": autopsy["container"], "node": autopsy["node"]}
    checks.check(f"the alert's labels are those of the container: {expected}",
                 expected.items() <= labels.items() and all(expected.values()))
    checks.check(f"its severity is {labels.get('severity')}", labels.get("severity") in ("warning", "critical"))
    text = seen.get("alert", {}).get("annotations", {}).get("description", "")
    checks.check(f"its description names ceiling and growth: {text}", "ceiling" in text and "grows by" in text)


def before(when, kill):
    return f"{kill - when:.1f} s before" if when else "never, so not before"


def check_after(checks, seen, prometheus, webhook, agent):
    """What has to happen after it."""
    of = f'{{namespace="demo",pod="{LEAKY}"}}'
    gauge = eventually("the last-kill gauge",
                       lambda: prometheus.query("oomen_container_last_oom_kill_timestamp_seconds" + of))
    seen["gauge"] = time.time()
    value = float(gauge[0]["value"][1]) if gauge else 0
    checks.check(f"the last-kill gauge tells the autopsy's time, {value:.3f}", abs(value - seen.get("kill", 0)) < 1)
    gone = eventually("the end of its series", lambda: not agent.has_series("oomen_container_unreclaimable_bytes", LEAKY)
                      and not prometheus.query("oomen_container_unreclaimable_bytes" + of))
    seen["series_gone"] = time.time()
    checks.check("the container's own series are gone, from the agent and from Prometheus", gone)
    killed = {"alertname": "OomenOomKilled", "pod": LEAKY}
    checks.check("OomenOomKilled fires", eventually("OomenOomKilled", lambda: prometheus.firing(**killed)))
    seen["killed_firing"] = time.time()
    told = eventually("OomenOomKilled at the webhook", lambda: webhook.first("firing", **killed))
    checks.check("and is delivered", told)
    seen["killed_webhook"] = told.time if told else None
    checks.check("OomenOomPredicted no longer fires",
                 eventually("its end", lambda: not prometheus.firing(alertname="OomenOomPredicted", pod=LEAKY)))


def check_neighbour(checks, prometheus, webhook, warm):
    checks.check("the neighbour that only warms up still runs", warm.poll() is None)
    watched = prometheus.query(f'count_over_time(oomen_container_unreclaimable_bytes{{pod="{WARM}"}}[10m])')
    scrapes = int(watched[0]["value"][1]) if watched else 0
    checks.check(f"it was watched ({scrapes} scrapes)", scrapes > 10)
    alerts = prometheus.query(f'count_over_time(ALERTS{{alertname="OomenOomPredicted",pod="{WARM}"}}[10m])')
    checks.check("and never alerted on", not alerts and not webhook.first("firing", pod=WARM))


def check_exposition(checks, scrapes):
    for when, scrape in scrapes.items():
        lint = subprocess.run(["promtool", "check", "metrics"], input=scrape, capture_output=True, text=True)
        said = (lint.stdout + lint.stderr).strip()
        checks.check(f"promtool check metrics of a live scrape {when} has nothing to say{said and ': ' + said}",
                     lint.returncode == 0 and not said and scrape)


def table(seen):
    rows = [("oomen run started", "start"), ("alert stands in the agent", "agent_firing"),
            ("firing in Prometheus", "prometheus_firing"), ("delivered to the webhook", "webhook"),
            ("the kernel's kill", "kill"), ("oomen run ended", "run_ended"),
            ("last-kill gauge in Prometheus", "gauge"), ("its series gone", "series_gone"),
            ("OomenOomKilled firing", "killed_firing"), ("OomenOomKilled delivered", "killed_webhook")]
    say("\n   seconds since the start, and to the kill")
    for text, key in rows:
        when = seen.get(key)
        line = f"{when - seen['start']:8.1f} {seen['kill'] - when:8.1f}" if when and seen.get("kill") else "       -        -"
        say(f"   {line}  {text}")


def scenario(oomen, leaky, folder, checks, running):
    webhook = running.enter(Webhook())
    agent = running.enter(Agent(oomen, folder))
    alertmanager = running.enter(Alertmanager(ROOT, folder, webhook))
    prometheus = running.enter(Prometheus(ROOT, folder, agent, alertmanager))
    eventually("Prometheus' first scrape", lambda: prometheus.query("up == 1"))
    warm = running.enter_run(start_run(oomen, leaky, WARM, WARM_UP))
    seen = {"start": time.time()}
    run = running.enter_run(start_run(oomen, leaky, LEAKY, LEAK))
    live_through_it(run, prometheus, webhook, agent, seen)
    seen["autopsy"] = eventually("the autopsy", lambda: agent.autopsy(LEAKY), 10)
    if seen["autopsy"]:
        seen["kill"] = Agent.seconds(seen["autopsy"]["time"])
        seen["agent_firing"] = Agent.seconds(seen["autopsy"]["first_alert_time"])
    check_before(checks, seen, run)
    check_after(checks, seen, prometheus, webhook, agent)
    check_neighbour(checks, prometheus, webhook, warm)
    check_exposition(checks, {"while the alert stands": seen.get("metrics", ""), "after the kill": agent.metrics()})
    table(seen)
    if checks.failed:
        say(agent.log()[-3000:])


class Running:
    """What was started, ended in the opposite order whatever happens."""

    def __init__(self):
        self.ends = []

    def enter(self, thing):
        self.ends.append(thing.stop)
        thing.start()
        return thing

    def enter_run(self, run):
        self.ends.append(lambda: stop_run(run))
        return run

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for end in reversed(self.ends):
            end()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    oomen, leaky = (os.path.abspath(path) for path in sys.argv[1:3])
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="oomen-prometheus-") as folder, Running() as running:
        scenario(oomen, leaky, folder, checks, running)
    say(f"{checks.passed} passed, {checks.failed} failed, 0 skipped")
    return bool(checks.failed)


if __name__ == "__main__":
    sys.exit(main())
