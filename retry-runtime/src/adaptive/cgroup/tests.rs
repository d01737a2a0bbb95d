use std::collections::BTreeMap;

use super::*;

const STATUS: &str =
    "Name:\tserver\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\nMems_allowed_list:\t0\n";
const V2: &str = "30 24 0:27 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
const V1: &str = "\
    31 30 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n\
    32 30 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n";

fn of(files: &[(&str, &str)]) -> f64 {
    let files: BTreeMap<_, _> = files.iter().copied().collect();
    processors(&|path| files.get(path).map(|text| (*text).to_owned()))
}

fn assert_is(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found} instead of {wanted}");
}

#[test]
fn without_a_quota_all_allowed_processors_count() {
    assert_is(of(&[("/proc/self/status", STATUS)]), 8.0);
    let limits = [
        ("/proc/self/status", STATUS),
        ("/proc/self/cgroup", "0::/user.slice\n"),
        ("/proc/self/mountinfo", V2),
        ("/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n"),
    ];
    assert_is(of(&limits), 8.0);
}

#[test]
fn a_list_of_processors_is_counted() {
    for (list, wanted) in [("0", Some(1.0)), ("0-3,8", Some(5.0)), ("1,3,5-6", Some(4.0))] {
        assert_eq!(allowed(&format!("Cpus_allowed_list:\t{list}\n")), wanted, "{list}");
    }
    for list in ["", "x", "3-1", "1-"] {
        assert_eq!(allowed(&format!("Cpus_allowed_list:\t{list}\n")), None, "{list}");
    }
}

#[test]
fn a_quota_of_version_2_need_not_be_whole() {
    let limits = [
        ("/proc/self/status", STATUS),
        ("/proc/self/cgroup", "0::/pod/app\n"),
        ("/proc/self/mountinfo", V2),
        ("/sys/fs/cgroup/pod/app/cpu.max", "150000 100000\n"),
    ];
    assert_is(of(&limits), 1.5);
}

#[test]
fn the_tightest_group_above_counts() {
    let limits = [
        ("/proc/self/status", STATUS),
        ("/proc/self/cgroup", "0::/pod/app\n"),
        ("/proc/self/mountinfo", V2),
        ("/sys/fs/cgroup/pod/app/cpu.max", "400000 100000\n"),
        ("/sys/fs/cgroup/pod/cpu.max", "50000 100000\n"),
        ("/sys/fs/cgroup/cpu.max", "max 100000\n"),
    ];
    assert_is(of(&limits), 0.5);
}

#[test]
fn in_a_container_the_own_group_is_the_root_of_the_mount() {
    // With a namespace of its own the path is the root as well.
    let limits = [
        ("/proc/self/cgroup", "0::/\n"),
        ("/proc/self/mountinfo", V2),
        ("/sys/fs/cgroup/cpu.max", "200000 100000\n"),
    ];
    assert_is(of(&limits), 2.0);
    // Without one, the mount begins at the path that the process is in.
    let mounts = V1.replace("0:29 / ", "0:29 /docker/1f ");
    let limits = [
        ("/proc/self/cgroup", "4:cpu,cpuacct:/docker/1f\n3:cpuset:/docker/1f\n"),
        ("/proc/self/mountinfo", mounts.as_str()),
        ("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n"),
        ("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
    ];
    assert_is(of(&limits), 2.5);
}

#[test]
fn version_1_says_minus_one_for_no_limit() {
    let limits = |quota| {
        of(&[
            ("/proc/self/status", STATUS),
            ("/proc/self/cgroup", "4:cpu,cpuacct:/app\n0::/\n"),
            ("/proc/self/mountinfo", V1),
            ("/sys/fs/cgroup/cpu,cpuacct/app/cpu.cfs_quota_us", quota),
            ("/sys/fs/cgroup/cpu,cpuacct/app/cpu.cfs_period_us", "100000\n"),
        ])
    };
    assert_is(limits("-1\n"), 8.0);
    assert_is(limits("300000\n"), 3.0);
}

#[test]
fn fewer_processors_than_the_quota_pays_for_are_the_limit() {
    let limits = [
        ("/proc/self/status", "Cpus_allowed_list:\t5\n"),
        ("/proc/self/cgroup", "0::/\n"),
        ("/proc/self/mountinfo", V2),
        ("/sys/fs/cgroup/cpu.max", "150000 100000\n"),
    ];
    assert_is(of(&limits), 1.0);
}

#[test]
fn files_that_make_no_sense_limit_nothing() {
    for (file, text) in [
        ("/sys/fs/cgroup/cpu.max", "0 0\n"),
        ("/sys/fs/cgroup/cpu.max", "lots\n"),
        ("/sys/fs/cgroup/cpu.max", "-5 100000\n"),
        ("/proc/self/mountinfo", "36 35 cgroup2\n - \n"),
        ("/proc/self/cgroup", "::\n0\n\n"),
    ] {
        let mut limits = vec![
            ("/proc/self/status", STATUS),
            ("/proc/self/cgroup", "0::/\n"),
            ("/proc/self/mountinfo", V2),
        ];
        limits.retain(|(path, _)| *path != file);
        limits.push((file, text));
        assert_is(of(&limits), 8.0);
    }
}

#[test]
fn where_there_are_no_such_files_there_is_still_a_processor() {
    assert!(of(&[]) >= 1.0);
}
