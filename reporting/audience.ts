/** Whose assignments a reader may see, and what of the people. The statements that pages and the API run obey it. */

/** People under these managers, in these teams, or in a team of these people; all as of now, leavers included. */
export type PeopleSeen = { under: readonly string[]; teams: readonly string[]; teamsOf: readonly string[] }

export type Audience = {
  people: 'all' | PeopleSeen
  /** Whether names and e-mails leave the store. */
  names: boolean
  /**
   * Whether single people may be asked for. If not, there are only rounded numbers of everybody, of one team or of one challenge, and
   * none about fewer people than `fewestPeople` (`reporting/coarse`).
   */
  persons: boolean
}

export const everybody: Audience = { people: 'all', names: true, persons: true }

/** Numbers about fewer people than this say something about each of them. */
export const fewestPeople = 5

/** Readers with equal keys see equal answers. The empty key: everything. */
export function toAudienceKey({ people, names, persons }: Audience): string {
  if (people === 'all' && names && persons) return ''
  const who = people === 'all' ? people : [people.under, people.teams, people.teamsOf].map((ids) => [...ids].sort())
  return JSON.stringify([who, names, persons])
}

/** The reader may not ask this. */
export class AudienceError extends Error {
  override readonly name = 'AudienceError'
  /** `statement`: it holds something about people and cannot be narrowed. `scope`: two answers could differ by a few people. */
  readonly code: 'statement' | 'persons' | 'scope' | 'too_few_people'
  constructor(code: AudienceError['code'], message: string) {
    super(message)
    this.code = code
  }
}
