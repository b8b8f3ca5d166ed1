export const germanOverview = {
  'Counts are rounded to five, so parts may miss their total. A team, a challenge or a value is shown if it and everybody else are at least {fewestPeople} people.':
    'Zahlen sind auf fünf gerundet, Teile können daher von ihrer Summe abweichen. Ein Team, eine Challenge oder ein Wert wird gezeigt, wenn die Gruppe und alle anderen mindestens {fewestPeople} Personen sind.',
  'There is no comparison: too few people were in this group then.':
    'Es gibt keinen Vergleich: Damals waren zu wenige Personen in dieser Gruppe.',
  'Nothing that concerns many.': 'Nichts, das viele betrifft.',
  'Too few people have a grade to show any.': 'Zu wenige Personen sind bewertet, um etwas zu zeigen.',
  'No ages: too few people wait.': 'Kein Alter: Zu wenige Personen warten.',
  'too few are graded': 'zu wenige sind bewertet',
  'Numbers of single people are not shown to you': 'Zahlen einzelner Personen werden Ihnen nicht gezeigt',
  'Lines are of everybody: within a team or another group, a line would be both':
    'Die Zeilen sind die von allen: Innerhalb eines Teams oder einer anderen Gruppe wäre eine Zeile beides',
  'Rounded lines are of everybody, so the filter was ignored.':
    'Gerundete Zeilen sind die von allen, daher wurde der Filter ignoriert.',
  'You can choose one team or one challenge, or one value of an attribute, now or at the end of a past day, and no other filter':
    'Sie können ein Team, eine Challenge oder einen Wert eines Attributs wählen, jetzt oder am Ende eines vergangenen Tages, und keinen anderen Filter',
  'Numbers are shown if both the group and everybody else are at least five people':
    'Zahlen werden gezeigt, wenn die Gruppe und alle anderen je mindestens fünf Personen sind',
  'Since Monday, {since}': 'Seit Montag, {since}',
  '{lead}: what changed could not be read now. <a>Try again</a>':
    '{lead}: Was sich geändert hat, war jetzt nicht lesbar. <a>Erneut versuchen</a>',
  '{lead}: nothing became overdue, nothing was completed, and nothing was added.':
    '{lead}: Nichts wurde überfällig, nichts wurde abgeschlossen, und nichts kam hinzu.',
  'All changes': 'Alle Änderungen',
  'Needs attention': 'Braucht Aufmerksamkeit',
  'Nothing: nobody is overdue, nothing falls due {days, plural, =0 {on the same day} one {within # day} other {within # days}}, and no grade is late.':
    'Nichts: Niemand ist überfällig, {days, plural, =0 {am selben Tag} one {in # Tag} other {in # Tagen}} wird nichts fällig, und keine Bewertung ist zu spät.',
  'How long overdue?': 'Wie lange überfällig?',
  'Which teams need help?': 'Welche Teams brauchen Hilfe?',
  'Which challenges are hard to finish in time?': 'Welche Challenges werden selten rechtzeitig fertig?',
  'What changed since Monday': 'Was sich seit Montag geändert hat',
  'No assignment matches these filters. <a>Clear them</a> to see everything.':
    'Keine Zuweisung passt zu diesen Filtern. <a>Entfernen Sie sie</a>, um alles zu sehen.',
  'No assignment of anybody who is still here has arrived yet.':
    'Bisher ist keine Zuweisung von jemandem angekommen, der noch hier ist.',
  'None of the people whose work you see has an assignment.': 'Niemand, dessen Arbeit Sie sehen, hat eine Zuweisung.',
  'Targets missed': 'Ziele verfehlt',
  'All numbers': 'Alle Zahlen',
  'Due weeks': 'Fälligkeitswochen',

  // The page of what changed.
  'What changed?': 'Was hat sich geändert?',
  'These changes': 'Diese Änderungen',
  'From {from} to {to}.': 'Von {from} bis {to}.',
  'Since Monday': 'Seit Montag',
  'Since a week ago': 'Seit einer Woche',
  'Since my last visit': 'Seit meinem letzten Besuch',
  'Since when': 'Seit wann',
  'Compare (end of)': 'Vergleiche (Ende des)',
  'with (end of)': 'mit (Ende des)',
  'From your next visit on, you can also choose “Since my last visit”.':
    'Ab Ihrem nächsten Besuch können Sie auch „Seit meinem letzten Besuch“ wählen.',
  'Your last visit here: {moment}. A cookie keeps that time, and nothing else.':
    'Ihr letzter Besuch hier: {moment}. Ein Cookie merkt sich diese Zeit, sonst nichts.',
  'Nothing changed': 'Nichts hat sich geändert',
  '{assignments} changed': '{assignments} geändert',
  'newest first': 'neueste zuerst',
  'Not listed: <a>{n, plural, one {# other assignment} other {# other assignments}}</a> (viewed, started or due soon).':
    'Nicht aufgeführt: <a>{n, plural, one {# andere Zuweisung} other {# andere Zuweisungen}}</a> (angesehen, begonnen oder bald fällig).',
  'Between these moments nothing in this scope changed.':
    'Zwischen diesen Zeitpunkten hat sich in dieser Auswahl nichts geändert.',
  'Changes by kind': 'Änderungen nach Art',
  What: 'Was',
  'Mostly in': 'Vor allem in',
  'Further assignments': 'Weitere Zuweisungen',
  'None of this kind.': 'Keine dieser Art.',
  'Changed assignments': 'Geänderte Zuweisungen',
  'Before → after': 'Vorher → nachher',
  Why: 'Warum',
  'Pages of changes': 'Seiten der Änderungen',
  'The first moment is after the second, so it was ignored.':
    'Der erste Zeitpunkt liegt nach dem zweiten und wurde ignoriert.',
  'This browser has not been here before, so this is what changed since Monday.':
    'Dieser Browser war noch nicht hier. Darum sehen Sie, was sich seit Montag geändert hat.',
} as const
