/** German: one's devices and data. */
export default {
  "person.title": "Geräte und Daten",
  "person.text":
    "Du hast hier kein Konto: Für dich steht ein geheimer Schlüssel in diesem Browser. Wer ihn hat, sieht deine Karten, kann für dich spielen und hat alle deine Spiele. Ein Link oder QR-Code gibt einem anderen Gerät einen eigenen Schlüssel, der genauso viel wert ist.",
  "person.devices": "Deine Geräte",
  "person.first": "Das erste Gerät",
  "person.this": "dieses",
  "person.since": "seit {time}",
  "person.out": "Abmelden",
  "person.out.which": "{name} abmelden",
  "person.out.all": "Alle anderen abmelden",
  "person.out.ask":
    "{name} abmelden? Es kann dann nicht mehr für dich spielen, und deine Spiele stehen dort nicht mehr.",
  "person.out.ask.this":
    "Dieses Gerät abmelden? Deine Spiele bleiben auf deinen anderen Geräten, und hier fängst du neu an.",
  "person.out.ask.all":
    "Alle deine anderen Geräte abmelden? Ihre Schlüssel sind dann nichts mehr wert.",
  "person.keep": "Abbrechen",
  "person.rule":
    "Ein Gerät kann die abmelden, die nach ihm kamen, und nach einer Woche auch die, die vor ihm da waren; erst dann kann es auch alles löschen. So sperrt dich niemand aus, der einen Link stiehlt, und niemand löscht deine Spiele, und du kannst ein verlorenes Gerät abmelden.",
  "person.add": "Gerät hinzufügen",
  "person.link": "Link für dein anderes Gerät",
  "person.link.text": {
    one: "Öffne diesen Link innerhalb von {n} Minute auf deinem anderen Gerät. Er gilt einmal. Gib ihn niemandem: Er führt zu allem, was du hier hast.",
    other:
      "Öffne diesen Link innerhalb von {n} Minuten auf deinem anderen Gerät. Er gilt einmal. Gib ihn niemandem: Er führt zu allem, was du hier hast.",
  },
  "person.link.end": "Link zurückziehen",
  "person.used":
    "Der Link wurde benutzt. Ist das neueste Gerät in der Liste nicht deins, melde es jetzt ab.",
  "person.gone":
    "Dieses Gerät wurde von einem anderen deiner Geräte abgemeldet. Hier fängst du neu an.",
  "person.join.title": "Deine Spiele auf dieses Gerät holen?",
  "person.join.text":
    "Mit diesem Link kann dieses Gerät alles, was dein anderes kann: deine Karten sehen, für dich spielen, deine Spiele auflisten und löschen. Mach nur weiter, wenn du den Link selbst erstellt hast.",
  "person.join.lost":
    "Dieses Gerät hat eigene Spiele. Sie stehen danach nicht mehr in deiner Liste: Speichere sie vorher, wenn du sie behalten willst.",
  "person.join.save": "Speichern",
  "person.join.name": "Name dieses Geräts",
  "person.join": "Ja, das ist meins",
  "person.join.bad":
    "Dieser Link wurde schon benutzt, zurückgezogen oder ersetzt, oder er ist zu alt. Erstelle auf deinem anderen Gerät einen neuen.",
  "person.phone": "Handy",
  "person.computer": "Computer",
  "person.data": "Was über dich gespeichert ist",
  "person.data.text":
    "Unter deinem Schlüssel sind deine Spiele, deine Ergebnisse in gemeinsamen Spielen, deine Herausforderungen an Freunde, deine Namen und deine Geräte gespeichert, sonst nichts. Du kannst alles als Datei speichern oder löschen.",
  "person.export": "Alles als Datei speichern",
  "person.delete": "Alles löschen",
  "person.delete.ask":
    "Alles löschen, was über dich gespeichert ist, auf allen deinen Geräten? Deine laufenden Spiele verlässt du, aus allen anderen verschwindet dein Name, und deine Listen sind weg. Das lässt sich nicht rückgängig machen.",
  "person.nothing": "Über dich ist noch nichts gespeichert.",
  "person.deleted": "Alles, was über dich gespeichert war, ist gelöscht.",
  "person.unreadable": {
    one: "{n} beschädigtes Spiel war nicht zu lesen: Dein Name kann noch darin stehen. Sag es denen, die diesen Server betreiben.",
    other:
      "{n} beschädigte Spiele waren nicht zu lesen: Dein Name kann noch darin stehen. Sag es denen, die diesen Server betreiben.",
  },
};
