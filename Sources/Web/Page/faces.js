// The colour and the initial of a bidder, as Protocol.md, section Avatars, has them.

const colors = [
	"#a8f0a0", "#ff8fab", "#7adcf5", "#ffd6a5", "#d0a8ff", "#ffe066", "#7ee8c7", "#ff9f6e", "#9fb8ff", "#f7a8e8", "#c8e65c", "#e8d3b9",
];

// The colour's index: FNV-1a of the name in lower case.
export function colorIndex(name) {
	let hash = 2_166_136_261;
	for (const character of name.toLowerCase()) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619) >>> 0;
	return hash % colors.length;
}

export const colorOf = (name) => colors[colorIndex(name)];

export const initialOf = (name) => [...name][0].toUpperCase();

// Shows the face of a bidder in an element, or nobody's for null.
export function showFace(element, name, shown = name) {
	const initial = name ? initialOf(shown) : "";
	if (element.textContent !== initial) element.textContent = initial;
	element.style.setProperty("--face", name ? colorOf(name) : "");
	element.hidden = !name;
}
