# All suites, in one agent's life. The main job takes its time beside the others.
. /lib.sh
mkdir /disk
mount -t ext4 -o noatime /dev/nvme0n1 /disk

oomen agent --node vm --listen 127.0.0.1:9747 --state /tmp/state >/tmp/agent.log 2>&1 &
agent=$!
wait_for 30 get $api/readyz || fail agent.ready "no answer on /readyz within 30 s"
(
  oomen run --limit 96Mi --name demo/leaky -- leaky 1024 8 5 16 >/tmp/run.log 2>&1
  fact main_job_exit $?
) >/tmp/main_job &
main_job=$!

for suite in classes kills truth doctor unprivileged; do
  echo "suite $suite at $(cut -d. -f1 /proc/uptime) s"
  . /$suite.sh
done

wait $main_job
echo "main job ended at $(cut -d. -f1 /proc/uptime) s"
cat /tmp/main_job
wait_for 20 told_of_main_job || fail main_job.autopsy "the agent has none of it within 20 s"
put run.log </tmp/run.log
get $api/api/v1/autopsies | put autopsies
get $api/api/v1/status | put status
get $api/metrics | put metrics
kill -0 $agent 2>/dev/null && fact agent_alive yes
kill $agent
wait $agent
fact agent_exit $?
put agent.log </tmp/agent.log
dmesg | grep -iE 'oom|out of memory|bug|warning' | put kernel.log
