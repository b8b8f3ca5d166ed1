export const germanOverview = {
  'Teams and challenges of fewer than {fewestPeople} people are left out of the rankings.':
    'Teams und Challenges mit weniger als {fewestPeople} Personen fehlen in den Ranglisten.',
  'Since Monday, {since}': 'Seit Montag, {since}',
  '{lead}: what changed could not be read now. <a>Try again</a>':
    '{lead}: Was sich geändert hat, war jetzt nicht lesbar. <a>Erneut versuchen</a>',
  '{lead}: nothing fell overdue, nobody finished, and nothing was assigned.':
    '{lead}: Nichts wurde überfällig, niemand wurde fertig, und nichts wurde zugewiesen.',
  'All changes': 'Alle Änderungen',
  'Needs attention': 'Braucht Aufmerksamkeit',
  'Nothing: nobody is overdue, nothing falls due within 7 days, and no grade is late.':
    'Nichts: Niemand ist überfällig, in 7 Tagen wird nichts fällig, und keine Bewertung ist zu spät.',
  'How late are the late ones?': 'Wie spät sind die verspäteten?',
  'Which teams need help?': 'Welche Teams brauchen Hilfe?',
  'Which challenges are hard to finish in time?': 'Welche Challenges sind schwer rechtzeitig zu schaffen?',
  'What changed since Monday': 'Was sich seit Montag geändert hat',
  'No assignment matches these filters. <a>Clear them</a> to see everything.':
    'Keine Zuweisung passt zu diesen Filtern. <a>Entfernen Sie sie</a>, um alles zu sehen.',
  'No assignment of anybody who is still here has arrived yet.':
    'Bisher ist keine Zuweisung von jemandem angekommen, der noch hier ist.',
  '{assignments} as CSV': '{assignments} als CSV',
  'Assignments as JSON': 'Zuweisungen als JSON',
  'All numbers as JSON': 'Alle Zahlen als JSON',
  'Due weeks as CSV': 'Fälligkeitswochen als CSV',
  'Days overdue as CSV': 'Tage überfällig als CSV',
  'Funnel as CSV': 'Trichter als CSV',
  'Grades as CSV': 'Bewertungen als CSV',
} as const
