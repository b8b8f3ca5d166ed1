/**
 * Guides and their readers. A guide assignment is planned once, when it is given; its record is a function of the
 * instant. Guides send no webhooks; they are pulled.
 */
import { between, chance, createRandom, exponential, integer, lognormal, toUuid } from '../random.ts'
import { atWork, dayMs, endOfDay, minuteMs, toDay } from './calendar.ts'
import { guidePlans } from './catalogue.ts'
import type { Person } from './population.ts'

type Guide = ReturnType<typeof toGuide>

/** The course of a guide assignment. Infinity = never. */
type Course = ReturnType<typeof planCourse>

export type Guides = ReturnType<typeof createGuides>

export function createGuides({
  seed,
  from,
  people,
}: {
  seed: string
  from: number
  people: readonly Person[]
}) {
  const guides = guidePlans.map((plan, index) =>
    toGuide(plan, toUuid(`${seed}/guide`, index), from - index * dayMs),
  )
  const courses: Course[] = []
  let welcomed = 0
  let orders = 0

  /** Each guide is new to the company for a few days; people who join later get it on their first day. */
  function welcome(): void {
    for (; welcomed < people.length; welcomed++) {
      const person = people[welcomed] as Person
      for (const [index, guide] of guides.entries()) {
        const random = createRandom(`${seed}/guide-wave/${index}`, person.id)
        const isFor = guide.tags.every((department) => department === person.team.department)
        if (!isFor || !chance(random, 0.9)) continue
        const wave = atWork(from + between(random, index * 18, index * 18 + 4) * dayMs, random)
        const at = Math.max(wave, person.createdAt + (index + 1) * 7 * minuteMs)
        courses.push(
          planCourse(`${seed}/guide-course/${index}`, person.id, guide, person, at, endOfDay(at, 28)),
        )
      }
    }
    courses.sort((a, b) => a.createdAt - b.createdAt)
  }

  return {
    list: (): readonly Guide[] => guides,
    /** All of them known at an instant, oldest first. */
    assignmentsAt(at: number) {
      welcome()
      const known = courses.filter(({ createdAt }) => createdAt <= at)
      return known.map((course) => ({ ...course, record: toRecord(course, at) }))
    },
    assign(guide: Guide, person: Person, at: number, dueDate: number | null) {
      const course = planCourse(`${seed}/guide-order`, orders++, guide, person, at, dueDate)
      courses.push(course)
      return toRecord(course, at)
    },
  }
}

function toGuide({ title, tasks, questions, audience }: (typeof guidePlans)[number], id: string, at: number) {
  return {
    id,
    title,
    numTotalTasks: tasks,
    numTotalTestQuestions: questions,
    createdAt: at - 40 * dayMs,
    updatedAt: at - 10 * dayMs,
    tags: audience === 'everyone' ? [] : [audience],
  }
}

function planCourse(
  kind: string,
  index: number,
  guide: Guide,
  person: Person,
  createdAt: number,
  dueDate: number | null,
) {
  const random = createRandom(kind, index)
  const begins = !chance(random, person.team.neglect * 1.5)
  const opensAt = atWork(createdAt + exponential(random, 5) * dayMs * person.pace, random)
  const needed = lognormal(random, 9 * person.pace * person.team.pace, 0.6) * dayMs
  return {
    id: toUuid(kind, index),
    guide,
    person,
    createdAt,
    dueDate,
    opensAt: begins ? opensAt : Infinity,
    finishesAt: begins && chance(random, 0.9) ? atWork(opensAt + needed, random) : Infinity,
    score: integer(random, 62, 100),
  }
}

/** How far a person gets without finishing, and in how many sittings. */
const farthest = 0.9
const sittings = 8

function toRecord({ id, guide, person, createdAt, dueDate, opensAt, finishesAt, score }: Course, at: number) {
  // Leavers stop where they are.
  const until = Math.min(at, person.leftAt ?? Infinity)
  const isOpened = opensAt <= until
  const isCompleted = finishesAt <= until
  const spanMs = Math.max(Math.min(finishesAt, opensAt + 40 * dayMs) - opensAt, minuteMs)
  const sat = isOpened ? Math.floor((sittings * (until - opensAt)) / spanMs) / sittings : 0
  const share = isCompleted ? 1 : Math.min(farthest, sat)
  const accessedAt = isCompleted ? finishesAt : Math.floor(opensAt + share * spanMs)
  const overdueSince = !isCompleted && dueDate !== null && at > dueDate ? dueDate : null
  const isTested = isCompleted && guide.numTotalTestQuestions > 0
  const open = overdueSince !== null ? 'overdue' : isOpened ? 'in_progress' : 'not_started'
  return {
    id,
    userId: person.id,
    title: guide.title,
    courseId: guide.id,
    assignerId: person.managers[0]?.id ?? null,
    dueDate,
    numViewedTasks: Math.ceil(guide.numTotalTasks * share),
    numCompletedTasks: Math.floor(guide.numTotalTasks * share),
    score: isTested ? score : null,
    isArchived: false,
    isCompleted,
    completionPercentage: Math.floor(100 * share),
    createdAt,
    updatedAt: isOpened ? accessedAt : createdAt,
    completedAt: isCompleted ? finishesAt : null,
    status: isCompleted ? 'completed' : open,
    isCompletedOnTime: isCompleted && (dueDate === null || finishesAt <= dueDate),
    passed: isCompleted && (!isTested || score >= 70),
    isOverdue: overdueSince !== null,
    numDaysOverdue: overdueSince === null ? null : toDay(at) - toDay(overdueSince),
    /** Seconds. */
    timeSpent: Math.round(guide.numTotalTasks * 600 * share),
    firstAccessedAt: isOpened ? opensAt : null,
    lastAccessedAt: isOpened ? accessedAt : null,
  }
}
