// How a table is paid for: on demand, or by units of its own and of each of its indexes.
import { isReadOnly } from "./client.js";
import { field, h, replace, select } from "./dom.js";
import { unitInputs } from "./index-form.js";
import { isReady } from "./table-parts.js";

const PROVISIONED = "PROVISIONED";

/** What of a table is about how it is paid for. */
export function billed(table) {
  return [modeOf(table), partsOf(table).map((part) => [part.IndexName, part.ProvisionedThroughput])];
}

/** What has units of its own: the table, and each of its global indexes. */
function partsOf(table) {
  return [table, ...(table.GlobalSecondaryIndexes ?? [])];
}

/** The card; `change` is called with what UpdateTable is to be asked for. */
export function billingCard(table, change) {
  const now = modeOf(table);
  const parts = partsOf(table).map(unitsOf);
  const mode = select(
    [
      ["PAY_PER_REQUEST", "On demand"],
      [PROVISIONED, "Provisioned"],
    ],
    now,
    { disabled: isReadOnly },
  );
  const units = h("div.stack");
  replace(
    units,
    parts.map(({ index, element }) => {
      const title = index ? `Index ${index}` : "Table";
      return h("div", { role: "group", "aria-label": title }, h("h3", title), element);
    }),
  );
  const asked = () => billingRequest(table, mode.value, parts);
  const button = h("button", { type: "button", onclick: () => [(button.disabled = true), change(asked())] }, "Change");
  const draw = () => {
    units.hidden = mode.value !== PROVISIONED;
    button.disabled = !isReady(table) || asked() === null;
  };
  draw();
  return h(
    "section.card.stack",
    { "aria-label": "Billing", oninput: draw, onchange: draw },
    h("h2", "Billing"),
    field("Mode", mode),
    units,
    isReadOnly ? null : h("p", button),
  );
}

function modeOf(table) {
  return table.BillingModeSummary?.BillingMode ?? PROVISIONED;
}

/** The inputs for the units of a table or an index, which begin with those that it has. */
function unitsOf({ IndexName: index, ProvisionedThroughput: has = {} }) {
  const { ReadCapacityUnits: read, WriteCapacityUnits: write } = has;
  const inputs = unitInputs({ read: read || undefined, write: write || undefined }, { disabled: isReadOnly });
  const isOther = () => {
    const wanted = inputs.read();
    return wanted.ReadCapacityUnits !== read || wanted.WriteCapacityUnits !== write;
  };
  return { index, isOther, ...inputs };
}

/**
 * What there is to change, or null if nothing: only what differs, because the units of one part say
 * nothing about another, and the service refuses those that a part has already.
 */
function billingRequest(table, mode, parts) {
  const isSwitched = mode !== modeOf(table);
  if (mode !== PROVISIONED) return isSwitched ? { BillingMode: mode } : null;
  const [own, ...indexes] = parts;
  const isWanted = (part) => isSwitched || part.isOther();
  const request = {};
  if (isSwitched) request.BillingMode = mode;
  if (isWanted(own)) request.ProvisionedThroughput = own.read();
  const updates = indexes.filter(isWanted).map(({ index: IndexName, read }) => ({
    Update: { IndexName, ProvisionedThroughput: read() },
  }));
  if (updates.length) request.GlobalSecondaryIndexUpdates = updates;
  return Object.keys(request).length ? request : null;
}
