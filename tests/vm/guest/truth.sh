# GoogleTest's own output is what the host reads.
timeout 150 truth_tests --gtest_color=no
fact truth_exit $?
