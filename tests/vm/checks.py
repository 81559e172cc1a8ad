"""What must be true of a guest's report. Each check is one function; a failed assertion is its reason."""
import datetime
import re

from guest_report import Check

MANDATORY = ("truth", "rungs", "classes", "kills", "main_job", "doctor", "unprivileged")
MIB = 1 << 20
HELD_MIB = 24
CHECKS = []


def check(name):
    def register(function):
        CHECKS.append((name, function))
        return function
    return register


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


def same(found, wanted, what):
    expect(found == wanted, f"{what} is {found!r}, expected {wanted!r}")


def autopsies_of(report, victims, name="autopsies"):
    found = [one for one in report.json(name) if one["victim_pid"] in victims]
    expect(found, f"no autopsy of {name} names a victim among {sorted(victims)}")
    return found


def the_autopsy(report, victim, name="autopsies"):
    found = autopsies_of(report, {victim}, name)
    same(len(found), 1, f"number of autopsies of pid {victim}")
    return found[0]


def killed_by_kernel(autopsy, exit_code=137):
    same(autopsy["exit_code"], exit_code, "exit_code")
    same(autopsy["killer"], "kernel", "killer")
    same(autopsy["constraint"], "memcg", "constraint")
    same(autopsy["signal"], 9, "signal")
    same(autopsy["disagreements"], [], "disagreements")
    sources = {witness["source"] for witness in autopsy["witnesses"]}
    missing = {"mark_victim", "process_exit", "memory.events"} - sources
    expect(not missing, f"no witness {' '.join(sorted(missing))}")


# Growth rungs ---------------------------------------------------------------------------------------

@check("rungs.all_attached")
def every_rung(report):
    """What these kernels offer to root is all of them: none may drop out unseen."""
    for rung in ("fexit", "vm_unmapped_area", "kprobe", "syscalls"):
        said = report.rungs.get(rung, "not tried")
        expect(said.startswith("attached"), f"{rung}: {said}")


# Memory classes -----------------------------------------------------------------------------------

CLASSES = ("anon", "shmem", "file")


def near_held(count_bytes, what):
    # A static program comes on top; below may be what the kernel's CPUs have not flushed: 32 pages.
    expect(HELD_MIB * MIB - 32 * 4096 <= count_bytes <= (HELD_MIB + 3) * MIB,
           f"{what} is {count_bytes} bytes, expected {HELD_MIB} MiB")


def class_check(name):
    def run(report):
        stat = report.counters(f"classes.{name}.stat")
        in_file = stat["file"] - stat["shmem"] if name == "file" else stat[name]
        near_held(in_file, f"memory.stat {name}")
        near_held(newest_class(report, name), f"{name} of /api/v1/containers")
    return run


def newest_class(report, name):
    """The agent reads at its own pace: the newest of its answers counts."""
    for turn in range(6, 0, -1):
        for container in report.json(f"containers.{turn}"):
            if container["cgroup"] == f"/classes/{name}" and container.get("classes"):
                return container["classes"][f"{name}_bytes"]
    raise AssertionError(f"the agent told no classes of /classes/{name}")


for each in CLASSES:
    check(f"classes.{each}")(class_check(each))


@check("classes.unreclaimable")
def unreclaimable(report):
    """Anonymous and shared memory stay, page cache goes."""
    for name, wanted in zip(CLASSES, (HELD_MIB, HELD_MIB, 0)):
        found = [one["unreclaimable_bytes"] for one in report.json("containers.6")
                 if one["cgroup"] == f"/classes/{name}"]
        same(len(found), 1, f"containers named /classes/{name}")
        low, high = wanted * MIB - 32 * 4096, (wanted + 4) * MIB
        expect(found[0] is not None and low <= found[0] <= high, f"{name}: unreclaimable_bytes is {found[0]}")


# Kills ----------------------------------------------------------------------------------------------

@check("kills.group")
def group_kill(report):
    same((report.number("group_exit"), report.number("group_other_exit")), (137, 137), "exit codes")
    events = report.counters("group.events")  # some kernels count the first victim once more
    expect(events["oom_kill"] in (2, 3), f"oom_kill of memory.events is {events['oom_kill']}")
    same(events.get("oom_group_kill", 1), 1, "oom_group_kill of memory.events")
    pids = {int(pid) for pid in report.fact("group_pids").split()}
    found = autopsies_of(report, pids)
    same(len(found), 1, "number of autopsies of one group kill")
    killed_by_kernel(found[0])
    same(found[0]["group"], True, "group")
    same(found[0]["child"], False, "child")
    same(found[0]["kind"], "container_limit", "kind")
    same(found[0]["victim_cgroup"], "/kills/group", "victim_cgroup")
    same(found[0]["limit_owner_cgroup"], "/kills/group", "limit_owner_cgroup")
    same(found[0]["limit_bytes"], 24 * MIB, "limit_bytes")


@check("kills.parent_limit")
def parent_limit(report):
    same(report.number("parent_exit"), 137, "exit code")
    same(report.counters("parent.events.local")["oom"], 1, "oom of the parent's memory.events.local")
    same(report.counters("leaf.events")["oom_kill"], 1, "oom_kill of the leaf's memory.events")
    autopsy = the_autopsy(report, report.number("parent_victim"))
    killed_by_kernel(autopsy)
    same(autopsy["kind"], "pod_limit", "kind")
    same(autopsy["group"], False, "group")
    same(autopsy["victim_cgroup"], "/kills/parent/leaf", "victim_cgroup")
    same(autopsy["limit_owner_cgroup"], "/kills/parent", "limit_owner_cgroup")
    same(autopsy["limit_bytes"], 24 * MIB, "limit_bytes")


@check("kills.child")
def child_kill(report):
    same(report.number("child_signal"), 9, "the child's signal")
    same(report.fact("child_main_alive"), "yes", "main process alive")
    same(report.counters("child.events")["oom_kill"], 1, "oom_kill of memory.events")
    autopsy = the_autopsy(report, report.number("child_victim"), "autopsies.child")
    killed_by_kernel(autopsy, exit_code=None)  # of the container, which lives
    same(autopsy["kind"], "container_limit", "kind")
    same(autopsy["child"], True, "child")
    same(autopsy["group"], False, "group")
    same(autopsy["victim_comm"], "hog", "victim_comm")
    same(autopsy["limit_owner_cgroup"], "/kills/child", "limit_owner_cgroup")


@check("kills.one_autopsy_each")
def one_autopsy_each(report):
    found = sorted(one["victim_cgroup"] or "" for one in report.json("autopsies")
                   if not (one["victim_cgroup"] or "").startswith("/oomen-truth-"))  # the truth tests' own
    wanted = ["/kills/child", "/kills/group", "/kills/parent/leaf", "/oomen-run/demo_leaky-*", "/unprivileged"]
    same([re.sub(r"-\d+$", "-*", cgroup) for cgroup in found], wanted, "cgroups of the autopsies")


@check("kills.agent_lives")
def agent_lives(report):
    same(report.fact("agent_alive"), "yes", "agent alive at the end")
    same(report.number("agent_exit"), 0, "exit code of the agent after SIGTERM")


# The main job ---------------------------------------------------------------------------------------

def time_of(text):
    return datetime.datetime.fromisoformat(re.sub(r"Z$", "+00:00", text))


def main_job_autopsy(report):
    found = [one for one in report.json("autopsies") if one["victim_comm"] == "leaky"]
    same(len(found), 1, "number of autopsies of leaky")
    return found[0]


@check("main_job.exit_137")
def exit_137(report):
    same(report.number("main_job_exit"), 137, "exit code of oomen run")


@check("main_job.autopsy")
def main_autopsy(report):
    autopsy = main_job_autopsy(report)
    killed_by_kernel(autopsy)
    same(autopsy["kind"], "container_limit", "kind")
    same(autopsy["limit_bytes"], 96 * MIB, "limit_bytes")
    same(autopsy["limit_owner_cgroup"], autopsy["victim_cgroup"], "limit_owner_cgroup")
    expect(str(autopsy["victim_pid"]) in report.text("run.log"), "oomen run names another victim pid")


@check("main_job.alert_before_kill")
def alert_before_kill(report):
    autopsy = main_job_autopsy(report)
    first = autopsy["first_alert_time"]
    expect(first, "no alert stood before the kill")
    expect(time_of(first) < time_of(autopsy["time"]), f"alert at {first}, kill at {autopsy['time']}")


# Doctor and least privilege -------------------------------------------------------------------------

def hooks_attached(status):
    missing = [hook["name"] for hook in status["hooks"] if not hook["attached"]]
    same(missing, [], "hooks not attached")


@check("doctor.root")
def doctor_root(report):
    expect(report.number("doctor_exit") in (0, 1), f"exit code {report.fact('doctor_exit')}")
    expect(report.json("doctor"), "doctor --json is empty")


@check("doctor.unprivileged")
def doctor_unprivileged(report):
    expect(report.number("doctor_unprivileged_exit") in (0, 1), f"exit {report.fact('doctor_unprivileged_exit')}")
    expect(report.json("doctor.unprivileged"), "doctor --json is empty")


@check("doctor.hooks_as_root")
def root_hooks(report):
    hooks_attached(report.json("status"))


@check("unprivileged.uid_and_capabilities")
def unprivileged_identity(report):
    same(report.number("unprivileged_Uid"), 65534, "uid")
    wanted = {"bpf": 39, "perfmon": 38, "dac_read_search": 2, "sys_resource": 24}
    names = report.fact("unprivileged_caps").replace("+", "").split(",")
    same(int(report.fact("unprivileged_CapEff"), 16), sum(1 << wanted[name] for name in names), "CapEff")


@check("unprivileged.hooks")
def unprivileged_hooks(report):
    hooks_attached(report.json("status.unprivileged"))


@check("unprivileged.kill")
def unprivileged_kill(report):
    same(report.number("unprivileged_exit"), 137, "exit code")
    autopsy = the_autopsy(report, report.number("unprivileged_victim"), "autopsies.unprivileged")
    killed_by_kernel(autopsy)
    same(autopsy["limit_owner_cgroup"], "/unprivileged", "limit_owner_cgroup")


def run_one(name, function, report):
    try:
        function(report)
        return Check(name, "passed")
    except AssertionError as why:
        return Check(name, "failed", str(why))
    except (KeyError, TypeError, ValueError) as why:
        return Check(name, "failed", f"{type(why).__name__}: {why}")


def run_all(report):
    """Every check, the guest's own verdicts, and one failure for each mandatory suite that ran nothing."""
    found = report.checks + [run_one(name, function, report) for name, function in CHECKS]
    for suite in MANDATORY:
        ran = [one for one in found if one.name.startswith(f"{suite}.") and one.verdict != "skipped"]
        if not ran:
            found.append(Check(f"{suite}.ran", "failed", "a mandatory suite ran nothing"))
    if report.facts.get("truth_exit", "0") != "0" and not any(
            one.verdict == "failed" and one.name.startswith("truth.") for one in found):
        found.append(Check("truth.exit", "failed", f"truth_tests ended with {report.facts['truth_exit']}"))
    return found
