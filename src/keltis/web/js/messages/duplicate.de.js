/** German: the same deal for several people. */
export default {
  "duplicate.lead":
    "Alle spielen dieselbe Ausgangslage vom selben Platz aus, gegen dieselben Bots. So entscheidet nicht das Glück, wer am besten abschneidet.",
  "duplicate.better": "Kannst du es besser?",
  "duplicate.by": "Von {name}",
  "duplicate.better.by":
    "{name} hat dieses Spiel gespielt und möchte wissen, ob du es besser kannst.",
  "duplicate.how":
    "Die Bots entscheiden in der gleichen Lage für alle gleich. Du hast einen Versuch, den du unterbrechen kannst; Zurücknehmen und Tipps gibt es nicht.",
  "duplicate.you": "du",
  "duplicate.order": "In Spielreihenfolge: {names}",
  "duplicate.round": "Runde {n}",
  "duplicate.until": "Spielbar bis {date}",
  "duplicate.closed": "Das lässt sich nicht mehr spielen.",
  "duplicate.known":
    "Du warst bei diesem Spiel dabei und weißt, was kommt. Darum kannst du es nicht noch einmal für den Vergleich spielen.",
  "duplicate.play": "Spielen",
  "duplicate.continue": "Weiterspielen",
  "duplicate.played": "Schon gespielt: {names}.",
  "duplicate.nobody": "Noch niemand hat es gespielt.",
  "duplicate.hidden": "Die Ergebnisse siehst du, wenn du selbst gespielt hast.",
  "duplicate.results": "Ergebnisse",
  "duplicate.total": "Alle Runden zusammen",
  "duplicate.total.text": "Hier stehen nur die, die alle Runden gespielt haben.",
  "duplicate.col.place": "Platz",
  "duplicate.col.name": "Name",
  "duplicate.col.score": "Punkte",
  "duplicate.col.lead": "Vorsprung",
  "duplicate.col.points": "Match­punkte",
  "duplicate.points.text":
    "Matchpunkte wie im Bridgeclub: einer für jeden, den du schlägst, ein halber bei Gleichstand, in Prozent des Möglichen. Wer aufgibt, bekommt keine.",
  "duplicate.somebody": "Jemand",
  "duplicate.original": "ursprüngliches Spiel",
  "duplicate.gaveup": "aufgegeben",
  "duplicate.watch": "{name} nachspielen",
  "duplicate.watch.short": "Nachspielen",
  "duplicate.link": "Link für deine Freunde",
  "duplicate.make": "Neu anlegen",
  "duplicate.make.go": "Link erstellen",
  "duplicate.seats": "Plätze",
  "duplicate.seats.one": "derselbe Platz für alle",
  "duplicate.seats.all": "jeder Platz einmal, je ein Spiel",
  "duplicate.seat": "Dein Platz",
  "duplicate.seat.n": "Spieler {n}",
  "duplicate.bot": "Bot {n}",
  "duplicate.mine": "Deine bisherigen",
  "duplicate.done": "{n} von {of} gespielt",
  "duplicate.open": "Öffnen",
  "duplicate.unknown":
    "Unter dieser Adresse gibt es nichts zu spielen. Vielleicht ist der Link unvollständig oder zu alt.",
  "duplicate.closes.replay":
    "Die Aufzeichnung deines Spiels sehen dann nur noch die, die selbst gespielt haben.",
};
