// Keys as people read them: what is written in the template, and what an attribute says.
import { h } from "./dom.js";
import { display } from "./values.js";

/** The parts of a key, or its text if no model explains it. */
export function keyParts(value, parts) {
  if (value === undefined) return h("span.muted", "–");
  if (!parts) return h("span.mono", display(value));
  return h(
    "span.mono",
    parts.map((part) =>
      part?.attribute
        ? h("span.key-part", { title: part.attribute }, part.text)
        : h("span.key-literal", part?.text ?? ""),
    ),
  );
}

/** The name of an entity in its colour. */
export function entityChip(entity, className) {
  return entity ? h("span.chip", { class: className }, entity) : h("span.chip.unknown", "unknown");
}
