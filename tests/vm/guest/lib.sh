# Words of the guest suites. What they say is read by tests/vm/guest_report.py.
cgroups=/sys/fs/cgroup
api=http://127.0.0.1:9747

fact() { echo "@ fact $*"; }
fail() { echo "@ fail $1: $2"; }

# put NAME <TEXT: a file for the host to check
put() {
  echo "@ begin $1"
  cat
  echo
  echo "@ end $1"
}

get() { wget -q -O - "$1" 2>/dev/null; }

# wait_for SECONDS COMMAND...: until it succeeds
wait_for() {
  tries=$(($1 * 5))
  shift
  while [ "$tries" -gt 0 ]; do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.2
    tries=$((tries - 1))
  done
  return 1
}

# make_cgroup PATH [LIMIT]: its parents hand the memory controller down
make_cgroup() {
  made=$cgroups
  for part in $(echo "$1" | tr / ' '); do
    echo +memory >"$made/cgroup.subtree_control"
    made=$made/$part
    [ -d "$made" ] || mkdir "$made"
  done
  [ -z "$2" ] || echo "$2" >"$made/memory.max"
}

# in_cgroup PATH OUTPUT COMMAND...: in the background, inside before it starts; its pid is $!
in_cgroup() {
  inside=$1
  output=$2
  shift 2
  (
    echo 0 >"$cgroups/$inside/cgroup.procs" || exit 1
    exec "$@" >"$output" 2>&1
  ) &
}

put_events() { # put_events NAME PATH
  put "$1.events" <"$cgroups/$2/memory.events"
  put "$1.events.local" <"$cgroups/$2/memory.events.local"
}

# told_of_victim URL PID: an autopsy that has the exit too
told_of_victim() {
  get "$1/api/v1/autopsies" >/tmp/told
  grep -q "\"victim_pid\": *$2\b" /tmp/told && grep -q "pid $2 ended" /tmp/told
}
told_of_main_job() { get $api/api/v1/autopsies | grep -q '"leaky"'; }
