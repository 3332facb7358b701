// What is different between two texts, word by word.

/** Words, signs, and what stands between them. */
const TOKENS = /\s+|\w+|[^\s\w]/g;
/** Comparisons of words at most; longer texts differ as a whole. */
const COMPARED_MAX = 250_000;

/** Two texts in parts, each with its text and whether it is different. */
export function wordDifference(before, after) {
  const [was, is] = [before.match(TOKENS) ?? [], after.match(TOKENS) ?? []];
  if (was.length * is.length > COMPARED_MAX) return [before, after].map((text) => [{ text, isDifferent: true }]);
  const common = commonWords(was, is);
  return [parts(was, new Set(common.map(([place]) => place))), parts(is, new Set(common.map(([, place]) => place)))];
}

/** The places of the longest sequence of words that both have. */
function commonWords(was, is) {
  const lengths = Array.from({ length: was.length + 1 }, () => new Uint16Array(is.length + 1));
  for (let one = was.length - 1; one >= 0; one -= 1)
    for (let other = is.length - 1; other >= 0; other -= 1)
      lengths[one][other] =
        was[one] === is[other]
          ? lengths[one + 1][other + 1] + 1
          : Math.max(lengths[one + 1][other], lengths[one][other + 1]);
  const common = [];
  for (let [one, other] = [0, 0]; one < was.length && other < is.length;) {
    if (was[one] === is[other]) {
      common.push([one, other]);
      [one, other] = [one + 1, other + 1];
    } else if (lengths[one + 1][other] >= lengths[one][other + 1]) one += 1;
    else other += 1;
  }
  return common;
}

/** Words that are next to each other and alike in this are one part. */
function parts(words, common) {
  const all = [];
  for (const [place, text] of words.entries()) {
    // A space between two different words is part of the difference.
    const isBetween = !text.trim() && !common.has(place - 1) && !common.has(place + 1) && place > 0;
    const isDifferent = isBetween || !common.has(place);
    if (all.at(-1)?.isDifferent === isDifferent) all.at(-1).text += text;
    else all.push({ text, isDifferent });
  }
  return all;
}
