// What a design costs, with sliders for how much is asked and how large items are.
import { ask } from "./client.js";
import { dataTable, debounce, field, h, money, notify, number, replace, rounds } from "./dom.js";

/** Milliseconds without a move of a slider after which the cost is asked for. */
const PAUSE = 40;

/** The sliders go in powers of two, from a sixteenth to a thousandfold. */
const STEPS = { min: "-4", max: "10", step: "0.5" };

/**
 * The content of the tab. `factors` has the places of the sliders as texts, empty in the middle,
 * and `noted` is told where they are moved to.
 */
export function costTab(known, factors, noted) {
  const body = h("div.stack");
  const sliders = { rate: slider("Rates", factors.rates), size: slider("Item sizes", factors.sizes) };
  const begin = rounds();
  const again = debounce(async () => {
    const isWanted = begin();
    try {
      const answer = await ask("cost", { model: known.text, rate: sliders.rate.factor(), size: sliders.size.factor() });
      if (isWanted()) draw(body, answer.estimate);
    } catch (error) {
      notify(error.message, true);
    }
  }, PAUSE);
  for (const { input, show } of Object.values(sliders)) {
    input.addEventListener("input", () => {
      show();
      again();
      const place = ({ input: one }) => (one.value === "0" ? "" : one.value);
      noted({ rates: place(sliders.rate), sizes: place(sliders.size) });
    });
  }
  const isMoved = Object.values(sliders).some(({ factor }) => factor() !== 1);
  if (isMoved) again();
  else draw(body, known.cost);
  return [
    h(
      "div.row",
      Object.values(sliders).map((one) => one.element),
    ),
    body,
  ];
}

function slider(title, place) {
  const input = h("input", { type: "range", ...STEPS });
  input.value = place || "0";
  const text = h("span");
  const factor = () => 2 ** Number(input.value);
  const show = () => replace(text, `${title} × ${number(factor(), 2)}`);
  show();
  return { element: field(text, input, { class: "wide" }), input, factor, show };
}

function draw(body, estimate) {
  const patterns = [...estimate.patterns].sort((one, other) => (other.month ?? 0) - (one.month ?? 0));
  const most = Math.max(...patterns.map(({ month }) => month ?? 0), 0.01);
  replace(
    body,
    h(
      "div",
      h("span.figure", { "data-total": "" }, money(estimate.total, estimate.currency)),
      h("span.muted", " a month"),
    ),
    h(
      "p.muted.small",
      `Prices of ${estimate.region} of ${estimate.prices_date}; a month has ${number(estimate.month_hours)} hours.`,
    ),
    h("h2", "By access pattern"),
    h(
      "div.bars",
      patterns.map((pattern) => [
        h("span", pattern.name),
        meter((pattern.month ?? 0) / most),
        h("span.right", pattern.month === null ? "–" : money(pattern.month, estimate.currency)),
      ]),
    ),
    h("h2", "By entity"),
    dataTable(
      ["Entity", ...["Items", "Bytes", "Storage", "Reads", "Writes"].map((title) => ({ number: title }))],
      estimate.entities.map((entity) =>
        h(
          "tr",
          h("td", entity.name),
          [
            number(entity.count),
            number(entity.item_bytes),
            ...["storage", "reads", "writes"].map((kind) => money(entity[kind] ?? 0, estimate.currency)),
          ].map((text) => h("td.number", text)),
        ),
      ),
    ),
    h("h2", "Ways to pay"),
    estimate.tables.map((table) => bills(table, estimate.currency)),
  );
}

function bills(table, currency) {
  const most = Math.max(...table.bills.map(({ total }) => total), 0.01);
  const name = ({ payment, class: kind }) => `${payment}, ${kind}`;
  return h(
    "div.card",
    h("h3", table.name),
    h(
      "div.bars",
      table.bills.map((bill) => [
        h(
          "span",
          name(bill),
          bill.payment === table.payment && bill.class === table.class ? h("span.muted", " (as designed)") : null,
        ),
        meter(bill.total / most),
        h("span.right", money(bill.total, currency)),
      ]),
    ),
  );
}

function meter(share) {
  return h("span.meter", { "aria-hidden": "true" }, h("i", { style: { width: `${Math.max(0.5, share * 100)}%` } }));
}
