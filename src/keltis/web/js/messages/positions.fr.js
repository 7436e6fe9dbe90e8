/** Français : les positions en texte. */
export default {
  "position.open": "Ouvrir une position",
  "position.lead":
    "Collez la ligne de texte d’une position, telle que la donnent la bibliothèque, le terminal ou une partie rejouée.",
  "position.label": "Position en texte",
  "position.show": "Afficher",
  "position.title": "Cette position en texte",
  "position.text":
    "Tout ce qui se trouve ici sur la table, en une ligne : pour la bibliothèque, le terminal et cette page.",
  "position.hidden": "Les mains sont cachées ici : le texte ne les contient donc pas non plus.",
  "position.bad": "Ce n’est pas une position.",
  "position.at": "Cette position est erronée. L’erreur est à « {place} ».",
  "position.begin": "La position de départ.",
  "position.copy": "Copier la position",
  "position.player": "Joueur {n}",
};
