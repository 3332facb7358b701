// Requests as they happen, by access pattern.
import { address } from "./address.js";
import { dataTable, h, number, replace, replaceAround } from "./dom.js";
import { follow, rates, rowsOf } from "./observations.js";
import { spark } from "./spark.js";

/** More than this many times its estimate is marked. */
const EXPENSIVE = 1.25;

/** Shows the requests of all models that the server watches. */
export function showRequests({ bar, body }) {
  replace(bar, h("span.muted", "all models of the server, every two seconds"));
  const draw = (looks) => replaceAround(body, view(looks));
  return follow(draw, (error) => replace(body, h("div.error", { role: "alert" }, error.message)));
}

function view(looks) {
  const { models } = looks.at(-1).insights;
  if (!models.length) {
    return h(
      "div.empty",
      h("p", "The server watches no model, so it cannot tell which access pattern a request is."),
      h("p", h("a", { href: address(["design"]) }, "Give it one in Design"), ", or start it with --model."),
    );
  }
  return h(
    "div.stack",
    models.map((model) => modelView(model, looks)),
  );
}

function modelView(model, looks) {
  const rows = rowsOf(model)
    .filter(({ requests, isOther }) => requests > 0 || !isOther)
    .map((pattern) => ({ pattern, rates: rates(looks, ({ patterns }) => patterns.get(pattern.id)) }));
  const recent = (row) => row.rates.slice(-5).reduce((sum, rate) => sum + rate, 0);
  rows.sort((one, other) => recent(other) - recent(one) || other.pattern.requests - one.pattern.requests);
  const numbers = ["A second", "Requests", "Units each", "Estimate", "Thrown away", "Median", "99 %", "Refused"];
  return h(
    "section.card",
    { "aria-label": `Requests of ${model.name}` },
    h("h2", model.name, " ", h("span.small.muted", `watched for ${number(model.seconds, 0)} s`)),
    dataTable(
      ["Pattern", { hidden: "Rate" }, ...numbers.map((title) => ({ number: title }))],
      rows.map((row) => patternRow(row)),
      { class: "live-patterns" },
    ),
  );
}

function patternRow({ pattern, rates: values }) {
  const { microseconds, estimate } = pattern;
  const cells = [
    number(values.at(-1) ?? 0, 1),
    number(pattern.requests),
    units(pattern),
    number(estimate?.unitsPerRequest, 1),
    number(pattern.itemsThrownAway),
    millis(microseconds.median),
    millis(microseconds.p99),
    refused(pattern),
  ];
  const name = pattern.isOther
    ? h("span.muted", pattern.name)
    : h("a", { href: address(["patterns", pattern.name], { model: pattern.model }) }, pattern.name);
  return h(
    "tr",
    { "data-pattern": pattern.name },
    h("td", name),
    h("td.spark-cell", spark(values, `Requests of ${pattern.name}`)),
    cells.map((content) => h("td.number", content)),
  );
}

/** Units of a request, marked where the estimate is too low. */
function units({ unitsPerRequest: found, estimate }) {
  const expected = estimate?.unitsPerRequest;
  if (found === null || !expected || found <= expected * EXPENSIVE) return number(found, 1);
  return [h("span.tag.warn", `× ${number(found / expected, 1)}`), " ", number(found, 1)];
}

function refused({ errors, throttles }) {
  if (!errors && !throttles) return "0";
  const parts = [errors ? number(errors) : null, throttles ? `${number(throttles)} throttled` : null];
  return h("span.tag.bad", parts.filter(Boolean).join(", "));
}

function millis(micros) {
  return micros === null ? "–" : `${number(micros / 1000, 2)} ms`;
}
