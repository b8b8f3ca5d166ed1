/** Who joins, leaves and changes teams. The platform reports it only inside the next event about the person. */
import { dayMs } from './calendar.ts'
import type { Assigning } from './assigning.ts'
import type { Learning } from './learning/learning.ts'
import { toTeamGroup, type Person } from './population.ts'
import { chance, createRandom, exponential, pick, type Random } from '../random.ts'
import type { World } from './world.ts'

const yearMs = 365 * dayMs
/** Per person and year. */
const rates = { hired: 0.24, left: 0.17, moved: 0.08 }

/** Plans the first of each; each plans its successor. */
export function startStaffChanges(
  world: World,
  learning: Learning,
  assigning: Assigning,
  from: number,
): void {
  const { population, calendar } = world

  function recur(name: string, rate: number, run: (at: number, random: Random) => void): void {
    const random = createRandom(`${world.seed}/staff/${name}`)
    const meanGap = yearMs / (population.people.length * rate)
    const plan = (after: number) => {
      world.planAt(
        calendar.toWorkingInstant(Math.floor(after + exponential(random, meanGap)), random),
        (at) => {
          run(at, random)
          plan(at)
        },
      )
    }
    plan(from)
  }

  function pickActive(random: Random): Person | undefined {
    for (let tries = 0; tries < 50; tries++) {
      const person = pick(random, population.people)
      if (!person.isDeleted) return person
    }
    return undefined
  }

  function change(person: Person, at: number, values: Partial<Person>): void {
    Object.assign(person, values, { updatedAt: at, written: undefined })
  }

  recur('hired', rates.hired, (at, random) => {
    const person = population.hire(at, random)
    assigning.onboard(person, at)
  })

  recur('left', rates.left, (at, random) => {
    const person = pickActive(random)
    // The head of the company stays: nobody could take over.
    if (person === undefined || person === population.people[0]) return
    change(person, at, { isDeleted: true, leftAt: at })
    succeed(person, at)
    for (const assignment of world.unsettledOf.get(person) ?? []) {
      // Most of the open assignments are removed; some platforms forget a few.
      if (assignment.deletedAt !== undefined || assignment.record.isCompleted || !chance(random, 0.85))
        continue
      world.plan('clockwork', assignment, at, (now) => learning.remove(assignment, now))
    }
  })

  recur('moved', rates.moved, (at, random) => {
    const person = pickActive(random)
    const team = pick(random, population.teams)
    if (person === undefined || person.team === team || population.teams.some(({ lead }) => lead === person))
      return
    const circles = person.groups.filter(({ id }) => id !== person.team.id)
    const managers = team.lead === undefined || team.lead === person ? [] : [team.lead]
    change(person, at, { team, groups: [toTeamGroup(team), ...circles], managers })
  })

  /** A team member becomes the lead, or the leaver's manager takes over the reports. */
  function succeed(leaver: Person, at: number): void {
    const reports = population.people.filter((person) => person.managers.includes(leaver))
    const [manager] = leaver.managers
    if (reports.length === 0) return
    const successor = reports.find((person) => !person.isDeleted && person.team === leaver.team) ?? manager
    for (const team of population.teams) {
      if (team.lead === leaver) team.lead = successor
    }
    for (const report of reports) {
      const next = report === successor ? manager : successor
      const others = report.managers.filter((other) => other !== leaver && other !== next && other !== report)
      change(report, at, { managers: next === undefined ? others : [next, ...others] })
    }
  }
}
