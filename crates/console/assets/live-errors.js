// Calls that are refused, by operation and table.
import { dataTable, h, number, replace, replaceAround } from "./dom.js";
import { follow, rates } from "./observations.js";
import { spark, sparkCard } from "./spark.js";

/** Errors that ask for another attempt later. */
const THROTTLES = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
  "ServiceUnavailableException",
]);

/** Shows the errors and throttles of the whole server. */
export function showErrors({ bar, body }) {
  replace(bar, h("span.muted", "all tables, every two seconds"));
  const draw = (looks) => replaceAround(body, view(looks));
  return follow(draw, (error) => replace(body, h("div.error", { role: "alert" }, error.message)));
}

function view(looks) {
  const rows = [...looks.at(-1).errors].map(([id, count]) => {
    const [operation, table, error] = id.split(" ");
    return { operation, table, error, count, rates: rates(looks, ({ errors }) => errors.get(id)) };
  });
  const recent = (row) => row.rates.reduce((sum, rate) => sum + rate, 0);
  rows.sort((one, other) => recent(other) - recent(one) || other.count - one.count);
  const throttles = rows.filter(isThrottle);
  const errors = rows.filter((row) => !isThrottle(row));
  return h(
    "div.stack",
    h("div.cards", sparkCard("Throttles a second", sums(throttles)), sparkCard("Other errors a second", sums(errors))),
    section("Throttles", throttles, "No call was throttled."),
    section("Errors", errors, "No call was refused."),
  );
}

function isThrottle({ error }) {
  return THROTTLES.has(error);
}

function sums(rows) {
  const length = Math.max(0, ...rows.map((row) => row.rates.length));
  return Array.from({ length }, (_, place) => rows.reduce((sum, row) => sum + row.rates[place], 0));
}

function section(title, rows, nothing) {
  const row = (one) =>
    h(
      "tr",
      h("td", one.operation || "unknown"),
      h("td", one.table || "–"),
      h("td", one.error),
      h("td.spark-cell", spark(one.rates, `${one.error} of ${one.operation}`)),
      h("td.number", number(one.rates.at(-1) ?? 0, 1)),
      h("td.number", number(one.count)),
    );
  return h(
    "section.card",
    { "aria-label": title },
    h("h2", title),
    rows.length
      ? dataTable(
          ["Operation", "Table", "Error", { hidden: "Rate" }, { number: "A second" }, { number: "Since the start" }],
          rows.map(row),
        )
      : h("p.muted", nothing),
  );
}
