/** Data that must not get out: put in everywhere, and looked for in everything that comes out. */
import { expect } from 'vitest'

export const marker = {
  name: 'Annelore Markworth',
  email: 'annelore.markworth@example.org',
  /** The title of a team, a challenge, a custom field. */
  title: 'Zanzibarite Xylography',
} as const

/** Also pieces of them: an engine cuts its quotations. */
const pieces = /annelor|markworth|xylograph|zanzibarit/i

export function findMarker(text: string | undefined): string | undefined {
  const found = pieces.exec(text ?? '')
  return found === null ? undefined : text?.slice(Math.max(0, found.index - 200), found.index + 100)
}

export function expectNoMarker(text: string | undefined): void {
  expect(findMarker(text)).toBeUndefined()
}
