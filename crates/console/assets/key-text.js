// Keys as people read them: what is written in the template, and what an attribute says.
import { h } from "./dom.js";
import { attribute, display } from "./values.js";

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

/** The parts of a key of an item that a model may explain. */
export function partsOf(recognised, name) {
  return attribute(recognised?.keys ?? {}, name);
}

/** The name of an entity in its colour. */
export function entityChip(entity, className) {
  return entity ? h("span.chip", { class: className }, entity) : h("span.chip.unknown", "unknown");
}
