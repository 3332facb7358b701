// The records of a table's stream as they happen, with what is different.
import { call, isReadOnly } from "./client.js";
import { clockText, h, number, replace } from "./dom.js";
import { entityChip, keyParts, partsOf } from "./key-text.js";
import { designFor, entityClass, recognise } from "./model.js";
import { Follower } from "./stream-follower.js";
import { waitForTable } from "./table-parts.js";
import { attribute, display, isSame } from "./values.js";

/** Records that are kept in sight. */
const SHOWN_MAX = 300;
/** Characters of a value that are shown, and those of them before the first difference. */
const [CHARACTERS_MAX, CHARACTERS_BEFORE] = [100, 30];

/** Shows the stream of a table in `body`, and what can be done with it in `bar`. */
export async function showChanges({ bar, body }, name) {
  const state = h("span.tag", { role: "status" });
  const count = h("span.muted");
  const list = h("div", { role: "log", "aria-label": "Records of the stream", tabindex: "0" });
  const pause = h("button", { type: "button", "data-key": "r" }, "Pause");
  const clear = h("button", { type: "button", onclick: () => replace(list) }, "Clear");
  const known = await designFor(name);
  let total = 0;
  const follower = new Follower(name, async (records) => {
    total += records.length;
    const rows = await recordRows(known, name, records);
    list.prepend(...rows.reverse());
    while (list.children.length > SHOWN_MAX) list.lastElementChild.remove();
    replace(count, `${number(total)} records`);
  });
  const draw = (error = null) => {
    const [kind, text] = error ? ["bad", error.message] : stateOf(follower);
    state.className = `tag ${kind}`;
    replace(state, text);
    replace(pause, follower.isRunning ? "Pause" : "Go on");
  };
  pause.addEventListener("click", () => {
    if (follower.isRunning) follower.stop();
    else follower.start();
    draw();
  });
  follower.onState = draw;
  follower.onStream = (stream) => {
    replace(bar, state, stream ? [count, h("span.grow"), pause, clear] : null);
    replace(body, stream || list.children.length ? list : null, stream ? null : offer(name, () => follower.look()));
    draw();
  };
  await follower.start();
  return () => follower.stop();
}

/** What follows a stream is doing: the kind of its tag, and its text. */
function stateOf({ stream, isRunning }) {
  if (!stream) return ["", "off"];
  return isRunning ? ["good", "following"] : ["warn", "paused"];
}

function offer(TableName, again) {
  const turnOn = async () => {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" };
    await call("UpdateTable", { TableName, StreamSpecification });
    await waitForTable(TableName);
    await again();
  };
  return h(
    "div.empty",
    h("p", `${TableName} has no stream.`),
    isReadOnly
      ? null
      : h("button.primary", { type: "button", onclick: turnOn }, "Turn on a stream with old and new images"),
  );
}

async function recordRows(known, table, records) {
  const image = ({ dynamodb: change }) => change.NewImage ?? change.OldImage ?? change.Keys;
  const recognised = await recognise(table, records.map(image)).catch(() => records.map(() => null));
  return records.map((record, place) => recordRow(known, record, recognised[place]));
}

function recordRow(known, { eventName, dynamodb: change }, recognised) {
  const kinds = { INSERT: "good", MODIFY: "warn", REMOVE: "bad" };
  const time = change.ApproximateCreationDateTime * 1000;
  const keys = Object.entries(change.Keys).map(([name, value]) => h("div", keyParts(value, partsOf(recognised, name))));
  return h(
    "div.record",
    h("span.muted.mono", { title: new Date(time).toISOString() }, clockText(time)),
    h("span", h("span.tag", { class: kinds[eventName] }, eventName.toLowerCase())),
    h("span", recognised ? entityChip(recognised.entity, entityClass(known, recognised.entity)) : null, keys),
    h("span.mono", differences(change)),
  );
}

function differences({ OldImage: was = {}, NewImage: is = {}, Keys: keys }) {
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !Object.hasOwn(keys, name));
  const pair = (name) => [attribute(was, name), attribute(is, name)];
  return names
    .sort()
    .filter((name) => !isSame(...pair(name)))
    .map((name) => {
      const [before, after] = excerpts(...pair(name).map((value) => (value ? display(value) : "")));
      return h(
        "span.pair",
        h("b", name),
        attribute(was, name) ? h("span.diff-was", before) : null,
        " ",
        attribute(is, name) ? h("span.diff-is", after) : null,
      );
    });
}

/** Two texts as far as there is room, from shortly before the first place where they differ. */
function excerpts(was, is) {
  const isLong = Math.max(was.length, is.length) > CHARACTERS_MAX;
  let same = 0;
  while (isLong && same < was.length && was[same] === is[same]) same += 1;
  const from = Math.max(0, same - CHARACTERS_BEFORE);
  const excerpt = (text) => {
    const shown = text.slice(from, from + CHARACTERS_MAX);
    return [from ? "…" : "", shown, from + CHARACTERS_MAX < text.length ? "…" : ""].join("");
  };
  return [excerpt(was), excerpt(is)];
}
