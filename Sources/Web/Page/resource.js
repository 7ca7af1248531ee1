// A value that is loaded: it can be loading, have a result, and have an error, also at the same time.

export class Resource {
	loading = false;
	// Stays while the next load runs or fails.
	result = undefined;
	lastError = null;

	#fetch; #use;
	#serial = 0;

	// `use` is called with each result, never with that of an older load.
	constructor(fetch, use = () => {}) {
		[this.#fetch, this.#use] = [fetch, use];
	}

	load() {
		this.loading = true;
		return this.#run((this.#serial += 1));
	}

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
