/** Nederlands: stellingen als tekst. */
export default {
  "position.open": "Een stelling openen",
  "position.lead":
    "Plak de tekstregel van een stelling, zoals de bibliotheek, de terminal of een herhaling die geeft.",
  "position.label": "Stelling als tekst",
  "position.show": "Tonen",
  "position.title": "Deze stelling als tekst",
  "position.text":
    "Alles wat hier op tafel ligt, in één regel: voor de bibliotheek, de terminal en deze pagina.",
  "position.hidden": "De handkaarten liggen hier dicht en staan dus ook niet in de tekst.",
  "position.bad": "Dit is geen stelling.",
  "position.at": "Deze stelling klopt niet. De fout zit bij ‘{place}’.",
  "position.begin": "De stelling zoals die is opgezet.",
  "position.copy": "Stelling kopiëren",
  "position.player": "Speler {n}",
};
