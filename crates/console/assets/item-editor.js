// The editor of an item: as a form, as DynamoDB's JSON, as plain JSON.
import { call } from "./client.js";
import { open } from "./dialog.js";
import { check, debounce, field, h, replace, select, tabs } from "./dom.js";
import { conditionText, creation, edit } from "./item-change.js";
import { itemForm } from "./item-form.js";
import { ModelKeys } from "./item-keys.js";
import { attribute, display, isSame, plainItem, readPlainItem, readTypedItem } from "./values.js";

const FORMS = [
  ["form", "Form"],
  ["typed", "DynamoDB JSON"],
  ["plain", "Plain JSON"],
];
/** Milliseconds without a change after which keys are built. */
const PAUSE = 120;
const NOT_OF_MODEL =
  "The keys are not those that the model builds from the attributes. They stay as they are when attributes change.";
const NOT_PLAIN = "This browser would lose digits of a number in plain JSON: use DynamoDB JSON.";
const BY_HAND = "A key was changed by hand: keys stay as they are when attributes change.";

/**
 * Opens the editor. Without `stored` the item is a new one. `done` is called with the item once it
 * is written.
 */
export async function editItem({ table, stored = null, item, entity = null, done }) {
  const editor = new ItemEditor({ table, stored, item, entity, done, keys: await ModelKeys.of(table) });
  editor.open();
}

class ItemEditor {
  constructor(given) {
    Object.assign(this, given);
    this.now = { ...this.item };
    this.shape = "form";
    this.round = 0;
    this.room = h("div.stack");
    this.condition = h("div.note.small", { "data-condition": "" });
    this.failed = h("div.error", { hidden: true, role: "alert" });
    this.save = h("button.primary", { type: "button", onclick: () => this.write() }, this.stored ? "Save" : "Create");
    this.buildLater = debounce(() => this.follow(), PAUSE);
  }

  open() {
    const label = this.stored ? "Edit item" : "New item";
    const choose = (shape) => {
      const typed = this.read();
      if (typed === null) return false;
      const why = shape === "plain" ? whyNotPlain(typed) : null;
      if (why) {
        this.fail(why);
        return false;
      }
      Object.assign(this, { shape, now: typed });
      this.draw();
      return true;
    };
    this.dialog = open(
      label,
      [this.keyControls(), tabs("Form of the item", FORMS, this.shape, choose), this.room],
      [
        this.failed,
        this.condition,
        h("button", { type: "button", onclick: () => this.dialog.close() }, "Cancel"),
        this.save,
      ],
      {},
      () => this.isChanged(),
    );
    this.draw();
    this.room.querySelector("input:not([readonly]), textarea")?.focus();
    this.learn();
  }

  /** The entity, and whether keys follow the attributes; nothing without a model of the table. */
  keyControls() {
    const { entities } = this.keys;
    const options = [["", "no entity"], ...entities.map((name) => [name, name])];
    this.entityChoice = select(options, this.entity ?? "", { onchange: () => this.learn() });
    this.following = check("Keys follow the attributes", false, { onchange: () => this.noted() });
    this.followBox = this.following.querySelector("input");
    this.warning = h("p.small.muted", { role: "status" });
    if (!entities.length) return null;
    const title = "Builds all keys of the item from its attributes, as the model says";
    return h(
      "div",
      h(
        "div.row.middle",
        field("Entity", this.entityChoice),
        h("button", { type: "button", onclick: () => this.buildOnce(), title }, "Keys from the model"),
        this.following,
      ),
      this.warning,
    );
  }

  /** Has keys follow the attributes if the item was opened with the keys that the model builds. */
  async learn() {
    const entity = this.entityChoice.value;
    this.followBox.checked = false;
    this.followBox.disabled = !entity;
    replace(this.warning);
    if (!entity) return;
    const areOfModel = await this.keys.areOf(entity, this.stored ?? this.item);
    if (entity !== this.entityChoice.value) return;
    this.followBox.checked = areOfModel;
    // A new item may have no attributes yet.
    if (!areOfModel && this.stored) replace(this.warning, NOT_OF_MODEL);
    this.noted();
  }

  draw() {
    const { now, stored } = this;
    // Values keep the types that they have here, whatever the text looks like meanwhile.
    const types = { ...stored, ...now };
    this.editor = {
      form: () => itemForm(this.table, now),
      typed: () => textEditor("DynamoDB JSON", JSON.stringify(now, null, 2), readTypedItem),
      plain: () =>
        textEditor("Plain JSON", JSON.stringify(plainItem(now), null, 2), (text) => readPlainItem(text, types)),
    }[this.shape]();
    this.shownKeys = now;
    this.editor.element.addEventListener("input", () => this.edited());
    this.editor.element.addEventListener("change", () => this.edited());
    replace(this.room, this.editor.element);
    this.noted();
  }

  /** What is written; null if it is not an item, which is said. */
  read() {
    try {
      return this.editor.read();
    } catch (error) {
      this.fail(error.message);
      return null;
    }
  }

  fail(text) {
    this.failed.textContent = text;
    this.failed.hidden = false;
  }

  /** A control that loses the focus says that it was changed, though it said so before. */
  edited() {
    const typed = this.read();
    const isKnown = typed !== null && this.typed !== null && isSame({ M: typed }, { M: this.typed });
    if (!isKnown) this.noted();
  }

  /** Takes over what is written. It cannot be saved before its keys are built. */
  noted() {
    this.round += 1;
    this.save.disabled = true;
    this.typed = this.read();
    if (this.typed === null) return;
    this.failed.hidden = true;
    this.now = this.typed;
    if (this.followBox.checked && this.keys.differences(this.typed, this.shownKeys).length) {
      this.followBox.checked = false;
      replace(this.warning, BY_HAND);
    }
    const isSettled = !this.followBox.checked || isSame({ M: this.typed }, { M: this.settled ?? this.item });
    this.show();
    if (isSettled) return;
    this.save.disabled = true;
    this.buildLater();
  }

  /** Builds the keys of what is written, and shows them. */
  async follow() {
    const { round, typed } = this;
    if (typed === null || !this.followBox.checked) return;
    try {
      const built = await this.keys.build(this.entityChoice.value, typed, this.stored ?? this.item);
      if (round !== this.round) return;
      this.now = built;
      this.settled = built;
      const changed = this.keys.differences(typed, built);
      // A form shows the keys; a text that somebody writes is not written anew under their hands.
      if (changed.length && this.editor.setKeys) {
        this.editor.setKeys(Object.fromEntries(changed.map((name) => [name, attribute(built, name)])));
        this.shownKeys = built;
      }
      this.show();
    } catch (error) {
      if (round === this.round) this.fail(`The keys cannot be built: ${error.message}`);
    }
  }

  get change() {
    return this.stored ? edit(this.table, this.stored, this.now) : creation(this.table, this.now);
  }

  /** Shows what would be written, and under which condition. */
  show() {
    const write = this.change;
    this.save.disabled = write === null;
    const before = this.stored ?? this.item;
    const keys = this.followBox.checked ? this.keys.differences(before, this.now) : [];
    const text = (value) => (value ? display(value) : "nothing");
    const row = (name) =>
      h(
        "div.mono",
        { "data-built": name },
        `${name}: ${text(attribute(before, name))} → ${text(attribute(this.now, name))}`,
      );
    replace(
      this.condition,
      write ? [h("b", `${write.operation} `), write.sentence, h("pre", conditionText(write))] : "Nothing is changed.",
      keys.length ? [h("b", "Keys that follow"), keys.map(row)] : null,
    );
  }

  /** Builds the keys of what is written once, whatever they were. */
  async buildOnce() {
    const typed = this.read();
    if (typed === null) return;
    try {
      this.now = await this.keys.build(this.entityChoice.value, typed, this.stored ?? this.item);
      this.settled = this.now;
      this.followBox.checked = true;
      replace(this.warning);
      this.draw();
    } catch (error) {
      this.fail(error.message);
    }
  }

  isChanged() {
    const typed = this.read();
    return typed === null || !isSame({ M: typed }, { M: this.item });
  }

  async write() {
    const { change, now } = this;
    this.save.disabled = true;
    try {
      await call(change.operation, change.request);
      this.dialog.close();
      this.done(now);
    } catch (error) {
      this.fail(this.refusal(error));
      this.save.disabled = false;
    }
  }

  refusal({ code, message }) {
    if (!["ConditionalCheckFailedException", "TransactionCanceledException"].includes(code)) return message;
    const why = this.stored
      ? "the item is no longer as it was read, or its new key is taken"
      : "there is an item with this key";
    return `Nothing was written: ${why}. ${message}`;
  }
}

/** Why plain JSON is not read back as the same item: not every browser keeps all digits. */
function whyNotPlain(item) {
  try {
    const read = readPlainItem(JSON.stringify(plainItem(item)), item);
    return isSame({ M: read }, { M: item }) ? null : NOT_PLAIN;
  } catch (error) {
    return error.message;
  }
}

function textEditor(label, text, read) {
  const area = h("textarea", { rows: "18", spellcheck: "false", "aria-label": label });
  area.value = text;
  return { element: area, read: () => read(area.value) };
}
