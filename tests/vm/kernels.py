#!/usr/bin/env python3
"""Debian's newest cloud kernels, by the suites' own package indexes.

    kernels.py 5.10 6.1 6.12 sid     prints one line each: WORD RELEASE PATH-OF-VMLINUZ

The mirror is the one this machine's apt uses; the other suites are read from it with a private apt
(own sources, lists and cache below the cache folder), verified by Debian's keyring. The index is
looked at once a day; without a network the kernel fetched last is used, and said so.
"""
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

SUITES = {  # word: (release, has a security suite)
    "5.10": ("bullseye", True),
    "6.1": ("bookworm", True),
    "6.12": ("trixie", True),
    "sid": ("sid", False),
}
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
META = "linux-image-cloud-amd64"
INDEX_AGE_S = 24 * 3600


class Failed(Exception):
    """What could not be done, for one kernel."""


def say(text):
    print(f"kernels: {text}", file=sys.stderr, flush=True)


def cache_dir():
    default = Path.home() / ".cache" / "oomen"
    return Path(os.environ.get("OOMEN_CACHE") or default) / "kernels"


def command(words, **more):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
        raise Failed(f"{words[0]}: {last}")
    return done.stdout


def mirrors():
    """The archive and its security twin, as this machine's apt knows them."""
    out = command(["apt-get", "indextargets", "--format", "$(CREATED_BY) $(REPO_URI) $(RELEASE)"])
    rows = [line.split() for line in out.splitlines() if line.startswith("Packages ")]
    main = [uri for _, uri, release in rows if not re.search(r"[-/](security|updates|backports)", release)]
    security = [uri for _, uri, release in rows if "security" in release]
    if not main:
        raise Failed("this machine's apt has no Debian archive among its sources")
    twin = security[0] if security else re.sub(r"/debian/?$", "/debian-security/", main[0])
    return main[0], twin


class PrivateApt:
    """apt with a sources list, lists and cache of its own; the host's are not touched."""

    def __init__(self, folder, suite, has_security):
        self.folder = folder
        for part in ("lists/partial", "cache/archives/partial", "parts"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / "status").touch()
        main, security = mirrors()
        options = f"[arch=amd64 target=Packages signed-by={KEYRING}]"
        lines = [f"deb {options} {main} {suite} main"]
        if has_security:
            lines.append(f"deb {options} {security} {suite}-security main")
        (folder / "sources.list").write_text("\n".join(lines) + "\n")

    def run(self, tool, *words, **more):
        private = {
            "Dir::Etc::SourceList": self.folder / "sources.list",
            "Dir::Etc::SourceParts": self.folder / "parts",
            "Dir::Etc::Preferences": "/dev/null",
            "Dir::Etc::PreferencesParts": self.folder / "parts",
            "Dir::State::Lists": self.folder / "lists",
            "Dir::State::Status": self.folder / "status",
            "Dir::Cache": self.folder / "cache",
            "APT::Architecture": "amd64",
            "APT::Update::Post-Invoke": "",
            "APT::Sandbox::User": "root",
            "APT::Update::Error-Mode": "any",
            "Acquire::Retries": "2",
        }
        options = [word for key, value in private.items() for word in ("-o", f"{key}={value}")]
        return command([tool, "-qq", *options, *words], **more)

    def update(self):
        if not Path(KEYRING).exists():
            raise Failed(f"{KEYRING} is missing: install debian-archive-keyring")
        self.run("apt-get", "update")

    def fields(self, package):
        text = self.run("apt-cache", "show", "--no-all-versions", package)
        return dict(re.findall(r"^([A-Za-z-]+): (.*)$", text, re.M))

    def newest_kernel(self):
        """The package that holds the newest vmlinuz, with its version."""
        image = depends_on(self.fields(META), r"linux-image-\S+-cloud-amd64\S*")
        fields = self.fields(image)
        binary = depends_on(fields, r"linux-binary-\S+", default=None)
        return (binary, self.fields(binary)) if binary else (image, fields)

    def download(self, package, folder):
        self.run("apt-get", "download", package, cwd=folder)
        return next(Path(folder).glob("*.deb"))


def depends_on(fields, pattern, **default):
    for name in fields.get("Depends", "").replace(",", " ").split():
        if re.fullmatch(pattern, name):
            return name
    if "default" in default:
        return default["default"]
    raise Failed(f"{fields.get('Package', META)} depends on no {pattern}")


# In /boot up to trixie, beside the modules in newer suites.
VMLINUZ = re.compile(r"(?:\./)?(?:boot/vmlinuz-([^/]+)|usr/lib/modules/([^/]+)/vmlinuz)")


def extract_vmlinuz(deb, folder):
    """(release, file) of the kernel in the package: only that file is kept."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as reader:
        with tarfile.open(fileobj=reader.stdout, mode="r|") as archive:
            for member in archive:
                found = VMLINUZ.fullmatch(member.name)
                if not found:
                    continue
                release = found[1] or found[2]
                target = folder / f"vmlinuz-{release}"
                partial = folder / "partial"
                with open(partial, "wb") as out:
                    shutil.copyfileobj(archive.extractfile(member), out)
                os.replace(partial, target)
                reader.terminate()
                return release, target
    raise Failed(f"{deb.name} holds no vmlinuz")


def fetch(word, folder, known):
    suite, has_security = SUITES[word]
    say(f"{word}: looking at the package index of {suite}")
    apt = PrivateApt(folder / "apt", suite, has_security)
    apt.update()
    package, fields = apt.newest_kernel()
    fresh = {"package": package, "version": fields["Version"], "checked": time.time()}
    if known and (known["package"], known["version"]) == (package, fresh["version"]):
        return {**known, **fresh}
    say(f"{word}: getting {package} {fresh['version']} ({int(fields['Size']) >> 20} MiB)")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        release, vmlinuz = extract_vmlinuz(apt.download(package, scratch), folder)
    for old in set(folder.glob("vmlinuz-*")) - {vmlinuz}:
        old.unlink()
    return {**fresh, "vmlinuz": vmlinuz.name, "release": release}


def kernel(word):
    """(release, path) of the newest kernel of this word; from the cache when looked at today."""
    if word not in SUITES:
        raise Failed(f"unknown kernel {word!r}: expected one of {' '.join(SUITES)}")
    folder = cache_dir() / word
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / "current.json"
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = json.loads(record.read_text()) if record.exists() else None
        if known and not (folder / known["vmlinuz"]).exists():
            known = None
        if not known or not 0 <= time.time() - known["checked"] < INDEX_AGE_S:
            try:
                known = fetch(word, folder, known)
                record.write_text(json.dumps(known))
            except Failed as why:
                if not known:
                    raise
                say(f"{word}: {why}; using {known['release']}, fetched before")
        return known["release"], folder / known["vmlinuz"]


def main(words):
    for word in words or SUITES:
        try:
            print(word, *kernel(word), flush=True)
        except Failed as why:
            say(f"{word}: {why}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
