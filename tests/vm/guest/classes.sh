# A program of each memory class; what its cgroup's files say and what the agent says of it.
for class in anon shmem file; do
  make_cgroup classes/$class
  in_cgroup classes/$class /tmp/hold.$class hold $class 24 /disk/held
  eval "hold_$class=\$!"
done
for class in anon shmem file; do
  wait_for 30 grep -q ready /tmp/hold.$class || fail classes.$class "hold $class is not ready"
  put classes.$class.stat <$cgroups/classes/$class/memory.stat
done
# The agent reads at its own pace: the host asks that it says so in one of these.
for turn in 1 2 3 4 5 6; do
  sleep 1
  get $api/api/v1/containers | put containers.$turn
done
for class in anon shmem file; do
  eval "kill \$hold_$class; wait \$hold_$class"
  rmdir $cgroups/classes/$class
done
