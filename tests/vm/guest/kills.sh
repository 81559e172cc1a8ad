# Three real kills, each by another rule of the kernel.
limit=24M

# memory.oom.group: all of the cgroup go together.
make_cgroup kills/group $limit
echo 1 >$cgroups/kills/group/memory.oom.group
in_cgroup kills/group /tmp/hold.1 hold anon 2
held=$!
in_cgroup kills/group /tmp/hog.group hog 12
hog=$!
wait $hog
fact group_exit $?
wait $held
fact group_other_exit $?
fact group_pids "$hog $held"
put_events group kills/group

# The limit is the parent's: oom is counted there, the kill where the victim was.
make_cgroup kills/parent $limit
make_cgroup kills/parent/leaf 512M
in_cgroup kills/parent/leaf /tmp/hog.parent hog 12
parent_victim=$!
wait $parent_victim
fact parent_exit $?
fact parent_victim $parent_victim
put_events parent kills/parent
put_events leaf kills/parent/leaf

# A child dies, the main process lives.
make_cgroup kills/child $limit
in_cgroup kills/child /tmp/hog.child hog 12 child
main=$!
wait_for 60 grep -q ended /tmp/hog.child || fail kills.child "the child was not killed within 60 s"
child_victim=$(sed -n 's/^child \([0-9]*\)$/\1/p' /tmp/hog.child)
fact child_main $main
fact child_victim $child_victim
fact child_signal "$(sed -n 's/^child ended by signal //p' /tmp/hog.child)"
kill -0 $main && fact child_main_alive yes
put_events child kills/child

for victim in $parent_victim $child_victim; do
  wait_for 20 told_of_victim $api "$victim" || fail kills.autopsy "none names pid $victim within 20 s"
done
get $api/api/v1/autopsies | put autopsies.child # before the main process ends too
kill $main
wait $main
rmdir $cgroups/kills/group $cgroups/kills/parent/leaf $cgroups/kills/parent $cgroups/kills/child
