/** Whose assignments a reader may see, and whether with names. The statements that pages and the API run obey it. */

/** People under these managers, in these teams, or in a team of these people; all as of now, leavers included. */
export type PeopleSeen = { under: readonly string[]; teams: readonly string[]; teamsOf: readonly string[] }

export type Audience = {
  people: 'all' | PeopleSeen
  /** Whether names and e-mails leave the store. */
  names: boolean
}

export const everybody: Audience = { people: 'all', names: true }

/** Readers with equal keys see equal answers. The empty key: everything. */
export function toAudienceKey({ people, names }: Audience): string {
  if (people === 'all' && names) return ''
  const who =
    people === 'all' ? people : [people.under, people.teams, people.teamsOf].map((ids) => [...ids].sort())
  return JSON.stringify([who, names])
}

/** The question holds something about people and cannot be narrowed to those whom the reader may see. */
export class AudienceError extends Error {
  override readonly name = 'AudienceError'
}
