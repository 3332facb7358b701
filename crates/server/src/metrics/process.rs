//! The memory of the process, as the operating system counts it.

/// Bytes of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Memory {
    /// All that is in memory.
    pub(super) resident_bytes: Option<u64>,
    /// What of it is not backed by files.
    pub(super) anonymous_bytes: Option<u64>,
}

impl Memory {
    /// The memory now. Systems other than Linux do not tell.
    pub(super) fn now() -> Memory {
        let status = std::fs::read_to_string("/proc/self/status");
        status.map_or_else(|_| Memory::default(), |status| Memory::read(&status))
    }

    fn read(status: &str) -> Memory {
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            let kilobytes: u64 = line.strip_suffix("kB")?.trim().parse().ok()?;
            Some(kilobytes * 1024)
        };
        Memory { resident_bytes: bytes("VmRSS:"), anonymous_bytes: bytes("RssAnon:") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_in_bytes() {
        let status = "Name:\tmonotable\nVmRSS:\t   12288 kB\nRssAnon:\t    4096 kB\n";
        let memory = Memory::read(status);
        assert_eq!(memory.resident_bytes, Some(12 << 20));
        assert_eq!(memory.anonymous_bytes, Some(4 << 20));
        assert_eq!(Memory::read("VmRSS: much"), Memory::default());
    }
}
