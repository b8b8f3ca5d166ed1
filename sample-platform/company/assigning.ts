/** Who receives which assignment, and when: quarterly waves, onboarding, and what managers assign in between. */
import { dayMs, hourMs, minuteMs } from './calendar.ts'
import type { Learning } from './learning/learning.ts'
import type { Challenge, Person } from './population.ts'
import { between, chance, createRandom, exponential, pick } from '../random.ts'
import type { Assignment } from './record.ts'
import type { World } from './world.ts'

export type Assigning = ReturnType<typeof createAssigning>

const weekMs = 7 * dayMs

export function createAssigning(world: World, learning: Learning) {
  const { calendar, population } = world
  const adHoc = createRandom(`${world.seed}/ad-hoc`)
  const fitting = new Map<string, Challenge[]>()

  /** Plans the first of each kind. */
  function start(from: number): void {
    const firstMonday = calendar.toDay(from) + ((7 - calendar.toWeekday(from)) % 7)
    for (const challenge of population.challenges) {
      const random = createRandom(`${world.seed}/wave`, challenge.index)
      const planWave = (day: number) => {
        const at = Math.floor(
          calendar.toInstant(day + Math.floor(between(random, 0, 3)), between(random, 9, 11.5) * hourMs),
        )
        world.planAt(Math.max(at, from), (now) => {
          sendWave(challenge, now, random)
          planWave(day + 7 * challenge.everyWeeks)
        })
      }
      planWave(firstMonday + 7 * challenge.firstWeek)
    }
    planAdHoc(from)
  }

  function sendWave(challenge: Challenge, at: number, random: { state: number }): void {
    const dueDate = toDueDate(at, challenge)
    const sent: Assignment[] = []
    let delay = 0
    for (const person of population.people) {
      if (person.isDeleted || !isFor(challenge, person) || !chance(random, 0.93)) continue
      // New people have the onboarding assignments to do.
      if (at - person.createdAt < 3 * weekMs) continue
      delay += between(random, 40, 400)
      world.planAt(Math.floor(at + delay), (now) => {
        if (!person.isDeleted) sent.push(learning.assign(person, challenge, now, dueDate))
      })
    }
    // Sometimes the deadline was too early, and everybody gets a week more.
    if (!chance(random, 0.13)) return
    const moveAt = calendar.toWorkingInstant(Math.floor(dueDate - between(random, 1, 6) * dayMs), random)
    world.planAt(moveAt, (now) => {
      const later = calendar.endOfDay(dueDate, 7)
      sent.forEach((assignment, index) => {
        world.plan('clockwork', assignment, now + 30 * index, (then) => {
          if (!assignment.person.isDeleted) learning.moveDueDate(assignment, then, later)
        })
      })
      sent.length = 0
    })
  }

  /** Assignments that everybody gets in the first days. */
  function onboard(person: Person, at: number): void {
    let delay = 0
    for (const challenge of population.challenges) {
      if (!challenge.onboarding || !isFor(challenge, person)) continue
      delay += 3 * minuteMs
      world.planAt(at + delay, (now) => {
        if (!person.isDeleted) learning.assign(person, challenge, now, toDueDate(now, challenge))
      })
    }
  }

  function planAdHoc(from: number): void {
    const gap = exponential(adHoc, weekMs / (population.people.length * 0.05))
    world.planAt(calendar.toWorkingInstant(Math.floor(from + gap), adHoc), (now) => {
      assignAdHoc(now)
      planAdHoc(now)
    })
  }

  /** A manager assigns something to one person, if anybody still works here. */
  function assignAdHoc(at: number): void {
    for (let tries = 0; tries < 50; tries++) {
      const person = pick(adHoc, population.people)
      if (person.isDeleted) continue
      const challenge = pick(adHoc, toFitting(person))
      learning.assign(person, challenge, at, chance(adHoc, 0.2) ? null : toDueDate(at, challenge))
      return
    }
  }

  function toFitting(person: Person): Challenge[] {
    const isLead = person.team.lead === person
    const key = `${person.team.plan.department}/${isLead}`
    let list = fitting.get(key)
    if (list === undefined) {
      list = population.challenges.filter((challenge) => isFor(challenge, person))
      fitting.set(key, list)
    }
    return list.length > 0 ? list : [...population.challenges]
  }

  /** The end of a working day in the company's zone. */
  function toDueDate(at: number, challenge: Challenge): number {
    const due = calendar.endOfDay(at, challenge.dueDays)
    const weekday = calendar.toWeekday(due)
    return weekday > 4 ? calendar.endOfDay(at, challenge.dueDays - (weekday - 4)) : due
  }

  return { start, onboard, assignAdHoc }
}

function isFor(challenge: Challenge, person: Person): boolean {
  if (challenge.audience === 'everyone') return true
  if (challenge.audience === 'managers') return person.team.lead === person
  return challenge.audience.includes(person.team.plan.department)
}
