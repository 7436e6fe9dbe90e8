/** Dutch: one's devices and data. */
export default {
  "person.title": "Apparaten en gegevens",
  "person.text":
    "Je hebt hier geen account: een geheime sleutel in deze browser staat voor jou. Wie die heeft, ziet je kaarten, kan voor je spelen en heeft al je spellen. Een link of QR-code geeft een ander apparaat een eigen sleutel, die evenveel waard is.",
  "person.devices": "Je apparaten",
  "person.first": "Het eerste apparaat",
  "person.this": "dit apparaat",
  "person.since": "sinds {time}",
  "person.out": "Afmelden",
  "person.out.which": "{name} afmelden",
  "person.out.all": "Alle andere afmelden",
  "person.out.ask":
    "{name} afmelden? Het kan dan niet meer voor je spelen en je spellen staan er niet meer.",
  "person.out.ask.this":
    "Dit apparaat afmelden? Je spellen blijven op je andere apparaten en hier begin je opnieuw.",
  "person.out.ask.all": "Al je andere apparaten afmelden? Hun sleutels zijn dan niets meer waard.",
  "person.keep": "Annuleren",
  "person.rule":
    "Een apparaat kan afmelden wat na hem kwam, en na een week ook wat er al was; dan pas kan het ook alles wissen. Zo kan niemand die een link steelt je buitensluiten of je spellen wissen, en kun je een verloren apparaat afmelden.",
  "person.add": "Apparaat toevoegen",
  "person.link": "Link voor je andere apparaat",
  "person.link.text": {
    one: "Open deze link binnen {n} minuut op je andere apparaat. Hij werkt één keer. Geef hem aan niemand: hij leidt naar alles wat je hier hebt.",
    other:
      "Open deze link binnen {n} minuten op je andere apparaat. Hij werkt één keer. Geef hem aan niemand: hij leidt naar alles wat je hier hebt.",
  },
  "person.link.end": "Link intrekken",
  "person.used":
    "De link is gebruikt. Is het nieuwste apparaat in de lijst niet van jou, meld het dan nu af.",
  "person.gone": "Dit apparaat is afgemeld door een ander apparaat van je. Hier begin je opnieuw.",
  "person.join.title": "Je spellen naar dit apparaat halen?",
  "person.join.text":
    "Met deze link kan dit apparaat alles wat je andere kan: je kaarten zien, voor je spelen, je spellen tonen en wissen. Ga alleen verder als je de link zelf hebt gemaakt.",
  "person.join.lost":
    "Dit apparaat heeft eigen spellen. Die staan daarna niet meer in je lijst: sla ze eerst op als je ze wilt houden.",
  "person.join.save": "Opslaan",
  "person.join.name": "Naam van dit apparaat",
  "person.join": "Ja, dit is van mij",
  "person.join.bad":
    "Deze link is al gebruikt, ingetrokken of vervangen, of te oud. Maak op je andere apparaat een nieuwe.",
  "person.phone": "Telefoon",
  "person.computer": "Computer",
  "person.data": "Wat over jou is opgeslagen",
  "person.data.text":
    "Onder je sleutel staan je spellen, je resultaten in gezamenlijke spellen, je uitdagingen aan vrienden, je namen en je apparaten, en niets anders. Je kunt alles als bestand opslaan of wissen.",
  "person.export": "Alles als bestand opslaan",
  "person.delete": "Alles wissen",
  "person.delete.ask":
    "Alles wissen wat over jou is opgeslagen, op al je apparaten? Je verlaat je lopende spellen, je naam verdwijnt uit alle andere en je lijsten zijn weg. Dit kan niet ongedaan worden gemaakt.",
  "person.nothing": "Over jou is nog niets opgeslagen.",
  "person.deleted": "Alles wat over jou was opgeslagen, is gewist.",
  "person.unreadable": {
    one: "{n} beschadigd spel was niet te lezen: je naam staat er misschien nog in. Meld het aan wie deze server beheert.",
    other:
      "{n} beschadigde spellen waren niet te lezen: je naam staat er misschien nog in. Meld het aan wie deze server beheert.",
  },
};
