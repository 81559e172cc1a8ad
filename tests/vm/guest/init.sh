#!/bin/sh
# First process of a test VM: mounts, runs the suites, writes what they found to the second serial
# port, and powers off whatever happens.
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t bpf bpf /sys/fs/bpf
mount -t tracefs tracefs /sys/kernel/tracing
mount -t securityfs securityfs /sys/kernel/security
echo +memory +pids >/sys/fs/cgroup/cgroup.subtree_control
hostname vm
ip link set lo up
stty -F /dev/ttyS1 raw -echo
exec </dev/null >/dev/ttyS1 2>&1
echo "kernel $(uname -r)"
cd /tmp
sh /suites.sh
echo "@ end-of-run"
poweroff -f
