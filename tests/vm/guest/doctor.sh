oomen doctor --json >/tmp/doctor.json 2>/tmp/doctor.err
fact doctor_exit $?
put doctor </tmp/doctor.json
put doctor.err </tmp/doctor.err
