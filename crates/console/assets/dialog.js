// Dialogs: closed by Escape and by a click beside them, and the focus goes back to where it was.
import { h } from "./dom.js";

/** The dialogs that are open, each with whether something in it would be lost. */
const shown = new Map();

/**
 * Opens a dialog; gives it, so that the content can close it. With `guard` it is closed by Escape
 * or a click only after a question, if there is something to lose: whatever was typed or chosen, or
 * what a function says.
 */
export function open(title, body, footer = [], attributes = {}, guard = false) {
  const dialog = h(
    "dialog",
    { "aria-label": title, ...attributes },
    h(
      "div.inner",
      h("header", h("h2", title), h("button.quiet", { type: "button", "aria-label": "Close", onclick: leave }, "✕")),
      h("div.body", body),
      footer.length ? h("footer", footer) : null,
    ),
  );
  let isTouched = false;
  const isChanged = typeof guard === "function" ? guard : () => guard && isTouched;
  async function leave() {
    if (!isChanged() || (await askToDiscard())) dialog.close();
  }
  dialog.addEventListener("close", () => {
    shown.delete(dialog);
    dialog.remove();
  });
  dialog.addEventListener("input", () => (isTouched = true));
  closeBeside(dialog, leave);
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    leave();
  });
  // A browser may have other ways than the key.
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave();
  });
  document.body.append(dialog);
  shown.set(dialog, isChanged);
  dialog.showModal();
  dialog.querySelector(".body :is(input, select, textarea):not([readonly], [disabled])")?.focus();
  return dialog;
}

/** A click beside the dialog leaves it; a selection of text that ends there does not. */
function closeBeside(dialog, leave) {
  let isBeside = false;
  dialog.addEventListener("pointerdown", (event) => (isBeside = event.target === dialog));
  dialog.addEventListener("click", (event) => {
    if (isBeside && event.target === dialog) leave();
    isBeside = false;
  });
}

/**
 * Closes the dialogs of a view that is left, after a question if something would be lost. Gives
 * whether they are closed.
 */
export async function leaveDialogs() {
  if (isAnyChanged() && !(await askToDiscard())) return false;
  for (const dialog of [...shown.keys()]) dialog.close();
  return true;
}

function isAnyChanged() {
  return [...shown].some(([dialog, isChanged]) => dialog.open && isChanged());
}

// The browser asks before it leaves the page.
addEventListener("beforeunload", (event) => isAnyChanged() && event.preventDefault());

function askToDiscard() {
  return confirm("Discard what was changed?", "What was changed here is not saved.", "Discard", "Go on editing");
}

/** Asks whether something is to be done; to close the question is a no. */
export function confirm(title, text, action, otherwise = "Cancel") {
  return new Promise((answer) => {
    const dialog = open(
      title,
      h("p", text),
      [
        h("button", { type: "button", onclick: () => dialog.close() }, otherwise),
        h("button.danger", { type: "button", onclick: () => [dialog.close(), answer(true)] }, action),
      ],
      { class: "narrow" },
    );
    dialog.addEventListener("close", () => answer(false));
  });
}

/**
 * Asks for a word to be typed before something is done that cannot be undone. `run` is told how to
 * say how far it is, and by a signal when the dialog is closed meanwhile.
 */
export function confirmTyped({ title, text, word, action, run }) {
  const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", "data-confirm": "" });
  const failed = h("div.error", { hidden: true, role: "alert" });
  const button = h("button.danger", { type: "button", disabled: true }, action);
  const stopping = new AbortController();
  const dialog = open(
    title,
    [h("p", text), h("label.field", h("span", "Type ", h("code", word), " to go on"), input), failed],
    [h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), button],
    { class: "narrow" },
  );
  dialog.addEventListener("close", () => stopping.abort());
  input.addEventListener("input", () => (button.disabled = input.value !== word));
  input.addEventListener("keydown", (event) => event.key === "Enter" && !button.disabled && button.click());
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await run((text) => (button.textContent = text), stopping.signal);
      dialog.close();
    } catch (error) {
      failed.textContent = error.message;
      failed.hidden = false;
      button.textContent = action;
    }
  });
  input.focus();
  return dialog;
}
