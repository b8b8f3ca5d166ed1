/**
 * Guides and their readers. A guide assignment is planned once, when it is given; its record is a function of the
 * instant. Guides send no webhooks; they are pulled.
 */
import { guidePlans } from './catalogue.ts'
import { dayMs, minuteMs, type Calendar } from './calendar.ts'
import type { Person, Population } from './population.ts'
import { between, chance, createRandom, exponential, integer, lognormal, toUuid } from '../random.ts'

type Guide = {
  id: string
  title: string
  numTotalTasks: number
  numTotalTestQuestions: number
  createdAt: number
  updatedAt: number
  tags: string[]
}

/** The course of a guide assignment. Infinity = never. */
type Course = {
  id: string
  guide: Guide
  person: Person
  assignerId: number | null
  createdAt: number
  dueDate: number | null
  opensAt: number
  finishesAt: number
  score: number
  secondsNeeded: number
  /** Archived by an admin: still listed, no longer counted. Open ones of leavers are archived the day after. */
  archivesAt: number
}

export type Guides = ReturnType<typeof createGuides>

/** The random stream and its index for the course. */
type CourseKey = [name: string, index: number]

export function createGuides(options: {
  seed: string
  from: number
  population: Population
  calendar: Calendar
}) {
  const { seed, from, population, calendar } = options
  const guides: Guide[] = guidePlans.map((plan, index) => ({
    id: toUuid(`${seed}/guide`, index),
    title: plan.title,
    numTotalTasks: plan.tasks,
    numTotalTestQuestions: plan.questions,
    createdAt: from - (30 + 40 * index) * dayMs,
    updatedAt: from - (10 + 7 * index) * dayMs,
    tags: plan.audience === 'everyone' ? [] : [plan.audience],
  }))
  const first = [...population.people]
  let welcomed = first.length
  const courses: Course[] = []
  for (const [index, guide] of guides.entries()) {
    const audience = guidePlans[index]?.audience
    for (const person of first) {
      if (audience !== 'everyone' && person.team.plan.department !== audience) continue
      const random = createRandom(`${seed}/guide-wave/${index}`, person.id)
      if (!chance(random, 0.9)) continue
      const givenAt = calendar.toWorkingInstant(
        Math.floor(from + between(random, index * 18, index * 18 + 4) * dayMs),
        random,
      )
      give(['guide-assignment', courses.length], guide, person, givenAt)
    }
  }
  courses.sort((a, b) => a.createdAt - b.createdAt)
  let orders = 0

  /** New people get the guides that everybody reads; the others are given by hand (POST). */
  function welcome(): void {
    const joined = population.people.slice(welcomed)
    if (joined.length === 0) return
    welcomed += joined.length
    for (const person of joined) {
      for (const [index, guide] of guides.entries()) {
        if (guidePlans[index]?.audience !== 'everyone') continue
        const at = person.createdAt + (index + 1) * 7 * minuteMs
        give([`guide-welcome/${index}`, person.id], guide, person, at)
      }
    }
    courses.sort((a, b) => a.createdAt - b.createdAt)
  }

  /** By the manager, to be read within four weeks. */
  function give(key: CourseKey, guide: Guide, person: Person, at: number): void {
    courses.push(toCourse(key, guide, person, at, calendar.endOfDay(at, 28), person.managers[0]?.id ?? null))
  }

  function toCourse(
    [name, index]: CourseKey,
    guide: Guide,
    person: Person,
    at: number,
    dueDate: number | null,
    assignerId: number | null,
  ): Course {
    const random = createRandom(`${seed}/${name}`, index)
    const opensAt = at + exponential(random, 5) * dayMs * person.pace
    const needed = lognormal(random, 9 * person.pace * person.team.plan.pace, 0.6) * dayMs
    const begins = !chance(random, person.team.plan.neglect * 1.5)
    return {
      id: toUuid(`${seed}/${name}`, index),
      guide,
      person,
      assignerId,
      createdAt: at,
      dueDate,
      opensAt: begins ? calendar.toWorkingInstant(Math.floor(opensAt), random) : Infinity,
      finishesAt:
        begins && chance(random, 0.9)
          ? calendar.toWorkingInstant(Math.floor(opensAt + needed), random)
          : Infinity,
      score: integer(random, 62, 100),
      secondsNeeded: guide.numTotalTasks * integer(random, 180, 900),
      archivesAt: chance(random, 0.02) ? Math.floor(at + between(random, 2, 60) * dayMs) : Infinity,
    }
  }

  const toAssignment = (course: Course, at: number) => {
    const { guide, person } = course
    return { guide, person, record: toRecord(course, at, calendar) }
  }

  return {
    list: (): readonly Guide[] => guides,
    /** All of them known at an instant, oldest first. */
    assignmentsAt(at: number) {
      welcome()
      return courses.filter((course) => course.createdAt <= at).map((course) => toAssignment(course, at))
    },
    assign(guide: Guide, person: Person, at: number, dueDate: number | null) {
      welcome()
      const course = toCourse(['guide-order', orders++], guide, person, at, dueDate, null)
      courses.push(course)
      return toAssignment(course, at)
    },
    /** Takes it back. False: there is none. */
    remove(guide: Guide, assignmentId: string) {
      const index = courses.findIndex((course) => course.guide === guide && course.id === assignmentId)
      if (index !== -1) courses.splice(index, 1)
      return index !== -1
    },
  }
}

/** How far a person gets without finishing, and in how many sittings. */
const farthest = 0.9
const sittings = 8

function toRecord(course: Course, at: number, calendar: Calendar) {
  const { guide, person, createdAt, dueDate } = course
  const leftAt = person.leftAt ?? Infinity
  // Leavers stop where they are.
  const until = Math.min(at, leftAt)
  const isOpened = course.opensAt <= until
  const isCompleted = course.finishesAt <= until
  const span = Math.max(Math.min(course.finishesAt, course.opensAt + 40 * dayMs) - course.opensAt, minuteMs)
  const sitting = isOpened
    ? Math.min(farthest, Math.floor((sittings * (until - course.opensAt)) / span) / sittings)
    : 0
  const share = isCompleted ? 1 : sitting
  const lastAccessedAt = isCompleted
    ? course.finishesAt
    : isOpened
      ? Math.floor(course.opensAt + share * span)
      : null
  const archivedAt = Math.min(course.archivesAt, isCompleted ? Infinity : leftAt + dayMs)
  const isArchived = archivedAt <= at
  const isOverdue = !isCompleted && !isArchived && dueDate !== null && at > dueDate
  const status = isCompleted ? 'completed' : isOverdue ? 'overdue' : isOpened ? 'in_progress' : 'not_started'
  const tested = isCompleted && guide.numTotalTestQuestions > 0
  return {
    id: course.id,
    userId: person.id,
    title: guide.title,
    courseId: guide.id,
    assignerId: course.assignerId,
    dueDate,
    numViewedTasks: Math.ceil(guide.numTotalTasks * share),
    numCompletedTasks: Math.floor(guide.numTotalTasks * share),
    score: tested ? course.score : null,
    isArchived,
    isCompleted,
    completionPercentage: Math.floor(100 * share),
    createdAt,
    updatedAt: Math.max(lastAccessedAt ?? createdAt, isArchived ? archivedAt : 0),
    completedAt: isCompleted ? course.finishesAt : null,
    status,
    isCompletedOnTime: isCompleted && (dueDate === null || course.finishesAt <= dueDate),
    passed: isCompleted && (!tested || course.score >= 70),
    isOverdue,
    numDaysOverdue: isOverdue ? calendar.toDay(at) - calendar.toDay(dueDate) : null,
    /** Seconds. */
    timeSpent: Math.round(course.secondsNeeded * share),
    firstAccessedAt: isOpened ? course.opensAt : null,
    lastAccessedAt,
  }
}
