/**
 * Guides and who reads them. A guide assignment is laid out once, when it is given, and its record is a function of the
 * instant it is asked for. Guides send no webhooks here; they are pulled.
 */
import { guidePlans } from './catalogue.ts'
import { dayMs, minuteMs, type Calendar } from './calendar.ts'
import type { Person, Population } from './population.ts'
import { between, chance, createRandom, exponential, integer, lognormal, toUuid } from './random.ts'

type Guide = {
  id: string
  title: string
  numTotalTasks: number
  numTotalTestQuestions: number
  createdAt: number
  updatedAt: number
  tags: string[]
}

type GuideAssignmentRecord = {
  id: string
  userId: number
  title: string
  courseId: string
  assignerId: number | null
  dueDate: number | null
  numViewedTasks: number
  numCompletedTasks: number
  score: number | null
  isArchived: boolean
  isCompleted: boolean
  completionPercentage: number
  createdAt: number
  updatedAt: number
  completedAt: number | null
  status: 'not_started' | 'in_progress' | 'overdue' | 'completed'
  isCompletedOnTime: boolean
  passed: boolean
  isOverdue: boolean
  numDaysOverdue: number | null
  /** Seconds. */
  timeSpent: number
  firstAccessedAt: number | null
  lastAccessedAt: number | null
}

/** A guide assignment's whole course. Infinity = never. */
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
}

type GuideAssignment = { guide: Guide; person: Person; record: GuideAssignmentRecord }

export type Guides = {
  list(): readonly Guide[]
  /** All of them known at an instant, oldest first. */
  assignmentsAt(at: number): GuideAssignment[]
  assign(guide: Guide, person: Person, at: number, dueDate: number | null): GuideAssignment
}

export function createGuides(options: {
  seed: string
  from: number
  population: Population
  calendar: Calendar
}): Guides {
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
  // Whoever joins later is given guides by hand (POST); the company's first ones all get theirs here.
  const first = [...population.people]
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
      courses.push(toCourse(guide, person, givenAt, calendar.endOfDay(givenAt, 28), person.managers[0]?.id ?? null))
    }
  }
  courses.sort((a, b) => a.createdAt - b.createdAt)

  function toCourse(
    guide: Guide,
    person: Person,
    at: number,
    dueDate: number | null,
    assignerId: number | null,
  ): Course {
    const index = courses.length
    const random = createRandom(`${seed}/guide-assignment`, index)
    const opensAt = at + exponential(random, 5) * dayMs * person.pace
    const needed = lognormal(random, 9 * person.pace * person.team.plan.pace, 0.6) * dayMs
    const begins = !chance(random, person.team.plan.neglect * 1.5)
    return {
      id: toUuid(`${seed}/guide-assignment`, index),
      guide,
      person,
      assignerId,
      createdAt: at,
      dueDate,
      opensAt: begins ? calendar.toWorkingInstant(Math.floor(opensAt), random) : Infinity,
      finishesAt:
        begins && chance(random, 0.9) ? calendar.toWorkingInstant(Math.floor(opensAt + needed), random) : Infinity,
      score: integer(random, 62, 100),
      secondsNeeded: guide.numTotalTasks * integer(random, 180, 900),
    }
  }

  function assignmentsAt(at: number): GuideAssignment[] {
    return courses
      .filter((course) => course.createdAt <= at)
      .map((course) => ({ guide: course.guide, person: course.person, record: toRecord(course, at, calendar) }))
  }

  return {
    list: () => guides,
    assignmentsAt,
    assign(guide, person, at, dueDate) {
      const course = toCourse(guide, person, at, dueDate, null)
      courses.push(course)
      return { guide, person, record: toRecord(course, at, calendar) }
    },
  }
}

function toRecord(course: Course, at: number, calendar: Calendar): GuideAssignmentRecord {
  const { guide, person, createdAt, dueDate } = course
  // Leavers stop where they are.
  const until = Math.min(at, person.leftAt ?? Infinity)
  const isOpened = course.opensAt <= until
  const isCompleted = course.finishesAt <= until
  const span = Math.min(course.finishesAt, course.opensAt + 40 * dayMs) - course.opensAt
  const share = isCompleted ? 1 : isOpened ? Math.min(0.9, (until - course.opensAt) / Math.max(span, minuteMs)) : 0
  const isOverdue = !isCompleted && dueDate !== null && at > dueDate
  const lastAccessedAt = isCompleted ? course.finishesAt : isOpened ? Math.floor(course.opensAt + share * span) : null
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
    isArchived: false,
    isCompleted,
    completionPercentage: Math.floor(100 * share),
    createdAt,
    updatedAt: lastAccessedAt ?? createdAt,
    completedAt: isCompleted ? course.finishesAt : null,
    status,
    isCompletedOnTime: isCompleted && (dueDate === null || course.finishesAt <= dueDate),
    passed: isCompleted && (!tested || course.score >= 70),
    isOverdue,
    numDaysOverdue: isOverdue ? calendar.toDay(at) - calendar.toDay(dueDate) : null,
    timeSpent: Math.round(course.secondsNeeded * share),
    firstAccessedAt: isOpened ? course.opensAt : null,
    lastAccessedAt,
  }
}
