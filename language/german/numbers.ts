/** Of `format.ts`. */
export const germanNumbers = {
  '{n} point': '{n} Prozentpunkt',
  '{n} points': '{n} Prozentpunkte',
  'no change': 'unverändert',
  'just now': 'gerade eben',
  '{duration} ago': 'vor {duration}',
} as const
