"""The agent, Prometheus, Alertmanager and a webhook, each on free ports and in a folder of the test."""
import http.server
import json
import os
import re
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from datetime import datetime


def say(text):
    print(text, flush=True)


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, text, good):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        say(f"{'ok' if good else 'FAILED'}: {text}")
        return good


def eventually(what, ask, limit_s=30):
    """The first true answer; None after `limit_s`."""
    end = time.time() + limit_s
    while time.time() < end:
        answer = ask()
        if answer:
            return answer
        time.sleep(.2)
    say(f"   waited {limit_s} s in vain for {what}")
    return None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fetch(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


class Service:
    """A process with an HTTP port of its own."""
    ready_path = "/-/ready"

    def __init__(self, folder, name):
        self.folder = os.path.join(folder, name)
        os.makedirs(self.folder)
        self.name, self.port, self.process = name, free_port(), None

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def start(self):
        with open(os.path.join(self.folder, "log"), "w") as log:
            self.process = subprocess.Popen(self.command(), stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        started = time.time()
        while not self.ready():
            if self.process.poll() is not None or time.time() > started + 60:
                raise SystemExit(f"{self.name} did not start:\n{self.log()[-2000:]}")
            time.sleep(.1)
        say(f"   {self.name} answers after {time.time() - started:.1f} s")

    def ready(self):
        try:
            return bool(fetch(self.url(self.ready_path)))
        except (urllib.error.URLError, OSError):
            return False

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def log(self):
        with open(os.path.join(self.folder, "log"), errors="replace") as log:
            return log.read()


class Agent(Service):
    ready_path = "/readyz"

    def __init__(self, oomen, folder):
        super().__init__(folder, "agent")
        self.oomen = oomen

    def command(self):
        return [self.oomen, "agent", "--listen", f"127.0.0.1:{self.port}", "--state", self.folder]

    def metrics(self):
        return fetch(self.url("/metrics"))

    def has_series(self, name, pod):
        return re.search(rf'^{name}{{[^\n]*pod="{pod}"', self.metrics(), re.MULTILINE)

    def autopsy(self, pod):
        return next((a for a in json.loads(fetch(self.url("/api/v1/autopsies"))) if a["pod"] == pod), None)

    @staticmethod
    def seconds(time_text):
        return datetime.fromisoformat(time_text.replace("Z", "+00:00")).timestamp() if time_text else None


class Alertmanager(Service):
    def __init__(self, root, folder, webhook):
        super().__init__(folder, "alertmanager")
        example = (root / "deploy/prometheus/alertmanager.yml").read_text()
        self.config = self.write("alertmanager.yml", re.sub(r"http://\S+", webhook.url(), example))

    def command(self):
        # Without a cluster address it gossips with nobody.
        return ["prometheus-alertmanager", f"--config.file={self.config}", f"--storage.path={self.folder}/data",
                f"--web.listen-address=127.0.0.1:{self.port}", "--cluster.listen-address="]


class Prometheus(Service):
    """With the example configuration of deploy/, but for intervals of 1 s and the ports."""

    def __init__(self, root, folder, agent, alertmanager):
        super().__init__(folder, "prometheus")
        example = (root / "deploy/prometheus/prometheus.yml").read_text()
        text = example.replace("15s", "1s").replace("127.0.0.1:9747", f"127.0.0.1:{agent.port}")
        text = text.replace("127.0.0.1:9093", f"127.0.0.1:{alertmanager.port}")
        self.config = self.write("prometheus.yml", text)
        self.write("oomen.rules.yml", (root / "deploy/prometheus/oomen.rules.yml").read_text())

    def command(self):
        return ["prometheus", f"--config.file={self.config}", f"--storage.tsdb.path={self.folder}/data",
                f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=warn"]

    def query(self, expression):
        answer = json.loads(fetch(self.url("/api/v1/query?" + urllib.parse.urlencode({"query": expression}))))
        return answer["data"]["result"]

    def firing(self, **labels):
        alerts = json.loads(fetch(self.url("/api/v1/alerts")))["data"]["alerts"]
        return [a for a in alerts if a["state"] == "firing" and labels.items() <= a["labels"].items()]


@dataclass
class Told:
    time: float
    alert: dict


class Webhook:
    """What Alertmanager delivers to, and when it did."""

    def __init__(self):
        self.told = []
        webhook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                webhook.told += [Told(time.time(), alert) for alert in body["alerts"]]
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/"

    def start(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()

    def first(self, status, **labels):
        return next((told for told in list(self.told) if told.alert["status"] == status
                     and labels.items() <= told.alert["labels"].items()), None)
