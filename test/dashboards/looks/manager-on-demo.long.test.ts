/** The demo, and as its manager sees it, signed in: the four questions of a Monday morning, and how long the pages are. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import { openBrowser, reader } from '../../support/browser/browser.ts'
import { runToEnd } from '../../support/processes/child.ts'
import { runCliInside } from '../../support/processes/cli.ts'
import { startDemo, type Demo } from '../../support/processes/demo.ts'
import { until } from '../../support/wait.ts'

const [desk, phone] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const password = 'correct horse battery'

let demo: Demo
let browser: Browser
/** Signed in: the owner, and the manager with most overdue people. */
let [owner, manager]: Page[] = []

/** A process holds who may come in for three seconds, and ten wrong tries close the door. */
async function signIn(login: string): Promise<Page> {
  const page = await (await browser.newContext({ ...reader, viewport: desk })).newPage()
  const trySignIn = async () => {
    await page.goto(`${demo.url}/sign-in`)
    await page.getByLabel('Email').fill(login)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const isIn = page.url() === `${demo.url}/`
    if (!isIn) await sleep(3_000)
    return isIn
  }
  await until(trySignIn)
  await page.goto('about:blank')
  return page
}

beforeAll(async () => {
  demo = await startDemo({ DASHBOARD_AUTH: 'password' })
  const isInMs = Date.now()
  browser = await openBrowser()
  const directory = await mkdtemp(join(tmpdir(), 'rollcall-password-'))
  const file = join(directory, 'password')
  await writeFile(file, password)
  const enter = async (...words: string[]) => {
    const { code, err } = await runCliInside(['user', 'add', ...words, '--password-file', file], demo.env)
    expect(code, err).toBe(0)
  }
  await enter('olga@example.com', '--role', 'owner')
  owner = await signIn('olga@example.com')
  const { request } = owner
  // What is acknowledged may wait to be stored: on a busy machine, much of the history.
  await until(
    async () =>
      ((await (await request.get(`${demo.url}/api/metrics`)).json()) as MetricsAnswer).complete_through,
    (through) => Date.parse(through ?? '') > isInMs,
  )
  const response = await request.get(`${demo.url}/overdue/by-manager.csv`)
  const [, first = ''] = (await response.text()).split('\r\n')
  await enter('mona@example.com', '--role', 'manager', '--user-id', first.split(',').at(-1) ?? '')
  manager = await signIn('mona@example.com')
  await rm(directory, { recursive: true, force: true })
})
afterAll(async () => {
  await browser?.close()
  expect(await demo?.stop()).toBe(0)
})

test('it has loaded a company, says that it is a sample, and is not started twice', async () => {
  const { url, env, output } = demo
  expect(output).toMatch(/Loading the sample company\s+\d+ %/)
  expect(output).toContain(`Commands    DATA_DIR=${env.DATA_DIR} npx rollcall --help`)
  expect(output).toMatch(/of 240 people over 6 months are in; now live/)
  // A directory of its own, so that a sample never gets among real data.
  const parent = dirname(env.DATA_DIR)
  expect(await readdir(parent)).toEqual(['demo'])
  // It empties its directory: never that of one that runs.
  const ports = { INGEST_PORT: '0', DASHBOARD_PORT: '0', ADMIN_PORT: '0' }
  const second = await runToEnd('sample-platform/demo.ts', { DATA_DIR: parent, ...ports })
  expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('another Rollcall runs on it') })

  const { request } = owner as Page
  const ask = async (path: string) => (await (await request.get(`${url}${path}`)).json()) as MetricsAnswer
  const { metrics } = await until(
    () => ask('/api/metrics'),
    (answer) => answer.metrics.assigned.value > 4_000,
  )
  expect(metrics.overdue.value).toBeGreaterThan(0)
  expect(metrics.grading_backlog.value).toBeGreaterThan(0)
  expect((await ask('/api/guides')).metrics.assigned.value).toBeGreaterThan(100)
  expect(await (await request.get(url)).text()).toContain('Sample data.')
  const csv = await request.get(`${url}/api/assignments?fact=overdue&format=csv`)
  expect(csv.headers()['content-disposition']).toMatch(/sample/i)
})

/** The names of lines with a page of their own: that of people without a team leads to Home. */
const pageOf = (place: string) => `table.lines tbody th a[href^="${place}/"]`

/** How far down something begins, in screens. */
async function screensTo(page: Page, what: string): Promise<number> {
  const box = await page.locator(what).first().boundingBox()
  if (box === null) throw new Error(`there is no ${what} on ${page.url()}`)
  return (box.y + ((await page.evaluate('scrollY')) as number)) / (page.viewportSize()?.height ?? 0)
}

describe('a signed-in manager has an answer after at most two clicks and one screen of scrolling', () => {
  async function begin(): Promise<Page> {
    const page = manager as Page
    await page.setViewportSize(desk)
    await page.goto(demo.url)
    expect(await page.locator('#whose').innerText()).toMatch(/^Your \d+ people/)
    return page
  }
  const openPlace = (page: Page, name: string) =>
    page.locator('#pages').getByRole('link', { name, exact: true }).click()

  test('who is overdue, and whom do I remind?', async () => {
    const page = await begin()
    await openPlace(page, 'Overdue')
    expect(await screensTo(page, '#people .overdue-people tbody tr')).toBeLessThan(1)
    expect(await screensTo(page, '#people .contacts a')).toBeLessThan(1)
    await page
      .getByRole('link', { name: /^Remind all/ })
      .first()
      .click()
    expect(await page.locator('h1').innerText()).toBe('Send reminders')
    expect(await page.getByRole('link', { name: /^Write/ }).count()).toBeGreaterThan(0)
  })

  test('what waits for a grade, and what comes first?', async () => {
    const page = await begin()
    await page.getByRole('link', { name: /^Open ?: .*waiting for a grade/ }).click()
    expect(new URL(page.url()).hash).toBe('#queue')
    expect(await page.locator('#queue tbody tr').first().isVisible()).toBe(true)
    expect(await screensTo(page, '#queue tbody tr')).toBeLessThan(2)
  })

  test('what changed since Monday?', async () => {
    const page = await begin()
    expect(await screensTo(page, '#changes a')).toBeLessThan(1)
    await page.getByRole('link', { name: 'All changes' }).click()
    expect(await screensTo(page, '#results table tbody tr')).toBeLessThan(1)
  })

  test('how does a team stand against others, and is it better than it was?', async () => {
    const page = await begin()
    await openPlace(page, 'Teams')
    expect(await screensTo(page, 'table.lines tbody tr')).toBeLessThan(1)
    await page.locator(pageOf('/teams')).first().click()
    expect(await screensTo(page, '#own-past tbody tr')).toBeLessThan(2)
  })
})

describe('pages are at most three screens high', () => {
  const first = async (page: Page, place: string, link: string) => {
    await page.goto(demo.url + place)
    return new URL((await page.locator(link).first().getAttribute('href')) ?? '', demo.url).pathname
  }

  test.each(['owner', 'manager'])('for the %s', async (who) => {
    const page = (who === 'owner' ? owner : manager) as Page
    await page.setViewportSize(desk)
    const objects = []
    for (const place of ['/teams', '/managers', '/challenges'])
      objects.push(await first(page, place, pageOf(place)))
    const heights: Record<string, number> = {}
    for (const path of ['/', '/overdue', '/grading', '/learners', ...objects]) {
      await page.goto(demo.url + path)
      heights[path] = (await page.evaluate('document.documentElement.scrollHeight')) as number
    }
    const person = await first(page, '/learners', '#results tbody th a')
    await page.goto(demo.url + person)
    heights[person] = (await page.evaluate('document.documentElement.scrollHeight')) as number
    expect(Object.entries(heights).filter(([, height]) => height > 3 * desk.height)).toEqual([])
    expect(Object.keys(heights).length).toBe(8)
    expect(heights['/']).toBeLessThanOrEqual(2 * desk.height)
  })

  test('a phone shows the people to remind on the first screen of Overdue', async () => {
    const page = manager as Page
    await page.setViewportSize(phone)
    await page.goto(`${demo.url}/overdue`)
    expect(await screensTo(page, '#people .contacts a')).toBeLessThan(1)
    expect(await screensTo(page, '#people .overdue-people tbody th a')).toBeLessThan(1)
  })
})
