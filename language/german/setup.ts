/** Set-up. */
export const germanSetup = {
  Targets: 'Ziele',
  'Of the whole company. Charts show them as a dashed line, and Home says which are missed. Empty: no target.':
    'Für das ganze Unternehmen. Diagramme zeigen sie als gestrichelte Linie, und die Startseite sagt, welche verfehlt sind. Leer: kein Ziel.',
  'Completion, percent at least': 'Abschluss, mindestens Prozent',
  'On time, percent at least': 'Rechtzeitig, mindestens Prozent',
  'Half of the grades within days': 'Hälfte der Bewertungen innerhalb von Tagen',
  'Save targets': 'Ziele speichern',
  'The targets are saved.': 'Die Ziele sind gespeichert.',
  'Let’s get your first event in': 'Holen wir Ihr erstes Ereignis',
  'Rollcall counts what your learning platform sends to one address. Four steps, about five minutes.':
    'Rollcall zählt, was Ihre Lernplattform an eine Adresse sendet. Vier Schritte, etwa fünf Minuten.',
  '{webhooks} stored, {failed} rejected.': '{webhooks} gespeichert, {failed} abgelehnt.',
  'Copy the address': 'Adresse kopieren',
  'This page was not told the address. It is the public address of your ingest service, followed by <code>/webhooks/</code> and one of your tokens; the process printed it when it started.':
    'Diese Seite kennt die Adresse nicht. Es ist die öffentliche Adresse Ihres Empfangsdienstes, gefolgt von <code>/webhooks/</code> und einem Ihrer Tokens; der Dienst hat sie beim Start ausgegeben.',
  Reveal: 'Zeigen',
  'The address contains the secret. Anybody who has it can send events, so treat it like a password.':
    'Die Adresse enthält das Geheimnis. Wer sie hat, kann Ereignisse senden; behandeln Sie sie wie ein Passwort.',
  'Register it with your learning platform': 'Bei Ihrer Lernplattform registrieren',
  'Or do it by hand: as an administrator, open the platform’s webhook settings, add a subscription with this address, and tick the four challenge events:':
    'Oder von Hand: Öffnen Sie mit Administratorrechten die Webhook-Einstellungen der Plattform, fügen Sie ein Abonnement mit dieser Adresse hinzu und wählen Sie die vier Challenge-Ereignisse:',
  'As an administrator, open the platform’s webhook settings, add a subscription with this address, and tick the four challenge events:':
    'Öffnen Sie mit Administratorrechten die Webhook-Einstellungen der Plattform, fügen Sie ein Abonnement mit dieser Adresse hinzu und wählen Sie die vier Challenge-Ereignisse:',
  'Other event types are stored but not used. Older assignments appear as soon as something happens to them.':
    'Andere Ereignisarten werden gespeichert, aber nicht verwendet. Ältere Zuweisungen erscheinen, sobald etwas mit ihnen geschieht.',
  'Send a test event': 'Testereignis senden',
  'A test event is marked as one, is kept, and changes no number.':
    'Ein Testereignis ist als solches markiert, wird aufgehoben und ändert keine Zahl.',
  'From a terminal': 'Aus einem Terminal',
  ' (shows the address)': ' (zeigt die Adresse)',
  'Wait for the first challenge event': 'Auf das erste Challenge-Ereignis warten',
  'See your numbers': 'Ihre Zahlen ansehen',
  ', done': ', erledigt',
  'Acknowledged, on its way': 'Bestätigt, unterwegs',
  'Kept, not usable': 'Aufgehoben, nicht verwendbar',
  Refused: 'Abgelehnt',
  'Nothing has arrived yet. This page keeps looking.': 'Bisher ist nichts angekommen. Diese Seite sieht weiter nach.',
  'Nothing has arrived in the last 7 days. This page keeps looking.':
    'In den letzten 7 Tagen ist nichts angekommen. Diese Seite sieht weiter nach.',
  'Last deliveries, newest first, times in {timeZone}': 'Letzte Zustellungen, neueste zuerst, Zeiten in {timeZone}',
  Happened: 'Geschehen',
  'not known': 'nicht bekannt',
  'See what was sent, and put it right': 'Ansehen, was gesendet wurde, und in Ordnung bringen',
  'The test event was accepted; its receipt is {receipt}. It appears below within seconds.':
    'Das Testereignis wurde angenommen; sein Beleg ist {receipt}. Es erscheint in wenigen Sekunden unten.',
  'The test event was refused with status {status}: {why}':
    'Das Testereignis wurde mit Status {status} abgelehnt: {why}',
  'The test event could not be delivered: {why}. Is the ingest service running at this address?':
    'Das Testereignis konnte nicht zugestellt werden: {why}. Läuft der Empfangsdienst unter dieser Adresse?',
  'The whole ingest URL, with its token': 'Die ganze Empfangsadresse mit ihrem Token',
  Register: 'Registrieren',
  'Check registration': 'Registrierung prüfen',
  'Remove what is marked below': 'Entfernen, was unten markiert ist',
  'Registers the address at the platform and proves it with a test event.':
    'Registriert die Adresse bei der Plattform und prüft sie mit einem Testereignis.',
  'Registered: the platform sends here.': 'Registriert: Die Plattform sendet hierher.',
  'Done: {message}': 'Erledigt: {message}',
  'For your information: {message}': 'Zu Ihrer Information: {message}',
  '{message} “Register” puts this right.': '{message} „Registrieren“ bringt das in Ordnung.',
  '{message} “Remove what is marked below” removes it.': '{message} „Entfernen, was unten markiert ist“ entfernt es.',
  'Scheduled jobs': 'Geplante Aufgaben',
  'Scheduled jobs, times in {timeZone}': 'Geplante Aufgaben, Zeiten in {timeZone}',
  'Last success': 'Zuletzt erfolgreich',
  State: 'Zustand',
  '{items} so far': 'bisher {items}',
  ', {n} could not be read': ', {n} nicht lesbar',
  'Failed, will be gone on with ({soFar})': 'Fehlgeschlagen, wird fortgesetzt ({soFar})',
  'The log of the server says why.': 'Das Protokoll des Servers sagt, warum.',
  'Under way ({soFar})': 'Läuft ({soFar})',
  'Done, nothing new': 'Fertig, nichts Neues',
  'Done: {items}': 'Fertig: {items}',

  // The search, and pages that say that something went wrong.
  View: 'Ansicht',
  'Search: {text}': 'Suche: {text}',
  'Nothing found for “{text}”.': 'Zu „{text}“ wurde nichts gefunden.',
  'As of {moment}: people of then, titles and team names of today. What you open is as of then, too.':
    'Stand {moment}: Personen von damals, Titel und Teamnamen von heute. Auch was Sie öffnen, hat diesen Stand.',
  'These numbers could not be computed': 'Diese Zahlen konnten nicht berechnet werden',
  'The store does not answer yet. Events go on being received and kept, so nothing is lost; try again in a moment.':
    'Der Speicher antwortet noch nicht. Ereignisse werden weiter empfangen und aufgehoben, es geht also nichts verloren; versuchen Sie es gleich noch einmal.',
  'Something went wrong on our side. Events go on being received and kept, so nothing is lost. The reason is in the log of this process.':
    'Bei uns ist etwas schiefgegangen. Ereignisse werden weiter empfangen und aufgehoben, es geht also nichts verloren. Der Grund steht im Protokoll dieses Dienstes.',
  'Try again': 'Noch einmal versuchen',
  'You have no role here yet': 'Sie haben hier noch keine Rolle',
  'You do not have access to this page': 'Sie haben keinen Zugriff auf diese Seite',
  'You are signed in as {login}, and nobody has given you a role.':
    'Sie sind als {login} angemeldet, und niemand hat Ihnen eine Rolle gegeben.',
  'You are signed in as {login}, with the role {role}.': 'Sie sind als {login} angemeldet, mit der Rolle {role}.',
  'Ask an owner of this Rollcall for access.': 'Bitten Sie einen Owner dieses Rollcall um Zugriff.',
  'Ask an owner ({owners}) for access.': 'Bitten Sie einen Owner ({owners}) um Zugriff.',
  '{error}. Your role is {role}.': '{error}. Ihre Rolle ist {role}.',
  'Go to Home': 'Zum Start',
  'Your session has ended': 'Ihre Sitzung ist zu Ende',
  'Nothing was done. Sign in again, and send the form once more.':
    'Es wurde nichts getan. Melden Sie sich wieder an und senden Sie das Formular noch einmal.',
  'Nothing to show': 'Nichts zu zeigen',
  'Nobody with this id is among your people.': 'Niemand mit dieser ID gehört zu Ihren Leuten.',
  'No assignment with this id is one of your people’s.': 'Keine Zuweisung mit dieser ID gehört Ihren Leuten.',
  'Nobody of a team with this id is among your people.': 'Niemand aus einem Team mit dieser ID gehört zu Ihren Leuten.',
  'None of your people has a challenge with this id.': 'Keiner Ihrer Leute hat eine Challenge mit dieser ID.',
  'There is no such page': 'Diese Seite gibt es nicht',
  'Check the address.': 'Prüfen Sie die Adresse.',

  // Data and Help.
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
  'A statement may have 1 MiB at most.': 'Eine Anweisung darf höchstens 1 MiB lang sein.',
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
