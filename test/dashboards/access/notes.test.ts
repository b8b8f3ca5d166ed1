/** Notes on days: who writes them for whom, who reads them, and where. What is refused is in forms.test.ts. */
import { afterAll, expect, test } from 'vitest'
import { createNotes } from '../../../services/notes/notes.ts'
import { follow } from '../../support/network/follow.ts'
import { signInAs, foreignTeam, manager, openCompany, ownTeam, type Visit } from './company.ts'

let nowMs = Date.now()
const today = new Date(nowMs).toISOString().slice(0, 10)
const company = await openCompany({ clock: () => ++nowMs })
const mona = await signInAs(company, manager.email, 'manager')
/** Leads one of the three of the team. */
const rae = await signInAs(company, 'rae@example.com', 'manager')
const olga = await signInAs(company, 'olga@example.com', 'owner')
const anna = await signInAs(company, 'anna@example.com', 'analyst')
afterAll(() => company.close())

const add = async (who: Visit, text: string, more: Record<string, string> = {}) =>
  (await who.post('/notes', { do: 'add', day: today, team: '', text, ...more })).status
const all = () => createNotes(company.access).read()

test('for everyone is written by an owner once, and is on every chart that has the day, in every process', async () => {
  for (let sent = 0; sent < 2; sent++) expect(await add(olga, '  New   price training ')).toBe(303)
  expect((await all()).filter(({ text }) => text === 'New price training')).toHaveLength(1)
  for (const who of [olga, mona, anna]) {
    const page = await who.read('/grading')
    expect(page).toMatch(/<span class="note-mark at-x-\d+" aria-hidden="true">1\b[^<]*<\/span>/)
    expect(page).toMatch(/<ol class="chart-notes" aria-label="Notes">.*New price training/s)
  }
  for (const path of [`/teams/${ownTeam.id}`, '/challenges/c1'])
    expect(await mona.read(path), path).toContain('New price training')
  const app = await company.openAnother()
  const there = await company.ask('/grading', { cookie: anna.cookie, app })
  expect(await there.text()).toContain('New price training')
  // Not on a chart that ended before the day.
  expect(await olga.read('/grading?as_of=2026-02-02')).not.toContain('New price training')
})

test('for a team is written by a manager who sees all of it, and read by those who see the team', async () => {
  expect(await mona.read('/notes')).toMatch(
    /<select name="team"><option value="team-own">Own Team<\/option><\/select>/,
  )
  expect(await add(mona, 'Own Team moves', { team: ownTeam.id })).toBe(303)
  expect(await add(rae, 'not hers', { team: ownTeam.id })).toBe(400)
  expect(await rae.read('/notes')).not.toContain('name="text"')
  for (const path of ['/grading', `/teams/${ownTeam.id}`])
    expect(await rae.read(path), path).toMatch(/Own Team moves.*\(Own Team\)/s)
  // Notes of a team that is filtered away are not shown.
  expect(await olga.read(`/grading?team=${foreignTeam.id}`)).not.toContain('Own Team moves')
  await add(olga, 'Hidden Unit grows', { team: foreignTeam.id })
  for (const path of ['/', '/notes', '/grading', `/?team=${foreignTeam.id}`])
    expect(await mona.read(path), path).not.toContain('Hidden Unit grows')
  expect(await olga.read('/grading')).toContain('Hidden Unit grows')
})

test('warns not to name people, and is escaped', async () => {
  expect(await olga.read('/notes')).toContain('Do not name people')
  const nasty = '"><script>alert(1)</script>'
  await add(olga, nasty)
  for (const path of ['/grading', '/notes']) {
    const page = await olga.read(path)
    expect([page.includes(nasty), page.includes('&lt;script&gt;alert(1)')]).toEqual([false, true])
  }
})

test('is deleted by its author or an owner, with its text, and by no one else; Undo has it', async () => {
  const idOf = async (words: string) => (await all()).find(({ text }) => text === words)?.id ?? ''
  await add(olga, 'of the owner')
  await add(mona, 'of the manager', { team: ownTeam.id })
  const [owners, managers] = [await idOf('of the owner'), await idOf('of the manager')]
  const remove = (who: Visit, id: string) => who.post('/notes', { do: 'remove', id })
  expect((await remove(mona, owners)).status).toBe(400)
  expect((await remove(rae, managers)).status).toBe(400)
  expect((await remove(mona, managers)).status).toBe(303)
  const deleted = await remove(olga, owners)
  const shown = await follow(deleted, (path, cookie) => company.ask(path, { cookie }), olga.cookie)
  expect(await shown.text()).toMatch(/Note deleted\..*name="text" value="of the owner".*Undo/s)
  const stored = `SELECT value FROM rollcall.records FINAL WHERE key IN ('${owners}', '${managers}')`
  expect(await company.store.rows(stored)).toEqual([{ value: '' }, { value: '' }])
  const audit = await company.access.store.readAudit({ beforeMs: nowMs + 60_000, limit: 20 })
  const changes = audit.filter(({ action }) => action === 'note_change').slice(0, 3)
  expect(changes.map(({ login, detail }) => [login, detail])).toEqual([
    ['olga@example.com', `${owners} deleted`],
    [manager.email, `${managers} deleted`],
    [manager.email, `${managers} added: ${today} team-own`],
  ])
})
