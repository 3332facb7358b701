// Pictures that the server drew. They carry a style of their own, which a page with a strict policy
// does not apply; in a shadow it is taken as a style sheet of this page's.
import { h } from "./dom.js";

const SHRUNK_MIN = 0.65;

/** A picture as an element. */
export function picture(svg, label) {
  const styles = [];
  const bare = svg.replace(/<style>([\s\S]*?)<\/style>/g, (_, style) => {
    styles.push(unescape(style));
    return "";
  });
  const parsed = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  const host = h("div.picture", { role: "img", "aria-label": label, tabindex: "0" });
  const shadow = host.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = styles.map(sheet);
  const drawn = document.importNode(parsed, true);
  fit(drawn);
  shadow.append(drawn);
  return host;
}

/** Large pictures shrink to the room that they have, as long as their texts can be read. */
function fit(drawn) {
  const width = Number.parseFloat(drawn.getAttribute("width"));
  if (!width) return;
  drawn.style.setProperty("width", "100%");
  drawn.style.setProperty("height", "auto");
  drawn.style.setProperty("display", "block");
  drawn.style.setProperty("max-width", `${width}px`);
  drawn.style.setProperty("min-width", `${width * SHRUNK_MIN}px`);
}

function sheet(style) {
  const made = new CSSStyleSheet();
  made.replaceSync(style);
  return made;
}

function unescape(text) {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
