// The metrics page of the server, as numbers.

/** Reads Prometheus text: for each name its samples with their labels. */
export function readMetrics(text) {
  const all = new Map();
  for (const line of text.split("\n")) {
    const found = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line);
    if (!found) continue;
    const [, name, labels, value] = found;
    if (!all.has(name)) all.set(name, []);
    all.get(name).push({ labels: readLabels(labels ?? ""), value: Number(value) });
  }
  return all;
}

function readLabels(text) {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries([...pairs].map(([, name, value]) => [name, value.replace(/\\(.)/g, "$1")]));
}

/** The sum of all samples of a name. */
export function total(metrics, name) {
  return (metrics.get(name) ?? []).reduce((sum, { value }) => sum + value, 0);
}

/** Histograms by a label: counts up to each bound, over all other labels. */
export function histograms(metrics, name, label) {
  const found = new Map();
  for (const { labels, value } of metrics.get(`${name}_bucket`) ?? []) {
    const key = labels[label] ?? "";
    if (!found.has(key)) found.set(key, new Map());
    const bounds = found.get(key);
    const bound = labels.le === "+Inf" ? Infinity : Number(labels.le);
    bounds.set(bound, (bounds.get(bound) ?? 0) + value);
  }
  return found;
}

/**
 * The value below which so large a share of a histogram lies, read off within its bucket; null if
 * it is empty.
 */
export function percentile(histogram, share) {
  const bounds = [...histogram].sort(([one], [other]) => one - other);
  const count = bounds.at(-1)?.[1] ?? 0;
  if (!count) return null;
  let [low, below] = [0, 0];
  for (const [bound, cumulated] of bounds) {
    if (cumulated >= share * count) {
      if (bound === Infinity) return low;
      return low + (bound - low) * ((share * count - below) / (cumulated - below || 1));
    }
    [low, below] = [bound, cumulated];
  }
  return low;
}

/** A histogram without what another counted before. */
export function since(now, then) {
  if (!then) return now;
  return new Map([...now].map(([bound, count]) => [bound, count - (then.get(bound) ?? 0)]));
}
