/** The platform does not say who has to grade, so no page, file or row may name somebody as that. */
import { afterAll, expect, test } from 'vitest'
import { day, monday, toBody } from '../support/data/records.ts'
import { storeBodies } from '../support/data/store-bodies.ts'
import { openStoreDashboards } from './store-dashboards.ts'

const handedIn = { status: 'needs_grading', isSubmitted: true, reviewersDueDate: monday + 3 * day }
const learner = { id: 1, name: 'Lea Learner', managers: [{ id: 2 }] }
const boss = { id: 2, name: 'Bea Boss', directReports: [{ id: 1 }] }

const site = 'https://learn.example.com'

const opened = await openStoreDashboards({
  now: monday + 5 * day,
  more: {
    platformLinks: {
      learner: `${site}/people/{user_id}`,
      assignment: `${site}/a/{assignment_id}`,
      grading: `${site}/grade/{challenge_id}/{assignment_id}`,
    },
  },
  fill: ({ writer }) =>
    storeBodies(writer, [
      toBody('Created', 'of the boss', monday, {}, boss),
      toBody('Progress', 'waiting', monday + day, handedIn, learner),
      toBody('Progress', 'graded', monday + day, { ...handedIn, isFullyGraded: true }, learner),
    ]),
})
afterAll(() => opened.close())

test('the page of grading names learners, and nobody who could grade', async () => {
  const main = /<main[\s\S]*<\/main>/.exec(await opened.get('/grading'))?.[0] ?? ''
  expect(main).toContain('Lea Learner')
  expect(main).not.toContain('Bea Boss')
  const outside = main.replace(/<details[\s\S]*?<\/details>/g, '')
  expect(outside).toContain('The platform does not send the reviewer.')
})

test('rows of grading, and the pages of a person and of an assignment lead into the platform', async () => {
  const linked = async (path: string) =>
    [...(await opened.get(path)).matchAll(/href="(https:[^"]*)" rel="noreferrer"/g)].map(([, href]) => href)
  expect(await linked('/grading')).toEqual([`${site}/grade/c1/waiting`])
  expect(await linked('/learners/1')).toEqual([`${site}/people/1`, `${site}/a/graded`, `${site}/a/waiting`])
  expect(await linked('/assignments/of%20the%20boss')).toEqual([`${site}/a/of%20the%20boss`])
})

test('only a period that is not over is said to go so far', async () => {
  const bodyOf = async (path: string) => (await opened.get(path)).replace(/<svg[\s\S]*?<\/svg>/g, '')
  expect(await bodyOf('/grading')).toContain('Week of 5 Jan, so far')
  expect(await bodyOf('/grading?trend_from=2025-12-01&trend_to=2025-12-28')).not.toContain('so far')
})
