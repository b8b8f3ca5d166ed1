/**
 * A small company for tests of pages: people with managers and teams, some of them in two teams, in none, or gone; and
 * assignments in every state that there is, over half a year. The same seed, the same deliveries.
 */
import { createRandom } from './random.ts'
import { day, toBody } from './records.ts'

/** Friday 20 November 2026, 13:05 UTC: the moment of the company. */
export const companyNow = Date.UTC(2026, 10, 20, 13, 5)

const teams = [
  { id: 'north', name: 'Sales North' },
  { id: 'south', name: 'Sales South' },
  { id: 'care', name: 'Customer Care' },
]
const names = [
  'Ada Moreno',
  'Zoë Brandt',
  'Li Wei',
  "Maeve O'Neil",
  'Noah Haddad',
  'Ines Costa',
  '<b>Bold</b> & Co',
  '',
]

type Person = Record<string, unknown> & { id: number }

function toPerson(n: number): Person {
  const own = teams[n % 4]
  const groups = own === undefined ? [] : n % 9 === 0 ? [own, teams[(n + 1) % 3]] : [own]
  return {
    id: n,
    name: n < names.length ? names[n] : `Person ${n}`,
    groups,
    isDeleted: n === 29,
    managers: n < 3 ? [] : [{ id: n % 3 }],
  }
}

/** Bodies of deliveries about 30 people and some 300 assignments, in the order of their time. */
export function companyBodies(): Uint8Array[] {
  const random = createRandom(5).uniform
  const bodies: { at: number; body: Uint8Array }[] = []
  for (let n = 0; n < 300; n++) {
    const person = toPerson(n % 30)
    const createdAt = companyNow - Math.floor((2 + random() * 180) * day)
    bodies.push(...toLife(`a${n}`, person, createdAt, random))
  }
  return bodies.sort((a, b) => a.at - b.at).map(({ body }) => body)
}

type Sent = Record<string, unknown>

/** One assignment from its creation to as far as it came. */
function toLife(
  id: string,
  person: Person,
  createdAt: number,
  random: () => number,
): { at: number; body: Uint8Array }[] {
  const challengeId = `c${Math.floor(random() * 5)}`
  const events: { at: number; body: Uint8Array }[] = []
  let at = createdAt
  let state: Sent = {
    challengeId,
    createdAt,
    dueDate: random() < 0.1 ? null : createdAt + Math.floor(14 + random() * 30) * day,
  }
  const say = (kind: Parameters<typeof toBody>[0], change: Sent = {}): boolean => {
    if (at > companyNow) return false
    state = { ...state, ...change }
    events.push({ at, body: toBody(kind, id, at, state, person) })
    return true
  }
  const later = (mostDays: number) => (at += Math.floor(random() * mostDays * day) + 60_000)

  say('Created')
  if (random() < 0.15) return events
  later(12)
  say('Progress', { firstViewedAt: at, completionPercentage: random() < 0.4 ? 0 : 30, status: 'in_progress' })
  if (random() < 0.1) {
    later(5)
    say('Progress', { dueDate: createdAt + 60 * day })
  }
  if (random() < 0.15) return events
  later(25)
  say('Progress', {
    isSubmitted: true,
    status: 'needs_grading',
    completionPercentage: 100,
    reviewersDueDate: at + 5 * day,
  })
  if (random() < 0.12) return events
  if (random() < 0.2) {
    later(4)
    say('Progress', { isPartiallyGraded: true })
    if (random() < 0.5) return events
  }
  later(12)
  const grade = Math.round(random() * 1_000) / 10
  if (grade < 15) {
    say('Progress', {
      isFullyGraded: true,
      isPartiallyGraded: false,
      calculatedGrade: grade,
      status: 'failed',
    })
    return events
  }
  say('Completed', {
    isFullyGraded: true,
    isPartiallyGraded: false,
    isCompleted: true,
    passed: grade > 40,
    calculatedGrade: grade,
    completedAt: random() < 0.05 ? null : at,
    status: 'completed',
  })
  if (random() < 0.1) {
    later(6)
    say('Progress', { calculatedGrade: Math.min(100, grade + 10), passed: true })
  }
  if (random() < 0.04) {
    later(6)
    say('Deleted')
  }
  return events
}
