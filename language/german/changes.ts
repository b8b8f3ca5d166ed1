/** The page of what changed. */
export const germanChanges = {
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
  'The moment “{text}” is not known here, so it was left out.':
    'Der Zeitpunkt „{text}“ ist hier nicht bekannt und wurde weggelassen.',
  'The first moment is after the second, so it was left out.':
    'Der erste Zeitpunkt liegt nach dem zweiten und wurde weggelassen.',
  'This browser has not been here before, so this is what changed since Monday.':
    'Dieser Browser war noch nicht hier. Darum sehen Sie, was sich seit Montag geändert hat.',
} as const
