// The search: tables, views, access patterns and entities by their names.
import { address } from "./address.js";
import { callAll } from "./client.js";
import { open } from "./dialog.js";
import { h, replace } from "./dom.js";
import { consistentDesigns, modelParameter } from "./model.js";

const SHOWN_MAX = 50;

/** Opens the search. */
export async function search() {
  const input = h("input", {
    type: "search",
    placeholder: "Table, view, access pattern …",
    "aria-label": "Search",
    role: "combobox",
    "aria-controls": "results",
    "aria-expanded": "true",
  });
  const list = h("ul.results", { id: "results", role: "listbox", "aria-label": "Results" });
  const dialog = open("Search", [input, list], [], { class: "narrow" });
  let places = VIEWS;
  let shown = [];
  let at = 0;

  function draw() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ name, kind }) => words.every((word) => `${name} ${kind}`.toLowerCase().includes(word));
    shown = places.filter(fits).slice(0, SHOWN_MAX);
    at = Math.min(at, Math.max(0, shown.length - 1));
    replace(
      list,
      shown.map((place, index) =>
        h(
          "li",
          {
            role: "option",
            id: `result-${index}`,
            "aria-selected": String(index === at),
            onclick: () => choose(place),
          },
          h("span", place.name),
          h("span.muted.small", place.kind),
        ),
      ),
    );
    input.setAttribute("aria-activedescendant", `result-${at}`);
    list.children[at]?.scrollIntoView({ block: "nearest" });
  }

  function choose(place) {
    dialog.close();
    location.hash = place.to;
  }

  input.addEventListener("input", () => {
    at = 0;
    draw();
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      at = Math.max(0, Math.min(at + step, shown.length - 1));
      draw();
    } else if (event.key === "Enter" && shown[at]) {
      event.preventDefault();
      choose(shown[at]);
    }
  });
  draw();
  input.focus();
  places = [...VIEWS, ...(await gather())];
  draw();
}

const VIEWS = [
  ["Tables", "tables"],
  ["Items", "items"],
  ["Design", "design"],
  ["Patterns", "patterns"],
  ["Live", "live"],
  ["Operations", "operations"],
].map(([name, path]) => ({ name, kind: "view", to: address([path]) }));

async function gather() {
  const [names, models] = await Promise.all([tableNames().catch(() => []), consistentDesigns().catch(() => [])]);
  return [
    ...names.map((name) => ({ name, kind: "items of table", to: address(["items", name]) })),
    ...names.map((name) => ({ name, kind: "settings of table", to: address(["tables", name]) })),
    ...models.flatMap((one) => ofModel(one, models.length > 1)),
  ];
}

/** The access patterns and entities of a model, which is named if there are several. */
function ofModel({ key, design }, isNamed) {
  const model = modelParameter(key);
  const of = isNamed ? ` of ${design.name}` : "";
  const entities = address(["design"], { model, tab: "entities" });
  return [
    ...design.patterns.map(({ name }) => ({
      name,
      kind: `access pattern${of}`,
      to: address(["patterns", name], { model }),
    })),
    ...design.legend.map((name) => ({ name, kind: `entity${of}`, to: entities })),
  ];
}

/** The names of all tables. */
export function tableNames() {
  return callAll("ListTables", {}, "TableNames", "LastEvaluatedTableName", "ExclusiveStartTableName");
}
