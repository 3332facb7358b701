// What a statement of PartiQL is about, as far as the console has to know.

/** Texts, quoted names, words, and all else character by character. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[\w$-]+|\S/g;
/** The words that the name of a table comes after. */
const BEFORE_TABLE = new Set(["from", "into", "update"]);

/** Whether a statement changes something. */
export function isWrite(statement) {
  return statement !== "" && !/^\s*select\b/i.test(statement);
}

/** The table that a statement names; null if that cannot be told. */
export function tableNamed(statement) {
  const tokens = statement.match(TOKENS) ?? [];
  const before = tokens.findIndex((token) => BEFORE_TABLE.has(token.toLowerCase()));
  const name = before < 0 ? undefined : tokens[before + 1];
  if (name === undefined || !/^[\w"]/.test(name)) return null;
  const unquoted = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
  // A table may be named by its resource name.
  return unquoted.split(":table/").at(-1).split("/")[0];
}
