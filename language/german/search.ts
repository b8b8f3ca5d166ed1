/** The search, and pages that say that something went wrong. */
export const germanSearch = {
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
} as const
