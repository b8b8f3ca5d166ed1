/** The words of scripts. The page brings them along, as the script is the same for every language. */
import { currentReading } from './language.ts'
import { lookUp, type Message } from './translate.ts'

const words: readonly Message[] = [
  'Copied',
  'Selected',
  'Selected: copy it with the keyboard',
  '{what} copied',
  '{what} saved as {file}',
  'This could not be copied',
  'Link',
  'Picture',
  'Done',
  'Nothing found',
  '{n} found',
  'Arrow keys read the values.',
  'Sample data',
  'Rollcall, as of {moment}.',
]

/** As JSON. `undefined`: they are in the script already. */
export function clientWords(): string | undefined {
  if (currentReading().language === 'en') return undefined
  return JSON.stringify(Object.fromEntries(words.map((word) => [word, lookUp(word)])))
}
