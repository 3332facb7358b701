// Dialogs: one at a time, closed by Escape, and the focus goes back to where it was.
import { h } from "./dom.js";

/** Opens a dialog; gives it, so that the content can close it. */
export function open(title, body, footer = [], attributes = {}) {
  const dialog = h(
    "dialog",
    { "aria-label": title, ...attributes },
    h(
      "div.inner",
      h(
        "header",
        h("h2", title),
        h("button.quiet", { type: "button", "aria-label": "Close", onclick: () => dialog.close() }, "✕"),
      ),
      h("div.body", body),
      footer.length ? h("footer", footer) : null,
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector(".body :is(input, select, textarea):not([readonly], [disabled])")?.focus();
  return dialog;
}

/** Asks for a word to be typed before something is done that cannot be undone. */
export function confirmTyped({ title, text, word, action, run }) {
  const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", "data-confirm": "" });
  const failed = h("div.error", { hidden: true });
  const button = h("button.danger", { type: "button", disabled: true }, action);
  const dialog = open(
    title,
    [h("p", text), h("label.field", h("span", "Type ", h("code", word), " to go on"), input), failed],
    [h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), button],
    { class: "narrow" },
  );
  input.addEventListener("input", () => (button.disabled = input.value !== word));
  input.addEventListener("keydown", (event) => event.key === "Enter" && !button.disabled && button.click());
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await run((text) => (button.textContent = text));
      dialog.close();
    } catch (error) {
      failed.textContent = error.message;
      failed.hidden = false;
    }
  });
  input.focus();
  return dialog;
}
