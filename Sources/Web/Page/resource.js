// A value that has to be loaded: it is loading, or has a result, or an error, or several of these.

/** A loadable value; the newest load wins, and a load under way can be shared. */
export class Resource {
  loading = false;
  /** The result of the last load that succeeded; it stays while the next one runs or fails. */
  result = undefined;
  /** Why the newest load failed; null once one has succeeded. */
  lastError = null;

  #fetch;
  #use;
  #serial = 0;
  #underWay = null;

  /** `use` is called with each result, never with that of an older load. */
  constructor(fetch, use = () => {}) {
    this.#fetch = fetch;
    this.#use = use;
  }

  /** Begins a load; the result of an older one that still runs is ignored. */
  load() {
    this.loading = true;
    this.#underWay = this.#run((this.#serial += 1));
    return this.#underWay;
  }

  /** Returns the load under way, or begins one. */
  shared() {
    return this.loading ? this.#underWay : this.load();
  }

  /** Also ignores a load that still runs. */
  forget() {
    this.#serial += 1;
    Object.assign(this, { loading: false, result: undefined, lastError: null });
  }

  async #run(serial) {
    let outcome;
    try {
      outcome = { result: await this.#fetch(), lastError: null };
    } catch (error) {
      outcome = { lastError: error.message ?? String(error) };
    }
    if (serial !== this.#serial) return;
    if (outcome.lastError === null) this.#use(outcome.result);
    Object.assign(this, { loading: false, ...outcome });
  }
}
