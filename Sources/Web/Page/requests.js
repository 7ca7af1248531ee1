// The requests of a connection, and their answers. No DOM; the socket is an argument.

const lostAnswer = { isOK: false, code: "lost", content: "there is no connection", data: [], message: {} };

const dataTypes = ["lap", "result", "who", "standing", "room", "help"];

export class Requests {
	#waiting = new Map();
	#data = [];
	#tag = 0;

	send(command, socket) {
		if (socket?.readyState !== 1) return Promise.resolve(lostAnswer);
		const tag = String((this.#tag += 1));
		socket.send(`#${tag} ${command}`);
		return new Promise((resolve) => this.#waiting.set(tag, resolve));
	}

	receive(message) {
		const { type, code = "", content = "" } = message;
		if (dataTypes.includes(type)) this.#data.push(message);
		else if (type === "ok" || type === "error") {
			// A line that was too long is answered without its tag; answers come in the order of requests.
			const { tag = this.#waiting.keys().next().value } = message;
			this.#waiting.get(tag)?.({ isOK: type === "ok", code, content, data: this.#data, message });
			this.#waiting.delete(tag);
			this.#data = [];
		} else return false;
		return true;
	}

	abandon() {
		for (const resolve of this.#waiting.values()) resolve(lostAnswer);
		this.#waiting.clear();
		this.#data = [];
	}
}
