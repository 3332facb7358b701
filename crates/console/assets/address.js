// Where the user is. All of it stands behind the # of the address, so that it can be shared.

/** The parts of the path and the parameters of the address. */
export function current() {
  const text = location.hash.replace(/^#\/?/, "");
  const [path, query] = split(text, "?");
  return {
    path: path.split("/").filter(Boolean).map(decoded),
    params: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** A part of a path; as it stands there if it is not written as addresses are. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a view. Parameters without a value are left out. */
export function address(path, params = {}) {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(given).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${query ? `?${query}` : ""}`;
}

/** Goes to a view. */
export function go(path, params = {}) {
  location.hash = address(path, params);
}

/**
 * Changes the address without a step in the history, and without showing the view again. An address
 * of another view than the one that is shown stays: somebody is on the way there, or is asked.
 */
export function note(path, params = {}) {
  const { dataset } = document.getElementById("main");
  const isShown = dataset.shown !== undefined;
  if (isShown && dataset.shown !== location.hash) return;
  history.replaceState(null, "", address(path, params));
  // What is shown is what the address says.
  if (isShown) dataset.shown = location.hash;
}

function split(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
