//! Every metric, with what it means. The page is written from these, in this order.

/// What a metric does over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It only grows, from 0 when the server starts.
    Counter,
    /// It goes up and down.
    Gauge,
    /// It counts values by size.
    Histogram,
}

impl Kind {
    /// Its name in Prometheus' text format.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        }
    }
}

/// One metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// What it does over time.
    pub kind: Kind,
    /// Its labels.
    pub labels: &'static [&'static str],
    /// What it means.
    pub help: &'static str,
}

const fn metric(
    kind: Kind,
    name: &'static str,
    labels: &'static [&'static str],
    help: &'static str,
) -> Metric {
    Metric { name, kind, labels, help }
}

macro_rules! catalogue {
    ($($constant:ident = $kind:ident $name:literal [$($label:literal),*] $help:literal;)*) => {
        $(pub(super) const $constant: Metric =
            metric(Kind::$kind, $name, &[$($label),*], $help);)*

        /// All metrics, in the order of the page.
        pub const CATALOGUE: &[Metric] = &[$($constant),*];
    };
}

catalogue! {
    REQUESTS = Counter "monotable_requests_total" ["operation", "table", "status", "error"]
        "Calls answered, by the class of the HTTP status and the name of the error.";
    REQUEST_DURATION = Histogram "monotable_request_duration_seconds" ["operation", "table"]
        "Time from a whole request to its answer, without sending it.";
    REQUEST_BYTES = Counter "monotable_request_bytes_total" ["operation"]
        "Bytes of the bodies of calls, after inflating.";
    RESPONSE_BYTES = Counter "monotable_response_bytes_total" ["operation"]
        "Bytes of the bodies of answers, as they are sent.";
    READ_UNITS = Counter "monotable_consumed_read_units_total" ["table", "index"]
        "Read capacity units consumed; the index of the table itself is empty.";
    WRITE_UNITS = Counter "monotable_consumed_write_units_total" ["table", "index"]
        "Write capacity units consumed; the index of the table itself is empty.";
    PATTERN_REQUESTS = Counter "monotable_pattern_requests_total" ["model", "pattern", "outcome"]
        "Calls on tables of a model, by access pattern: answered, refused or throttled.";
    PATTERN_UNITS = Counter "monotable_pattern_units_total" ["model", "pattern", "kind"]
        "Capacity units consumed by an access pattern, by reading and by writing.";
    PATTERN_DURATION = Histogram "monotable_pattern_duration_seconds" ["model", "pattern"]
        "Time from a whole request to its answer, by access pattern.";
    DRIFT = Counter "monotable_drift_total" ["model", "entity", "fault"]
        "Writes that do not fit the model of their table.";
    CONNECTIONS_OPEN = Gauge "monotable_connections_open" []
        "Connections that are open.";
    CONNECTIONS_ACCEPTED = Counter "monotable_connections_accepted_total" []
        "Connections that were accepted.";
    CONNECTIONS_REFUSED = Counter "monotable_connections_refused_total" []
        "Connections that were refused because there were too many.";
    READY = Gauge "monotable_ready" []
        "1 if the server takes reads and writes, as /_monotable/ready says, or 0.";
    DISK_BYTES = Gauge "monotable_storage_disk_bytes" []
        "Bytes of the files of the store.";
    DISK_FREE = Gauge "monotable_storage_disk_free_bytes" []
        "Bytes that are free on the disk of the store.";
    DISK_RESERVE = Gauge "monotable_storage_disk_reserve_bytes" []
        "Bytes that are left free: writes are refused below.";
    WRITABLE = Gauge "monotable_storage_writable" []
        "1 if the store takes writes, or 0.";
    TABLE_FILES = Gauge "monotable_storage_table_files" []
        "Files that hold data, without those of the journal.";
    MEMTABLE_BYTES = Gauge "monotable_storage_memtable_bytes" []
        "Bytes of writes that are in memory and in the journal, and not in table files yet.";
    JOURNAL_WRITTEN = Counter "monotable_journal_written_bytes_total" []
        "Bytes written to the journal.";
    JOURNAL_SYNC = Histogram "monotable_journal_sync_duration_seconds" []
        "Time that syncs of the journal took.";
    JOURNAL_GROUP = Histogram "monotable_journal_group_size" []
        "Transactions that were committed together with one sync.";
    MERGE_DEBT = Gauge "monotable_merge_debt_bytes" []
        "Bytes of table files that are due to be merged.";
    MERGE_WRITTEN = Counter "monotable_merge_written_bytes_total" []
        "Bytes of table files written by merging.";
    MERGES_RUNNING = Gauge "monotable_merges_running" []
        "Merges under way.";
    POSTGRES_OPEN = Gauge "monotable_postgres_connections_open" []
        "Connections to PostgreSQL that are open.";
    POSTGRES_OPENED = Counter "monotable_postgres_connections_opened_total" []
        "Connections to PostgreSQL that were opened.";
    POSTGRES_FAILED = Counter "monotable_postgres_connection_failures_total" []
        "Connections to PostgreSQL that could not be opened.";
    POSTGRES_SNAPSHOTS = Gauge "monotable_postgres_snapshots_open" []
        "Reads of more than one item under way, each on a connection of its own.";
    POSTGRES_ROUND_TRIP = Histogram "monotable_postgres_round_trip_duration_seconds" ["kind"]
        "Time that transactions waited for PostgreSQL: to lock and read, and to write and commit.";
    POSTGRES_GROUP = Histogram "monotable_postgres_group_size" []
        "Transactions that were committed together as one of PostgreSQL.";
    POSTGRES_RETRIES = Counter "monotable_postgres_retries_total" []
        "Transactions that were tried again, because they met others or lost their connection.";
    POSTGRES_LOST = Counter "monotable_postgres_lost_answers_total" ["outcome"]
        "Commits whose answer was lost, by what was found out about them.";
    STREAM_AGE = Gauge "monotable_stream_oldest_record_age_seconds" ["table"]
        "Age of the oldest record of the stream; records are kept for a day.";
    STREAM_SHARDS = Gauge "monotable_stream_shards" ["table"]
        "Shards of the stream, closed ones too.";
    TTL_DUE = Gauge "monotable_ttl_due_items" ["table"]
        "Items that have expired and are not removed yet, up to a thousand.";
    TTL_AGE = Gauge "monotable_ttl_oldest_due_age_seconds" ["table"]
        "Time since the oldest of them has expired.";
    VECTOR_SEARCHES = Counter "monotable_vector_searches_total" ["kind"]
        "Searches of vector indexes: by sketches in memory, or of all vectors in the store.";
    SKETCH_BYTES = Gauge "monotable_vector_sketch_bytes" []
        "Bytes of memory that sketches of vectors take.";
    SKETCH_BYTES_MAX = Gauge "monotable_vector_sketch_limit_bytes" []
        "Bytes of memory that sketches of vectors may take.";
    SKETCHED_RANGES = Gauge "monotable_vector_sketched_ranges" []
        "Vector indexes, or partitions of them, that are searched by sketches.";
    EVICTED_RANGES = Counter "monotable_vector_evicted_ranges_total" []
        "Of these, those whose sketches were given up because others needed the memory.";
    AUDIT_LINES = Counter "monotable_audit_lines_total" []
        "Lines written to the audit log.";
    AUDIT_DROPPED = Counter "monotable_audit_dropped_lines_total" []
        "Lines missing in the audit log, because it could not be written or not fast enough.";
    SPANS_SENT = Counter "monotable_trace_spans_sent_total" []
        "Spans sent to the collector.";
    SPANS_DROPPED = Counter "monotable_trace_spans_dropped_total" []
        "Spans that were dropped, because the collector did not take them or not fast enough.";
    RESIDENT_MEMORY = Gauge "process_resident_memory_bytes" []
        "Memory of the process, with the pages of files that are mapped.";
    ANONYMOUS_MEMORY = Gauge "monotable_process_anonymous_memory_bytes" []
        "Memory of the process that is not backed by files.";
    UPTIME = Gauge "monotable_uptime_seconds" []
        "Time since the server was started.";
    BUILD = Gauge "monotable_build_info" ["version"]
        "1, with the version of the server.";
}
