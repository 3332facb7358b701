// The form of a query: keys, filters, projection, order, and the code of the request that it means.
import { codeOf, LANGUAGES } from "./code.js";
import { check, copy, field, h, number, replace, select, tabs } from "./dom.js";
import {
  estimate,
  FILTER_COMPARISONS,
  isFilter,
  isKeyFilter,
  isTrue,
  queryText,
  requestOf,
  SORT_COMPARISONS,
  WRITTEN,
} from "./query.js";
import { keysOf } from "./table-parts.js";

const FILTER_TYPES = ["S", "N", "BOOL", "B", "NULL"];
const PAGES = [25, 50, 100, 300, 1000];

/** The form; `run` is called with the query when it is to be sent. */
export function queryForm(table, query, run) {
  const form = h("form.builder", { "aria-label": "Query", onsubmit: submit, oninput: noted, onchange: noted });
  const code = h("div", { hidden: true });
  const cost = h("span.muted.small", { "data-cost": "" });
  const keys = keysOf(table, query.index || null);
  const partition = keys.filter((key) => key.isPartition).map((key, place) => keyInput(key, query.partition[place]));
  const sortKeys = keys.filter((key) => !key.isPartition);
  const sort = sortKeys.map((key, place) => keyInput(key, query.sort[place]));
  const comparison = select(
    SORT_COMPARISONS.map(([word, text]) => [word, text]),
    query.comparison,
    { "aria-label": "Comparison of the sort key" },
  );
  const to = h("input.mono", { value: query.to, placeholder: "to", "aria-label": "Upper end of the sort key" });
  const filters = h("div.stack");
  const project = h("input.mono", { value: query.project, placeholder: "all attributes" });
  const order = select(
    [
      ["", "ascending"],
      ["desc", "descending"],
    ],
    query.isDescending ? "desc" : "",
  );
  const limit = select(
    [...new Set([...PAGES, query.limit])].sort((a, b) => a - b).map((count) => [String(count), String(count)]),
    String(query.limit),
  );
  const match = select(
    [
      ["", "all filters"],
      ["any", "any filter"],
    ],
    query.isAny ? "any" : "",
    { "aria-label": "How many filters must pass" },
  );
  const consistent = check("Consistent", query.isConsistent);
  query.filters.forEach((filter) => filters.append(filterRow(filter, noted)));

  function read() {
    return {
      ...query,
      partition: partition.map((input) => input.value),
      comparison: comparison.value,
      sort: sort.map((input) => input.value),
      to: comparison.value === "between" ? to.value : "",
      filters: [...filters.children].map((row) => row.read()).filter(isFilter),
      isAny: match.value === "any",
      project: project.value,
      isDescending: order.value === "desc",
      limit: Number(limit.value),
      isConsistent: consistent.querySelector("input").checked,
      start: "",
      before: "",
    };
  }

  function submit(event) {
    event.preventDefault();
    run(read());
  }

  function noted() {
    to.hidden = comparison.value !== "between";
    match.hidden = filters.children.length < 2;
    const now = read();
    const guess = estimate(table, now);
    const { operation } = requestOf(table, now);
    const all = operation === "Scan" && guess ? `, ${number(guess.all, 1)} for all pages` : "";
    const name = isKeyFilter(table, now)
      ? `${operation} of everything, without a partition key: the rest of the key is a filter`
      : operation;
    replace(cost, guess ? `${name}; about ${units(guess.page)} for a full page${all}` : name);
    if (!code.hidden) drawCode();
  }

  function units(count) {
    return `${number(count, 1)} read unit${count === 1 ? "" : "s"}`;
  }

  let language = "cli";
  function drawCode() {
    const { operation, request } = requestOf(table, read());
    replace(
      code,
      codeBox(operation, request, language, (chosen) => (language = chosen)),
    );
  }

  const keyFields = [
    ...partition.map((input) => field(`${input.dataset.key} =`, input, { class: "wide" })),
    ...sort.flatMap((input, place) => {
      const isLast = place === sort.length - 1;
      return isLast
        ? [field(input.dataset.key, comparison), field("Sort key", input, { class: "wide" }), to]
        : [field(`${input.dataset.key} =`, input, { class: "wide" })];
    }),
  ];
  replace(
    form,
    foldButton(form, queryText(table, query)),
    h(
      "div.row",
      keyFields,
      field("Order", order),
      field("Page", limit),
      h("button.primary", { type: "submit" }, "Run"),
    ),
    filters,
    h(
      "div.row",
      h("button", { type: "button", onclick: () => addFilter() }, "Add filter"),
      match,
      field("Projection, by commas", project, { class: "wide" }),
      consistent,
      h("button.quiet", { type: "button", "aria-expanded": "false", onclick: toggleCode }, "Code"),
      cost,
    ),
    code,
  );

  function addFilter() {
    filters.append(filterRow(["", "=", "S", "", "", false], noted));
    filters.lastElementChild.querySelector("input:not([type=checkbox])").focus();
    noted();
  }

  function toggleCode(event) {
    code.hidden = !code.hidden;
    event.target.setAttribute("aria-expanded", String(!code.hidden));
    if (!code.hidden) drawCode();
  }

  noted();
  return { element: form, first: partition[0], read };
}

/** Where there is little room the form is folded: then a button shows the query, and unfolds it. */
function foldButton(form, text) {
  const button = h("button.fold", { type: "button", "aria-expanded": "false", onclick: toggle }, h("span", text));
  button.append(h("span", { "aria-hidden": "true" }, "▾"));
  form.classList.add("folded");
  function toggle() {
    button.setAttribute("aria-expanded", String(!form.classList.toggle("folded")));
  }
  return button;
}

/** A request as code, with a choice of languages. */
export function codeBox(operation, request, language, onLanguage = () => {}) {
  const pre = h("pre");
  const show = (chosen) => {
    onLanguage(chosen);
    pre.textContent = codeOf(chosen, operation, request);
  };
  show(language);
  return [
    tabs("Language", LANGUAGES, language, show),
    h(
      "div.code",
      { tabindex: "0", role: "region", "aria-label": "Code" },
      pre,
      h("button.quiet", { type: "button", onclick: () => copy(pre) }, "Copy"),
    ),
  ];
}

function keyInput(key, value) {
  return h("input.mono", {
    value: value ?? "",
    "data-key": key.name,
    "aria-label": key.name,
    placeholder: key.isPartition ? "empty: scan" : "any",
    inputmode: key.type === "N" ? "decimal" : null,
    spellcheck: "false",
    autocomplete: "off",
  });
}

function filterRow([name, word, type, value, to, isNot], noted) {
  const not = check("not", isNot, { "aria-label": "Turn the filter round" });
  const inputs = {
    name: h("input.mono", { value: name, placeholder: "attribute", "aria-label": "Attribute of the filter" }),
    word: select(
      FILTER_COMPARISONS.map(([key, text]) => [key, text]),
      word,
      { "aria-label": "Comparison of the filter" },
    ),
    type: select(FILTER_TYPES, type, { "aria-label": "Type of the value" }),
    value: h("input.mono", { value: value ?? "", "aria-label": "Value of the filter" }),
    truth: select(["true", "false"], String(type !== "BOOL" || isTrue(value)), { "aria-label": "True or false" }),
    to: h("input.mono", { value: to ?? "", placeholder: "to", "aria-label": "Upper end of the filter" }),
  };
  /** A single value is chosen; lists of several are written. */
  const isTruth = () => inputs.type.value === "BOOL" && !inputs.type.hidden && inputs.word.value !== "in";
  const draw = () => {
    const count = FILTER_COMPARISONS.find(([key]) => key === inputs.word.value)[2];
    const isWritten = inputs.word.value === WRITTEN;
    const hasType = count > 0 && !isWritten && !inputs.word.value.startsWith("size");
    inputs.name.hidden = isWritten;
    inputs.type.hidden = !hasType;
    inputs.value.hidden = count < 1 || isTruth();
    inputs.truth.hidden = !isTruth();
    inputs.value.placeholder = isWritten ? "Status = 'PLACED' OR size(Notes) > 5" : "";
    inputs.to.hidden = count < 2;
    row.classList.toggle("written", isWritten);
  };
  const row = h(
    "div.filter-row",
    not,
    Object.values(inputs),
    h(
      "button.quiet",
      {
        type: "button",
        "aria-label": "Remove filter",
        onclick: () => {
          row.remove();
          noted();
        },
      },
      "✕",
    ),
  );
  row.read = () => [
    inputs.name.value.trim(),
    inputs.word.value,
    inputs.type.value,
    isTruth() ? inputs.truth.value : inputs.value.value,
    inputs.to.value,
    not.querySelector("input").checked,
  ];
  inputs.word.addEventListener("change", draw);
  inputs.type.addEventListener("change", draw);
  draw();
  return row;
}
