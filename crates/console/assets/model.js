// The model that the console knows tables by: its text, and what follows from it.
import { ask } from "./client.js";

/** The text stays in this browser, so that it is there after a restart. */
const STORED = "monotable.model";
const COLOURS = 14;

const state = { text: localStorage.getItem(STORED) ?? "", design: null, asked: null };

/** The text of the model; empty if there is none. */
export function modelText() {
  return state.text;
}

/** Takes another text. What follows from it is asked for when it is needed. */
export function setModelText(text) {
  state.text = text;
  state.asked = null;
  if (text) localStorage.setItem(STORED, text);
  else localStorage.removeItem(STORED);
}

/** What follows from the text, or null if there is none. The last consistent design stays until there is another. */
export async function design() {
  if (!state.text.trim()) {
    state.design = null;
    return null;
  }
  const { text } = state;
  state.asked ??= ask("design", { model: text }).then((answer) => {
    if (answer.consistent && state.text === text) state.design = { ...answer, text };
    return answer;
  });
  return state.asked;
}

/** The last design without mistakes, if there is one; loads it when there was none yet. */
export async function consistentDesign() {
  if (!state.design) {
    try {
      await design();
    } catch {
      return null;
    }
  }
  return state.design;
}

/** The last design without mistakes, if it was asked for before. */
export function knownDesign() {
  return state.design;
}

/** The table of the design that the service calls so. */
export function tableOf(known, name) {
  return known?.tables.find((table) => table.physical_name === name) ?? null;
}

/** The class of an entity's colour. */
export function entityClass(known, entity) {
  const place = known?.legend.indexOf(entity) ?? -1;
  return place < 0 ? "" : `e e${place % COLOURS}`;
}

/** What the items of a table are: for each its entity and its keys in parts, or null without a model of the table. */
export async function recognise(table, items) {
  const known = await consistentDesign();
  if (!tableOf(known, table) || !items.length) return items.map(() => null);
  const all = [];
  for (let at = 0; at < items.length; at += 1000) {
    const answer = await ask("recognise", { model: known.text, table, items: items.slice(at, at + 1000) });
    all.push(...answer.items);
  }
  return all;
}
