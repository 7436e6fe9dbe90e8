/** Deutsch: Stellungen als Text. */
export default {
  "position.open": "Eine Stellung öffnen",
  "position.lead":
    "Füge die Textzeile einer Stellung ein, wie sie die Bibliothek, das Terminal oder eine Wiederholung ausgibt.",
  "position.label": "Stellung als Text",
  "position.show": "Zeigen",
  "position.title": "Diese Stellung als Text",
  "position.text":
    "Alles, was hier auf dem Tisch liegt, in einer Zeile: für die Bibliothek, das Terminal und diese Seite.",
  "position.hidden":
    "Die Karten auf der Hand sind hier verdeckt und stehen deshalb auch nicht im Text.",
  "position.bad": "Das ist keine Stellung.",
  "position.at": "Diese Stellung stimmt nicht. Der Fehler liegt bei „{place}“.",
  "position.begin": "Die Stellung, wie sie aufgebaut wurde.",
  "position.copy": "Stellung kopieren",
  "position.player": "Spieler {n}",
};
