import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { toRecord } from '../../sample-platform/company/assignment.ts'
import { Life, type LifeEvent, type LifeOptions } from '../../sample-platform/company/life.ts'

const from = Date.UTC(2026, 4, 4, 6)
const to = Date.UTC(2026, 10, 2, 12)
const company: LifeOptions = { seed: 'promises', from, people: 60 }

type ChallengeAssignment = ReturnType<typeof toRecord>
type Payload = {
  eventType: string
  timestamp: number
  user: { id: number; isDeleted: boolean }
  challenge: { id: string; displayTitle: string }
  challengeAssignment: ChallengeAssignment
}

const parse = (event: LifeEvent) => JSON.parse(event.body) as Payload

function toHash(events: Iterable<LifeEvent>): string {
  const hash = createHash('sha256')
  for (const event of events) hash.update(event.body)
  return hash.digest('hex')
}

const events = [...new Life(company).next(to)]
const payloads = events.map(parse)
const byAssignment = Map.groupBy(payloads, (payload) => payload.challengeAssignment.id)

describe('the same seed', () => {
  it('gives the same bytes, today and on every machine', () => {
    expect(toHash(new Life(company).next(to))).toBe(toHash(events))
    expect(toHash(events)).toBe('2db6206ed31ef4f7ce9e64e5dee398b9072c7bdfe0a06fc243edd381425825ea')
  })
})

describe('payloads', () => {
  const shape: Record<keyof ChallengeAssignment, string[]> = {
    id: ['string'],
    challengeId: ['string'],
    calculatedGrade: ['integer'],
    completionPercentage: ['integer'],
    numDaysOverdue: ['integer', 'null'],
    status: ['string'],
    isCompleted: ['boolean'],
    isCompletedOnTime: ['boolean'],
    isFullyGraded: ['boolean'],
    isOverdue: ['boolean'],
    isPartiallyGraded: ['boolean'],
    isSubmitted: ['boolean'],
    passed: ['boolean'],
    completedAt: ['integer', 'null'],
    createdAt: ['integer'],
    dueDate: ['integer', 'null'],
    firstViewedAt: ['integer', 'null'],
    lastViewedAt: ['integer', 'null'],
    reviewersDueDate: ['integer', 'null'],
    updatedAt: ['integer'],
  }
  const typeOf = (value: unknown) =>
    value === null ? 'null' : Number.isInteger(value) ? 'integer' : typeof value

  it('have exactly the fields and types of the specification, and use every nullable one both ways', () => {
    const seen = new Map<string, Set<string>>()
    for (const payload of payloads) {
      expect(Object.keys(payload)).toEqual([
        'eventType',
        'timestamp',
        'user',
        'challenge',
        'challengeAssignment',
      ])
      expect(Object.keys(payload.challenge)).toEqual(['id', 'displayTitle'])
      expect(Object.keys(payload.challengeAssignment)).toEqual(Object.keys(shape))
      for (const [field, value] of Object.entries(payload.challengeAssignment)) {
        const types = seen.get(field) ?? new Set()
        seen.set(field, types.add(typeOf(value)))
      }
    }
    for (const [field, types] of Object.entries(shape))
      expect([...(seen.get(field) ?? [])].sort(), field).toEqual(types)
  })
})

describe('an assignment', () => {
  it('never contradicts itself', () => {
    for (const { eventType, timestamp, challengeAssignment: a } of payloads) {
      if (eventType === 'assignmentCompleted.challenge') expect(a.isCompleted).toBe(true)
      if (a.isCompleted)
        expect([a.status, a.passed, a.isFullyGraded, a.isSubmitted]).toEqual(['completed', true, true, true])
      expect(a.completedAt !== null).toBe(a.isCompleted)
      if (a.isFullyGraded)
        expect([a.isSubmitted, a.isPartiallyGraded, a.passed]).toEqual([true, false, a.isCompleted])
      if (a.isPartiallyGraded) expect(a.status).toBe('needs_grading')
      if (a.status === 'failed')
        expect([a.isFullyGraded, a.passed, a.isCompleted]).toEqual([true, false, false])
      if (a.isCompletedOnTime)
        expect(a.dueDate === null || (a.completedAt ?? Infinity) <= a.dueDate).toBe(true)
      const isLate = !a.isSubmitted && a.dueDate !== null && timestamp > a.dueDate
      expect(a.isOverdue, JSON.stringify(a)).toBe(isLate)
      expect(a.numDaysOverdue === null ? false : a.numDaysOverdue > 0).toBe(a.isOverdue)
      expect(a.calculatedGrade >= 0 && a.calculatedGrade <= 100).toBe(true)
      expect(a.completionPercentage >= 0 && a.completionPercentage <= 100).toBe(true)
    }
  })
})

describe("the platform's own state", () => {
  it.each([to, Date.UTC(2026, 7, 15, 3, 33)])('agrees with what its events said up to %d', (at) => {
    const life = new Life(company)
    for (const event of life.next(at)) void event
    const { assignments } = life.truth()
    expect(assignments).toHaveLength(
      new Set(payloads.filter(({ timestamp }) => timestamp <= at).map((p) => p.challengeAssignment.id)).size,
    )
    for (const truth of assignments) {
      const told = (byAssignment.get(truth.record.id) ?? []).filter(({ timestamp }) => timestamp <= at)
      const last = told.at(-1)
      const { isOverdue, numDaysOverdue, status, ...record } = truth.record
      expect(last?.challengeAssignment).toMatchObject(record)
      expect(truth.deleted).toBe(last?.eventType === 'assignmentDeleted.challenge')
      expect(status === 'overdue').toBe(isOverdue)
      expect(numDaysOverdue !== null).toBe(isOverdue)
      const current = told.slice(
        told.findLastIndex(({ eventType }) => eventType === 'assignmentCreated.challenge'),
      )
      expect(truth.firstDueDate).toBe(
        current.find((p) => p.challengeAssignment.dueDate !== null)?.challengeAssignment.dueDate ?? null,
      )
    }
  })
})
