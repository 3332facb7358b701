// What was done in this tab, newest first. It stays in the tab: keys of items are nobody's business
// once it is closed.

const ENTRIES_MAX = 50;

/** A list that is kept under a name as long as the tab is open. */
export class TabHistory {
  constructor(stored) {
    this.stored = stored;
  }

  /** All entries, newest first. */
  all() {
    try {
      const list = JSON.parse(sessionStorage.getItem(this.stored));
      return Array.isArray(list) ? list : [];
    } catch {
      return [];
    }
  }

  /** Puts an entry before all others, in the place of those that `isSame` finds. */
  add(entry, isSame = () => false) {
    const entries = [entry, ...this.all().filter((one) => !isSame(one))].slice(0, ENTRIES_MAX);
    try {
      sessionStorage.setItem(this.stored, JSON.stringify(entries));
    } catch {
      // What the browser has no room for is not remembered. What was done is done.
    }
  }
}
