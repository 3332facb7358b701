// What there is to see of a design: diagram, entities, patterns, sample items, findings.
import { address } from "./address.js";
import { dataTable, h, number } from "./dom.js";
import { entityChip } from "./key-text.js";
import { entityClass, modelParameter } from "./model.js";
import { picture } from "./picture.js";

/** The tabs by name: each makes its content of a design; `select` shows a place of the text. */
export const chartTabs = { diagram, entities, patterns, items, lint };

function diagram(known) {
  return [
    known.description ? h("p.muted", known.description) : null,
    picture(known.diagram, `Entities of ${known.name} and what relates them`),
  ];
}

function entities(known) {
  const charts = known.chart.entity_charts.map((chart) => {
    const keys = [...chart.partition_key, ...chart.sort_key];
    const hasConditions = chart.rows.some(({ condition }) => condition);
    return h(
      "section.card",
      { "aria-label": chart.index ?? chart.table },
      h(
        "h2",
        chart.index ?? chart.table,
        " ",
        h("span.small.muted", [chart.kind, chart.projection].filter(Boolean).join(", ")),
      ),
      dataTable(
        ["Entity", ...keys, ...(hasConditions ? ["Condition"] : [])],
        chart.rows.map((row) =>
          h(
            "tr",
            h("td", chip(known, row.entity)),
            keys.map((_, place) => h("td.mono.wrap", row.templates[place] ?? "")),
            hasConditions ? h("td.mono.wrap", row.condition ?? "") : null,
          ),
        ),
      ),
    );
  });
  return h("div.stack", charts);
}

function patterns(known) {
  return dataTable(
    ["Pattern", "Requests", { number: "Read units" }, { number: "Write units" }, { number: "Rate" }],
    known.chart.patterns.map((pattern) => patternRow(known, pattern)),
  );
}

function patternRow(known, pattern) {
  return h(
    "tr",
    h(
      "td",
      h("a", { href: address(["patterns", pattern.pattern], { model: modelParameter() }) }, pattern.pattern),
      pattern.served ? null : [" ", h("span.tag.bad", "not served")],
      h(
        "div.legend",
        pattern.entities.map((entity) => chip(known, entity)),
      ),
    ),
    h(
      "td.wrap",
      pattern.requests.map(requestLines),
      pattern.unserved.map((reason) => h("div.severity-error", String(reason))),
    ),
    h("td.number", number(pattern.read_units)),
    h("td.number", number(pattern.write_units)),
    h("td.number", pattern.rate === null ? "–" : `${number(pattern.rate)} /s`),
  );
}

function requestLines(request) {
  const lines = [
    request.key_condition,
    request.change,
    request.condition && `if ${request.condition}`,
    request.filter && `filter ${request.filter}`,
  ];
  return h(
    "div",
    h("div", `${request.member ? "· " : ""}${request.operation} ${request.target ?? ""}`),
    lines.filter(Boolean).map((line) => h("div.mono.muted", line)),
  );
}

function items(known) {
  if (Number(known.samples) === 0)
    return h("div.empty", "The model has no samples. Generated items are made under “Tables and data”.");
  return picture(known.collections, `Sample items of ${known.name} in the table and each index`);
}

function lint(known, select) {
  const { findings, accepted, summary } = known.lint;
  const row = (finding) =>
    h(
      "div.card.stack",
      h(
        "div",
        h("b", { class: `severity-${finding.severity}` }, finding.severity),
        " ",
        h("code", finding.code),
        " ",
        h(
          "button.link",
          { type: "button", onclick: () => select(finding) },
          finding.start ? `line ${finding.start.line}` : "",
        ),
      ),
      h("div", finding.message),
      finding.notes.map((note) => h("div.muted.small", typeof note === "string" ? note : (note.message ?? ""))),
      finding.suggestion ? h("div.note", finding.suggestion) : null,
      finding.reason ? h("div.muted.small", `Accepted: ${finding.reason}`) : null,
    );
  return h(
    "div.stack",
    h(
      "p",
      `${number(summary.errors)} errors, ${number(summary.warnings)} warnings, ${number(summary.infos)} hints, ${number(summary.accepted)} accepted`,
    ),
    findings.length ? findings.map(row) : h("p.muted", "The linter finds nothing."),
    accepted.length ? h("details", h("summary", "Accepted findings"), h("div.stack", accepted.map(row))) : null,
  );
}

function chip(known, entity) {
  return entityChip(entity, entityClass(known, entity));
}
