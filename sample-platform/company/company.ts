/** What happens in the company, as scripts: quarterly waves, what managers assign in between, who joins, leaves and moves. */
import { between, chance, createRandom, exponential, pick, type Random } from '../random.ts'
import { dayMs, hourMs, minuteMs, type Calendar } from './calendar.ts'
import { Learning, type Act, type Stage } from './learning.ts'
import { toTeamGroup, type Challenge, type Person, type Population } from './population.ts'
import type { Assignment } from './record.ts'

const weekMs = 7 * dayMs
/** Per person and year. */
const rates = { adHoc: 2.6, hired: 0.24, left: 0.17, moved: 0.08 }

export class Company {
  private stage: Stage
  private calendar: Calendar
  private population: Population
  private people: Person[]
  private challenges: Challenge[]
  private learning: Learning
  private adHoc: Random

  constructor(stage: Stage) {
    this.stage = stage
    this.calendar = stage.calendar
    this.population = stage.population
    this.people = stage.population.people
    this.challenges = stage.population.challenges
    this.learning = new Learning(stage)
    this.adHoc = createRandom(`${stage.seed}/ad-hoc`)
  }

  start(from: number): void {
    const start = (act: Act, at = from) => this.stage.start(act, null, at)
    for (const challenge of this.challenges) start(this.waves(challenge, from))
    start(this.recur('ad-hoc', rates.adHoc, from, (at) => this.assignAdHoc(at)))
    start(this.recur('hired', rates.hired, from, (at, random) => start(this.hire(at, random), at)))
    start(this.recur('left', rates.left, from, (at, random) => this.leave(at, random)))
    start(this.recur('moved', rates.moved, from, (at, random) => this.move(at, random)))
  }

  /** Quarterly waves of a challenge. Sometimes the deadline was too early, and everybody gets a week more. */
  *waves(challenge: Challenge, from: number): Act {
    const random = createRandom(`${this.stage.seed}/wave`, challenge.index)
    const firstMonday = this.calendar.toDay(from) + ((7 - this.calendar.toWeekday(from)) % 7)
    for (let week = challenge.firstWeek; ; week += challenge.everyWeeks) {
      const day = firstMonday + 7 * week + Math.floor(between(random, 0, 3))
      let now = yield Math.max(from, this.calendar.toInstant(day, between(random, 9, 11.5) * hourMs))
      const dueDate = this.toDueDate(now, challenge)
      const begun = now
      const sent: Assignment[] = []
      for (const person of this.people) {
        // New people have the onboarding assignments to do.
        if (person.isDeleted || !isFor(challenge, person) || begun - person.createdAt < 3 * weekMs) continue
        if (!chance(random, 0.93)) continue
        now = yield now + between(random, 40, 400)
        if (!person.isDeleted) sent.push(this.learning.give(person, challenge, now, dueDate))
      }
      if (!chance(random, 0.13)) continue
      now = yield this.calendar.toWorkingInstant(Math.floor(dueDate - between(random, 1, 6) * dayMs), random)
      for (const assignment of sent) {
        now = yield Math.max(now + 30, assignment.record.updatedAt + 1)
        this.learning.moveDueDate(assignment, now, this.calendar.endOfDay(dueDate, 7))
      }
    }
  }

  /** Again and again, so often for each person and year. */
  *recur(name: string, rate: number, from: number, run: (at: number, random: Random) => void): Act {
    const random = createRandom(`${this.stage.seed}/${name}`)
    const meanGap = (365 * dayMs) / (this.people.length * rate)
    for (let now = from; ; run(now, random))
      now = yield this.learning.atWork(now + exponential(random, meanGap), random)
  }

  /** A manager assigns something to one person. */
  assignAdHoc(at: number): void {
    const person = this.pickPresent(this.adHoc)
    const fitting = this.challenges.filter((challenge) => isFor(challenge, person))
    const challenge = pick(this.adHoc, fitting.length > 0 ? fitting : this.challenges)
    this.learning.give(person, challenge, at, chance(this.adHoc, 0.2) ? null : this.toDueDate(at, challenge))
  }

  /** A new person, with what everybody gets in the first days. */
  *hire(at: number, random: Random): Act {
    const person = this.population.hire(at, random)
    let now = at
    for (const challenge of this.challenges) {
      if (!challenge.onboarding || !isFor(challenge, person)) continue
      now = yield now + 3 * minuteMs
      if (!person.isDeleted) this.learning.give(person, challenge, now, this.toDueDate(now, challenge))
    }
  }

  leave(at: number, random: Random): void {
    const person = this.pickPresent(random)
    // The head of the company stays: nobody could take over.
    if (person === this.people[0]) return
    this.change(person, at, { isDeleted: true, leftAt: at })
    this.succeed(person, at)
    this.stage.start(this.clearDesk(person, at, random), null, at)
  }

  /** Most of the open assignments are removed; some platforms forget a few. */
  *clearDesk(person: Person, at: number, random: Random): Act {
    for (const a of this.stage.assignmentsOf(person)) {
      if (a.deletedAt !== undefined || a.record.isCompleted || !chance(random, 0.85)) continue
      const now = yield Math.max(at, a.record.updatedAt + 1)
      if (a.deletedAt === undefined) this.learning.remove(a, now)
    }
  }

  /** A team member becomes the lead, or the leaver's manager takes over the reports. */
  succeed(leaver: Person, at: number): void {
    const reports = this.people.filter((person) => person.managers.includes(leaver))
    const [manager] = leaver.managers
    if (reports.length === 0) return
    const successor = reports.find((person) => !person.isDeleted && person.team === leaver.team) ?? manager
    for (const team of this.population.teams) if (team.lead === leaver) team.lead = successor
    for (const report of reports) {
      const next = report === successor ? manager : successor
      const others = report.managers.filter((other) => other !== leaver && other !== next && other !== report)
      this.change(report, at, { managers: next === undefined ? others : [next, ...others] })
    }
  }

  move(at: number, random: Random): void {
    const person = this.pickPresent(random)
    const team = pick(random, this.population.teams)
    if (person.team === team || this.population.teams.some(({ lead }) => lead === person)) return
    const circles = person.groups.filter(({ id }) => id !== person.team.id)
    const managers = team.lead === undefined || team.lead === person ? [] : [team.lead]
    this.change(person, at, { team, groups: [toTeamGroup(team), ...circles], managers })
  }

  /** The platform reports it only inside the next event about the person. */
  change(person: Person, at: number, values: Partial<Person>): void {
    Object.assign(person, values, { updatedAt: at, written: undefined })
  }

  pickPresent(random: Random): Person {
    return pick(
      random,
      this.people.filter((person) => !person.isDeleted),
    )
  }

  /** The end of a working day in the company's zone. */
  toDueDate(at: number, { dueDays }: Challenge): number {
    const due = this.calendar.endOfDay(at, dueDays)
    return this.calendar.endOfDay(at, dueDays - Math.max(0, this.calendar.toWeekday(due) - 4))
  }
}

function isFor({ audience }: Challenge, person: Person): boolean {
  if (audience === 'everyone') return true
  if (audience === 'managers') return person.team.lead === person
  return audience.includes(person.team.plan.department)
}
