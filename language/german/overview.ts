export const germanOverview = {
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
