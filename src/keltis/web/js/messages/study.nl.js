/** Dutch: replay, lessons, rules. */
export default {
  "replay.lead": "Een gespeeld spel nog eens, stelling voor stelling.",
  "replay.loading": "Het spel wordt opgehaald …",
  "replay.open": "Opgeslagen spel openen",
  "replay.drop": "Kies een bestand, of sleep het ergens op deze pagina.",
  "replay.where": "Na afloop kun je een spel aan de tafel opslaan, of het meteen terugkijken.",
  "replay.running": "Dit spel is nog bezig. Je kunt het hier terugkijken zodra het uit is.",
  "replay.bad": "Dit is geen opgeslagen spel.",
  "replay.bad.move":
    "Dit verslag klopt niet vanaf beslissing {n}: {move} van {name} kan daar niet.",
  "replay.bad.over": "Dit verslag klopt niet vanaf beslissing {n}: dan is het spel al uit.",
  "replay.bad.result": "De zetten van dit verslag leiden tot een andere uitslag dan het vermeldt.",
  "replay.bad.at": "Dit verslag klopt niet. De fout zit in “{place}”.",
  "replay.why.hand": "{card} zit niet in die hand.",
  "replay.why.rising": "{card} past niet: de rij is opklimmend en staat op {top}.",
  "replay.why.falling": "{card} past niet: de rij is afdalend en staat op {top}.",
  "replay.why.open": "{card} ligt niet open.",
  "replay.due.card": "Hier moet een kaart worden gespeeld.",
  "replay.due.figure": "Hier moet een figuur worden gekozen.",
  "replay.due.step": "Hier moet een figuur een stap doen.",
  "replay.due.draw": "Hier moet een kaart worden getrokken.",
  "replay.due.tile": "Hier gaat het om de steentegel die net is blootgelegd.",
  "replay.due.turn": "Hier moet een steentegel worden blootgelegd of genomen.",
  "replay.large": "Voor een opgeslagen spel is dit bestand te groot.",
  "replay.line": "Tijdlijn",
  "replay.at": "Beslissing {at} van {of}",
  "replay.begin": "De kaarten zijn gedeeld.",
  "replay.begin.stones": "Alle steentegels liggen verdekt.",
  "replay.first": "Naar het begin",
  "replay.previous": "Terug",
  "replay.play": "Afspelen",
  "replay.pause": "Pauze",
  "replay.next": "Verder",
  "replay.last": "Naar het einde",
  "replay.hands": "Alle handen tonen",
  "replay.speed": "Snelheid",
  "replay.moves": "Alle zetten",
  "replay.keys.turn": "een beurt terug of verder",
  "replay.keys.speed": "langzamer, sneller",
  "replay.hand.of": "Hand van {name}",
  "replay.front": "Vooraan zit",
  "replay.link": "Link naar deze stelling",
  "replay.link.text": "Wie deze link opent, ziet het spel precies op dit moment.",
  "replay.link.some":
    "Anderen spelen deze beginsituatie ook: de link werkt alleen voor wie dit spel mag zien.",
  "replay.link.whole":
    "Deze link bevat het hele spel. Wie hem opent, ziet het precies op dit moment.",

  "rules.search": "Zoeken in de regels",
  "rules.found": { one: "{n} passage", other: "{n} passages" },
  "rules.none": "Niets gevonden. Probeer een ander woord.",
  "rules.contents": "Inhoud",
  "rules.lesson": "Al spelend leren",
  "figure.board":
    "Het bord bij het begin: vijf paden, links de waarden van de stenen, boven het doelgebied.",
  "figure.cards": "Kaarten: elke kleur heeft een eigen vorm.",
  "figure.figures": "Vier kleine figuren en de grote.",
  "figure.tiles": "Wenssteen, klaverblad, punten.",
  "figure.rows": "Een opklimmende en een afdalende rij. De doorgestreepte kaart past niet meer.",
  "figure.piles": "De trekstapel en twee aflegstapels.",
  "figure.stones": "Steentegels, verdekt en open, met hun symbolen.",
  "figure.row": "Een afdalende rij. De 4 past, de 7 niet.",
  "figure.clovers": "Tegels met een klaverblad geven nog een beurt.",

  "learn.lead": "Drie minuten, en je kunt meespelen. Je doet alles zelf, en er kan niets misgaan.",
  "learn.start": "Les beginnen",
  "learn.again": "Nog een keer",
  "learn.minutes": "ongeveer {n} minuten",
  "learn.step": "Stap {at} van {of}",
  "learn.on": "Verder",
  "learn.back": "Een stap terug",
  "learn.show": "Laat maar zien",
  "learn.not": "Dat zou ook mogen. Hier willen we iets anders: {move}.",
  "learn.play": "Een echt spel spelen",
  "learn.score": "Puntentelling bekijken",
  "learn.other": "Het andere spel",

  "lesson.board.welcome":
    "Welkom! Jij stuurt je lichte figuren deze vijf stenen paden op. Onderaan ligt de start, bovenaan het doelgebied.",
  "lesson.board.values":
    "Wat een figuur telt, staat links naast de steen: van −4 op de eerste tot +10 op de laatste. Vertrekken kost punten, ver komen loont.",
  "lesson.board.lay":
    "Kaarten verzetten figuren: een groene kaart op het groene pad. Je hebt er vier; kies de groene 2 en leg die aan.",
  "lesson.board.figure":
    "Welke figuur vertrekt? De grote telt aan het eind dubbel, ten goede en ten kwade. Met zoveel groen komt die ver: neem de grote.",
  "lesson.board.draw":
    "Je figuur staat op de eerste steen: −4, verdubbeld. Geen zorgen, hij gaat nog verder. Elke beurt eindigt met een nieuwe kaart: trek er een.",
  "lesson.board.rise":
    "Maeve heeft de groene 6 afgelegd. Leg nu de groene 4 aan: daarmee wordt je rij opklimmend, en voortaan passen alleen gelijke of hogere groene kaarten.",
  "lesson.board.take":
    "In plaats van blind te trekken mag je de bovenste kaart van een aflegstapel nemen. De groene 6 past precies: neem die.",
  "lesson.board.clover.lay":
    "Eén kaart, één steen, welk getal er ook op staat. Op de volgende groene steen ligt een klaverblad. Leg de groene 6 aan.",
  "lesson.board.clover":
    "Een klaverblad geeft een extra stap met een figuur naar keuze; er mag ook een nieuwe vertrekken. Zet de groene verder.",
  "lesson.board.plus": "Nu sta je boven nul: steen 4 telt 1, verdubbeld 2. Trek een kaart.",
  "lesson.board.wish.lay":
    "De kiezel met de spiraal op de volgende steen is een wenssteen. Haal hem op: leg de groene 7 aan.",
  "lesson.board.wish":
    "Hij is van jou. Wensstenen tellen aan het eind: geen of één kost punten, vanaf twee leveren ze punten op, vijf zijn er 10 waard. Trek een kaart.",
  "lesson.board.second":
    "Een tweede pad: leg de rode 8 aan. Je grote figuur is al onderweg, dus vertrekt er vanzelf een kleine.",
  "lesson.board.small": "Een kleine figuur telt enkel: voorlopig −4. Trek een kaart.",
  "lesson.board.fall":
    "Rijen mogen ook afdalen. Leg de rode 5 aan: na de 8 passen voortaan alleen gelijke of lagere rode kaarten.",
  "lesson.board.wishes":
    "Een tweede wenssteen! Nu leveren ze je 2 punten op in plaats van er te kosten. Trek een kaart.",
  "lesson.board.discard":
    "Aanleggen hoeft niet. Het gele pad zou nu niets meer worden: kies de gele 1 en leg die af.",
  "lesson.board.closed":
    "De stapel waarop je net hebt afgelegd, is deze beurt voor je gesloten. Trek van de trekstapel.",
  "lesson.board.later":
    "Goed gespeeld. We slaan een stuk over: vele beurten later wordt het spannend.",
  "lesson.board.end":
    "Er staan vier figuren in het doelgebied. De vijfde maakt meteen een einde aan het spel, en jij staat voor: leg de rode 0 aan!",
  "lesson.board.done":
    "Gewonnen, 45 tegen 33! De laatste tegel telde niet meer. Alleen al je grote groene figuur op de eindsteen was goed voor 20.",

  "lesson.stones.welcome":
    "Welkom! Er liggen 55 steentegels verdekt. Daarmee bouw je rijen, één per kleur. Lange rijen leveren punten op, korte kosten er.",
  "lesson.stones.turn": "Een beurt is eenvoudig. Leg een steentegel naar keuze bloot.",
  "lesson.stones.take":
    "De groene 6, met een wenssteen. Je mag hem nemen of laten liggen. Neem hem: zo begint je groene rij.",
  "lesson.stones.cost":
    "Eén tegel alleen telt −4; pas vanaf drie loont een rij. Maeve heeft de rode 3 blootgelegd en laten liggen. Jouw beurt: leg er een bloot.",
  "lesson.stones.leave":
    "Met de blauwe 10 zou een nieuwe rij beginnen, en dat kost punten. Laat hem in het midden liggen.",
  "lesson.stones.open":
    "Maeve heeft de groene 9 laten liggen. In plaats van een tegel bloot te leggen mag je een open tegel nemen: neem de groene 9.",
  "lesson.stones.more":
    "6, 9: je groene rij is nu opklimmend, en alleen hogere getallen passen nog. Een tweede wenssteen zat er ook bij. Leg een tegel bloot.",
  "lesson.stones.clover":
    "De blauwe 5 met een klaverblad! Wie een klaverblad neemt, is meteen nog eens aan de beurt. Neem hem.",
  "lesson.stones.again":
    "Nu komt de blauwe 10 van daarnet goed van pas: die past na de 5. Neem hem.",
  "lesson.stones.misfit":
    "De groene 7 ligt open, maar past niet: je groene rij is al bij 9. Leg liever een tegel bloot.",
  "lesson.stones.three":
    "De groene 10, precies wat je nodig had. Neem hem: met drie tegels levert de rij 2 punten op.",
  "lesson.stones.later": "Goed gespeeld. We springen naar het einde.",
  "lesson.stones.last":
    "Er is nog één tegel. Wie die blootlegt, maakt de beurt af, en dan is het spel uit. Leg hem bloot.",
  "lesson.stones.end":
    "De rode 10 past. Het is de zesde tegel van je rode rij, en vanaf zes krijg je 10 punten. Neem hem!",
  "lesson.stones.done":
    "Gewonnen, 42 tegen 34! Rijen, wensstenen en gedrukte punten worden opgeteld.",
};
