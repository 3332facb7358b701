// The store of the server: what it takes, what it has yet to compact, and how fast its journal is.
import { bytes, h, number, replace } from "./dom.js";
import { histograms, percentile, since, total } from "./metrics.js";
import { fact, sparkCard } from "./spark.js";

/** Figures that are shown where the store has them. */
const FIGURES = [
  ["monotable_storage_disk_bytes", "On disk", bytes],
  ["monotable_storage_disk_free_bytes", "Free on disk", bytes],
  ["monotable_storage_table_files", "Files of sorted items", number],
  ["monotable_storage_memtable_bytes", "Not yet in such files", bytes],
  ["monotable_merge_debt_bytes", "Waiting for compaction", bytes],
  ["monotable_merges_running", "Compactions running", number],
  ["monotable_ttl_due_items", "Expired items to remove", number],
];

/** What is written, which is shown by the second. */
const WRITTEN = [
  ["monotable_journal_written_bytes_total", "Journal written a second"],
  ["monotable_merge_written_bytes_total", "Compacted a second"],
];

const SYNC = "monotable_journal_sync_duration_seconds";

/**
 * Draws the store as the last looks at the metrics found it; `rate` gives a counter's by the
 * second.
 */
export function drawStorage(room, looks, rate) {
  const { metrics } = looks.at(-1);
  const figures = FIGURES.filter(([name]) => metrics.has(name)).map(([name, title, show]) =>
    fact(title, h("div.figure", show(total(metrics, name)))),
  );
  const charts = WRITTEN.filter(([name]) => metrics.has(name)).map(([name, title]) =>
    sparkCard(title, rate(name), bytes),
  );
  const isOnDisk = metrics.has("monotable_storage_disk_bytes");
  replace(
    room,
    h("h2", "Storage"),
    isOnDisk || charts.length ? null : h("p.muted", "This server keeps no files: there is nothing to compact."),
    h("div.cards", figures, charts, charts.length ? syncFact(looks) : null),
  );
}

/** How long a write waits until it is on the disk. */
function syncFact(looks) {
  const of = ({ metrics }) => histograms(metrics, SYNC, "").get("") ?? new Map();
  const recent = since(of(looks.at(-1)), looks.length > 1 ? of(looks[0]) : null);
  const millis = (share) => {
    const value = percentile(recent, share);
    return value === null ? "–" : `${number(value * 1000, 2)} ms`;
  };
  return fact(
    "Sync of the journal",
    h("div.figure", millis(0.5)),
    h("div.small.muted", `median; ${millis(0.99)} at 99 %`),
  );
}
