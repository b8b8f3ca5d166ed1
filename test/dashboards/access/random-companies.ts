/** Random companies, two days each: on the second day a few people are others. Each is gone before the next one begins. */
import { day, monday, toBody } from '../../support/data/records.ts'

type Assignment = {
  person: string
  challenge: string
  teams: string[]
  /** A site lies in a country. Empty: nobody said. */
  country: string
  site: string
  isCompleted: boolean
  /** `null`: not graded. */
  grade: number | null
  isSubmitted: boolean
  isOverdue: boolean
}

/** A company as it stands at the end of a day. */
export type CompanyDay = { date: string; assignments: Assignment[] }

export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    mixed ^= mixed >>> 15
    return (mixed >>> 0) % below
  }
}

/** `days`: in order, the two of each company beside each other. */
export function makeCompanies(count: number, seed: number): { days: CompanyDay[]; bodies: Uint8Array[] } {
  const random = createRandom(seed)
  const randomPlace = createRandom(seed + 1)
  const days: CompanyDay[] = []
  const bodies: Uint8Array[] = []
  for (let company = 0; company < count; company++) {
    const first = makeCompany(random, company)
    settle(first, randomPlace)
    // Some leave and some come, one to four in all, with one assignment each.
    const leaving = new Set(first.slice(0, random(3)).map(({ person }) => person))
    const coming = first
      .filter(({ person }) => !leaving.has(person))
      .slice(0, 1 + random(2))
      .map((like, index): Assignment => ({ ...like, person: `new-${company}-${index}` }))
    const second = [...first.filter(({ person }) => !leaving.has(person)), ...coming]
    for (const [index, assignments] of [first, second].entries()) {
      const at = monday + (2 * company + index) * day
      days.push({ date: new Date(at).toISOString().slice(0, 10), assignments })
      bodies.push(...toBodies(assignments, `${company}-${index}`, at))
    }
  }
  return { days, bodies }
}

function makeCompany(random: (below: number) => number, company: number): Assignment[] {
  const people = 12 + random(30)
  // Nearly everybody is in one team; nearly everybody of a team is in one that lies in it; anything.
  const kind = (['one', 'nested', 'any'] as const)[company % 3] ?? 'any'
  const challenges = kind === 'one' ? 2 : 1 + random(6)
  const teams = kind === 'one' ? 1 : kind === 'nested' ? 2 : 1 + random(6)
  return Array.from({ length: people }, (_, index) => {
    const person = `p-${company}-${index}`
    const team = kind === 'nested' ? Number(random(10) > 0) : random(teams)
    // Some teams lie in another one, and some people are in two or in none.
    const own = random(8) === 0 ? [] : [`t${company}-${team}`]
    if (team % 2 === 1 && own.length > 0) own.push(`t${company}-${team - 1}`)
    if (random(10) === 0) own.push(`t${company}-${random(teams)}`)
    const isBusy = random(3) === 0
    const mine = Array.from({ length: challenges }, (_each, number) => number).filter((number) =>
      number === team % challenges ? true : isBusy && random(2 + number) === 0,
    )
    return mine.map((challenge) => toAssignment(random, person, `c${company}-${challenge}`, [...new Set(own)]))
  }).flat()
}

/** Many people in few countries, each with sites of which some have few people; and a country that is nearly a team. */
function settle(assignments: Assignment[], random: (below: number) => number): void {
  const countries = 1 + random(3)
  for (const own of Map.groupBy(assignments, ({ person }) => person).values()) {
    const isByTeam = random(3) > 0
    const country = isByTeam ? (own[0]?.teams[0] ?? '') : random(9) === 0 ? '' : `land-${random(countries)}`
    const site = country === '' || random(9) === 0 ? '' : `${country}-${random(2 + random(3))}`
    for (const each of own) Object.assign(each, { country, site })
  }
}

function toAssignment(
  random: (below: number) => number,
  person: string,
  challenge: string,
  teams: string[],
): Assignment {
  const grade = random(2) === 0 ? random(101) : null
  const isCompleted = grade !== null && random(2) === 0
  return {
    person,
    challenge,
    teams,
    country: '',
    site: '',
    isCompleted,
    grade,
    isSubmitted: grade !== null || random(3) === 0,
    isOverdue: random(3) === 0,
  }
}

function toBodies(assignments: Assignment[], name: string, at: number): Uint8Array[] {
  return assignments.flatMap((each) => {
    const id = `${each.person}-${each.challenge}-${name}`
    const user = {
      id: each.person,
      name: `Name of ${each.person}`,
      groups: each.teams.map((team) => ({ id: team, name: team })),
      customAttributes: (['country', 'site'] as const).map((apiName) => ({ apiName, value: each[apiName] })),
    }
    const sent = {
      challengeId: each.challenge,
      createdAt: at + day / 2,
      dueDate: each.isOverdue ? at - day : at + 30 * day,
      isCompleted: each.isCompleted,
      completedAt: each.isCompleted ? at + day / 2 : null,
      isSubmitted: each.isSubmitted,
      isFullyGraded: each.grade !== null,
      calculatedGrade: each.grade ?? 0,
    }
    return [toBody('Created', id, at + day / 2, sent, user), toBody('Deleted', id, at + day, sent, user)]
  })
}
