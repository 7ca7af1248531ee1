// Sounds, vibration and announcements of what happens, and the buttons of the auctioneer.

/** The notes of each event: hertz, played one after another. */
const tunes = { outbid: [660, 440], lead: [520, 780], won: [520, 660, 780, 1040], going: [880] };

/** The events that interrupt a screen reader, and those that it does not read. */
const urgent = new Set(["outbid", "sold"]);
const quiet = new Set(["joined", "left", "next", "hammered"]);

/** Says what matters: to screen readers at most once a second, and with sound or vibration. */
export class Alerts {
  #store;
  #$;
  #audio = null;
  #said = { announce: 0, alert: 0 };
  #waiting = {};

  constructor(store, $) {
    this.#store = store;
    this.#$ = $;
    $("vibration").hidden = !navigator.vibrate;
    for (const id of ["sound", "vibration"]) {
      const button = $(id);
      button.setAttribute("aria-pressed", String(store.get(`auction/${id}`) === "on"));
      button.onclick = () => {
        const isOn = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(isOn));
        store.set(`auction/${id}`, isOn ? "on" : null);
        if (isOn) this.#signal("lead");
      };
    }
  }

  /** Reacts to an event of the model. */
  hear({ kind, text, isMine }) {
    if (urgent.has(kind)) this.say("alert", text);
    else if (!quiet.has(kind)) this.say("announce", text);
    this.#signal(kind === "sold" && isMine ? "won" : kind);
  }

  /** Shows a text in a live region; of several within a second only the newest. */
  say(region, text) {
    const now = Date.now();
    const isWaiting = region in this.#waiting;
    this.#waiting[region] = text;
    if (isWaiting) return;
    setTimeout(() => {
      this.#said[region] = Date.now();
      this.#$(region).textContent = this.#waiting[region];
      delete this.#waiting[region];
    }, Math.max(0, this.#said[region] + 1_000 - now));
  }

  #isOn(id) {
    return this.#$(id).getAttribute("aria-pressed") === "true";
  }

  #signal(kind) {
    if (!Object.hasOwn(tunes, kind)) return;
    if (this.#isOn("sound")) this.#play(tunes[kind]);
    if (this.#isOn("vibration")) navigator.vibrate?.(kind === "outbid" ? [120, 60, 120] : 60);
  }

  #play(notes) {
    this.#audio ??= new AudioContext();
    this.#audio.resume();
    notes.forEach((hertz, index) => {
      const start = this.#audio.currentTime + index * 0.12;
      const [tone, gain] = [this.#audio.createOscillator(), this.#audio.createGain()];
      tone.frequency.value = hertz;
      gain.gain.setValueAtTime(0.12, start);
      gain.gain.exponentialRampToValueAtTime(0.001, start + 0.18);
      tone.connect(gain).connect(this.#audio.destination);
      tone.start(start);
      tone.stop(start + 0.2);
    });
  }
}

/** The sign-in and the buttons of the auctioneer; the token stays in this tab. */
export class Auctioneer {
  #connection;
  #store;
  #$;

  constructor(connection, store, $) {
    this.#connection = connection;
    this.#store = store;
    this.#$ = $;
    connection.auctioneerToken = store.get("auction/auctioneer");
    $("sign-in").onsubmit = (event) => {
      event.preventDefault();
      this.#signIn($("token").value.trim());
    };
    for (const button of document.querySelectorAll("#gavel > button")) {
      button.onclick = () => this.#send(button.dataset.command, button.dataset.ask);
    }
    $("kick").onsubmit = (event) => {
      event.preventDefault();
      const [name, reason] = [$("kick-name").value.trim(), $("kick-reason").value.trim()];
      if (!name || !reason) return this.#say("bad", "A kick needs a name and a reason");
      this.#send(`kick ${name} ${reason}`, `Remove ${name}?`);
    };
  }

  get isShown() {
    return !this.#$("gavel").hidden;
  }

  /** Shows the buttons while this connection is an auctioneer. */
  show() {
    const { isAuctioneer } = this.#connection;
    this.#$("gavel").hidden = !isAuctioneer;
    this.#$("sign-in").hidden = isAuctioneer;
  }

  /** Offers names to kick. */
  offer(names) {
    this.#$("names").replaceChildren(...names.map((name) => new Option(name)));
  }

  async #signIn(token) {
    const answer = await this.#connection.signIn(token);
    if (answer.isOK) this.#store.set("auction/auctioneer", token);
    this.#$("token").value = "";
    this.#say(answer.isOK ? "good" : "bad", answer.isOK ? "You are the auctioneer" : answer.content);
    this.show();
  }

  async #send(command, question) {
    if (question && !(await this.#confirm(question))) return;
    const answer = await this.#connection.request(command);
    const verb = command.split(" ")[0];
    this.#say(answer.isOK ? "good" : "bad", answer.isOK ? `Done: ${verb}` : answer.content);
  }

  #confirm(question) {
    const dialog = this.#$("confirm");
    this.#$("confirm-text").textContent = question;
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.onclose = () => resolve(dialog.returnValue === "yes");
    });
  }

  #say(kind, text) {
    this.#$("auctioneer-note").dataset.kind = kind;
    this.#$("auctioneer-note").textContent = text;
  }
}
