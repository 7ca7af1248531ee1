// Tells important events to screen readers, at most once a second, and by sound and vibration.

import { $ } from "./dom.js";
import { store } from "./parts.js";

const tunes = { outbid: [660, 440], lead: [520, 780], won: [520, 660, 780, 1040], going: [880] };

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

export function signal(kind) {
	if (!Object.hasOwn(tunes, kind)) return;
	if (isOn("sound")) play(tunes[kind]);
	if (isOn("vibration")) navigator.vibrate?.(kind === "outbid" ? [120, 60, 120] : 60);
}

const isOn = (id) => store[`auction/${id}`] === "on";

function play(notes) {
	audio ??= new AudioContext();
	audio.resume();
	notes.forEach((hertz, index) => {
		const start = audio.currentTime + index * 0.12;
		const [tone, gain] = [audio.createOscillator(), audio.createGain()];
		tone.frequency.value = hertz;
		gain.gain.setValueAtTime(0.12, start);
		gain.gain.exponentialRampToValueAtTime(0.001, start + 0.18);
		tone.connect(gain).connect(audio.destination);
		tone.start(start);
		tone.stop(start + 0.2);
	});
}

$("vibration").hidden = !navigator.vibrate;
for (const id of ["sound", "vibration"]) {
	$(id).setAttribute("aria-pressed", isOn(id));
	$(id).onclick = () => {
		store[`auction/${id}`] = isOn(id) ? "" : "on";
		$(id).setAttribute("aria-pressed", isOn(id));
		if (isOn(id)) signal("lead");
	};
}
