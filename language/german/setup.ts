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
  'This is not a web address.': 'Das ist keine Webadresse.',
  'The platform does not send to {url}.': 'Die Plattform sendet nicht an {url}.',
  'The platform does not send {types}.': 'Die Plattform sendet nicht: {types}.',
  '{subscription} sends to the same address once more.': '{subscription} sendet noch einmal an dieselbe Adresse.',
  '{subscription} sends to {url} with a token that is refused: what it sends is lost.':
    '{subscription} sendet an {url} mit einem Token, das abgelehnt wird: Was es sendet, geht verloren.',
  '{subscription} sends to {url} as well, with another token; repeats are counted once.':
    '{subscription} sendet auch an {url}, mit einem anderen Token; Wiederholungen zählen einmal.',
  '{url} can be reached from this machine only. Set PUBLIC_INGEST_URL to the address that the platform can reach.':
    '{url} ist nur von diesem Rechner aus erreichbar. Setzen Sie PUBLIC_INGEST_URL auf die Adresse, die die Plattform erreicht.',
  '{url} is not encrypted: everyone on the way can read the token and send events with it. Platforms ask for https.':
    '{url} ist nicht verschlüsselt: Wer unterwegs mitliest, kennt das Token und kann damit Ereignisse senden. Plattformen verlangen https.',
  'The test event was acknowledged and is not stored after {seconds} s: the consumer is behind or stopped, or the address belongs to another installation.':
    'Das Testereignis wurde bestätigt und ist nach {seconds} s nicht gespeichert: Der Consumer ist im Rückstand oder angehalten, oder die Adresse gehört zu einer anderen Installation.',
  'The test event was refused with status {status}: the address or its token is wrong, or something on the way refuses it.':
    'Das Testereignis wurde mit Status {status} abgelehnt: Die Adresse oder ihr Token ist falsch, oder etwas auf dem Weg lehnt es ab.',
  'The test event could not be delivered ({reason}).': 'Das Testereignis konnte nicht zugestellt werden ({reason}).',
  'Subscription “{name}”': 'Das Abonnement „{name}“',
  'Subscribed {url}.': '{url} abonniert.',
  'Added {types}.': 'Hinzugefügt: {types}.',
  'Removed: {message}': 'Entfernt: {message}',
  'Sign in to the learning platform as an administrator and open its webhook settings (often under Integrations or Developers).':
    'Melden Sie sich mit Administratorrechten bei der Lernplattform an und öffnen Sie ihre Webhook-Einstellungen (oft unter Integrationen oder Entwickler).',
  'Add a webhook subscription named “Rollcall”.': 'Fügen Sie ein Webhook-Abonnement mit dem Namen „Rollcall“ hinzu.',
  'As its URL enter the whole ingest URL, which begins with {url}. It contains a secret: copy it, and share it with nobody.':
    'Geben Sie als URL die ganze Empfangsadresse ein, die mit {url} beginnt. Sie enthält ein Geheimnis: Kopieren Sie sie und geben Sie sie niemandem weiter.',
  'Tick these event types: {types}. More do no harm.':
    'Wählen Sie diese Ereignisarten: {types}. Weitere schaden nicht.',
  'If the list shows another subscription with the same URL, or with an older one of Rollcall’s, remove that one.':
    'Zeigt die Liste ein weiteres Abonnement mit derselben URL oder mit einer älteren von Rollcall, entfernen Sie es.',
  'Save, then run this check again: it sends a test event and looks for it in the store.':
    'Speichern Sie und starten Sie diese Prüfung noch einmal: Sie sendet ein Testereignis und sucht es im Speicher.',
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
  'You have no role here': 'Sie haben hier keine Rolle',
  'You do not have access to this page': 'Sie haben keinen Zugriff auf diese Seite',
  'You are signed in as {login}.': 'Sie sind als {login} angemeldet.',
  'You have none of the roles that there are: {roles}.': 'Sie haben keine der Rollen, die es gibt: {roles}.',
  'You are signed in as {login}, with the role {role}.': 'Sie sind als {login} angemeldet, mit der Rolle {role}.',
  'Ask an owner of this Rollcall for access.': 'Bitten Sie einen Owner dieses Rollcall um Zugriff.',
  'Ask an owner ({owners}) for access.': 'Bitten Sie einen Owner ({owners}) um Zugriff.',
  'Go to Home': 'Zum Start',
  'Your session has ended': 'Ihre Sitzung ist zu Ende',
  'Nothing was done. Sign in again, and send the form once more.':
    'Es wurde nichts getan. Melden Sie sich wieder an und senden Sie das Formular noch einmal.',
  'Nothing to show': 'Nichts zu zeigen',
  'Nobody with this id is among your people.': 'Niemand mit dieser ID gehört zu Ihren Leuten.',
  'No assignment with this id is one of your people’s.': 'Keine Zuweisung mit dieser ID gehört Ihren Leuten.',
  'Nobody of a team with this id is among your people.': 'Niemand aus einem Team mit dieser ID gehört zu Ihren Leuten.',
  'None of your people has a challenge with this id.': 'Keiner Ihrer Leute hat eine Challenge mit dieser ID.',
  'Too many people are signing in': 'Zu viele Personen melden sich gerade an',
  'Try again in a few seconds.': 'Versuchen Sie es in einigen Sekunden noch einmal.',
  Older: 'Ältere',
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
  'In place of the dots a token, which an owner makes on the page Access.':
    'Statt der Punkte ein Token, das ein Owner auf der Seite Zugang erstellt.',
  'Leave out FORMAT to get CSV.': 'Lassen Sie FORMAT weg, um CSV zu bekommen.',
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
