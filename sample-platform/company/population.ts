/** The company at the start: people, teams, managers and challenges. The same seed gives the same company. */
import {
  type ChallengePlan,
  challengePlans,
  circles,
  familyNames,
  givenNames,
  offices,
  type TeamPlan,
  teamPlans,
  toMailbox,
} from './catalogue.ts'
import { dayMs } from './calendar.ts'
import {
  between,
  chance,
  createRandom,
  draw,
  integer,
  lognormal,
  normal,
  pick,
  toUuid,
  type Random,
} from '../random.ts'

export type Team = { id: string; name: string; plan: TeamPlan; lead: Person | undefined }
export type Group = { id: string; name: string }

/** Lists are replaced, never changed, so that earlier events can keep references. */
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
  /** The user object as events carry it, written once per change. */
  written: string | undefined
  /** The state of the person in the last event. */
  lastEvent: { isDeleted: boolean; groups: readonly Group[]; managers: readonly Person[] } | undefined
}

export type Challenge = ChallengePlan & { id: string; index: number }

export type PopulationOptions = {
  seed: string
  /** How many people work there at the start. Default 240. */
  people?: number
  /** How many challenges. Default 14, beyond which the catalogue repeats by level. */
  challenges?: number
  /** When the platform was introduced, epoch ms: everyone was hired before, and no assignment is older. */
  from: number
}

export type Population = ReturnType<typeof createPopulation>

export function createPopulation(options: PopulationOptions) {
  const size = options.people ?? 240
  const random = createRandom(`${options.seed}/population`)
  const teams = createTeams(options.seed, size)
  const shares = teams.reduce((sum, team) => sum + team.plan.share, 0)
  const mailboxes = new Map<string, number>()
  const people: Person[] = []
  const circleGroups = circles.map((name, index) => ({ id: toUuid(`${options.seed}/circle`, index), name }))

  function create(team: Team, createdAt: number, chanceOf: Random): Person {
    const name = `${pick(chanceOf, givenNames)} ${pick(chanceOf, familyNames)}`
    const mailbox = toMailbox(name)
    const namesakes = mailboxes.get(mailbox) ?? 0
    mailboxes.set(mailbox, namesakes + 1)
    const person: Person = {
      id: 20_001 + people.length,
      name,
      email: `${mailbox}${namesakes === 0 ? '' : namesakes + 1}@example.com`,
      isAdmin: chance(chanceOf, 0.02),
      isDeleted: false,
      createdAt,
      updatedAt: createdAt,
      team,
      groups: toGroups(team, circleGroups, chanceOf),
      managers: [],
      office: pick(chanceOf, offices),
      pace: lognormal(chanceOf, 1, 0.35),
      skill: normal(chanceOf, 0, 4),
      leftAt: undefined,
      written: undefined,
      lastEvent: undefined,
    }
    people.push(person)
    return person
  }

  const pickTeam = (chanceOf: Random) => {
    let rest = draw(chanceOf) * shares
    return teams.find((team) => (rest -= team.plan.share) < 0) ?? teams[0]!
  }

  for (let index = 0; index < size; index++) {
    const createdAt = Math.floor(options.from - between(random, 20, 1500) * dayMs)
    create(pickTeam(random), createdAt, random)
  }
  appointManagers(teams, people, random)

  return {
    teams: teams as readonly Team[],
    people,
    challenges: createChallenges(options.seed, options.challenges ?? challengePlans.length),
    /** A new person in a team, under its lead. */
    hire(at: number, chanceOf: Random): Person {
      const team = pickTeam(chanceOf)
      const person = create(team, at, chanceOf)
      person.managers = team.lead === undefined ? [] : [team.lead]
      return person
    },
  }
}

export function toTeamGroup(team: Team): Group {
  return { id: team.id, name: team.name }
}

/** Most people are in their team, some also in a circle, a few in no group. */
function toGroups(team: Team, circleGroups: readonly Group[], random: Random): readonly Group[] {
  if (chance(random, 0.025)) return []
  return chance(random, 0.1) ? [toTeamGroup(team), pick(random, circleGroups)] : [toTeamGroup(team)]
}

function createTeams(seed: string, people: number): Team[] {
  const rounds = Math.max(1, Math.ceil(people / (40 * teamPlans.length)))
  const teams: Team[] = []
  for (let round = 1; round <= rounds; round++) {
    for (const plan of teamPlans) {
      const name = round === 1 ? plan.name : `${plan.name} ${round}`
      teams.push({ id: toUuid(`${seed}/team`, teams.length), name, plan, lead: undefined })
    }
  }
  return teams
}

/** One head of the company, one per department, one lead per team; a few people answer to a second manager as well. */
function appointManagers(teams: readonly Team[], people: readonly Person[], random: Random): void {
  const [head] = people
  if (head === undefined) return
  const departmentHeads = new Map<string, Person>()
  const membersOf = Map.groupBy(people.slice(1), (person) => person.team)
  for (const team of teams) {
    const members = membersOf.get(team) ?? []
    const lead = members[0]
    if (lead === undefined) {
      team.lead = head
      continue
    }
    team.lead = lead
    const departmentHead = departmentHeads.get(team.plan.department)
    if (departmentHead === undefined) departmentHeads.set(team.plan.department, lead)
    lead.managers = [departmentHead ?? head]
    for (const member of members.slice(1)) member.managers = [lead]
  }
  const leads = [...new Set(teams.map((team) => team.lead as Person))]
  for (const person of people) {
    const [manager] = person.managers
    if (person === head || manager === undefined || person.team.lead === person || !chance(random, 0.03))
      continue
    const second = leads[integer(random, 0, leads.length - 1)] as Person
    if (second !== manager && second !== person) person.managers = [manager, second]
  }
}

function createChallenges(seed: string, count: number): Challenge[] {
  return Array.from({ length: count }, (_, index) => {
    const plan = challengePlans[index % challengePlans.length] as ChallengePlan
    const level = Math.floor(index / challengePlans.length)
    return {
      ...plan,
      id: toUuid(`${seed}/challenge`, index),
      index,
      title: level === 0 ? plan.title : `${plan.title}, level ${level + 1}`,
      onboarding: level === 0 && plan.onboarding,
      // Later rounds of the catalogue come less often, so that people are not overloaded.
      everyWeeks: plan.everyWeeks * Math.max(1, Math.ceil(count / challengePlans.length)),
      firstWeek: plan.firstWeek + level * plan.everyWeeks,
    }
  })
}
