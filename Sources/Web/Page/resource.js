// A value that has to be loaded: it is loading, or has a result, or an error, or several of these.

/** A loadable value; the newest load wins, and a load under way can be shared. */
export class Resource {
  /** Whether a load is under way. */
  loading = false;
  /** The result of the last load that succeeded; it stays while the next one runs or fails. */
  result = undefined;
  /** The reason why the newest load failed; null once one has succeeded. */
  lastError = null;

  #load;
  #changed;
  #use;
  #current = null;

  /**
   * @param {() => Promise<any>} load rejects with an `Error` whose message people can read
   * @param {() => void} changed is called after each change of the three members
   * @param {(result: any) => void} use is called with each result, never with that of an older load
   */
  constructor(load, changed = () => {}, use = () => {}) {
    this.#load = load;
    this.#changed = changed;
    this.#use = use;
  }

  /** Begins a load; the result of an older one that still runs is ignored. */
  load() {
    const current = this.#run(() => this.#current === current);
    this.#current = current;
    this.loading = true;
    this.#changed();
    return current;
  }

  /** Returns the load under way, or begins one. */
  shared() {
    return this.loading && this.#current ? this.#current : this.load();
  }

  /** Forgets everything, and ignores a load that still runs. */
  forget() {
    this.#current = null;
    this.loading = false;
    this.result = undefined;
    this.lastError = null;
    this.#changed();
  }

  /** @param {() => boolean} isNewest */
  async #run(isNewest) {
    let outcome;
    // A load that fails at once does so after `load` has returned, too.
    await null;
    try {
      const result = await this.#load();
      outcome = () => {
        this.result = result;
        this.lastError = null;
        this.#use(result);
      };
    } catch (error) {
      outcome = () => (this.lastError = error instanceof Error ? error.message : `${error}`);
    }
    if (!isNewest()) return;
    outcome();
    this.loading = false;
    this.#changed();
  }
}
