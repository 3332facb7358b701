// The models that the console knows tables by: those of the server, and one that is in this browser
// only.
import { administer, ask, encoded, onCredentials, wantsKey } from "./client.js";
import { select } from "./dom.js";

/** Texts that were written here stay in this browser, so that they are there after a restart. */
const STORED = "monotable.model";
/** The text of the server that each of them began from, to see whether it is another by now. */
const BEGAN = "monotable.began";
const COLOURS = 14;

/**
 * The key of the model that is in this browser only. Those of the server have their names as keys.
 */
export const OWN = "@browser";

const state = {
  /** The texts of the server's models by name, once they are known. */
  served: new Map(),
  asked: null,
  chosen: null,
  /**
   * What follows from the text of each model: the text, the question under way, and the last
   * consistent answer.
   */
  designs: new Map(),
};

// Other credentials may see other models.
onCredentials(() => {
  Object.assign(state, { served: new Map(), asked: null });
  state.designs.clear();
});

/**
 * Asks the server for its models, once; after a failure, again. A key that may not see them has
 * those of this browser.
 */
export function loadModels() {
  if (!state.asked) {
    const asked = fetchModels().catch(withoutModels);
    asked.catch(() => state.asked === asked && (state.asked = null));
    state.asked = asked;
  }
  return state.asked.then((served) => (state.served = served));
}

/** None, for whoever may call the server but not see its models. */
async function withoutModels(error) {
  if (error.status === 403 && !(await wantsKey())) return new Map();
  throw error;
}

/** Asks the server for its models again. */
export function reloadModels() {
  state.asked = null;
  return loadModels();
}

async function fetchModels() {
  const { models } = await administer("GET", "models");
  const texts = models.map(({ name }) => administer("GET", `models?name=${encoded(name)}`));
  return new Map((await Promise.all(texts)).map(({ name, text }) => [name, text]));
}

/**
 * Has the server watch its tables by a text, which was written as the model of a key; it may
 * refuse. The draft of another tab stays.
 */
export async function giveToServer(name, text, key) {
  await administer("PUT", "models", { source: `${name}.toml`, text });
  if (draft(key) === text) forgetDraft(key);
  await reloadModels();
  chooseModel(name);
}

/**
 * Whether the server has a text under a name that is neither this one nor the one that it was made
 * from: somebody else has given it meanwhile.
 */
export async function isOvertaken(name, text, key) {
  const served = (await reloadModels()).get(name);
  return served !== undefined && served !== text && served !== localStorage.getItem(beganWith(key));
}

/** The models that can be chosen: for each its key, and whether it was changed here. */
export function allModels() {
  const served = [...state.served].map(([key, text]) => ({ key, isChanged: (draft(key) ?? text) !== text }));
  return [...served, { key: OWN, isChanged: false }];
}

/**
 * The models that the chosen one can be compared with, and what it is without what was changed
 * here.
 */
export function otherModels() {
  const chosen = chosenModel();
  const others = allModels().filter(({ key }) => key !== chosen && textOf(key).trim());
  const all = others.map(({ key }) => ({ key, title: titleOf(key), text: textOf(key) }));
  const served = state.served.get(chosen);
  return served === undefined ? all : [{ key: chosen, title: `${chosen}, as the server has it`, text: served }, ...all];
}

function titleOf(key) {
  return key === OWN ? "In this browser" : key;
}

/** The key of the model that is chosen: the first of the server's unless somebody chose. */
export function chosenModel() {
  const isThere = state.chosen === OWN || state.served.has(state.chosen);
  return state.chosen !== null && isThere ? state.chosen : ([...state.served.keys()][0] ?? OWN);
}

/** Chooses a model, if an address names one. */
export function chooseModel(key) {
  if (key !== undefined) state.chosen = key;
}

/** The models as a choice, or nothing if there is only one. */
export function modelChoice(changed) {
  const options = allModels().map(({ key, isChanged }) => {
    return [key, isChanged ? `${titleOf(key)} (changed here)` : titleOf(key)];
  });
  if (options.length === 1) return null;
  const choice = select(options, chosenModel(), {
    "aria-label": "Model",
    onchange: () => {
      chooseModel(choice.value);
      changed();
    },
  });
  return choice;
}

/** What an address says of a model, the chosen one unless another is named. */
export function modelParameter(key = chosenModel()) {
  return state.served.size ? key : "";
}

/** Forgets what was changed here in a model of the server. */
export function discardChanges(key) {
  forgetDraft(key);
}

/** The text of a model as the server has it, if it has one of this key. */
export function servedText(key) {
  return state.served.get(key);
}

function stored(key) {
  return key === OWN ? STORED : `${STORED}.${key}`;
}

function beganWith(key) {
  return `${BEGAN}.${key}`;
}

/** Calls a listener when another tab of this browser may have changed the text of a model. */
export function onOtherTab(key, listener) {
  const changed = (event) => (event.key === null || event.key === stored(key)) && listener();
  addEventListener("storage", changed);
  return () => removeEventListener("storage", changed);
}

function draft(key) {
  return localStorage.getItem(stored(key));
}

function forgetDraft(key) {
  localStorage.removeItem(stored(key));
  localStorage.removeItem(beganWith(key));
}

/** The text of a model; empty if there is none. */
function textOf(key) {
  return draft(key) ?? state.served.get(key) ?? "";
}

/** The text of a model, the chosen one unless another is named; empty if there is none. */
export function modelText(key = chosenModel()) {
  return textOf(key);
}

/**
 * Takes another text for a model, the chosen one unless another is named. What follows from it is
 * asked for when it is needed.
 */
export function setModelText(text, key = chosenModel()) {
  const served = state.served.get(key) ?? "";
  if (text === served) return forgetDraft(key);
  if (draft(key) === null) localStorage.setItem(beganWith(key), served);
  localStorage.setItem(stored(key), text);
}

/**
 * What follows from the text of a model, the chosen one unless another is named, and its own
 * unless another is given; null without. The last consistent design stays until there is another.
 */
export async function design(key = chosenModel(), text = textOf(key)) {
  if (!text.trim()) {
    state.designs.delete(key);
    return null;
  }
  const known = state.designs.get(key) ?? { text: null, asked: null, design: null };
  state.designs.set(key, known);
  if (known.text !== text) {
    const asked = ask("design", { model: text }).then((answer) => {
      if (answer.consistent && known.text === text) known.design = { ...answer, text };
      return answer;
    });
    // What failed is asked again.
    asked.catch(() => known.asked === asked && (known.text = null));
    Object.assign(known, { text, asked });
  }
  return known.asked;
}

async function consistentDesignOf(key) {
  try {
    await design(key);
  } catch {
    return null;
  }
  return state.designs.get(key)?.design ?? null;
}

/** The last design of the chosen model without mistakes, if there is one. */
export async function consistentDesign() {
  await loadModels();
  await design();
  return state.designs.get(chosenModel())?.design ?? null;
}

/** The designs of all models that are consistent, each with its key. */
export async function consistentDesigns() {
  await loadModels();
  const keys = allModels().map(({ key }) => key);
  const designs = await Promise.all(keys.map(consistentDesignOf));
  return keys.map((key, place) => ({ key, design: designs[place] })).filter((one) => one.design);
}

/** The models that may have a table, the chosen one first. */
function candidates() {
  const chosen = chosenModel();
  return [chosen, ...[...state.served.keys(), OWN].filter((key) => key !== chosen)];
}

/**
 * The design that has the table that the service calls so, or null. A table is shown without its
 * model as well.
 */
export async function designFor(table) {
  await loadModels().catch(() => {});
  for (const key of candidates()) {
    const found = await consistentDesignOf(key);
    if (tableOf(found, table)) return found;
  }
  return null;
}

/** The design that has a table, if it was asked for before. */
export function knownDesignFor(table) {
  const known = candidates().map((key) => state.designs.get(key)?.design);
  return known.find((design) => tableOf(design, table)) ?? null;
}

/** The table of the design that the service calls so. */
export function tableOf(known, name) {
  return known?.tables.find((table) => isCalled(table, name)) ?? null;
}

/** Whether the service calls a table so, or one of the tables that there are for periods. */
function isCalled({ physical_name: own, period }, name) {
  if (!period) return own === name;
  const { before, like, after } = period;
  if (name.length !== before.length + like.length + after.length) return false;
  if (!name.startsWith(before) || !name.endsWith(after)) return false;
  const shape = (text) => text.replace(/\d/g, "0");
  return shape(name.slice(before.length, before.length + like.length)) === shape(like);
}

/** The class of an entity's colour. */
export function entityClass(known, entity) {
  const place = known?.legend.indexOf(entity) ?? -1;
  return place < 0 ? "" : `e e${place % COLOURS}`;
}

/** Keeps a query in the model of a table under a name; without an address, forgets it. */
export async function saveQuery(known, name, address) {
  const { model } = await ask("save-query", { model: known.text, name, ...(address ? { address } : {}) });
  const key = candidates().find((one) => textOf(one) === known.text);
  if (key === undefined) throw new Error("the model has changed meanwhile");
  setModelText(model, key);
  return consistentDesignOf(key);
}

/**
 * What the items of a table are: for each its entity and its keys in parts, or null without a model
 * of the table.
 */
export async function recognise(table, items) {
  const known = items.length ? (knownDesignFor(table) ?? (await designFor(table))) : null;
  if (!known) return items.map(() => null);
  const all = [];
  for (let at = 0; at < items.length; at += 1000) {
    const answer = await ask("recognise", { model: known.text, table, items: items.slice(at, at + 1000) });
    all.push(...answer.items);
  }
  return all;
}
