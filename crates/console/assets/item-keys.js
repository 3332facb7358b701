// The keys of an item as its model builds them from its attributes.
import { ask } from "./client.js";
import { designFor, tableOf } from "./model.js";
import { attribute, isSame } from "./values.js";

/** Builds keys by the model of a table. */
export class ModelKeys {
  constructor(known, table) {
    const ofModel = tableOf(known, table.TableName);
    const chart = ofModel && known.chart.entity_charts.find((one) => one.table === ofModel.name && !one.index);
    const names = ofModel ? [ofModel.keys, ...ofModel.indexes.map((index) => index.keys)].flat() : [];
    Object.assign(this, { known, table, names: new Set(names), entities: chart?.rows.map((row) => row.entity) ?? [] });
  }

  /** Those of the model that has the table, if there is one. */
  static async of(table) {
    return new ModelKeys(await designFor(table.TableName), table);
  }

  /** An item with the keys of an entity; what attributes do not say is taken from `stored`. */
  async build(entity, item, stored) {
    const question = { model: this.known.text, table: this.table.TableName, entity, item };
    return (await ask("build", stored ? { ...question, stored } : question)).item;
  }

  /** Whether the keys of an item are those that the model builds for an entity. */
  async areOf(entity, item) {
    const built = await this.build(entity, item, item).catch(() => null);
    return built !== null && isSame({ M: built }, { M: item });
  }

  /** The keys that differ between two items. */
  differences(one, other) {
    return [...this.names].filter((name) => !isSame(attribute(one, name), attribute(other, name)));
  }
}
