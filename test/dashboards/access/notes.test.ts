/** Notes on days: who writes them for whom, who reads them, and where. */
import { afterAll, describe, expect, test } from 'vitest'
import { forgetAccess } from '../../../services/erasure/forget-access.ts'
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

const add = (who: Visit, text: string, more: Record<string, string> = {}) =>
  who.post('/notes', { do: 'add', day: today, team: '', text, ...more })

async function idOf(text: string): Promise<string> {
  return (await createNotes(company.access).read()).find((note) => note.text === text)?.id ?? ''
}

describe('a note', () => {
  test('for everybody is written by an owner, and stands on every chart that has the day, in words, too', async () => {
    const added = await add(olga, '  New   price training ')
    expect([added.status, added.headers.get('location')]).toEqual([303, '/notes'])
    for (const who of [olga, mona, anna]) {
      const page = await who.read('/grading')
      expect(page).toMatch(/<span class="note-mark at-x-\d+" aria-hidden="true">1<\/span>/)
      expect(page).toMatch(/<ol class="chart-notes" aria-label="Notes">.*New price training/s)
    }
    for (const path of [`/teams/${ownTeam.id}`, '/challenges/c1'])
      expect(await mona.read(path), path).toContain('New price training')
    const another = await company.openAnother()
    expect(await (await another.request('/grading', { headers: { cookie: anna.cookie } })).text()).toContain(
      'New price',
    )
    // Not on a chart that ended before the day.
    expect(await olga.read('/grading?as_of=2026-02-02')).not.toContain('New price training')
    const later = new Date(nowMs + 300 * 86_400_000).toISOString().slice(0, 10)
    for (let sent = 0; sent < 2; sent++) await add(olga, 'Far away', { day: later })
    // The same form, sent twice, is one note.
    expect((await createNotes(company.access).read()).filter(({ text }) => text === 'Far away')).toHaveLength(
      1,
    )
    expect(await olga.read('/')).not.toContain('Far away')
  })

  test('is of a day between the first event and a year from now', async () => {
    for (const day of ['1999-12-31', '2100-01-01']) {
      const refused = await add(olga, 'Out of range', { day })
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining('Choose a day from '),
      ])
    }
    const [from, to] = await createNotes(company.access).readRange()
    for (const at of [from, to]) {
      const added = await add(olga, 'At the end', { day: new Date(at).toISOString().slice(0, 10) })
      expect(added.status).toBe(303)
    }
    expect((await createNotes(company.access).read()).some(({ text }) => text === 'Out of range')).toBe(false)
  })

  test('for a team is written by a manager who sees everybody in it, and read by those who see the team', async () => {
    expect(await mona.read('/notes')).toMatch(
      /<select name="team"><option value="team-own">Own Team<\/option><\/select>/,
    )
    expect((await add(mona, 'Own Team moves', { team: ownTeam.id })).status).toBe(303)
    for (const path of ['/grading', `/teams/${ownTeam.id}`])
      expect(await rae.read(path), path).toMatch(/Own Team moves.*\(Own Team\)/s)
    // Notes of a team that is filtered away are not shown.
    expect(await olga.read(`/grading?team=${foreignTeam.id}`)).not.toContain('Own Team moves')
    await add(olga, 'Hidden Unit grows', { team: foreignTeam.id })
    for (const path of ['/', '/notes', '/grading', `/?team=${foreignTeam.id}`])
      expect(await mona.read(path), path).not.toContain('Hidden Unit grows')
    expect(await olga.read('/grading')).toContain('Hidden Unit grows')
  })

  test('is refused where the writer does not see the whole team, or any of it, or nobody has it, in the same words', async () => {
    for (const [who, team] of [
      [mona, ''],
      [mona, foreignTeam.id],
      [mona, 'nobody-has-this'],
      [rae, ownTeam.id],
      [rae, ''],
      [olga, 'nobody-has-this'],
    ] as const) {
      const refused = await add(who, 'not mine', { team })
      expect([
        team,
        refused.status,
        (await refused.text()).includes('Only people who see a whole team'),
      ]).toEqual([team, 400, true])
    }
    expect(await idOf('not mine')).toBe('')
    expect((await add(anna, 'an analyst’s')).status).toBe(403)
    expect(await rae.read('/notes')).not.toContain('name="text"')
  })

  test('warns not to name people; is plain, escaped, on a real day, and not too long', async () => {
    expect(await olga.read('/notes')).toContain('Do not name people')
    const nasty = '"><script>alert(1)</script>'
    expect((await add(olga, nasty)).status).toBe(303)
    for (const path of ['/grading', '/notes']) {
      const page = await olga.read(path)
      expect([page.includes(nasty), page.includes('&lt;script&gt;alert(1)')]).toEqual([false, true])
    }
    for (const text of ['', '  ', 'x'.repeat(201), 'a\u0000b', 'a\u202eb'])
      expect([text, (await add(olga, text)).status]).toEqual([text, 400])
    for (const day of ['', '2026-02-30', 'yesterday', '2026-11-24T00:00'])
      expect([day, (await add(olga, 'on no day', { day })).status]).toEqual([day, 400])
    // The text of a refused note is not lost.
    expect(await (await add(olga, 'kept in the form', { day: '' })).text()).toContain(
      'value="kept in the form"',
    )
  })

  test('is deleted by its author or an owner, with its text, and by nobody else', async () => {
    await add(olga, 'of the owner')
    await add(mona, 'of the manager', { team: ownTeam.id })
    const [owners, managers] = [await idOf('of the owner'), await idOf('of the manager')]
    expect((await mona.post('/notes', { do: 'remove', id: owners })).status).toBe(400)
    expect((await rae.post('/notes', { do: 'remove', id: managers })).status).toBe(400)
    expect((await mona.post('/notes', { do: 'remove', id: managers })).status).toBe(303)
    const deleted = await olga.post('/notes', { do: 'remove', id: owners })
    const shown = await follow(
      deleted,
      (path, cookie) => company.app.request(path, { headers: { cookie } }),
      olga.cookie,
    )
    expect(await shown.text()).toMatch(/Note deleted\..*name="text" value="of the owner".*Undo/s)
    expect((await olga.post('/notes', { do: 'remove', id: owners })).status).toBe(400)
    expect(
      await company.store.rows(
        `SELECT value FROM rollcall.records FINAL WHERE key IN ('${owners}', '${managers}')`,
      ),
    ).toEqual([{ value: '' }, { value: '' }])
    const audit = await company.access.store.readAudit({
      beforeMs: nowMs + 60_000,
      limit: 3,
      action: 'note_change',
    })
    expect(audit.map(({ login, detail }) => [login, detail])).toEqual([
      ['olga@example.com', `${owners} deleted`],
      [manager.email, `${managers} deleted`],
      [manager.email, `${managers} added: ${today} team-own`],
    ])
  })

  test('is no thing of tokens', async () => {
    const token = await company.as('owner')
    expect(
      (await olga.post('/notes', { do: 'add', day: today, text: 'x' }, { cookie: '', ...token })).status,
    ).toBe(403)
  })

  test('forgets people whom it names, and its author, with their erasure', async () => {
    await add(olga, 'Talk by Zoltan Foreigner')
    await forgetAccess(company.store.writer, 'x-201', ['zoltan@elsewhere.example'], ['Zoltan Foreigner'])
    await forgetAccess(company.store.writer, 'x-900', ['olga@example.com'])
    const notes = await createNotes(company.access).read()
    expect(JSON.stringify(notes)).not.toMatch(/Zoltan|olga/)
    for (const text of ['New price training', 'Talk by [erased]'])
      expect(notes).toContainEqual(expect.objectContaining({ login: '[erased]', text }))
  })
})
