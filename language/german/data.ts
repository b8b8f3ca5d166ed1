/** Data and Help. */
export const germanData = {
  // Names of tools, which are the same.
  'Grafana, ClickHouse data source': 'Grafana, ClickHouse-Datenquelle',
  'How do I connect?': 'Wie verbinde ich mich?',
  'ClickHouse’s HTTP interface, read-only, at /api/sql.':
    'Die HTTP-Schnittstelle von ClickHouse, nur lesend, unter /api/sql.',
  'SQL is not answered here: ask ClickHouse itself, as a user with the role rollcall_analyst.':
    'SQL wird hier nicht beantwortet: Fragen Sie ClickHouse selbst, mit der Rolle rollcall_analyst.',
  'Connection strings': 'Verbindungsangaben',
  Tool: 'Werkzeug',
  Setting: 'Einstellung',
  'Write one SELECT statement.': 'Schreiben Sie eine SELECT-Anweisung.',
  'Error:': 'Fehler:',
  Result: 'Ergebnis',
  'Cut here.': 'Hier abgeschnitten.',
  'The first {shownRows} rows; the CSV has all.': 'Die ersten {shownRows} Zeilen; die CSV-Datei hat alle.',
  null: 'null',
  'Query the data': 'Daten abfragen',
  '{n} documented views; changes are announced in the changelog.':
    '{n} dokumentierte Sichten; Änderungen stehen im Changelog.',
  'What the numbers mean': 'Was die Zahlen bedeuten',
  'What does each column mean?': 'Was bedeutet jede Spalte?',
  'Ask in SQL': 'In SQL fragen',
  'Read-only: one SELECT on the views below.': 'Nur lesend: eine SELECT-Anweisung über die Sichten unten.',
  Statement: 'Anweisung',
  Run: 'Ausführen',
  'Download CSV': 'CSV herunterladen',
  'Sample queries': 'Beispielabfragen',
  'Put it into the console': 'In die Konsole übernehmen',
  'The columns are those of assignments.': 'Die Spalten sind die von assignments.',
  'Columns of {name}': 'Spalten von {name}',
  Column: 'Spalte',
  Type: 'Typ',
  Meaning: 'Bedeutung',
  'Days are those of {zone}.': 'Die Tage sind die von {zone}.',
  'Days are those of {zone}; due days those of {dueZone}.':
    'Die Tage sind die von {zone}; Fälligkeitstage die von {dueZone}.',
  'The JSON API': 'Die JSON-API',
  'The same for programs: <a>/api/openapi.json</a>': 'Dasselbe für Programme: <a>/api/openapi.json</a>',
  'On this page': 'Auf dieser Seite',
  Words: 'Begriffe',
  'Numbers of challenge assignments': 'Zahlen zu Challenge-Zuweisungen',
  'Numbers of guides': 'Zahlen zu Guides',
  'How fresh and how complete': 'Wie frisch und wie vollständig',
  'The exact rules: <code>docs/METRICS.md</code>. Each number’s SQL: <code>/api/metrics/explain</code>. Columns and sample queries: <a>Data</a>.':
    'Die genauen Regeln: <code>docs/METRICS.md</code>. Das SQL jeder Zahl: <code>/api/metrics/explain</code>. Spalten und Beispielabfragen: <a>Daten</a>.',
} as const
