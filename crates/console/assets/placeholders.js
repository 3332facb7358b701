// Names and values of expressions: each name once, each value under a placeholder of its own.

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

  /** A path such as `address.lines[0]`, whose names are all replaced. */
  path(text) {
    const part = (step) => {
      const [, name, places] = /^([^[]*)((?:\[\d+\])*)$/.exec(step) ?? [null, step, ""];
      return this.name(name) + places;
    };
    return text.trim().split(".").map(part).join(".");
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
