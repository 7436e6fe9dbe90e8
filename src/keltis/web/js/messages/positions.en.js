/** English: positions as text. */
export default {
  "position.open": "Open a position",
  "position.lead":
    "Paste the one-line text of a position, as the library, the terminal or a replay gives it.",
  "position.label": "Position as text",
  "position.show": "Show",
  "position.title": "This position as text",
  "position.text":
    "Everything that lies on the table here, in one line: for the library, the terminal and this page.",
  "position.hidden": "The hands are hidden here, so the text doesn’t have them either.",
  "position.bad": "This is not a position.",
  "position.at": "This position is faulty. The fault is at “{place}”.",
  "position.begin": "The position, as it was set up.",
  "position.copy": "Copy position",
  "position.player": "Player {n}",
};
