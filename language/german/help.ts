/** The words of tables elsewhere that are looked up: terms of Help, definitions, reasons, roles. */
export const germanHelp = {
  owner: 'Owner',
  analyst: 'Analyst',
  manager: 'Führungskraft',
  Assignment: 'Zuweisung',
  'One challenge that one person was given. A person may get the same challenge more than once.':
    'Eine Challenge, die eine Person bekommen hat. Eine Person kann dieselbe Challenge mehrmals bekommen.',
  'The learner still has to act: neither handed in, completed nor failed.':
    'Die lernende Person muss noch handeln: weder eingereicht noch abgeschlossen noch nicht bestanden.',
  Exactly: 'Genau',
  Learner: 'Lernende',
  'The person to whom something is assigned.': 'Die Person, der etwas zugewiesen ist.',
  'The platform says that nothing is left to do: handed in and, where it is graded, passed.':
    'Die Plattform sagt, dass nichts mehr zu tun ist: eingereicht und, wo bewertet wird, bestanden.',
  'Due date': 'Frist',
  'The last day on which a challenge can be handed in without being late. A reviewer may have another one for grading.':
    'Der letzte Tag, an dem eine Challenge eingereicht werden kann, ohne zu spät zu sein. Bewertende können eine andere Frist haben.',
  'Late, and the learner still has to act. Late: after the end of the due day. What has no due date is never late.':
    'Zu spät, und die lernende Person muss noch handeln. Zu spät: nach dem Ende des Fälligkeitstages. Was keine Frist hat, ist nie zu spät.',
  'The learner has done their part, and a reviewer may have to grade it. The API calls it submitted.':
    'Die lernende Person hat ihren Teil getan; vielleicht muss noch jemand bewerten. In der API heißt das submitted.',
  'Handed in, and not graded, completed or failed.':
    'Eingereicht, und weder bewertet noch abgeschlossen noch nicht bestanden.',
  'A reviewer has given a grade, whether passed or not.': 'Es wurde bewertet, ob bestanden oder nicht.',
  'Graded and not passed. Failed ones are neither open nor overdue.':
    'Bewertet und nicht bestanden. Solche Zuweisungen sind weder offen noch überfällig.',
  'In scope': 'In der Auswahl',
  'Everything that the filters of a page select, among the people whom you see.':
    'Alles, was die Filter einer Seite auswählen, unter den Personen, die Sie sehen.',
  'A group of the platform. A person in two teams counts in both, so teams may add up to more than all.':
    'Eine Gruppe der Plattform. Wer in zwei Teams ist, zählt in beiden; Teams können zusammen mehr als alles ergeben.',
  'Who the platform says a person reports to, directly or through others.':
    'Wem eine Person laut Plattform unterstellt ist, direkt oder über andere.',
  'People who left': 'Ausgeschiedene',
  'People whom the platform has deactivated. Their assignments are left out, unless you ask for them.':
    'Personen, die auf der Plattform deaktiviert sind. Ihre Zuweisungen fehlen, außer Sie wählen sie hinzu.',
  'How many a number is made of. Under 10 it is grey: one more or less would change it much.':
    'Aus wie vielen eine Zahl besteht. Unter 10 ist sie grau: Eine mehr oder weniger würde viel ändern.',
  Points: 'Prozentpunkte',
  'The difference of two percentages: from 70 % to 73 % is 3 points.':
    'Der Unterschied zweier Anteile: von 70 % auf 73 % sind 3 Prozentpunkte.',
  'Half within, nine of ten within': 'Die Hälfte innerhalb, neun von zehn innerhalb',
  'The median and the 90th percentile: half of all took at most so long, nine of ten at most so long.':
    'Der Median und das 90. Perzentil: So lange dauerte höchstens die Hälfte, so lange höchstens neun von zehn.',
  'The moment that a page shows. At a past moment it shows what was true then, also if it was reported later.':
    'Der Zeitpunkt, den eine Seite zeigt. Zu einem vergangenen zeigt sie, was damals galt, auch wenn es später gemeldet wurde.',
  'Complete up to': 'Vollständig bis',
  'Every delivery that was acknowledged before this moment is in the numbers.':
    'Jede Zustellung, die vor diesem Zeitpunkt bestätigt wurde, ist in den Zahlen.',
  'Deliveries wait': 'Zustellungen warten',
  'They were acknowledged and are safe on a disk, but no number has them yet.':
    'Sie sind bestätigt und sicher auf einer Festplatte, aber noch in keiner Zahl.',
  Quiet: 'Ruhig',
  'Nothing came, and at this time of the week little or nothing usually comes. Everything that was received is counted.':
    'Es kam nichts, und zu dieser Zeit der Woche kommt meist wenig oder nichts. Alles Empfangene ist gezählt.',
  'No events since ..., usually ...': 'Keine Ereignisse seit ..., sonst ...',
  'Nothing came, although at this time of the week something always came in the weeks before. It takes three weeks of history to say so.':
    'Es kam nichts, obwohl zu dieser Zeit der Woche in den Wochen davor immer etwas kam. Um das zu sagen, braucht es drei Wochen Vorgeschichte.',
  'Refused, failed event': 'Abgelehnt, nicht verwendbar',
  'A delivery that cannot be used. It is kept with its reason, and no number has it. Health lists all of them.':
    'Eine Zustellung, die nicht verwendbar ist. Sie wird mit ihrem Grund aufgehoben und ist in keiner Zahl. Die Seite Zustand zeigt alle.',
  'The same delivery, byte for byte, came again. It counts once.':
    'Dieselbe Zustellung, Byte für Byte, kam noch einmal. Sie zählt einmal.',
  'Where every delivery is: waiting, stored, repeated, failed or lost. The difference is 0, or the ledger does not add up.':
    'Wo jede Zustellung ist: wartend, gespeichert, wiederholt, fehlgeschlagen oder verloren. Die Abweichung ist 0, sonst geht der Nachweis nicht auf.',
  'People and numbers that were made up, to try Rollcall out. Every page, export and print says so.':
    'Erfundene Personen und Zahlen, um Rollcall auszuprobieren. Jede Seite, jede Datei und jeder Ausdruck sagt es.',
  'A due day ends at midnight.': 'Ein Fälligkeitstag endet um Mitternacht.',
  'A due date is exact to the minute.': 'Eine Frist gilt auf die Minute genau.',

  'The time from first seen handed in to the moment.': 'Die Zeit vom ersten Mal eingereicht gesehen bis zum Zeitpunkt.',
  'Who grades': 'Wer bewertet',
  'The platform does not say who is to grade an assignment, so nobody is named.':
    'Die Plattform sagt nicht, wer eine Zuweisung bewerten soll; darum wird niemand genannt.',
  'Overdue by the same rule as for learners, with the due date of the reviewers. Soon: its day is at most so many days after the day of the moment.':
    'Überfällig nach derselben Regel wie bei Lernenden, mit der Frist der Bewertenden. Bald: Ihr Tag liegt höchstens so viele Tage nach dem Tag des Zeitpunkts.',
  'Turnaround of a period': 'Bewertungsdauer eines Zeitraums',
  'Grading turnaround over just those first seen graded in the period: nothing among them still waits, so p50 (p90) is the smallest time after which half (nine in ten) of them were graded. Under n = 10 a median is a grey dot and not part of the line.':
    'Die Bewertungsdauer nur über die, die im Zeitraum zum ersten Mal bewertet gesehen wurden: Keine davon wartet noch, also ist p50 (p90) die kürzeste Zeit, nach der die Hälfte (neun von zehn) bewertet war. Unter n = 10 ist ein Median ein grauer Punkt und nicht Teil der Linie.',
  'Waiting at the end': 'Wartet am Ende',
  'Of the assignments in scope at the moment: those that awaited grading at the end of the period (or at the moment, if that is earlier), by the state in force then. An assignment counts only if it was then known, created and not deleted; its person, the filters and who has left are those of the moment.':
    'Von den Zuweisungen der Auswahl zum Zeitpunkt: die, die am Ende des Zeitraums (oder zum Zeitpunkt, falls früher) nach dem damaligen Stand auf eine Bewertung warteten. Eine Zuweisung zählt nur, wenn sie damals bekannt, angelegt und nicht gelöscht war; Person, Filter und Ausgeschiedene sind die des Zeitpunkts.',

  'Registered: the platform sends here, and a test event arrived in the store.':
    'Registriert: Die Plattform sendet hierher, und ein Testereignis kam im Speicher an.',
  'Not right yet:': 'Noch nicht in Ordnung:',
  'This platform does not offer it by its API. By hand:': 'Diese Plattform bietet es nicht über ihre API an. Von Hand:',
  'The platform could not be asked:': 'Die Plattform konnte nicht gefragt werden:',
  Users: 'Personen',
  'Guide assignments, all': 'Guide-Zuweisungen, alle',
  'Guide assignments, changes': 'Guide-Zuweisungen, Änderungen',
  'Comparison of assignments': 'Vergleich der Zuweisungen',
  'Check of what is stored': 'Prüfung des Gespeicherten',

  'The platform has it, we did not': 'Die Plattform hat sie, wir hatten sie nicht',
  'The platform knew something newer': 'Die Plattform wusste etwas Neueres',
  'The platform no longer lists it': 'Die Plattform führt sie nicht mehr',
  'The event of its creation was lost': 'Das Ereignis ihrer Erstellung ging verloren',
  healed: 'ausgebessert',
  'reported; healing is off': 'gemeldet; Ausbessern ist aus',
  'healed if it is still so next time': 'wird ausgebessert, wenn es beim nächsten Mal noch so ist',
  'held back: too many at once, a person must say so': 'zurückgehalten: zu viele auf einmal, ein Mensch muss zustimmen',
  'not healed: created before deliveries began, so earlier counts stay too low':
    'nicht ausgebessert: vor Beginn der Zustellungen erstellt, frühere Anzahlen bleiben zu niedrig',

  'everything: setup, roles, tokens, replay, guide orders':
    'alles: Einrichtung, Rollen, Tokens, Wiederholen, Guides zuweisen',
  'all numbers and rows, and SQL; names only where granted': 'alle Zahlen und Zeilen und SQL; Namen nur, wo erlaubt',
  'the numbers and rows of their own direct and indirect reports of today, with names':
    'die Zahlen und Zeilen der heute direkt und indirekt Unterstellten, mit Namen',
} as const
