//! How much of the processors a process may use, on Linux: control groups of both versions, and the set
//! of processors that it may run on.
//!
//! Sources: cgroups(7), `Documentation/admin-guide/cgroup-v2.rst` (`cpu.max`) and
//! `Documentation/scheduler/sched-bwc.rst` (`cpu.cfs_quota_us`) of the kernel, proc(5) for the files in
//! `/proc/self`.

/// Reads a file; `None` if it is not there.
type Read<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// How many processors this process may use, maybe not a whole number; at least a hundredth of one.
pub(super) fn processors(read: &Read<'_>) -> f64 {
    let allowed = read("/proc/self/status").and_then(|status| allowed(&status));
    let all = match (allowed, quota(read)) {
        (Some(allowed), Some(quota)) => quota.min(allowed),
        (Some(known), None) | (None, Some(known)) => known,
        (None, None) => std::thread::available_parallelism().map_or(1.0, |all| whole(all.get())),
    };
    all.max(0.01)
}

/// On how many processors the process may run: the line `Cpus_allowed_list: 0-3,8`.
fn allowed(status: &str) -> Option<f64> {
    let ranges = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let mut count = 0;
    for range in ranges.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        count += last.checked_sub(first)?.checked_add(1)?;
    }
    Some(whole(count))
}

/// The tightest limit of the groups that the process is in, in processors.
fn quota(read: &Read<'_>) -> Option<f64> {
    let groups = read("/proc/self/cgroup")?;
    let mounts = read("/proc/self/mountinfo")?;
    let limits = groups.lines().filter_map(|line| {
        // `hierarchy:controllers:path`; version 2 has hierarchy 0 and names no controllers.
        let mut fields = line.splitn(3, ':');
        let (number, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        if number == "0" && controllers.is_empty() {
            tightest(read, mounts.lines().find_map(|line| mount(line, "cgroup2"))?, path, of_v2)
        } else if has_cpu(controllers) {
            tightest(read, mounts.lines().find_map(|line| mount(line, "cgroup"))?, path, of_v1)
        } else {
            None
        }
    });
    limits.reduce(f64::min)
}

/// Where a hierarchy is mounted, and which part of it that is.
#[derive(Clone, Copy)]
struct Mount<'a> {
    root: &'a str,
    point: &'a str,
}

/// A line of `mountinfo`: `36 35 98:0 /root /point options [tags] - kind source options`. Of version 1
/// only the hierarchy that limits the processors is wanted.
fn mount<'a>(line: &'a str, wanted: &str) -> Option<Mount<'a>> {
    let (place, file_system) = line.split_once(" - ")?;
    let mut file_system = file_system.split(' ');
    let kind = file_system.next()?;
    let options = file_system.nth(1).unwrap_or_default();
    if kind != wanted || (wanted == "cgroup" && !has_cpu(options)) {
        return None;
    }
    let mut place = place.split(' ').skip(3);
    Some(Mount { root: place.next()?, point: place.next()? })
}

fn has_cpu(list: &str) -> bool {
    list.split(',').any(|word| word == "cpu")
}

/// Each group is limited by all that it lies in, as far up as they can be seen.
fn tightest(
    read: &Read<'_>,
    mount: Mount<'_>,
    path: &str,
    limit: fn(&Read<'_>, &str) -> Option<f64>,
) -> Option<f64> {
    // In a container the part of the hierarchy that is mounted may begin at the own group, or elsewhere
    // than the path says; then what is mounted is all that can be known.
    let root = mount.root.trim_end_matches('/');
    let below = path.strip_prefix(root).filter(|below| below.is_empty() || below.starts_with('/'));
    let mut below = below.unwrap_or_default().trim_end_matches('/');
    let mut found: Option<f64> = None;
    loop {
        if let Some(limit) = limit(read, &format!("{}{below}", mount.point)) {
            found = Some(found.map_or(limit, |found| found.min(limit)));
        }
        match below.rsplit_once('/') {
            Some((above, _)) => below = above,
            None => return found,
        }
    }
}

/// `cpu.max`: `max 100000` or `150000 100000`.
fn of_v2(read: &Read<'_>, group: &str) -> Option<f64> {
    let max = read(&format!("{group}/cpu.max"))?;
    let (quota, period) = max.trim().split_once(' ')?;
    share(quota, period)
}

/// `cpu.cfs_quota_us`: -1 for no limit.
fn of_v1(read: &Read<'_>, group: &str) -> Option<f64> {
    let quota = read(&format!("{group}/cpu.cfs_quota_us"))?;
    let period = read(&format!("{group}/cpu.cfs_period_us"))?;
    share(quota.trim(), period.trim())
}

/// Both in microseconds.
fn share(quota: &str, period: &str) -> Option<f64> {
    let (quota, period): (u32, u32) = (quota.parse().ok()?, period.parse().ok()?);
    (quota > 0 && period > 0).then(|| f64::from(quota) / f64::from(period))
}

fn whole(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from)
}

#[cfg(test)]
mod tests;
