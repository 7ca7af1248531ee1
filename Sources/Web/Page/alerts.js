// Tells important events to screen readers once a second, and by sound and vibration.

import { $, all } from "./dom.js";
import { store } from "./parts.js";

const tunes = { outbid: [660, 440], lead: [520, 780], won: [520, 660, 780, 1040], winner: [180, 140], going: [880], tick: [1_200] };

const waiting = {};
const saidAt = { announce: 0, alert: 0 };
let audio = null;

// Shows a text in a live region; of several within a second only the newest.
export function say(region, text) {
	if (!(region in waiting)) {
		setTimeout(() => {
			$(region).textContent = waiting[region];
			delete waiting[region];
			saidAt[region] = Date.now();
		}, saidAt[region] + 1_000 - Date.now());
	}
	waiting[region] = text;
}

// Has the browser decide now whether it allows sound without a press.
export function openAudio() {
	audio = new AudioContext();
}

export function signal(kind) {
	if (!Object.hasOwn(tunes, kind) || !isOn()) return;
	// Before the first press most browsers allow no sound.
	const isPressed = navigator.userActivation?.hasBeenActive;
	if (isPressed || audio?.state === "running") play(tunes[kind]);
	if (isPressed) navigator.vibrate?.(kind === "outbid" ? [120, 60, 120] : kind === "tick" ? 20 : 60);
}

const isOn = () => store["auction/sound"] !== "off";

function play(notes) {
	audio ??= new AudioContext();
	audio.resume();
	notes.forEach((hertz, index) => {
		const start = audio.currentTime + index * 0.12;
		const [tone, gain] = [audio.createOscillator(), audio.createGain()];
		// A low note is a knock on wood: loud, and it falls.
		const isKnock = hertz < 200;
		tone.frequency.setValueAtTime(hertz, start);
		tone.frequency.exponentialRampToValueAtTime(isKnock ? hertz / 3 : hertz, start + 0.1);
		gain.gain.setValueAtTime(isKnock ? 0.6 : 0.12, start);
		gain.gain.exponentialRampToValueAtTime(0.001, start + 0.18);
		tone.connect(gain).connect(audio.destination);
		tone.start(start);
		tone.stop(start + 0.2);
	});
}

// The big screen has no such button.
for (const button of all("#sound")) {
	button.ariaPressed = isOn();
	button.onclick = () => {
		store["auction/sound"] = isOn() ? "off" : "on";
		button.ariaPressed = isOn();
		signal("lead");
	};
}
