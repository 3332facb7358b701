// Operations: how the server is, what it does, and for tests its clock, its faults and its
// snapshots.
import { administer, isReadOnly } from "./client.js";
import { bytes, dataTable, field, h, notify, number, replace, replaceAround } from "./dom.js";
import { histograms, percentile, readMetrics, since, total } from "./metrics.js";
import { drawRewinds } from "./rewinds.js";
import { fact, sparkCard } from "./spark.js";
import { drawStorage } from "./storage-state.js";

/** Milliseconds between two looks, and how many of them a small chart shows. */
const PAUSE = 2000;
const LOOKS_MAX = 90;

/** Shows the server. */
export async function showOperations(room) {
  const looks = [];
  const parts = {
    state: h("div.cards"),
    charts: h("div.cards"),
    latency: h("div"),
    storage: h("section", { "aria-label": "Storage" }),
    clock: h("section.card", { "aria-label": "Clock" }),
    faults: h("section.card.stack", { "aria-label": "Faults" }),
    rewinds: h("section.card.stack", { "aria-label": "Snapshots and reset" }),
  };
  replace(
    room,
    h("div.bar", h("h1", "Operations"), h("span.muted", "every two seconds")),
    h(
      "div.pad.stack",
      parts.state,
      parts.charts,
      h("section.card", { "aria-label": "Latency" }, h("h2", "Latency of the last minutes"), parts.latency),
      parts.storage,
      h("div.cards.wide", parts.clock, parts.faults),
      parts.rewinds,
    ),
  );
  async function look() {
    const [ready, health, text] = await Promise.all(
      ["ready", "health", "metrics"].map((path) => administer("GET", path)),
    );
    const metrics = readMetrics(text);
    // A server that began anew counts from nothing again.
    if (looks.length && uptime(metrics) < uptime(looks.at(-1).metrics)) looks.length = 0;
    looks.push({ at: performance.now(), metrics });
    if (looks.length > LOOKS_MAX) looks.shift();
    drawState(parts.state, ready, health, looks.at(-1).metrics);
    drawCharts(parts.charts, looks);
    drawLatency(parts.latency, looks);
    drawStorage(parts.storage, looks, (name) => rate(looks, name));
  }
  await look();
  await Promise.all([drawClock(parts.clock), drawFaults(parts.faults), drawRewinds(parts.rewinds)]);
  const timer = setInterval(() => look().catch((error) => replace(parts.state, h("div.error", error.message))), PAUSE);
  return () => clearInterval(timer);
}

function uptime(metrics) {
  return total(metrics, "monotable_uptime_seconds");
}

function drawState(room, ready, health, metrics) {
  const isReady = ready.status === "ready";
  const version = metrics.get("monotable_build_info")?.[0]?.labels.version ?? "";
  const seconds = uptime(metrics);
  const errors = (metrics.get("monotable_requests_total") ?? [])
    .filter(({ labels }) => labels.error)
    .reduce((sum, { value }) => sum + value, 0);
  replace(
    room,
    fact(
      "State",
      h("div.figure", h("span.tag", { class: isReady ? "good" : "bad" }, ready.status)),
      h("div.small.muted", ready.reason ?? health.status ?? ""),
    ),
    fact("Up", h("div.figure", duration(seconds)), h("div.small.muted", version)),
    fact(
      "Connections",
      h("div.figure", number(total(metrics, "monotable_connections_open"))),
      h("div.small.muted", `${number(total(metrics, "monotable_connections_refused_total"))} refused`),
    ),
    fact("Refused calls", h("div.figure", number(errors)), h("div.small.muted", "with an error, since the start")),
  );
}

function duration(seconds) {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86400),
    Math.floor((seconds / 3600) % 24),
    Math.floor((seconds / 60) % 60),
  ];
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours} h ${minutes} min` : minutes ? `${minutes} min` : `${Math.floor(seconds)} s`;
}

/** How much a counter grew by the second from each look to the next. */
function rate(looks, name) {
  const grown = ({ metrics }, before) => total(metrics, name) - total(before.metrics, name);
  const seconds = ({ at }, before) => (at - before.at) / 1000;
  return looks.slice(1).map((look, place) => grown(look, looks[place]) / seconds(look, looks[place]));
}

function drawCharts(room, looks) {
  replace(
    room,
    sparkCard("Calls a second", rate(looks, "monotable_requests_total")),
    sparkCard("Read units a second", rate(looks, "monotable_consumed_read_units_total")),
    sparkCard("Write units a second", rate(looks, "monotable_consumed_write_units_total")),
    sparkCard(
      "Memory",
      looks.map(({ metrics }) => total(metrics, "process_resident_memory_bytes")),
      bytes,
    ),
  );
}

function drawLatency(room, looks) {
  const name = "monotable_request_duration_seconds";
  const now = histograms(looks.at(-1).metrics, name, "operation");
  const then = looks.length > 1 ? histograms(looks[0].metrics, name, "operation") : new Map();
  const millis = (histogram, share) => {
    const value = percentile(histogram, share);
    return value === null ? "–" : `${number(value * 1000, 2)} ms`;
  };
  const rows = [...now]
    .map(([operation, histogram]) => [operation, since(histogram, then.get(operation))])
    .map(([operation, histogram]) => [operation, histogram, Math.max(...histogram.values())])
    .filter(([, , count]) => count > 0)
    .sort(([, , one], [, , other]) => other - one);
  replaceAround(
    room,
    rows.length
      ? dataTable(
          ["Operation", ...["Calls", "Median", "99 %", "99.9 %"].map((title) => ({ number: title }))],
          rows.map(([operation, histogram, count]) =>
            h(
              "tr",
              h("td", operation || "unknown"),
              [number(count), ...[0.5, 0.99, 0.999].map((share) => millis(histogram, share))].map((text) =>
                h("td.number", text),
              ),
            ),
          ),
        )
      : h("p.muted", "No calls."),
  );
}

async function drawClock(room) {
  const clock = await administer("GET", "clock");
  const isManual = clock.mode === "manual";
  const steps = [
    ["1m", "1 minute"],
    ["1h", "1 hour"],
    ["1d", "1 day"],
    ["7d", "7 days"],
  ];
  const set = h("input", { value: clock.time, "aria-label": "Time" });
  const move = async (method, path, body) => {
    try {
      await administer(method, path, body);
      await drawClock(room);
    } catch (error) {
      notify(error.message, true);
    }
  };
  replace(
    room,
    h("h2", "Clock"),
    h("p.mono", { "data-clock": "" }, clock.time),
    isManual && !isReadOnly
      ? [
          h(
            "div.row",
            steps.map(([duration, text]) =>
              h("button", { type: "button", onclick: () => move("POST", "clock/advance", { duration }) }, `+ ${text}`),
            ),
          ),
          h(
            "div.row",
            field("Set to", set),
            h("button", { type: "button", onclick: () => move("PUT", "clock", { time: set.value }) }, "Set"),
          ),
        ]
      : h(
          "p.muted.small",
          isManual
            ? "The clock is a manual one."
            : "The time of the machine. A server with --clock manual can be moved from here.",
        ),
  );
}

async function drawFaults(room) {
  const plan = await administer("GET", "faults");
  const area = h("textarea", {
    rows: "4",
    spellcheck: "false",
    "aria-label": "Faults, one a line",
    placeholder: "throttle rate=0.1 operation=PutItem\nerror first=2",
  });
  area.value = plan.faults.map(({ fault }) => fault).join("\n");
  const seed = h("input", { type: "number", min: "0", value: String(plan.seed) });
  const send = async (method, body) => {
    try {
      await administer(method, "faults", body);
      await drawFaults(room);
      notify(method === "PUT" ? "Calls fail by these faults" : "No call fails on purpose");
    } catch (error) {
      notify(error.message, true);
    }
  };
  const apply = () =>
    send("PUT", {
      seed: Number(seed.value),
      faults: area.value
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    });
  replace(
    room,
    h("h2", "Faults"),
    plan.faults.length
      ? dataTable(
          ["Fault", { number: "Matched" }, { number: "Failed" }],
          plan.faults.map(({ fault, matched, hit }) =>
            h("tr", h("td.mono", fault), h("td.number", number(matched)), h("td.number", number(hit))),
          ),
        )
      : h("p.muted.small", "No call fails on purpose."),
    isReadOnly
      ? null
      : [
          area,
          h(
            "div.row",
            field("Seed", seed),
            h("button", { type: "button", onclick: apply }, "Apply"),
            h("button", { type: "button", onclick: () => send("DELETE") }, "Clear"),
          ),
        ],
  );
}
