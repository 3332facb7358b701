// The store of the server: what it takes, what it has yet to compact, and how fast its journal is.
import { bytes, counted, h, number, replace } from "./dom.js";
import { histograms, percentile, since, total } from "./metrics.js";
import { fact, sparkCard } from "./spark.js";

/** Figures that are shown where the store has them: the title, and what stands below it. */
const FIGURES = [
  ["monotable_storage_disk_bytes", "On disk", bytes, (of) => `${bytes(of("monotable_storage_disk_free_bytes"))} free`],
  [
    "monotable_storage_table_files",
    "Data files",
    number,
    (of) => `and ${bytes(of("monotable_storage_memtable_bytes"))} in memory`,
  ],
  [
    "monotable_merge_debt_bytes",
    "Waiting for compaction",
    bytes,
    (of) => `${counted(of("monotable_merges_running"), "compaction")} running`,
  ],
  ["monotable_ttl_due_items", "Expired items", number, () => "to be removed"],
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
  const of = (name) => total(metrics, name);
  const figures = FIGURES.filter(([name]) => metrics.has(name)).map(([name, title, show, besides]) =>
    fact(title, h("div.figure", show(of(name))), h("div.small.muted", besides(of))),
  );
  const charts = WRITTEN.filter(([name]) => metrics.has(name)).map(([name, title]) =>
    sparkCard(title, rate(name), bytes),
  );
  const isOnDisk = metrics.has("monotable_storage_disk_bytes");
  replace(
    room,
    h("h2", "Storage"),
    isOnDisk || charts.length ? null : h("p.muted", "This server keeps no files: there is nothing to compact."),
    h("div.stack", h("div.cards", figures, charts.length ? syncFact(looks) : null), h("div.cards", charts)),
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
