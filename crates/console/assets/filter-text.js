// Filters as people write them: names and values stand in the text, not placeholders.

/** What a text is made of: texts, quoted names, numbers, names, and signs. */
const TOKENS = /\s+|'(?:[^']|'')*'|"(?:[^"]|"")*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[A-Za-z_][\w-]*|<>|<=|>=|[^\s]/gy;
const WORDS = new Set(["and", "or", "not", "between", "in"]);
const FUNCTIONS = new Set([
  "attribute_exists",
  "attribute_not_exists",
  "attribute_type",
  "begins_with",
  "contains",
  "size",
]);
const CONSTANTS = { true: { BOOL: true }, false: { BOOL: false }, null: { NULL: true } };

/**
 * The expression that a text means, such as `Status = 'PLACED' AND (size(Notes) > 5 OR NOT "a b")`:
 * names and values get placeholders.
 */
export function filterOfText(text, names) {
  const tokens = text.match(TOKENS) ?? [];
  return tokens.map((token, place) => part(token, tokens, place, names)).join("");
}

function part(token, tokens, place, names) {
  if (token.startsWith("'") && token.length > 1) return names.value({ S: token.slice(1, -1).replaceAll("''", "'") });
  if (token.startsWith('"') && token.length > 1) return names.name(token.slice(1, -1).replaceAll('""', '"'));
  // A number in brackets is a place in a list.
  if (/^-?\d/.test(token)) return tokens[place - 1] === "[" ? token : names.value({ N: token });
  if (!/^[A-Za-z_]/.test(token)) return token;
  const word = token.toLowerCase();
  const isMember = tokens[place - 1] === ".";
  if (isMember) return names.name(token);
  if (WORDS.has(word)) return token.toUpperCase();
  if (Object.hasOwn(CONSTANTS, word)) return names.value(CONSTANTS[word]);
  const next = tokens.slice(place + 1).find((one) => one.trim());
  if (FUNCTIONS.has(word) && next === "(") return word;
  return names.name(token);
}
