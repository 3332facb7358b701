//! What a process and the machine have used, from Linux's `/proc`. Other systems do not tell.

use std::fs;
use std::time::Duration;

/// The unit of times in `/proc`. The kernel gives them in hundredths of a second on every platform,
/// whatever its own ticks are.
const TICK: Duration = Duration::from_millis(10);

/// The processor time of all threads, in user and kernel mode.
pub fn cpu(process: u32) -> Option<Duration> {
    read_cpu(&fs::read_to_string(format!("/proc/{process}/stat")).ok()?)
}

/// The resident memory.
pub fn resident_bytes(process: u32) -> Option<u64> {
    read_resident(&fs::read_to_string(format!("/proc/{process}/status")).ok()?)
}

/// The resident memory by what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// What only this process has: its heap and its stacks.
    pub anonymous_bytes: u64,
    /// Pages of files that it has mapped, which the system takes back when it needs them.
    pub file_bytes: u64,
}

/// The resident memory, by what it holds.
pub fn memory(process: u32) -> Option<Memory> {
    read_memory(&fs::read_to_string(format!("/proc/{process}/status")).ok()?)
}

/// The processor time of all processes, and what the host of a virtual machine took from it.
pub fn machine_cpu() -> Option<Duration> {
    read_machine_cpu(&fs::read_to_string("/proc/stat").ok()?)
}

/// The fields `utime` and `stime`, the 14th and 15th. The second is the name in parentheses, which
/// may hold spaces, so fields are counted after its end.
fn read_cpu(stat: &str) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut times = fields.split(' ').skip(11).map(|field| field.parse::<u32>().ok());
    let (user, system) = (times.next()??, times.next()??);
    Some(TICK * (user + system))
}

/// The fields `user`, `nice`, `system` and `steal` of the first line. Interrupts are left out: the
/// kernel counts them for a process or not, depending on how it was built.
fn read_machine_cpu(stat: &str) -> Option<Duration> {
    let fields = stat.lines().next()?.strip_prefix("cpu ")?.split_ascii_whitespace();
    let ticks: Vec<u64> = fields.map_while(|field| field.parse().ok()).collect();
    let [user, nice, system, _idle, _waiting, _interrupts, _deferred, steal, ..] = *ticks else {
        return None;
    };
    u32::try_from(user + nice + system + steal).ok().map(|ticks| TICK * ticks)
}

fn read_resident(status: &str) -> Option<u64> {
    read_bytes(status, "VmRSS:")
}

fn read_memory(status: &str) -> Option<Memory> {
    let anonymous_bytes = read_bytes(status, "RssAnon:")?;
    Some(Memory { anonymous_bytes, file_bytes: read_bytes(status, "RssFile:")? })
}

fn read_bytes(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_read_after_a_name_with_spaces() {
        let stat = "12 (a b) c) S 1 2 3 4 5 6 7 8 9 10 250 150 0 0 20";
        assert_eq!(read_cpu(stat), Some(Duration::from_secs(4)));
        assert_eq!(read_cpu("12 (a) S 1"), None);
    }

    #[test]
    fn the_processor_time_of_the_machine_is_that_of_all_processes() {
        let stat = "cpu  100 20 30 9999 999 5 6 50 7 8\ncpu0 1 1 1 1\n";
        assert_eq!(read_machine_cpu(stat), Some(Duration::from_secs(2)));
        assert_eq!(read_machine_cpu("cpu  1 2 3\n"), None);
    }

    #[test]
    fn resident_memory_is_read_in_bytes() {
        let status = "VmHWM:\t 9999 kB\nVmRSS:\t    2048 kB\nVmData:\t 1 kB\n";
        assert_eq!(read_resident(status), Some(2 * 1024 * 1024));
        assert_eq!(read_resident("Name:\tx\n"), None);
    }

    #[test]
    fn memory_of_files_is_told_from_memory_of_its_own() {
        let status = "VmRSS:\t 5 kB\nRssAnon:\t   3 kB\nRssFile:\t   2 kB\nRssShmem:\t 0 kB\n";
        let memory = Memory { anonymous_bytes: 3 * 1024, file_bytes: 2 * 1024 };
        assert_eq!(read_memory(status), Some(memory));
        assert_eq!(read_memory("RssAnon:\t 3 kB\n"), None);
    }
}
