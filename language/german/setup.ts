/** Set-up. */
export const germanSetup = {
  Targets: 'Ziele',
  'Of the whole company. Charts show them as a dashed line, and Home says what is below. Empty: no target.':
    'Für das ganze Unternehmen. Diagramme zeigen sie als gestrichelte Linie, und die Startseite sagt, was darunter liegt. Leer: kein Ziel.',
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
} as const
