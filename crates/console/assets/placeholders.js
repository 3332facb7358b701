// Names and values of expressions: each name once, each value under a placeholder of its own.

/** A step of a path: a name, quoted or not, and places in lists. */
const STEPS = /(?:^|\.)(?:"((?:[^"]|"")*)"|([^.]*?))((?:\[\d+\])*)(?=\.|$)/g;
/** Texts between commas, but for commas in quoted names. */
const MEMBERS = /(?:"(?:[^"]|"")*"|[^,])+/g;

/** The texts of a list that is written with commas; names in it may be quoted. */
export function listed(text) {
  return (text.match(MEMBERS) ?? []).map((one) => one.trim()).filter(Boolean);
}

/** Gathers what the expressions of a request need. */
export class Placeholders {
  names = {};
  values = {};

  /** The placeholder of an attribute. */
  name(attribute) {
    const known = Object.entries(this.names).find(([, name]) => name === attribute);
    if (known) return known[0];
    const placeholder = `#n${Object.keys(this.names).length}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  /**
   * A path such as `address.lines[0]`, whose names are all replaced. A name with a dot in it stands
   * in double quotes.
   */
  path(text) {
    return [...text.trim().matchAll(STEPS)]
      .map(([, quoted, name, places]) => this.name(quoted?.replaceAll('""', '"') ?? name) + places)
      .join(".");
  }

  /** The placeholder of a value. */
  value(value) {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  /** The members of a request that say what the placeholders stand for. */
  members() {
    const members = {};
    if (Object.keys(this.names).length) members.ExpressionAttributeNames = this.names;
    if (Object.keys(this.values).length) members.ExpressionAttributeValues = this.values;
    return members;
  }
}
