export const germanProblems = {
  'The form is too large.': 'Das Formular ist zu groß.',
  'is not known': 'ist nicht bekannt',
  'may be given only once': 'darf nur einmal angegeben sein',
  'must be one of {values}, not {text}': 'muss eines von {values} sein, nicht {text}',
  'must be a name of the tz database like Europe/Berlin, not {text}':
    'muss ein Name der tz-Datenbank wie Europe/Berlin sein, nicht {text}',
  'must be an instant with offset or a date, from 1970 to 2148, not {text}':
    'muss ein Zeitpunkt mit Zeitverschiebung oder ein Datum von 1970 bis 2148 sein, nicht {text}',
  'must be a calendar date like 2026-03-31, not {text}': 'muss ein Datum wie 2026-03-31 sein, nicht {text}',
  'must be end_of_day or instant, not {text}': 'muss end_of_day oder instant sein, nicht {text}',
  'must be a whole number from 0 to 365, not {text}': 'muss eine ganze Zahl von 0 bis 365 sein, nicht {text}',
  'must be a whole number from 1 to 9999, not {text}': 'muss eine ganze Zahl von 1 bis 9999 sein, nicht {text}',
  'must be true or false, not {text}': 'muss true oder false sein, nicht {text}',
  'must be the key of a metric, not {text}': 'muss der Schlüssel einer Kennzahl sein, nicht {text}',
  '“{parameter}” {problem}, so it was ignored.': '„{parameter}“ {problem} und wurde ignoriert.',
  'Unknown value “{value}” of “{key}” was ignored.': 'Der unbekannte Wert „{value}“ von „{key}“ wurde ignoriert.',
  'Unknown filter “{parameter}” was ignored.': 'Der unbekannte Filter „{parameter}“ wurde ignoriert.',
  'There is no token {token}.': 'Es gibt kein Token {token}.',
  'Several tokens have the name {token}; give the id.': 'Mehrere Tokens heißen {token}; geben Sie die ID an.',
  'A note has 1 to {n} letters, and no control characters.':
    'Eine Notiz hat 1 bis {n} Zeichen und keine Steuerzeichen.',
  'Choose a day.': 'Wählen Sie einen Tag.',
  'Choose a day from {from} to {to}.': 'Wählen Sie einen Tag von {from} bis {to}.',
  'Only those who see everybody in a team write notes for it; for everybody, owners do.':
    'Notizen für ein Team schreibt, wer alle im Team sieht; für alle schreiben Owner.',
  'You have {n} notes already. Delete one that nobody needs any more.':
    'Sie haben schon {n} Notizen. Löschen Sie eine, die niemand mehr braucht.',
  'There is no such note of yours.': 'Eine solche Notiz von Ihnen gibt es nicht.',
  'A target is a whole number: from 1 to 100 percent, or from 1 to 365 days.':
    'Ein Ziel ist eine ganze Zahl: von 1 bis 100 Prozent oder von 1 bis 365 Tagen.',
  'A name has 1 to {n} letters, and no control characters.': 'Ein Name hat 1 bis {n} Zeichen und keine Steuerzeichen.',
  'You have a view with this name. Choose another one.':
    'Sie haben schon eine Ansicht mit diesem Namen. Wählen Sie einen anderen.',
  'A role is one of: {roles}.': 'Eine Rolle ist eine von: {roles}.',
  'You have {n} views already. Delete one that you do not need any more.':
    'Sie haben schon {n} Ansichten. Löschen Sie eine, die Sie nicht mehr brauchen.',
  'must not be after {other}': 'darf nicht nach {other} liegen',
  'and the end of the trend must be no more than {n} periods apart':
    'darf höchstens {n} Zeiträume vor dem Ende des Verlaufs liegen',
  'A login is an e-mail or the subject at the provider.':
    'Ein Anmeldename ist eine E-Mail-Adresse oder die ID beim Anbieter.',
  'This is the last owner. Make somebody else an owner first.':
    'Das ist der letzte Owner. Machen Sie zuerst jemand anderen zum Owner.',
  'A password has at least {n} characters.': 'Ein Passwort hat mindestens {n} Zeichen.',
  'A password has at most {n} characters.': 'Ein Passwort hat höchstens {n} Zeichen.',
  'A password has at least {n} different characters.': 'Ein Passwort hat mindestens {n} verschiedene Zeichen.',
  'The two passwords differ.': 'Die beiden Passwörter unterscheiden sich.',
  'This is not your password.': 'Das ist nicht Ihr Passwort.',
  'Too many tries. Try again in {minutes} minutes.': 'Zu viele Versuche. Versuchen Sie es in {minutes} Minuten wieder.',
  'This login is not entered.': 'Dieser Anmeldename ist nicht eingetragen.',
  'This login is entered already. Change it in the list.':
    'Dieser Anmeldename ist schon eingetragen. Ändern Sie ihn in der Liste.',
  'A name has up to 100 letters, digits, spaces and . _ -':
    'Ein Name hat bis zu 100 Buchstaben, Ziffern, Leerzeichen und . _ -',
  'A token has the role owner, analyst or manager.': 'Ein Token hat die Rolle owner, analyst oder manager.',
  'A token lives for 1 to 3650 days.': 'Ein Token gilt 1 bis 3650 Tage.',
  "A manager's token needs the manager's id at the platform.":
    'Das Token einer Führungskraft braucht deren ID auf der Plattform.',
  'This page has too many filters for a view. Take some away, and save it again.':
    'Diese Seite hat zu viele Filter für eine Ansicht. Entfernen Sie einige und speichern Sie sie noch einmal.',
  'There is no such view any more.': 'Diese Ansicht gibt es nicht mehr.',
  'Only an owner offers a view to everybody.': 'Nur ein Owner bietet allen eine Ansicht an.',
  'says how far below a manager: give a manager with it': 'braucht dazu eine Führungskraft',
  'must name a part of the metric beside it, as /api/metrics/explain lists them':
    'muss einen Teil der Kennzahl daneben nennen, wie /api/metrics/explain sie auflistet',
  'This page cannot be saved as a view.': 'Diese Seite kann nicht als Ansicht gespeichert werden.',
  'This view names a person by id, so it cannot be offered to everybody.':
    'Diese Ansicht nennt eine Person mit ID und kann darum nicht allen angeboten werden.',
  'The id of a guide has 1 to 200 characters, and none of them is a control character.':
    'Die ID eines Guides hat 1 bis 200 Zeichen, und keines davon ist ein Steuerzeichen.',
  'The id of an order has 1 to 100 letters, digits, hyphens and underscores.':
    'Die ID eines Auftrags hat 1 bis 100 Buchstaben, Ziffern, Binde- und Unterstriche.',
  'The due date must be after 1 January 1970.': 'Die Frist muss nach dem 1. Januar 1970 liegen.',
  'The list holds nobody who could be given a guide.':
    'Die Liste enthält niemanden, dem ein Guide gegeben werden könnte.',
  'The list holds {n} people; an order takes {most} at most. Narrow the list down.':
    'Die Liste enthält {n} Personen, ein Auftrag höchstens {most}. Schränken Sie die Liste ein.',
  'Another order with this id was placed; begin with a new preview.':
    'Es gibt schon einen anderen Auftrag mit dieser ID. Beginnen Sie mit einer neuen Vorschau.',
  'That is nothing that can be done with a view.': 'Das kann man mit einer Ansicht nicht tun.',
} as const
