// Tells important events to screen readers, at most once a second, and by sound and vibration.

import { $ } from "./dom.js";
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

export function signal(kind) {
	if (!Object.hasOwn(tunes, kind)) return;
	// Before the first press a browser allows no sound.
	if (!isOn() || !navigator.userActivation?.hasBeenActive) return;
	play(tunes[kind]);
	navigator.vibrate?.(kind === "outbid" ? [120, 60, 120] : kind === "tick" ? 20 : 60);
}

const isOn = () => store["auction/sound"] !== "off";

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

$("sound").ariaPressed = isOn();
$("sound").onclick = () => {
	store["auction/sound"] = isOn() ? "off" : "on";
	$("sound").ariaPressed = isOn();
	signal("lead");
};
