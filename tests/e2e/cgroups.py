"""Memory cgroups of a test, on v1 and v2, and processes that are in them before they do anything."""
import os
import subprocess
import time


class Cgroups:
    """Memory cgroups of ours, all under one folder that goes with us."""

    def __init__(self):
        mounts = [l.split() for l in open('/proc/mounts')]
        v1 = [m[1] for m in mounts if m[2] == 'cgroup' and 'memory' in m[3].split(',')]
        self.v2 = not v1
        self.mount = v1[0] if v1 else [m[1] for m in mounts if m[2] == 'cgroup2'][0]
        self.path = f'/oomen-test-{os.getpid()}'
        self.processes = []
        os.mkdir(self.mount + self.path)
        if self.v2:
            open(f'{self.mount}{self.path}/cgroup.subtree_control', 'w').write('+memory')

    def make(self, name, limit=None):
        folder = f'{self.mount}{self.path}/{name}'
        os.mkdir(folder)
        if limit:
            file = folder + ('/memory.max' if self.v2 else '/memory.limit_in_bytes')
            open(file, 'w').write(str(limit))
            if int(open(file).read()) != limit:
                raise SystemExit(f'{file}: the limit did not take')
        return folder

    def start(self, folder, gate, command):
        """A held process, put into the cgroup and checked, not yet released."""
        process = subprocess.Popen([gate, *command], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        open(folder + '/cgroup.procs', 'w').write(str(process.pid))
        if str(process.pid) not in open(folder + '/cgroup.procs').read().split():
            process.kill(); raise SystemExit(f'{folder}: the process is not in it')
        self.processes.append(process)
        return process

    @staticmethod
    def release(process):
        process.stdin.write(b'x'); process.stdin.close()

    def remove(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        for name in [d for d in os.listdir(self.mount + self.path) if os.path.isdir(f'{self.mount}{self.path}/{d}')]:
            remove_folder(f'{self.mount}{self.path}/{name}')
        remove_folder(self.mount + self.path)


def remove_folder(folder):
    for _ in range(500):
        try:
            return os.rmdir(folder)
        except OSError:
            time.sleep(.01)
    raise SystemExit(f'{folder} could not be removed')
