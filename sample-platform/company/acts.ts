/**
 * What happens in the company, as scripts. The specification does not say what triggers which event; the reading here:
 * - Created: assigned, or assigned again after a deletion under the same id (every value is then as of a new one).
 * - Completed: graded and passed; and a changed grade of a completed one that leaves it completed.
 * - Deleted: taken away; the record is the last one.
 * - Progress: everything else: viewed, percentage, submitted, partially graded, failed, re-opened, a due date moved,
 *   a grade changed so that it is no longer passed, and the nightly job that finds it overdue.
 * The platform calls completed what is graded and passed; `completedAt` is then the moment of the grade.
 */
import { between, chance, createRandom, exponential, integer, lognormal, normal, pick } from '../random.ts'
import type { Random } from '../random.ts'
import { dayMs, hourMs, minuteMs, type Calendar } from './calendar.ts'
import { toTeamGroup, type Challenge, type Person, type Population } from './population.ts'
import { createLifeOfRecord, isOpen, type Assignment, type EventType } from './record.ts'

/** Yields the instant at which it goes on, and is told the one at which it does. */
export type Act = Generator<number, void, number>

export type Stage = {
  seed: string
  calendar: Calendar
  population: Population
  assign(person: Person, challenge: Challenge, at: number, dueDate: number | null): Assignment
  assignmentsOf(person: Person): Assignment[]
  tell(assignment: Assignment, eventType: EventType, at: number): void
  start(act: Act, of: Assignment | null, at: number, isDeed?: boolean): void
  stop(assignment: Assignment): void
}

const weekMs = 7 * dayMs
/** Per person and year. */
const staffChanges = { hired: 0.24, left: 0.17, moved: 0.08 }

export function createActs(stage: Stage) {
  const { seed, calendar, population } = stage
  const { people, challenges } = population
  /** Submitted work that waits for a grade. So many double the time to a grade; at most it is two and a half times the usual. */
  const waiting = new Map<Challenge, number>()
  const comfortableQueue = Math.max(4, people.length / 20)
  const adHoc = createRandom(`${seed}/ad-hoc`)
  const progress = (a: Assignment, at: number) => stage.tell(a, 'assignmentProgress.challenge', at)
  const count = (a: Assignment, by: 1 | -1) => waiting.set(a.challenge, (waiting.get(a.challenge) ?? 0) + by)

  // --- One assignment ---

  function give(person: Person, challenge: Challenge, at: number, dueDate: number | null) {
    const assignment = stage.assign(person, challenge, at, dueDate)
    begin(assignment, at)
    return assignment
  }

  function begin(a: Assignment, at: number): void {
    stage.tell(a, 'assignmentCreated.challenge', at)
    stage.start(learn(a, at), a, at, true)
    stage.start(correct(a, at), a, at, true)
    stage.start(watch(a), a, at)
  }

  /** The learner, to the submission. Some never begin, some hurry before the due date, a few give up on the way. */
  function* learn(a: Assignment, at: number): Act {
    const { random, person, challenge, record } = a
    const { pace, neglect } = person.team.plan
    const { dueDate } = record
    let [begins, ends] = [0, 0]
    if (chance(random, neglect)) {
      if (chance(random, 0.4)) view(a, yield atWork(at + exponential(random, 5 * dayMs), random))
      // Some hurry once they are reminded that it is overdue.
      if (dueDate === null || !chance(random, 0.4)) return
      begins = dueDate + between(random, 1, 16) * dayMs
      ends = begins + lognormal(random, 2, 0.6) * dayMs
    } else {
      let needed = lognormal(random, challenge.usualDays * person.pace * pace, 0.5) * dayMs
      if (dueDate !== null && at + needed > dueDate && chance(random, 0.5))
        needed = Math.max(hourMs, dueDate - at - exponential(random, 1.3) * dayMs)
      begins = at + needed * between(random, 0.05, 0.7)
      ends = at + needed
    }
    const steps = integer(random, 1, 4)
    let now = yield atWork(begins, random)
    view(a, now)
    ends = Math.max(ends, now + 20 * minuteMs)
    const seen = now
    const stepMs = (ends - seen) / (steps + 1)
    for (let step = 1; step <= steps; step++) {
      now = yield atWork(seen + step * stepMs, random)
      const reached = Math.round((95 * step) / (steps + 1) + between(random, -6, 6))
      record.completionPercentage = Math.min(95, Math.max(record.completionPercentage + 1, reached, 1))
      record.lastViewedAt = now
      progress(a, now)
      if (chance(random, 0.02)) return
    }
    yield* submit(a, yield atWork(Math.max(ends, now + 10 * minuteMs), random))
  }

  /** Submission and grade; who fails may try again, twice. */
  function* submit(a: Assignment, at: number): Act {
    const { random, challenge, record, person } = a
    let now = at
    for (;;) {
      record.completionPercentage = 100
      record.isSubmitted = true
      record.lastViewedAt = now
      a.firstSubmittedAt ??= now
      a.attempts++
      if (challenge.grading.by === 'reviewers') now = yield* waitForGrade(a, now, challenge.grading)
      const mean = challenge.meanGrade + person.skill + 6 * (a.attempts - 1)
      grade(a, now, normal(random, mean, challenge.gradeSpread))
      if (record.passed) break
      if (a.attempts === 3 || !chance(random, 0.6)) return
      now = yield atWork(now + between(random, 1, 6) * dayMs, random)
      reopen(a, now)
      const needed = lognormal(random, challenge.usualDays * 0.4 * person.pace, 0.5) * dayMs
      now = yield atWork(now + needed, random)
    }
    if (chance(random, 0.07)) view(a, (now = yield atWork(now + exponential(random, 9) * dayMs, random)))
    if (!chance(random, challenge.grading.by === 'auto' ? 0.004 : 0.03)) return
    now = yield atWork(now + between(random, 1, 10) * dayMs, random)
    const change = chance(random, 0.6) ? between(random, 2, 9) : -between(random, 2, 14)
    grade(a, now, record.calculatedGrade + change)
  }

  /** The longer the queue, the longer it takes; a few are forgotten for good. */
  function* waitForGrade(
    a: Assignment,
    at: number,
    { dueDays, medianHours, parts }: Extract<Challenge['grading'], { by: 'reviewers' }>,
  ): Generator<number, number, number> {
    const { random, record, challenge } = a
    record.reviewersDueDate = calendar.endOfDay(at, dueDays)
    progress(a, at)
    if (chance(random, 0.012)) yield Infinity
    count(a, 1)
    try {
      const stretch = Math.min(2.5, 1 + (waiting.get(challenge) ?? 0) / comfortableQueue)
      const wait = lognormal(random, medianHours, 0.55) * hourMs * stretch
      if (parts > 1 && chance(random, 0.6)) {
        const now = yield atWork(at + wait * between(random, 0.3, 0.8), random)
        record.isPartiallyGraded = true
        record.calculatedGrade = toGrade(between(random, 0.3, 0.7) * challenge.meanGrade)
        progress(a, now)
      }
      return yield atWork(at + wait, random)
    } finally {
      count(a, -1)
    }
  }

  function grade(a: Assignment, at: number, value: number): void {
    const { record, challenge } = a
    record.calculatedGrade = toGrade(value)
    record.isPartiallyGraded = false
    record.isFullyGraded = true
    record.passed = record.calculatedGrade >= challenge.passMark
    record.isCompleted = record.passed
    record.completedAt = record.passed ? (record.completedAt ?? at) : null
    record.isCompletedOnTime =
      record.completedAt !== null && (record.dueDate === null || record.completedAt <= record.dueDate)
    a.failed = !record.passed
    a.firstGradedAt ??= at
    if (record.isCompleted) stage.tell(a, 'assignmentCompleted.challenge', at)
    else progress(a, at)
  }

  /** Another try: nothing of the submission before counts any longer, and most get a week more. */
  function reopen(a: Assignment, at: number): void {
    const { record, random } = a
    a.failed = false
    record.isSubmitted = false
    record.isFullyGraded = false
    record.calculatedGrade = 0
    record.completionPercentage = 50
    record.reviewersDueDate = null
    if (record.dueDate !== null && record.dueDate < at + 5 * dayMs && chance(random, 0.75))
      record.dueDate = calendar.endOfDay(at, 7)
    progress(a, at)
    stage.start(watch(a), a, at)
  }

  function view(a: Assignment, at: number): void {
    a.record.firstViewedAt ??= at
    a.record.lastViewedAt = at
    progress(a, at)
  }

  /** The platform's nightly job tells once of every assignment that has become overdue. */
  function* watch(a: Assignment): Act {
    const { record, random } = a
    for (let { dueDate } = record; dueDate !== null; dueDate = record.dueDate) {
      const now = yield dueDate + between(random, 4, 26) * minuteMs
      if (record.dueDate !== dueDate) continue
      if (isOpen(a) && !record.isOverdue && now > dueDate && !a.person.isDeleted) progress(a, now)
      return
    }
  }

  /** A week more for one person, a due date dropped, an assignment given by mistake and perhaps given again. */
  function* correct(a: Assignment, at: number): Act {
    const { random, record, challenge } = a
    const { dueDate } = record
    if (dueDate !== null && chance(random, 0.035)) {
      const more = chance(random, 0.88) ? calendar.endOfDay(dueDate, chance(random, 0.6) ? 7 : 14) : null
      moveDueDate(a, yield atWork(Math.max(at, dueDate - between(random, 1, 5) * dayMs), random), more)
    } else if (chance(random, 0.02)) {
      const now = yield atWork(at + exponential(random, 4) * dayMs, random)
      if (!isOpen(a)) return
      remove(a, now)
      if (chance(random, 0.35)) stage.start(recreate(a, now, challenge), a, now, true)
    }
  }

  function* recreate(a: Assignment, at: number, challenge: Challenge): Act {
    const now = yield atWork(at + between(a.random, 1, 6) * dayMs, a.random)
    const { id, challengeId, dueDate } = a.record
    const due = dueDate === null ? null : calendar.endOfDay(now, challenge.dueDays)
    Object.assign(a, createLifeOfRecord(id, challengeId, now, due))
    a.life++
    begin(a, now)
  }

  function moveDueDate(a: Assignment, at: number, dueDate: number | null): void {
    if (!isOpen(a) || a.record.dueDate === dueDate || a.person.isDeleted) return
    a.record.dueDate = dueDate
    a.firstDueDate ??= dueDate
    progress(a, at)
  }

  function remove(a: Assignment, at: number): void {
    stage.stop(a)
    a.deletedAt = at
    stage.tell(a, 'assignmentDeleted.challenge', at)
  }

  // --- The company ---

  /** Quarterly waves of a challenge. Sometimes the deadline was too early, and everybody gets a week more. */
  function* waves(challenge: Challenge, from: number): Act {
    const random = createRandom(`${seed}/wave`, challenge.index)
    const firstMonday = calendar.toDay(from) + ((7 - calendar.toWeekday(from)) % 7)
    for (let week = challenge.firstWeek; ; week += challenge.everyWeeks) {
      const day = firstMonday + 7 * week + Math.floor(between(random, 0, 3))
      let now = yield Math.max(from, calendar.toInstant(day, between(random, 9, 11.5) * hourMs))
      const dueDate = toDueDate(now, challenge)
      const begun = now
      const sent: Assignment[] = []
      for (const person of [...people]) {
        // New people have the onboarding assignments to do.
        if (person.isDeleted || !isFor(challenge, person) || begun - person.createdAt < 3 * weekMs) continue
        if (!chance(random, 0.93)) continue
        now = yield now + between(random, 40, 400)
        if (!person.isDeleted) sent.push(give(person, challenge, now, dueDate))
      }
      if (!chance(random, 0.13)) continue
      now = yield calendar.toWorkingInstant(Math.floor(dueDate - between(random, 1, 6) * dayMs), random)
      for (const assignment of sent) {
        now = yield Math.max(now + 30, assignment.record.updatedAt + 1)
        moveDueDate(assignment, now, calendar.endOfDay(dueDate, 7))
      }
    }
  }

  /** Again and again, so often for each person and year. */
  function* recur(name: string, rate: number, from: number, run: (at: number, random: Random) => void): Act {
    const random = name === 'ad-hoc' ? adHoc : createRandom(`${seed}/staff/${name}`)
    const meanGap = (365 * dayMs) / (people.length * rate)
    for (let now = from; ; run(now, random)) now = yield atWork(now + exponential(random, meanGap), random)
  }

  /** A manager assigns something to one person. */
  function assignAdHoc(at: number): void {
    const person = pickPresent(adHoc)
    const fitting = challenges.filter((challenge) => isFor(challenge, person))
    const challenge = pick(adHoc, fitting.length > 0 ? fitting : challenges)
    give(person, challenge, at, chance(adHoc, 0.2) ? null : toDueDate(at, challenge))
  }

  /** A new person, with what everybody gets in the first days. */
  function* hire(at: number, random: Random): Act {
    const person = population.hire(at, random)
    for (const challenge of challenges) {
      if (!challenge.onboarding || !isFor(challenge, person)) continue
      const now = yield at + 3 * minuteMs
      if (!person.isDeleted) give(person, challenge, now, toDueDate(now, challenge))
    }
  }

  function leave(at: number, random: Random): void {
    const person = pickPresent(random)
    // The head of the company stays: nobody could take over.
    if (person === people[0]) return
    change(person, at, { isDeleted: true, leftAt: at })
    succeed(person, at)
    stage.start(clearDesk(person, at, random), null, at)
  }

  /** Most of the open assignments are removed; some platforms forget a few. */
  function* clearDesk(person: Person, at: number, random: Random): Act {
    for (const a of stage.assignmentsOf(person)) {
      if (a.deletedAt !== undefined || a.record.isCompleted || !chance(random, 0.85)) continue
      const now = yield Math.max(at, a.record.updatedAt + 1)
      if (a.deletedAt === undefined) remove(a, now)
    }
  }

  /** A team member becomes the lead, or the leaver's manager takes over the reports. */
  function succeed(leaver: Person, at: number): void {
    const reports = people.filter((person) => person.managers.includes(leaver))
    const [manager] = leaver.managers
    if (reports.length === 0) return
    const successor = reports.find((person) => !person.isDeleted && person.team === leaver.team) ?? manager
    for (const team of population.teams) if (team.lead === leaver) team.lead = successor
    for (const report of reports) {
      const next = report === successor ? manager : successor
      const others = report.managers.filter((other) => other !== leaver && other !== next && other !== report)
      change(report, at, { managers: next === undefined ? others : [next, ...others] })
    }
  }

  function move(at: number, random: Random): void {
    const person = pickPresent(random)
    const team = pick(random, population.teams)
    if (person.team === team || population.teams.some(({ lead }) => lead === person)) return
    const circles = person.groups.filter(({ id }) => id !== person.team.id)
    const managers = team.lead === undefined || team.lead === person ? [] : [team.lead]
    change(person, at, { team, groups: [toTeamGroup(team), ...circles], managers })
  }

  /** The platform reports it only inside the next event about the person. */
  function change(person: Person, at: number, values: Partial<Person>): void {
    Object.assign(person, values, { updatedAt: at, written: undefined })
  }

  function pickPresent(random: Random): Person {
    return pick(
      random,
      people.filter((person) => !person.isDeleted),
    )
  }

  /** The end of a working day in the company's zone. */
  function toDueDate(at: number, { dueDays }: Challenge): number {
    const due = calendar.endOfDay(at, dueDays)
    return calendar.endOfDay(at, dueDays - Math.max(0, calendar.toWeekday(due) - 4))
  }

  const atWork = (at: number, random: Random) => calendar.toWorkingInstant(Math.floor(at), random)

  return {
    assignAdHoc,
    ofCompany: (from: number): Act[] => [
      ...challenges.map((challenge) => waves(challenge, from)),
      recur('ad-hoc', (365 / 7) * 0.05, from, assignAdHoc),
      recur('hired', staffChanges.hired, from, (at, random) => stage.start(hire(at, random), null, at)),
      recur('left', staffChanges.left, from, leave),
      recur('moved', staffChanges.moved, from, move),
    ],
  }
}

function isFor({ audience }: Challenge, person: Person): boolean {
  if (audience === 'everyone') return true
  if (audience === 'managers') return person.team.lead === person
  return audience.includes(person.team.plan.department)
}

function toGrade(value: number): number {
  return Math.max(0, Math.min(100, Math.round(value)))
}
