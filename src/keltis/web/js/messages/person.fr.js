/** French: one's devices and data. */
export default {
  "person.title": "Appareils et données",
  "person.text":
    "Vous n’avez pas de compte ici : une clé secrète dans ce navigateur vous représente. Qui l’a voit votre main, peut jouer à votre place et dispose de toutes vos parties. Un lien ou un code QR donne à un autre appareil sa propre clé, qui vaut tout autant.",
  "person.devices": "Vos appareils",
  "person.first": "Le premier appareil",
  "person.this": "celui-ci",
  "person.since": "depuis le {time}",
  "person.out": "Déconnecter",
  "person.out.which": "Déconnecter {name}",
  "person.out.all": "Déconnecter tous les autres",
  "person.out.ask":
    "Déconnecter {name} ? Il ne pourra plus jouer à votre place, et vos parties n’y seront plus.",
  "person.out.ask.this":
    "Déconnecter cet appareil ? Vos parties restent sur vos autres appareils, et vous repartez ici de zéro.",
  "person.out.ask.all": "Déconnecter tous vos autres appareils ? Leurs clés ne vaudront plus rien.",
  "person.keep": "Annuler",
  "person.rule":
    "Un appareil peut déconnecter ceux qui sont venus après lui et, au bout d’une semaine, aussi ceux d’avant, et tout effacer. Ainsi, qui vole un lien ne peut ni vous exclure ni effacer vos parties, et vous pouvez déconnecter un appareil perdu.",
  "person.add": "Ajouter un appareil",
  "person.link": "Lien pour votre autre appareil",
  "person.link.text": {
    one: "Ouvrez ce lien sur votre autre appareil d’ici {n} minute. Il ne sert qu’une fois. Ne le donnez à personne : il mène à tout ce que vous avez ici.",
    other:
      "Ouvrez ce lien sur votre autre appareil d’ici {n} minutes. Il ne sert qu’une fois. Ne le donnez à personne : il mène à tout ce que vous avez ici.",
  },
  "person.link.end": "Annuler le lien",
  "person.used":
    "Le lien a été utilisé. Si le dernier appareil de la liste n’est pas à vous, déconnectez-le tout de suite.",
  "person.gone":
    "Cet appareil a été déconnecté par un autre de vos appareils. Vous repartez ici de zéro.",
  "person.join.title": "Apporter vos parties sur cet appareil ?",
  "person.join.text":
    "Avec ce lien, cet appareil pourra tout ce que peut l’autre : voir votre main, jouer à votre place, lister et effacer vos parties. Ne continuez que si vous avez créé ce lien vous-même.",
  "person.join.lost":
    "Cet appareil a ses propres parties. Elles ne figureront plus ici : enregistrez-les d’abord si vous voulez les garder.",
  "person.join.save": "Les enregistrer",
  "person.join.name": "Nom de cet appareil",
  "person.join": "Oui, c’est le mien",
  "person.join.bad":
    "Ce lien a déjà servi, a été annulé ou remplacé, ou il est trop ancien. Créez-en un nouveau sur votre autre appareil.",
  "person.phone": "Téléphone",
  "person.computer": "Ordinateur",
  "person.data": "Ce qui est enregistré sur vous",
  "person.data.text":
    "Vos parties, vos résultats dans les donnes communes, vos défis à des amis, vos noms et vos appareils sont enregistrés sous votre clé, et rien d’autre. Vous pouvez tout enregistrer dans un fichier, ou tout effacer.",
  "person.export": "Tout enregistrer dans un fichier",
  "person.delete": "Tout effacer",
  "person.delete.ask":
    "Effacer tout ce qui est enregistré sur vous, sur tous vos appareils ? Vous quittez vos parties en cours, votre nom disparaît de toutes les autres, et vos listes sont perdues. C’est définitif.",
  "person.nothing": "Rien n’est encore enregistré sur vous.",
  "person.deleted": "Tout ce qui était enregistré sur vous est effacé.",
  "person.unreadable": {
    one: "{n} partie endommagée n’a pas pu être lue : votre nom y figure peut-être encore. Prévenez l’exploitant de ce serveur.",
    other:
      "{n} parties endommagées n’ont pas pu être lues : votre nom y figure peut-être encore. Prévenez l’exploitant de ce serveur.",
  },
};
