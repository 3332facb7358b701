// Small charts without axes, and the cards that they stand in.
import { h, number, s } from "./dom.js";

/** A card with a title. */
export function fact(title, ...content) {
  return h("div.card", h("h3.muted", title), content);
}

/** A card with the last value, the largest one, and a line of all. */
export function sparkCard(title, values, show = (value) => number(value, 1)) {
  return fact(
    title,
    h(
      "div",
      h("span.figure", show(values.at(-1) ?? 0)),
      " ",
      h("span.muted.small.nowrap", `at most ${show(Math.max(0, ...values))}`),
    ),
    spark(values, title),
  );
}

/** A line of values, the newest at the right. */
export function spark(values, title) {
  const most = Math.max(...values, 0) || 1;
  const points = values.map(
    (value, place) =>
      `${((place / Math.max(1, values.length - 1)) * 100).toFixed(2)},${(40 - (value / most) * 36).toFixed(2)}`,
  );
  const isFlat = values.every((value) => value === 0);
  const line = points.length > 1 && !isFlat ? `M${points.join("L")}` : "";
  return s(
    "svg.spark",
    { viewBox: "0 0 100 42", preserveAspectRatio: "none", role: "img", "aria-label": `${title} over the last minutes` },
    s("path.area", { d: line ? `${line}L100,42L0,42Z` : "" }),
    s("path", { d: line }),
  );
}
