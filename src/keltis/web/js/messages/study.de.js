/** German: replay, lessons, rules. */
export default {
  "replay.lead": "Ein gespieltes Spiel noch einmal, Stellung für Stellung.",
  "replay.loading": "Das Spiel wird geholt …",
  "replay.open": "Gespeichertes Spiel öffnen",
  "replay.drop": "Wähle eine Datei oder zieh sie irgendwo auf diese Seite.",
  "replay.where":
    "Nach dem Ende eines Spiels kann man es am Tisch speichern und sofort noch einmal ansehen.",
  "replay.running": "Dieses Spiel läuft noch. Ansehen kann man es hier, sobald es zu Ende ist.",
  "replay.bad": "Das ist kein gespeichertes Spiel.",
  "replay.bad.move":
    "Diese Aufzeichnung ist ab Entscheidung {n} falsch: {move} von {name} ist dort nicht möglich.",
  "replay.bad.over":
    "Diese Aufzeichnung ist ab Entscheidung {n} falsch: Da ist das Spiel schon aus.",
  "replay.bad.result":
    "Die Züge dieser Aufzeichnung führen zu einem anderen Ergebnis, als sie angibt.",
  "replay.bad.at": "Diese Aufzeichnung ist fehlerhaft. Der Fehler steckt in „{place}“.",
  "replay.why.hand": "{card} ist nicht auf dieser Hand.",
  "replay.why.rising": "{card} passt nicht: Die Reihe steigt und steht bei {top}.",
  "replay.why.falling": "{card} passt nicht: Die Reihe fällt und steht bei {top}.",
  "replay.why.open": "{card} liegt nicht offen.",
  "replay.due.card": "Hier muss eine Karte gespielt werden.",
  "replay.due.figure": "Hier muss eine Figur gewählt werden.",
  "replay.due.step": "Hier muss eine Figur ziehen.",
  "replay.due.draw": "Hier muss eine Karte nachgezogen werden.",
  "replay.due.tile": "Hier geht es um das eben aufgedeckte Plättchen.",
  "replay.due.turn": "Hier muss ein Plättchen aufgedeckt oder genommen werden.",
  "replay.large": "Für ein gespeichertes Spiel ist diese Datei zu groß.",
  "replay.line": "Zeitleiste",
  "replay.at": "Entscheidung {at} von {of}",
  "replay.begin": "Die Karten sind verteilt.",
  "replay.begin.stones": "Alle Plättchen liegen verdeckt.",
  "replay.first": "Zum Anfang",
  "replay.previous": "Zurück",
  "replay.play": "Abspielen",
  "replay.pause": "Anhalten",
  "replay.next": "Weiter",
  "replay.last": "Zum Ende",
  "replay.hands": "Alle Hände zeigen",
  "replay.speed": "Tempo",
  "replay.moves": "Alle Züge",
  "replay.keys.turn": "einen Zug zurück oder weiter",
  "replay.keys.speed": "langsamer, schneller",
  "replay.hand.of": "Hand von {name}",
  "replay.front": "Vorn sitzt",
  "replay.link": "Link zu dieser Stellung",
  "replay.link.text": "Wer diesen Link öffnet, sieht das Spiel genau an dieser Stelle.",
  "replay.link.some":
    "Diese Ausgangslage spielen auch andere: Der Link öffnet sich nur für die, die dieses Spiel sehen dürfen.",
  "replay.link.whole":
    "Dieser Link enthält das ganze Spiel. Wer ihn öffnet, sieht es genau an dieser Stelle.",

  "rules.search": "In den Regeln suchen",
  "rules.found": { one: "{n} Stelle", other: "{n} Stellen" },
  "rules.none": "Nichts gefunden. Versuch es mit einem anderen Wort.",
  "rules.contents": "Inhalt",
  "rules.lesson": "Spielend lernen",
  "figure.board":
    "Der Spielplan zu Beginn: fünf Pfade, links die Werte der Steinfelder, oben der Zielbereich.",
  "figure.cards": "Karten: Jede Farbe hat ihre eigene Form.",
  "figure.figures": "Vier kleine Figuren und die große.",
  "figure.tiles": "Wunschstein, Kleeblatt, Punkte.",
  "figure.rows":
    "Eine steigende und eine fallende Reihe. Die durchgestrichene Karte passt nicht mehr.",
  "figure.piles": "Der Nachziehstapel und zwei Abwurfstapel.",
  "figure.stones": "Plättchen verdeckt und offen, mit ihren Symbolen.",
  "figure.row": "Eine fallende Reihe. Die 4 passt, die 7 nicht.",
  "figure.clovers": "Plättchen mit Kleeblatt bringen einen weiteren Zug.",

  "learn.lead":
    "Drei Minuten, und du kannst mitspielen. Du machst alles selbst; falsch machen kannst du nichts.",
  "learn.start": "Lektion beginnen",
  "learn.again": "Noch einmal",
  "learn.minutes": "etwa {n} Minuten",
  "learn.step": "Schritt {at} von {of}",
  "learn.on": "Weiter",
  "learn.back": "Einen Schritt zurück",
  "learn.show": "Zeig es mir",
  "learn.not": "Das wäre auch erlaubt. Hier soll es etwas anderes sein: {move}.",
  "learn.play": "Ein richtiges Spiel beginnen",
  "learn.score": "Wertung ansehen",
  "learn.other": "Das andere Spiel",

  "lesson.board.welcome":
    "Willkommen! Du schickst deine hellen Figuren diese fünf Steinpfade hinauf. Unten ist das Startfeld, oben der Zielbereich.",
  "lesson.board.values":
    "Was eine Figur zählt, steht links neben ihrem Steinfeld: von −4 auf dem ersten bis +10 auf dem letzten. Loszugehen kostet Punkte, weit zu kommen lohnt sich.",
  "lesson.board.lay":
    "Karten bewegen Figuren: Eine grüne Karte bringt dich auf dem grünen Pfad voran. Du hast vier grüne; wähle die grüne 2 und leg sie aus.",
  "lesson.board.figure":
    "Welche Figur geht los? Die große zählt am Ende doppelt, im Guten wie im Schlechten. Mit so vielen grünen Karten kommt sie weit: Nimm die große.",
  "lesson.board.draw":
    "Deine Figur steht auf dem ersten Steinfeld: −4, verdoppelt. Keine Sorge, das wird besser. Jeder Zug endet mit einer neuen Karte: Zieh vom Stapel.",
  "lesson.board.rise":
    "Maeve hat die grüne 6 abgeworfen. Leg jetzt die grüne 4 aus: Damit steigt deine Reihe, und von nun an passen nur gleiche oder höhere grüne Karten.",
  "lesson.board.take":
    "Statt verdeckt zu ziehen, darfst du die oberste Karte eines Abwurfstapels nehmen. Die grüne 6 passt genau: Nimm sie.",
  "lesson.board.clover.lay":
    "Eine Karte, ein Schritt, gleich welche Zahl. Auf dem nächsten grünen Steinfeld liegt ein Kleeblatt. Leg die grüne 6 aus.",
  "lesson.board.clover":
    "Ein Kleeblatt schenkt einen weiteren Schritt mit einer beliebigen Figur; auch eine neue darf losgehen. Zieh mit der grünen weiter.",
  "lesson.board.plus":
    "Das war der Schritt ins Plus: Steinfeld 4 zählt 1, verdoppelt 2. Zieh eine Karte.",
  "lesson.board.wish.lay":
    "Der Kiesel mit der Spirale auf dem nächsten Steinfeld ist ein Wunschstein. Hol ihn dir: Leg die grüne 7 aus.",
  "lesson.board.wish":
    "Er gehört dir. Wunschsteine zählen am Ende: Keiner oder einer kostet Punkte, zwei oder mehr bringen welche, fünf bringen 10. Zieh eine Karte.",
  "lesson.board.second":
    "Ein zweiter Pfad: Leg die rote 8 aus. Deine große Figur ist schon unterwegs, also geht von selbst eine kleine los.",
  "lesson.board.small": "Eine kleine Figur zählt einfach: vorerst −4. Zieh eine Karte.",
  "lesson.board.fall":
    "Reihen dürfen auch fallen. Leg die rote 5 aus: Nach der 8 passen von nun an nur gleiche oder niedrigere rote Karten.",
  "lesson.board.wishes":
    "Ein zweiter Wunschstein! Jetzt bringen sie dir 2 Punkte, statt welche zu kosten. Zieh eine Karte.",
  "lesson.board.discard":
    "Du musst nichts auslegen. Der gelbe Pfad brächte dir jetzt nichts mehr: Wähle die gelbe 1 und wirf sie ab.",
  "lesson.board.closed":
    "Der Stapel, auf den du gerade abgeworfen hast, ist für diesen Zug gesperrt. Zieh vom Nachziehstapel.",
  "lesson.board.later":
    "Gut gespielt. Wir springen ein Stück vor: Viele Züge später wird es spannend.",
  "lesson.board.end":
    "Vier Figuren sind im Zielbereich. Die fünfte beendet das Spiel sofort, und du liegst vorn: Leg die rote 0 aus!",
  "lesson.board.done":
    "Gewonnen, 45 zu 33! Das letzte Kärtchen zählte nicht mehr. Allein deine große grüne Figur auf dem Endstein hat 20 gebracht.",

  "lesson.stones.welcome":
    "Willkommen! 55 Plättchen liegen verdeckt. Daraus baust du Reihen, eine je Farbe. Lange Reihen bringen Punkte, kurze kosten welche.",
  "lesson.stones.turn": "Ein Zug ist einfach. Deck irgendein Plättchen auf.",
  "lesson.stones.take":
    "Die grüne 6 mit einem Wunschstein. Du darfst sie nehmen oder liegen lassen. Nimm sie: Damit beginnt deine grüne Reihe.",
  "lesson.stones.cost":
    "Ein Plättchen allein zählt −4; erst mit dreien lohnt sich eine Reihe. Maeve hat die rote 3 aufgedeckt und liegen lassen. Jetzt du: Deck eines auf.",
  "lesson.stones.leave":
    "Mit der blauen 10 finge eine neue Reihe an, und das kostet. Lass sie in der Mitte liegen.",
  "lesson.stones.open":
    "Maeve hat die grüne 9 liegen lassen. Statt aufzudecken, darfst du ein offenes Plättchen nehmen: Nimm die grüne 9.",
  "lesson.stones.more":
    "6, 9: Deine grüne Reihe steigt jetzt, und nur höhere Zahlen passen noch. Ein zweiter Wunschstein war auch dabei. Deck eines auf.",
  "lesson.stones.clover":
    "Die blaue 5 mit einem Kleeblatt! Wer ein Kleeblatt nimmt, ist sofort noch einmal am Zug. Nimm sie.",
  "lesson.stones.again":
    "Jetzt kommt die blaue 10 von vorhin gerade recht: Sie passt hinter die 5. Nimm sie.",
  "lesson.stones.misfit":
    "Die grüne 7 liegt offen, passt aber nicht: Deine grüne Reihe ist schon bei 9. Deck lieber eines auf.",
  "lesson.stones.three":
    "Die grüne 10, wie bestellt. Nimm sie: Mit drei Plättchen bringt die Reihe 2 Punkte.",
  "lesson.stones.later": "Gut gespielt. Wir springen vor bis kurz vor Schluss.",
  "lesson.stones.last":
    "Ein Plättchen ist noch verdeckt. Wer es aufdeckt, spielt den Zug zu Ende, dann ist Schluss. Deck es auf.",
  "lesson.stones.end":
    "Die rote 10 passt. Sie ist das sechste Plättchen deiner roten Reihe, und ab sechs gibt es 10 Punkte. Nimm sie!",
  "lesson.stones.done":
    "Gewonnen, 42 zu 34! Zusammengezählt werden Reihen, Wunschsteine und aufgedruckte Punkte.",
};
