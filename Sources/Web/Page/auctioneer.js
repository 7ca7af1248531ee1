// The auctioneer's part of the page: it signs in, and sends commands.

import { $, isConfirmed, note, onSubmit } from "./dom.js";
import { connection } from "./parts.js";

export function showAuctioneer() {
	$("gavel").hidden = !connection.isAuctioneer;
	$("sign-in").hidden = connection.isAuctioneer;
	// The key of a room is not enough to stop the server, and main ends with the server alone.
	const isMain = connection.room === "main";
	document.querySelector("[data-command=stop]").hidden = !isMain;
	document.querySelector("[data-command=end]").hidden = isMain;
}

export function signedIn({ isOK, content }) {
	note("auctioneer-note", isOK ? "good" : "bad", isOK ? "You are the auctioneer" : content);
}

onSubmit("sign-in", () => {
	connection.signIn($("token").value.trim());
	$("token").value = "";
});
onSubmit("kick", (button) => {
	const [name, reason] = [$("kick-name").value.trim(), $("kick-reason").value.trim()];
	if (!name) return note("auctioneer-note", "bad", "Type a name");
	if (button.value !== "kick") return command(`${button.value} ${name}`);
	if (!reason) return note("auctioneer-note", "bad", "A kick needs a reason");
	command(`kick ${name} ${reason}`, `Remove ${name}?`);
});
onSubmit("add", async () => {
	const [title, options] = [$("add-title").value.trim(), $("add-options").value.trim()];
	if (!title) return note("auctioneer-note", "bad", "A lot needs a title");
	if (await command(`add ${title} ${options}`.trim())) $("add-title").value = "";
});
for (const button of document.querySelectorAll("#gavel > button")) {
	const { command: word, ask } = button.dataset;
	button.onclick = () => command(word === "end" ? `end ${connection.room}` : word, ask);
}

async function command(text, question) {
	if (question && !(await isConfirmed(question))) return;
	const { isOK, content } = await connection.requestHere(text);
	note("auctioneer-note", isOK ? "good" : "bad", isOK ? `Done: ${text.split(" ")[0]}` : content);
	return isOK;
}
