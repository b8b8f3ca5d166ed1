/**
 * Guides and their readers. A guide assignment is planned once, when it is given; its record is a function of the
 * instant. Guides send no webhooks; they are pulled.
 */
import { between, chance, createRandom, exponential, integer, lognormal, toUuid } from '../random.ts'
import { atWork, dayMs, endOfDay, minuteMs, toDay } from './calendar.ts'
import { guidePlans } from './catalogue.ts'
import type { Person, Population } from './population.ts'

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
type Course = ReturnType<typeof planCourse>

type Given = {
  seed: string
  guide: Guide
  person: Person
  at: number
  dueDate: number | null
  assignerId: number | null
}

export type Guides = ReturnType<typeof createGuides>

export function createGuides({
  seed,
  from,
  people,
}: { seed: string; from: number } & Pick<Population, 'people'>) {
  const guides: Guide[] = guidePlans.map((plan, index) => ({
    id: toUuid(`${seed}/guide`, index),
    title: plan.title,
    numTotalTasks: plan.tasks,
    numTotalTestQuestions: plan.questions,
    createdAt: from - (30 + 40 * index) * dayMs,
    updatedAt: from - (10 + 7 * index) * dayMs,
    tags: plan.audience === 'everyone' ? [] : [plan.audience],
  }))
  const courses: Course[] = []
  let welcomed = 0
  let orders = 0

  /** Each guide is new to the company for a few days; people who join later get it on their first day. By their manager. */
  function welcome(): void {
    for (; welcomed < people.length; welcomed++) {
      const person = people[welcomed] as Person
      for (const [index, guide] of guides.entries()) {
        if (guide.tags.some((department) => department !== person.team.department)) continue
        const random = createRandom(`${seed}/guide-wave/${index}`, person.id)
        if (!chance(random, 0.9)) continue
        const wave = atWork(from + between(random, index * 18, index * 18 + 4) * dayMs, random)
        const at = Math.max(wave, person.createdAt + (index + 1) * 7 * minuteMs)
        const assignerId = person.managers[0]?.id ?? null
        courses.push(
          planCourse(
            { seed: `${seed}/${index}`, guide, person, at, dueDate: endOfDay(at, 28), assignerId },
            person.id,
          ),
        )
      }
    }
    courses.sort((a, b) => a.createdAt - b.createdAt)
  }

  const toAssignment = (course: Course, at: number) => {
    const { guide, person } = course
    return { guide, person, record: toRecord(course, at) }
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
      const course = planCourse(
        { seed: `${seed}/order`, guide, person, at, dueDate, assignerId: null },
        orders++,
      )
      courses.push(course)
      return toAssignment(course, at)
    },
  }
}

function planCourse({ seed, guide, person, at, dueDate, assignerId }: Given, index: number) {
  const random = createRandom(`${seed}/course`, index)
  const opensAt = atWork(at + exponential(random, 5) * dayMs * person.pace, random)
  const needed = lognormal(random, 9 * person.pace * person.team.pace, 0.6) * dayMs
  const begins = !chance(random, person.team.neglect * 1.5)
  const finishes = begins && chance(random, 0.9)
  return {
    id: toUuid(`${seed}/course`, index),
    guide,
    person,
    assignerId,
    createdAt: at,
    dueDate,
    opensAt: begins ? opensAt : Infinity,
    finishesAt: finishes ? atWork(opensAt + needed, random) : Infinity,
    score: integer(random, 62, 100),
    secondsNeeded: guide.numTotalTasks * integer(random, 180, 900),
    /** Archived by an admin: still listed, no longer counted. Open ones of leavers are archived the day after. */
    archivesAt: chance(random, 0.02) ? Math.floor(at + between(random, 2, 60) * dayMs) : Infinity,
  }
}

/** How far a person gets without finishing, and in how many sittings. */
const farthest = 0.9
const sittings = 8

function toRecord(course: Course, at: number) {
  const { guide, person, createdAt, dueDate, opensAt, finishesAt } = course
  const leftAt = person.leftAt ?? Infinity
  // Leavers stop where they are.
  const until = Math.min(at, leftAt)
  const isOpened = opensAt <= until
  const isCompleted = finishesAt <= until
  const spanMs = Math.max(Math.min(finishesAt, opensAt + 40 * dayMs) - opensAt, minuteMs)
  const sat = isOpened ? Math.floor((sittings * (until - opensAt)) / spanMs) / sittings : 0
  const share = isCompleted ? 1 : Math.min(farthest, sat)
  const openedUntil = isOpened ? Math.floor(opensAt + share * spanMs) : null
  const lastAccessedAt = isCompleted ? finishesAt : openedUntil
  const archivedAt = Math.min(course.archivesAt, isCompleted ? Infinity : leftAt + dayMs)
  const isArchived = archivedAt <= at
  const overdueSince = !isCompleted && !isArchived && dueDate !== null && at > dueDate ? dueDate : null
  const isOverdue = overdueSince !== null
  const open = isOverdue ? 'overdue' : isOpened ? 'in_progress' : 'not_started'
  const isTested = isCompleted && guide.numTotalTestQuestions > 0
  return {
    id: course.id,
    userId: person.id,
    title: guide.title,
    courseId: guide.id,
    assignerId: course.assignerId,
    dueDate,
    numViewedTasks: Math.ceil(guide.numTotalTasks * share),
    numCompletedTasks: Math.floor(guide.numTotalTasks * share),
    score: isTested ? course.score : null,
    isArchived,
    isCompleted,
    completionPercentage: Math.floor(100 * share),
    createdAt,
    updatedAt: Math.max(lastAccessedAt ?? createdAt, isArchived ? archivedAt : 0),
    completedAt: isCompleted ? finishesAt : null,
    status: isCompleted ? 'completed' : open,
    isCompletedOnTime: isCompleted && (dueDate === null || finishesAt <= dueDate),
    passed: isCompleted && (!isTested || course.score >= 70),
    isOverdue,
    numDaysOverdue: isOverdue ? toDay(at) - toDay(overdueSince) : null,
    /** Seconds. */
    timeSpent: Math.round(course.secondsNeeded * share),
    firstAccessedAt: isOpened ? opensAt : null,
    lastAccessedAt,
  }
}
