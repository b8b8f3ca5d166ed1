/** Sentences about numbers: outliers, work that needs attention, changes, pace. */
export const germanFindings = {
  '{n, plural, one {# assignment} other {# assignments}} more than 30 days overdue':
    '{n, plural, one {# Zuweisung} other {# Zuweisungen}} seit mehr als 30 Tagen überfällig',
  ', of {value} overdue in all.': ', von insgesamt {value} überfälligen.',
  ', {oldest} of them for more than 90 days.': ', {oldest} davon seit mehr als 90 Tagen.',
  '{n, plural, one {# assignment is} other {# assignments are}} 1 to 7 days overdue':
    '{n, plural, one {# Zuweisung ist} other {# Zuweisungen sind}} seit 1 bis 7 Tagen überfällig',
  '{n, plural, one {# assignment is} other {# assignments are}} 8 to 30 days overdue':
    '{n, plural, one {# Zuweisung ist} other {# Zuweisungen sind}} seit 8 bis 30 Tagen überfällig',
  '. A reminder helps most in the first days.': '. Eine Erinnerung hilft in den ersten Tagen am meisten.',
  ' and has {overdue} overdue': ' und hat {overdue} überfällige',
  ' and have {overdue} overdue': ' und haben {overdue} überfällige',
  'People without a team complete {value} on time{overdue}':
    'Personen ohne Team schließen {value} rechtzeitig ab{overdue}',
  '{worst} completes {value} on time{overdue}': '{worst} schließt {value} rechtzeitig ab{overdue}',
  ' (all challenges: {whole}).': ' (alle Challenges: {whole}).',
  ' (all people here: {whole}).': ' (alle Personen hier: {whole}).',
  ' (all teams: {whole}).': ' (alle Teams: {whole}).',
  '{n, plural, one {# assignment waits} other {# assignments wait}} for a grade':
    '{n, plural, one {# Zuweisung wartet} other {# Zuweisungen warten}} auf eine Bewertung',
  ', already for {oldest}.': ', schon seit {oldest}.',
  ', the oldest for {oldest}.': ', die älteste seit {oldest}.',
  ', the oldest for {oldest}, half of them for more than {median}.':
    ', die älteste seit {oldest}, die Hälfte seit mehr als {median}.',
  'What to grade first': 'Was zuerst zu bewerten ist',
  '{n, plural, one {# grading is} other {# gradings are}} late':
    '{n, plural, one {# Bewertung ist} other {# Bewertungen sind}} verspätet',
  ': the reviewers’ due date has passed.': ': Die Frist der Bewertenden ist vorbei.',
  '{n, plural, one {# assignment falls} other {# assignments fall}} due {days, plural, =0 {on the same day} one {within # day} other {within # days}}':
    '{n, plural, one {# Zuweisung wird} other {# Zuweisungen werden}} {days, plural, =0 {am selben Tag} one {in # Tag} other {in # Tagen}} fällig',
  ', and the learner still has to act.': ', und die Lernenden müssen noch handeln.',
  'Day by day': 'Tag für Tag',
  'On time fell by {points}': 'Rechtzeitig sank um {points}',
  ' since {asOf}, from {value} to {value2} (n = {denominator}).':
    ' seit {asOf}, von {value} auf {value2} (n = {denominator}).',
  ' since {asOf}': ' seit {asOf}',
  'Changes compare {now} with {before}: the same people and assignments, as they stood then.':
    'Änderungen vergleichen {now} mit {before}: dieselben Personen und Zuweisungen, wie sie damals standen.',
  ' against {group}': ' im Vergleich zu {group}',
  'Differences compare these assignments with those assigned {from} – {to}, at the same age: as they stood on {before}. These are two groups, so counts are not called better or worse.':
    'Unterschiede vergleichen diese Zuweisungen mit denen von {from} – {to}, im gleichen Alter: Stand {before}. Das sind zwei Gruppen, darum heißt keine Anzahl besser oder schlechter.',

  'No period to show.': 'Kein Zeitraum zu zeigen.',
  '{n} overdue now': '{n} jetzt überfällig',
  '{n} overdue then, if nothing more happens': '{n} dann überfällig, wenn nichts mehr geschieht',
  '{n} overdue then': '{n} damals überfällig',
  'as many as {since}': 'so viele wie {since}',
  '{n} more than {since}': '{n} mehr als {since}',
  '{n} fewer than {since}': '{n} weniger als {since}',
  '{completed} completed and {assigned} assigned {period, select, day {today} week {this week} other {this month}} so far':
    '{completed} abgeschlossen und {assigned} zugewiesen, {period, select, day {heute} week {diese Woche} other {diesen Monat}} bisher',
  '{completed} completed and {assigned} assigned in the {period, select, day {day} week {week} other {month}} up to then':
    '{completed} abgeschlossen und {assigned} zugewiesen {period, select, day {am Tag} week {in der Woche} other {im Monat}} bis dahin',
  '{completed} completed and {assigned} assigned in the {period, select, day {day} week {week} other {month}} shown last':
    '{completed} abgeschlossen und {assigned} zugewiesen {period, select, day {am zuletzt gezeigten Tag} week {in der zuletzt gezeigten Woche} other {im zuletzt gezeigten Monat}}',
  'last {period, select, day {day} week {week} other {month}}: {completed} and {assigned}':
    '{period, select, day {am Tag davor} week {letzte Woche} other {letzten Monat}}: {completed} und {assigned}',
  'the {period, select, day {day} week {week} other {month}} before: {completed} and {assigned}':
    '{period, select, day {am Tag} week {in der Woche} other {im Monat}} davor: {completed} und {assigned}',
  'at the end of last {period, select, day {day} week {week} other {month}}':
    'am Ende {period, select, day {des Tages davor} week {der letzten Woche} other {des letzten Monats}}',
  'at the end of the {period, select, day {day} week {week} other {month}} before':
    'am Ende {period, select, day {des Tages} week {der Woche} other {des Monats}} davor',
  'Nothing was assigned in this scope.': 'In dieser Auswahl wurde nichts zugewiesen.',
  '{count} of {count2} passed': '{count} von {count2} haben bestanden',
  'All of them were graded': 'Alle wurden bewertet',
  'Most are lost between {from} and {to} ({fewer})': 'Die meisten gehen zwischen {from} und {to} verloren ({fewer})',
  '{fewer} were graded without a pass': '{fewer} wurden ohne Bestehen bewertet',
  '{failed} failed': '{failed} nicht bestanden',
  'Nothing with a due date was due or done in the last four full weeks.':
    'In den letzten vier vollen Wochen war nichts mit Frist fällig oder abgeschlossen.',
  'the last full week': 'der letzten vollen Woche',
  'the last four full weeks': 'den letzten vier vollen Wochen',
  'the last {n} full weeks': 'den letzten {n} vollen Wochen',
  'Of {n} due or done in {weeks}, {onTime} were on time':
    'Von {n} fälligen oder abgeschlossenen in {weeks} waren {onTime} rechtzeitig',
  '{head}; lowest: week of {periodStart} ({onTime}, {n} due).':
    '{head}; am niedrigsten: Woche ab {periodStart} ({onTime}, {n} fällig).',
  'Nobody is overdue.': 'Niemand ist überfällig.',
  '{total} overdue, none for more than 30 days; {fresh} of them since at most 7 days.':
    '{total} überfällig, keine seit mehr als 30 Tagen; {fresh} davon seit höchstens 7 Tagen.',
  '{overMonth} of {total} overdue ({overMonth2}) have been so for more than 30 days.':
    '{overMonth} von {total} überfälligen ({overMonth2}) sind es seit mehr als 30 Tagen.',
  ' {value} of {denominator} graded passed.': ' {value} von {denominator} bewerteten haben bestanden.',
  'The median grade is {median} (n = {n}).{passed}': 'Der Median der Bewertungen ist {median} (n = {n}).{passed}',
  'No team in this scope.': 'Kein Team in dieser Auswahl.',
  'No challenge in this scope.': 'Keine Challenge in dieser Auswahl.',
  'No team has {n} assignments that are due or done, too few to rank.':
    'Kein Team hat {n} fällige oder abgeschlossene Zuweisungen: zu wenige für eine Rangfolge.',
  'No challenge has {n} assignments that are due or done, too few to rank.':
    'Keine Challenge hat {n} fällige oder abgeschlossene Zuweisungen: zu wenige für eine Rangfolge.',
  '{lowest} completed {share} on time; no other team has enough to compare.':
    '{lowest}: {share} rechtzeitig; kein anderes Team hat genug zum Vergleichen.',
  '{lowest} completed {share} on time; no other challenge has enough to compare.':
    '{lowest}: {share} rechtzeitig; keine andere Challenge hat genug zum Vergleichen.',
  'people without a team': 'Personen ohne Team',
  'People without a team completed {share} on time; no team has enough to compare.':
    'Personen ohne Team: {share} rechtzeitig; kein Team hat genug zum Vergleichen.',
  'Lowest on time: {lowest}, {share}. Highest: {highest}, {highestShare}.':
    'Am seltensten rechtzeitig: {lowest}, {share}. Am häufigsten: {highest}, {highestShare}.',
  'Only the first {most} of {n} values of “{key}” are used.':
    'Nur die ersten {most} von {n} Werten von „{key}“ werden verwendet.',
  'At the pace of the last four weeks: {share} by {date}.': 'Im Tempo der letzten vier Wochen: {share} bis {date}.',

  'Nothing waits for a grade.': 'Nichts wartet auf eine Bewertung.',
  'None of {waiting} has waited for 7 days.': 'Keine von {waiting} wartet seit 7 Tagen.',
  '{long} of {all} ({share}) {n, plural, one {has} other {have}} waited 7 days or more.':
    '{long} von {all} ({share}) {n, plural, one {wartet} other {warten}} seit 7 Tagen oder länger.',
  'Nothing with a due date for reviewers has been decided.': 'Nichts mit einer Frist für Bewertende wurde entschieden.',
  '{value} of grades were in time ({denominator}).': '{value} der Bewertungen waren rechtzeitig ({denominator}).',
  '{overdue} of {all} {n, plural, one {is} other {are}} past the reviewers’ due date. {kept}':
    '{overdue} von {all} {n, plural, one {ist} other {sind}} über der Frist der Bewertenden. {kept}',
  'Too little has been graded to say how long it takes.': 'Es ist zu wenig bewertet, um zu sagen, wie lange es dauert.',
  'Half are graded within {half} (n = {n}, and {censored} still waiting)':
    'Die Hälfte ist innerhalb von {half} bewertet (n = {n}, und {censored} warten noch)',
  'Half are graded within {half}, nine in ten within {most} (n = {n}, and {censored} still waiting)':
    'Die Hälfte ist innerhalb von {half} bewertet, neun von zehn innerhalb von {most} (n = {n}, und {censored} warten noch)',
  'the week of {periodStart}': 'die Woche ab {periodStart}',
  '{head}. Slowest was {name}: {p50Ms} (n = {n}).': '{head}. Am langsamsten war {name}: {p50Ms} (n = {n}).',
  'Nothing in this scope waited for a grade at the end of any period.':
    'In dieser Auswahl wartete am Ende keines Zeitraums etwas auf eine Bewertung.',
  '{n} waiting{than}; most were {most} at the end of the {period, select, day {day} week {week} other {month}} of {start}.':
    '{n} warten{than}; die meisten waren {most} am Ende {period, select, day {des Tages} week {der Woche ab} other {des Monats ab}} {start}.',
  'Nothing has been handed in in this scope.': 'In dieser Auswahl wurde nichts eingereicht.',
  ' Grades of {slow} take longest: half more than {p50Ms} (n = {n}).':
    ' Bewertungen von {slow} dauern am längsten: die Hälfte mehr als {p50Ms} (n = {n}).',
  'Nothing waits for a grade.{longest}': 'Nichts wartet auf eine Bewertung.{longest}',
  '{most} has most waiting: {waiting} of {waiting2}.{longest}':
    'Am meisten wartet bei {most}: {waiting} von {waiting2}.{longest}',

  'No guide in this scope.': 'Kein Guide in dieser Auswahl.',
  'No team has {n} assignments, too few to rank.': 'Kein Team hat {n} Zuweisungen: zu wenige für eine Rangfolge.',
  'No guide has {n} assignments, too few to rank.': 'Kein Guide hat {n} Zuweisungen: zu wenige für eine Rangfolge.',
  'Lowest completion: {name}, {lowest} of {value}': 'Am wenigsten abgeschlossen: {name}, {lowest} von {value}',
  'Nothing is overdue. {done}.': 'Nichts ist überfällig. {done}.',
  '{name} has most overdue: {value} of {value2} not completed. {done}.':
    '{name} hat die meisten überfälligen: {value} von {value2} nicht abgeschlossenen. {done}.',
  'People without a team have most overdue: {value} of {value2} not completed. {done}.':
    'Personen ohne Team haben die meisten überfälligen: {value} von {value2} nicht abgeschlossenen. {done}.',
  'No guide is assigned in this scope.': 'In dieser Auswahl ist kein Guide zugewiesen.',
  '{completed, number} of {assigned, number} guide assignments are completed; {overdue, plural, one {# of the other {open, number} is} other {# of the other {open, number} are}} overdue.':
    '{completed, number} von {assigned, number} Guide-Zuweisungen sind abgeschlossen; {overdue, plural, one {# der übrigen {open, number} ist} other {# der übrigen {open, number} sind}} überfällig.',

  ', so far': ', bisher',
  ', up to {asOf}': ', bis {asOf}',
  ', projected': ', hochgerechnet',

  'No manager known': 'Keine Führungskraft bekannt',
  'Unknown person': 'Unbekannte Person',
  'less than a day': 'weniger als ein Tag',
  'No open assignments with a due date.': 'Keine offenen Zuweisungen mit Frist.',
  'None of {n, plural, one {# open assignment} other {# open assignments}} with a due date is overdue.':
    'Von {n, plural, one {# offenen Zuweisung} other {# offenen Zuweisungen}} mit Frist ist keine überfällig.',
  '{overdue, number} of {n, plural, one {# open assignment} other {# open assignments}} with a due date ({share}) {overdue, plural, one {is} other {are}} overdue ({people}).':
    '{overdue, number} von {n, plural, one {# offenen Zuweisung} other {# offenen Zuweisungen}} mit Frist ({share}) {overdue, plural, one {ist} other {sind}} überfällig ({people}).',
  '{n, plural, one {# has} other {# have}} no manager.':
    '{n, plural, one {# hat} other {# haben}} keine Führungskraft.',
  '{n, plural, one {# has} other {# have}} no team.': '{n, plural, one {# hat} other {# haben}} kein Team.',
  'All belong to {most}.': 'Alle gehören zu {most}.',
  '{n} waiting{than}; never more in the time shown.': '{n} warten{than}; in der gezeigten Zeit nie mehr.',
  '{most} has the most: {n} of {all} ({people}).': '{most} hat die meisten: {n} von {all} ({people}).',
  '{half} of {all} account for half.': 'Die Hälfte entfällt auf {half} (insgesamt {all}).',
  'No day to show.': 'Kein Tag zu zeigen.',
  'Nothing falls due from {from} to {to}.': 'Vom {from} bis {to} wird nichts fällig.',
  '{n, plural, one {# assignment falls} other {# assignments fall}} due from {from} to {to}: {handedIn} handed in already, {open} still open':
    '{n, plural, one {# Zuweisung wird} other {# Zuweisungen werden}} vom {from} bis {to} fällig: {handedIn} schon eingereicht, {open} noch offen',
  'most of these on {day}, {open}': 'die meisten davon am {day}, {open}',

  'became overdue': 'überfällig geworden',
  '{n, plural, one {due date moved} other {due dates moved}}':
    '{n, plural, one {Frist verschoben} other {Fristen verschoben}}',
  'all of them in {name}': 'alle davon in {name}',
  '{n} of them in {name}': '{n} davon in {name}',
} as const
