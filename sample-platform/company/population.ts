/** The people of the company, their teams and managers, and its challenges. The same seed gives the same company. */
import {
  between,
  chance,
  createRandom,
  draw,
  lognormal,
  normal,
  pick,
  toUuid,
  type Random,
} from '../random.ts'
import { dayMs } from './calendar.ts'
import {
  challengePlans,
  circles,
  familyNames,
  givenNames,
  offices,
  teamPlans,
  toMailbox,
} from './catalogue.ts'
import type { ChallengePlan, TeamPlan } from './catalogue.ts'

export type Team = TeamPlan & { id: string; lead: Person | undefined }
export type Group = { id: string; name: string }
export type Challenge = ChallengePlan & { id: string; index: number }

export type Person = {
  id: number
  name: string
  email: string
  isAdmin: boolean
  isDeleted: boolean
  createdAt: number
  updatedAt: number
  team: Team
  groups: readonly Group[]
  managers: readonly Person[]
  office: string
  /** Stretches every duration; 1 = usual. */
  pace: number
  /** Points added to every grade. */
  skill: number
  leftAt: number | undefined
  /** Whether an event has reported the departure. */
  isDepartureTold: boolean
}

export type PopulationOptions = {
  seed: string
  /** How many people work there at the start. Default 240. */
  people?: number
  /** When the platform was introduced, epoch ms: everyone was hired before, and no assignment is older. */
  from: number
}

export function createPopulation({ seed, people: size = 240, from }: PopulationOptions) {
  const people: Person[] = []
  const withId = <Plan>(kind: string) => {
    return (plan: Plan, index: number) => ({ ...plan, id: toUuid(`${seed}/${kind}`, index), index })
  }
  const challenges: Challenge[] = challengePlans.map(withId('challenge'))
  const teams: Team[] = teamPlans.map(withId('team')).map((team) => ({ ...team, lead: undefined }))
  const groups = circles.map((name) => ({ name })).map(withId('circle'))
  const shares = teams.reduce((sum, { share }) => sum + share, 0)

  function pickTeam(random: Random): Team {
    let rest = draw(random) * shares
    return teams.find(({ share }) => (rest -= share) < 0) ?? (teams[0] as Team)
  }

  /** The first person of a team leads it, under the lead of the department. A few people have a second manager. */
  function toManagers(person: Person, random: Random): Person[] {
    const { team } = person
    const [head] = people
    if (head === undefined) return []
    const department = teams.find(({ department, lead }) => lead && department === team.department)?.lead
    const manager = team.lead ?? department ?? head
    team.lead ??= person
    const second = chance(random, 0.03) ? pick(random, teams).lead : undefined
    return second === undefined || second === manager || second === person ? [manager] : [manager, second]
  }

  function hire(createdAt: number, random: Random): Person {
    const team = pickTeam(random)
    const name = `${pick(random, givenNames)} ${pick(random, familyNames)}`
    const namesakes = people.filter((one) => one.name === name).length
    const isGrouped = !chance(random, 0.025)
    const person: Person = {
      id: 20_001 + people.length,
      name,
      email: `${toMailbox(name)}${namesakes === 0 ? '' : namesakes + 1}@example.com`,
      isAdmin: chance(random, 0.02),
      isDeleted: false,
      createdAt,
      updatedAt: createdAt,
      team,
      // Most people are in their team, some also in a circle, a few in no group.
      groups: isGrouped ? [team, ...(chance(random, 0.1) ? [pick(random, groups)] : [])] : [],
      managers: [],
      office: pick(random, offices),
      pace: lognormal(random, 1, 0.35),
      skill: normal(random, 0, 4),
      leftAt: undefined,
      isDepartureTold: false,
    }
    person.managers = toManagers(person, random)
    people.push(person)
    return person
  }

  const random = createRandom(`${seed}/population`)
  for (let index = 0; index < size; index++)
    hire(Math.floor(from - between(random, 20, 1500) * dayMs), random)
  return { people, teams: teams as readonly Team[], challenges, hire }
}
