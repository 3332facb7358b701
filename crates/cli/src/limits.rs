//! What clients may take of a server that is started.

use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::Args;
use monotable_database::VectorOptions;
use monotable_server::{
    CONNECTIONS_MAX, CONNECTIONS_PER_PEER, HEADER_BYTES_MIN, Limits, MEMORY_MIN_BYTES, REQUESTS_MAX,
};

use crate::time::{parse_duration, parse_interval};
use crate::{byte_size, open_files};

/// Limits on what all clients and each of them may take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArguments {
    /// Most connections open at once; at most half of the files that the process may open
    #[arg(long, value_name = "COUNT", default_value_t = CONNECTIONS_MAX,
        value_parser = parse_count)]
    connections_max: usize,

    /// Most connections from one address, or from one IPv6 /64 network. This machine may use them
    /// all
    #[arg(long, value_name = "COUNT", default_value_t = CONNECTIONS_PER_PEER,
          value_parser = parse_count)]
    connections_per_peer: usize,

    /// Most requests worked on at once; others wait up to --queue-timeout
    #[arg(long, value_name = "COUNT", default_value_t = REQUESTS_MAX, value_parser = parse_count)]
    requests_max: usize,

    /// Memory for large requests and answers of all clients together, such as 512MB or 2GB
    #[arg(long, value_name = "SIZE", default_value = "512MB", value_parser = parse_memory)]
    memory_max: usize,

    /// Memory for sketches of vectors, which make searching many vectors faster; with 0 a search
    /// compares all vectors in the store
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = byte_size::parse_bytes)]
    vector_memory: u64,

    /// Longest headers of a request, such as 64KB
    #[arg(long, value_name = "SIZE", default_value = "64KB", value_parser = parse_headers)]
    header_max: usize,

    /// How long a request waits for its turn or for memory before it is answered with 503
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = parse_interval)]
    queue_timeout: Duration,

    /// How long a TLS handshake may take
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = parse_interval)]
    handshake_timeout: Duration,

    /// How long a connection may take to begin its first request
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = parse_interval)]
    first_byte_timeout: Duration,

    /// How long a connection is kept between requests
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_interval)]
    idle_timeout: Duration,

    /// How long a client may take to send a request that it has begun, or to read its answer
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_interval)]
    stall_timeout: Duration,

    /// How long to go on serving when told to stop, while /_monotable/ready says 503, so that a
    /// load balancer turns to other servers first
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = parse_duration)]
    stop_delay: Duration,
}

impl LimitArguments {
    /// The same for the server. Connections get half of the files that the process may open, so
    /// that however many clients come, the data can still be read and written.
    pub(crate) fn limits(&self) -> Limits {
        let files = open_files::raise_limit(self.connections_max.saturating_mul(2));
        Limits {
            connections_max: self.connections_max.min(files / 2),
            connections_per_peer: self.connections_per_peer,
            requests_max: self.requests_max,
            memory_max_bytes: self.memory_max,
            header_bytes_max: self.header_max,
            queue_timeout: self.queue_timeout,
            handshake_timeout: self.handshake_timeout,
            first_byte_timeout: self.first_byte_timeout,
            idle_timeout: self.idle_timeout,
            stall_timeout: self.stall_timeout,
            stop_delay: self.stop_delay,
            ..Limits::default()
        }
    }

    /// How vectors are searched.
    pub(crate) fn vectors(&self) -> VectorOptions {
        VectorOptions {
            sketch_bytes_max: usize::try_from(self.vector_memory).unwrap_or(usize::MAX),
            ..VectorOptions::default()
        }
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("give a number that is greater than 0".to_owned()),
        // More than any machine has, and little enough to be counted with.
        Ok(count) => Ok(usize::min(count, 10_000_000)),
    }
}

fn parse_memory(text: &str) -> Result<usize> {
    at_least(parse_bytes(text)?, MEMORY_MIN_BYTES, "64MB, which the largest requests need")
}

fn parse_headers(text: &str) -> Result<usize> {
    let bytes = at_least(parse_bytes(text)?, HEADER_BYTES_MIN, "16KB, which SDKs may need")?;
    if bytes > 1 << 20 {
        return Err(anyhow!("it can be 1MB at most"));
    }
    Ok(bytes)
}

fn at_least(bytes: usize, least_bytes: usize, least: &str) -> Result<usize> {
    if bytes < least_bytes {
        return Err(anyhow!("it must be at least {least}"));
    }
    Ok(bytes)
}

/// Reads a size such as `64KB`, `512MB` or `2GB`, in units of 1024.
fn parse_bytes(text: &str) -> Result<usize> {
    let units = [("KB", 10), ("MB", 20), ("GB", 30)];
    let unit = units.iter().find_map(|(unit, bits)| {
        let (number, name) = text.split_at_checked(text.len().checked_sub(unit.len())?)?;
        name.eq_ignore_ascii_case(unit).then_some((number, *bits))
    });
    let bytes =
        unit.and_then(|(number, bits)| number.trim().parse::<usize>().ok()?.checked_shl(bits));
    bytes
        .filter(|bytes| *bytes <= 1 << 40)
        .ok_or_else(|| anyhow!("give a size such as 64KB, 512MB or 2GB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [("64KB", 65_536), ("512MB", 512 << 20), ("2gb", 2 << 30)] {
            assert_eq!(parse_bytes(text).unwrap(), bytes, "{text}");
        }
        for refused in ["", "512", "MB", "1.5GB", "-1MB", "99999999GB", "1TB", "€B"] {
            assert!(parse_bytes(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn what_the_server_needs_is_the_least() {
        assert!(parse_memory("63MB").is_err() && parse_memory("64MB").is_ok());
        assert!(parse_headers("15KB").is_err() && parse_headers("16KB").is_ok());
        assert!(parse_headers("2MB").is_err());
        assert!(parse_count("0").is_err() && parse_count("1").is_ok());
    }
}
