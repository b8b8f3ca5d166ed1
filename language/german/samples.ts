/** Titles and questions of the sample queries, which are in schemas/clickhouse/sample-queries: a title is the name of its file. */
export const germanSamples = {
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
  'Due in the next fortnight': 'Fällig in den nächsten zwei Wochen',
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
  'Is everything that was acknowledged accounted for? The difference is 0, or something is lost.':
    'Ist alles verbucht, was bestätigt wurde? Die Abweichung ist 0, oder es ist etwas verloren.',
  'Rejected by reason': 'Abgelehnt nach Grund',
  'Why could deliveries not be used?': 'Warum konnten Zustellungen nicht verwendet werden?',
  'Which fields does the platform send in another way than its specification says?':
    'Welche Felder sendet die Plattform anders, als ihre Spezifikation sagt?',
  'Guides by team': 'Guides nach Team',
  'How far is each team with its guides? A person in two teams counts in both.':
    'Wie weit ist jedes Team mit seinen Guides? Eine Person in zwei Teams zählt in beiden.',
} as const
