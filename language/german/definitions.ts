/** The German title and definition of every metric. METRICS.md has the English; keys of the API stay English. */
export const germanDefinitions = {
  'Assignments in scope.': 'Zuweisungen in der Auswahl.',
  'Completion rate': 'Abschlussquote',
  'Completed / assigned.': 'Abgeschlossen / zugewiesen.',
  'People with everything complete': 'Personen, die alles abgeschlossen haben',
  'People whose every assignment in scope is completed / people with at least one in scope.':
    'Personen, deren Zuweisungen in der Auswahl alle abgeschlossen sind / Personen mit mindestens einer in der Auswahl.',
  'Completed on time': 'Rechtzeitig abgeschlossen',
  'Completed on time / all in scope, but left out: no due date; completed, but nobody knows when; failed; awaiting grading; not due yet (not completed, not late).':
    'Rechtzeitig abgeschlossen / alle in der Auswahl, ausgelassen sind: ohne Frist; abgeschlossen, aber niemand weiß, wann; nicht bestanden; wartet auf Bewertung; noch nicht fällig (nicht abgeschlossen, nicht zu spät).',
  'Handed in on time': 'Rechtzeitig eingereicht',
  'The learner’s own part: submitted, and first seen submitted before it was late / all in scope, but left out: no due date; failed; not due yet (not submitted, not late); unknown (the first event we have was already submitted, and neither it nor the completion time shows that it was in time).':
    'Der Teil der Lernenden: eingereicht, und erstmals eingereicht gesehen, bevor es zu spät war / alle in der Auswahl, ausgelassen sind: ohne Frist; nicht bestanden; noch nicht fällig (nicht eingereicht, nicht zu spät); unbekannt (schon das erste Ereignis, das wir haben, war eingereicht, und weder es noch die Abschlusszeit zeigt, dass es rechtzeitig war).',
  'The learner still has to act, the due date is known, and it has passed.':
    'Die Lernenden müssen noch handeln, die Frist ist bekannt und vorbei.',
  'Overdue rate': 'Anteil überfällig',
  'Overdue / open ones (the learner still has to act), but left out: no due date.':
    'Überfällig / offene (die Lernenden müssen noch handeln), ausgelassen sind: ohne Frist.',
  'Overdue ones by calendar days in the due zone from the due day to today. The buckets add up to overdue.':
    'Überfällige nach Kalendertagen in der Zeitzone der Fälligkeit, vom Fälligkeitstag bis heute. Zusammen ergeben die Stufen die überfälligen.',
  'Due soon': 'Bald fällig',
  'Open, not overdue, and the due day is today or one of the next days (7 unless asked otherwise).':
    'Offen, nicht überfällig, und der Fälligkeitstag ist heute oder einer der nächsten Tage (7, wenn nicht anders verlangt).',
  'Completed, failed, awaiting grading, overdue, in progress (viewed), not started: the first that holds. They add up to assigned.':
    'Abgeschlossen, nicht bestanden, wartet auf Bewertung, überfällig, in Arbeit (angesehen), nicht begonnen: das erste, das zutrifft. Zusammen ergeben sie die zugewiesenen.',
  'Pass rate': 'Bestehensquote',
  'Graded and passed / graded. Left out: awaiting grading.':
    'Bewertet und bestanden / bewertet. Ausgelassen: wartet auf Bewertung.',
  Grades: 'Bewertungen',
  'Calculated grade, as sent, of graded ones where it is known. Median of an even number = mean of the middle two; ten bins, values outside 0-100 in the end bins.':
    'Errechnete Bewertung, wie gesendet, der bewerteten, wo sie bekannt ist. Median einer geraden Anzahl = Mittel der mittleren zwei; zehn Stufen, Werte außerhalb von 0-100 in den äußeren.',
  'Submitted, and not graded, completed or failed. Untouched or partially graded as the platform says now; age = since first seen submitted, as the plain median and the oldest.':
    'Eingereicht, und nicht bewertet, abgeschlossen oder nicht bestanden. Unberührt oder teilweise bewertet, wie die Plattform es jetzt sagt; Alter = seit erstmals eingereicht gesehen, als einfacher Median und älteste.',
  'Grading overdue': 'Bewertung überfällig',
  'Awaiting grading, and the reviewers’ due date is known and has passed.':
    'Wartet auf Bewertung, und die Frist der Bewertenden ist bekannt und vorbei.',
  'Graded on time': 'Rechtzeitig bewertet',
  'Graded, and first seen graded before it was late by the reviewers’ due date / graded or awaiting ones, but left out: no reviewers’ due date; unknown (the first event we have was already graded); not due yet (awaiting, not late).':
    'Bewertet, und erstmals bewertet gesehen, bevor es nach der Frist der Bewertenden zu spät war / bewertete oder wartende, ausgelassen sind: ohne Frist der Bewertenden; unbekannt (schon das erste Ereignis, das wir haben, war bewertet); noch nicht fällig (wartet, nicht zu spät).',
  'From first seen submitted to first seen graded, of graded or awaiting ones, by Kaplan-Meier: those still awaiting count as far as they have waited. Left out as unknown: the first event we have was already submitted, or both were first seen in one event.':
    'Von erstmals eingereicht bis erstmals bewertet gesehen, der bewerteten oder wartenden, nach Kaplan-Meier: Wer noch wartet, zählt mit der bisherigen Wartezeit. Als unbekannt ausgelassen: Schon das erste Ereignis, das wir haben, war eingereicht, oder beides kam in einem Ereignis.',
  'Time to complete': 'Zeit bis zum Abschluss',
  'From assignment to completion, by Kaplan-Meier: all others, failed ones too, count as far as they have come. Left out as unknown: no completion time or no creation time was sent.':
    'Von der Zuweisung bis zum Abschluss, nach Kaplan-Meier: Alle anderen, auch nicht bestandene, zählen mit ihrer bisherigen Zeit. Als unbekannt ausgelassen: Abschlusszeit oder Zeit der Zuweisung wurde nicht gesendet.',
  Funnel: 'Trichter',
  'Assigned, viewed, started (percentage above 0 or in progress), submitted, graded, passed; each implies the ones before.':
    'Zugewiesen, angesehen, begonnen (Prozent über 0 oder in Arbeit), eingereicht, bewertet, bestanden; jedes schließt die davor ein.',
  Cohorts: 'Kohorten',
  'Assignments by the period in which they were created, and how many of those are completed.':
    'Zuweisungen nach dem Zeitraum, in dem sie entstanden, und wie viele davon abgeschlossen sind.',
  'Of the assignments in scope, per period: assigned by creation, completed by completion time, graded by first seen graded, how often one became overdue, and how many were overdue at the period’s end.':
    'Von den Zuweisungen der Auswahl, je Zeitraum: zugewiesen nach Entstehung, abgeschlossen nach Abschlusszeit, bewertet nach erstmals bewertet gesehen, wie oft eine überfällig wurde, und wie viele am Ende des Zeitraums überfällig waren.',
  'Due dates moved': 'Verschobene Termine',
  'Assignments whose due date differs from the first known one (removed = differs), and completed on time over just these, by the first and by the current due date.':
    'Zuweisungen, deren Frist von der ersten bekannten abweicht (entfernt = weicht ab), und rechtzeitig abgeschlossen nur unter diesen, nach der ersten und nach der jetzigen Frist.',
  'Overdue differs from the platform': 'Überfällig anders als bei der Plattform',
  'The platform says whether it is overdue, and by our definition it is otherwise.':
    'Die Plattform sagt, ob sie überfällig ist, und nach unserer Definition ist es anders.',
  'Guide assignments in scope.': 'Guide-Zuweisungen in der Auswahl.',
  'Those that the platform says are completed.': 'Die, von denen die Plattform sagt, dass sie abgeschlossen sind.',
  'Not completed, the due date is known, and it has passed.': 'Nicht abgeschlossen, die Frist ist bekannt und vorbei.',
  'Completed before it was late / all in scope, but left out: no due date; completed, but nobody knows when; not due yet (not completed, not late).':
    'Abgeschlossen, bevor es zu spät war / alle in der Auswahl, ausgelassen sind: ohne Frist; abgeschlossen, aber niemand weiß, wann; noch nicht fällig (nicht abgeschlossen, nicht zu spät).',
  'How many assignments there are.': 'Wie viele Zuweisungen es gibt.',
  'Of everything that was assigned, how much is completed?': 'Wie viel von allem Zugewiesenen ist abgeschlossen?',
  'Of the work that is completed or past its due date, how much was completed in time?':
    'Wie viel der Arbeit, die abgeschlossen oder fällig ist, wurde rechtzeitig abgeschlossen?',
  'Of the work that is handed in or past its due date, how much was handed in in time?':
    'Wie viel der Arbeit, die eingereicht oder fällig ist, wurde rechtzeitig eingereicht?',
  'How many assignments are late and still with the learner?':
    'Wie viele Zuweisungen sind zu spät und noch bei den Lernenden?',
  'Of the open work with a due date, how much is late?': 'Wie viel der offenen Arbeit mit Frist ist zu spät?',
  'For how many days has what is overdue been late?': 'Seit wie vielen Tagen ist zu spät, was überfällig ist?',
  'How many open assignments fall due within the next days?':
    'Wie viele offene Zuweisungen werden in den nächsten Tagen fällig?',
  'Where does each assignment stand? Each counts once.': 'Wo steht jede Zuweisung? Jede zählt einmal.',
  'Of what was graded, how much passed?': 'Wie viel des Bewerteten ist bestanden?',
  'Which grades were given, and which is in the middle?': 'Welche Bewertungen gab es, und welche liegt in der Mitte?',
  'How much is handed in and not graded yet, and for how long?':
    'Wie viel ist eingereicht und noch nicht bewertet, und seit wann?',
  'How many grades are late by the reviewers’ own due date?':
    'Wie viele Bewertungen sind nach der Frist der Bewertenden zu spät?',
  'How many grades came before the reviewers’ own due date?':
    'Wie viele Bewertungen kamen vor der Frist der Bewertenden?',
  'How long does it take from handing in to the grade?': 'Wie lange dauert es vom Einreichen bis zur Bewertung?',
  'How long does it take from the assignment to its completion?':
    'Wie lange dauert es von der Zuweisung bis zum Abschluss?',
  'How many get to each step, from assigned to passed?':
    'Wie viele kommen zu jedem Schritt, von zugewiesen bis bestanden?',
  'Of what was assigned in a period, how much is completed by now?':
    'Wie viel von dem, was in einem Zeitraum zugewiesen wurde, ist inzwischen abgeschlossen?',
  'What was assigned, completed, graded and overdue in each day, week or month?':
    'Was wurde je Tag, Woche oder Monat zugewiesen, abgeschlossen, bewertet und überfällig?',
  'How many due dates were moved, and what did that do to completion on time?':
    'Wie viele Fristen wurden verschoben, und was heißt das für den rechtzeitigen Abschluss?',
  'Where do the platform and Rollcall disagree on what is overdue?':
    'Wo sind die Plattform und Rollcall uneins, was überfällig ist?',

  // Titles and questions of the sample queries, schemas/clickhouse/sample-queries.sql: a title is the name of its section.
  'Completion by challenge': 'Abschluss nach Challenge',
  'How much of each challenge is completed?': 'Wie viel ist von jeder Challenge abgeschlossen?',
  'Completion by team': 'Abschluss nach Team',
  'How much has each team completed? A person in two teams counts in both, so the teams do not add up to the total.':
    'Wie viel hat jedes Team abgeschlossen? Eine Person in zwei Teams zählt in beiden; die Teams ergeben zusammen also nicht die Gesamtzahl.',
  'People fully complete': 'Personen mit allem abgeschlossen',
  'How many people have completed everything that they were assigned?':
    'Wie viele Personen haben alles abgeschlossen, was ihnen zugewiesen wurde?',
  'On time rate': 'Anteil rechtzeitig',
  'What share was completed on time, and what was left out of it, and why? The reasons are tried in this order; late is after the due day, here in UTC.':
    'Welcher Anteil wurde rechtzeitig abgeschlossen, was wurde ausgelassen, und warum? Die Gründe werden in dieser Reihenfolge geprüft; zu spät ist nach dem Fälligkeitstag, hier in UTC.',
  'Overdue by age': 'Überfällig nach Alter',
  'How late are the overdue ones?': 'Wie lange sind die überfälligen schon überfällig?',
  'Longest overdue people': 'Personen, die am längsten überfällig sind',
  'Who is late with most, and for how long? Names are in the view people, where it is granted.':
    'Wer ist mit den meisten zu spät, und seit wann? Namen stehen in der Sicht people, wo sie erlaubt ist.',
  'What falls due in the next 14 days and is still open?':
    'Was wird in den nächsten 14 Tagen fällig und ist noch offen?',
  'Grading backlog': 'Wartet auf Bewertung',
  'Grades by challenge': 'Bewertungen nach Challenge',
  'Which challenges are hard? Of graded ones only: what waits for a grade is not a zero.':
    'Welche Challenges sind schwer? Nur von bewerteten: Was auf eine Bewertung wartet, ist keine Null.',
  'Where do people stop?': 'Wo hören Personen auf?',
  'Weekly cohorts': 'Wochengruppen',
  'Of what was assigned in each week, how much is completed by now? Weeks begin on Monday, in the zone given here.':
    'Wie viel von dem, was in jeder Woche zugewiesen wurde, ist inzwischen abgeschlossen? Wochen beginnen am Montag, in der hier genannten Zeitzone.',
  'Month against month': 'Monat gegen Monat',
  'How did things stand a month ago, as was known then, and how do they stand now?':
    'Wie standen die Dinge vor einem Monat nach damaligem Wissen, und wie stehen sie jetzt?',
  'Days to complete': 'Tage bis zum Abschluss',
  'How long did the completed ones take? Those still running are left out here, which flatters young challenges; the metric time_to_complete of the API counts them as censored.':
    'Wie lange haben die abgeschlossenen gedauert? Laufende fehlen hier, was jungen Challenges schmeichelt; die Kennzahl time_to_complete der API zählt sie als zensiert.',
  'Moved due dates': 'Verschobene Fristen',
  'Which due dates were moved, and by how much?': 'Welche Fristen wurden verschoben, und um wie viel?',
  'Platform disagrees': 'Plattform weicht ab',
  'Where does the platform’s own overdue flag differ from the dates? It is as old as the last event.':
    'Wo weicht die Angabe „überfällig“ der Plattform von den Daten ab? Sie ist so alt wie das letzte Ereignis.',
  'Open work of people who left': 'Offene Arbeit ausgeschiedener Personen',
  'What is still open for people who have left? The dashboards leave it out.':
    'Was ist bei ausgeschiedenen Personen noch offen? Die Dashboards lassen es aus.',
  'History of one assignment': 'Verlauf einer Zuweisung',
  'What happened to one assignment? Here: the one that was heard of last.':
    'Was ist mit einer Zuweisung geschehen? Hier: mit der, von der zuletzt etwas kam.',
  'Delay of delivery': 'Verzögerung der Zustellung',
  'How late do webhooks arrive? By hour of the last week in which any did.':
    'Wie spät kommen Webhooks an? Nach Stunden der letzten Woche, in der welche kamen.',
  'Ledger by day': 'Nachweis nach Tag',
  'What became of the deliveries of each day? Whether all are accounted for: SELECT * FROM rollcall.ledger_total.':
    'Ist alles verbucht, was bestätigt wurde? Die Abweichung ist 0, oder es ist etwas verloren.',
  'Rejected by reason': 'Abgelehnt nach Grund',
  'Why could deliveries not be used?': 'Warum konnten Zustellungen nicht verwendet werden?',
  'Which fields does the platform send in another way than its specification says?':
    'Welche Felder sendet die Plattform anders, als ihre Spezifikation sagt?',
  'Guides by team': 'Guides nach Team',
  'How far is each team with its guides? A person in two teams counts in both.':
    'Wie weit ist jedes Team mit seinen Guides? Eine Person in zwei Teams zählt in beiden.',
} as const
