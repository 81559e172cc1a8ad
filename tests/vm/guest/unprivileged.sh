# The agent as nobody, with the few capabilities it asks for; before 5.11 map memory counts against
# RLIMIT_MEMLOCK and one more is needed.
caps=+bpf,+perfmon,+dac_read_search
case $(uname -r) in 5.10.*) caps=$caps,+sys_resource ;; esac
fact unprivileged_caps $caps
other=http://127.0.0.1:9757

# To be called in a subshell, which becomes the command.
as_nobody() {
  exec /bin/setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all,$caps \
    --ambient-caps=-all,$caps --bounding-set=-all,$caps "$@"
}

mkdir /tmp/nobody
chown 65534:65534 /tmp/nobody
(as_nobody oomen doctor --json) >/tmp/doctor.json 2>/tmp/doctor.err
fact doctor_unprivileged_exit $?
put doctor.unprivileged </tmp/doctor.json
put doctor.unprivileged.err </tmp/doctor.err

(as_nobody oomen agent --node vm --listen 127.0.0.1:9757 --state /tmp/nobody) >/tmp/nobody.log 2>&1 &
nobody=$!
wait_for 30 get $other/readyz || fail unprivileged.ready "no answer on /readyz within 30 s"
sed -n 's/^\(Uid\|CapEff\):[[:space:]]*\([0-9a-f]*\).*/@ fact unprivileged_\1 \2/p' /proc/$nobody/status
make_cgroup unprivileged 16M
in_cgroup unprivileged /tmp/hog.nobody hog 12
victim=$!
wait $victim
fact unprivileged_exit $?
fact unprivileged_victim $victim
wait_for 20 told_of_victim $other $victim || fail unprivileged.autopsy "none names pid $victim within 20 s"
get $other/api/v1/autopsies | put autopsies.unprivileged
get $other/api/v1/status | put status.unprivileged
kill $nobody
wait $nobody
put nobody.log </tmp/nobody.log
rmdir $cgroups/unprivileged
