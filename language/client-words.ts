/** The words of scripts. The page brings them along, as the script is the same for every language. */
import { currentReading } from './language.ts'
import { lookUp, type Message } from './translate.ts'

const words: readonly Message[] = [
  'Copied',
  'Selected',
  'Selected: copy it with the keyboard',
  'This could not be copied',
  'Done',
  'Nothing found',
  '{n} found',
  'Arrow keys read the values.',
]

/** As JSON. `undefined`: they are in the script already. */
export function clientWords(): string | undefined {
  if (currentReading().language === 'en') return undefined
  return JSON.stringify(Object.fromEntries(words.map((word) => [word, lookUp(word)])))
}
