/** A manager reads the company's figures beside those of their people only where the owner allows it, and nobody else does. */
import { afterAll, expect, test } from 'vitest'
import { monday, toBody } from '../../support/data/records.ts'
import { manager, openCompany, ownTeam, password, toBodies, type Company } from './company.ts'

const others = Array.from({ length: 8 }, (_, n) =>
  toBody('Created', `other-${n}`, monday, { isCompleted: n < 4 }, { id: `other-${n}`, groups: [ownTeam] }),
)
const rest = Array.from({ length: 2 }, (_, n) => toBody('Created', `rest-${n}`, monday, {}, { id: `rest-${n}` }))
// Today: the store drops links that ended long ago.
let today = Date.now()
const company = await openCompany({ clock: () => ++today, bodies: [...toBodies(), ...others, ...rest] })
await company.addPassword(manager.email, password, 'manager')
await company.addPassword('olga@example.com', password, 'owner')
const shown = await company.openAnother({ DASHBOARD_MANAGER_SEES_COMPANY: 'figures' })
afterAll(() => company.close())

const words = ['all teams:', 'whole team:', 'everybody:', 'of about']
async function wordsOf(app: Company['app'], path: string, headers: Record<string, string>): Promise<string[]> {
  const response = await app.request(path, { headers })
  expect([path, response.status]).toEqual([path, 200])
  const html = await response.text()
  return words.filter((each) => html.includes(each))
}

const team = `/teams/${ownTeam.id}`

test('the pages of a manager have them where the settings allow it, and by default none', async () => {
  const mona = { cookie: await company.signIn(manager.email) }
  for (const path of ['/', '/teams', '/challenges', team]) expect(await wordsOf(company.app, path, mona)).toEqual([])
  expect(await wordsOf(shown, '/', mona)).toEqual(['all teams:'])
  expect(await wordsOf(shown, '/teams', mona)).toEqual(['all teams:', 'everybody:'])
  expect(await wordsOf(shown, '/?team=team-own', mona)).toEqual(['whole team:'])
  expect(await wordsOf(shown, team, mona)).toEqual(['whole team:', 'of about'])
  const html = await (await shown.request(team, { headers: mona })).text()
  // Two own ones, and of the nine others one is the manager.
  expect(html).toContain('Your people in this team: 2 of about 12.')
})

test('with a filter by which the others could be told apart, on other pages, and to others there are none', async () => {
  const mona = { cookie: await company.signIn(manager.email) }
  for (const path of [
    `/?team=${ownTeam.id}&challenge=c1`,
    '/?attribute.country=Ownland',
    '/?range=30d',
    '/managers',
    '/overdue',
  ])
    expect([path, await wordsOf(shown, path, mona)]).toEqual([path, []])
  const olga = { cookie: await company.signIn('olga@example.com') }
  for (const path of ['/', '/teams', team]) expect(await wordsOf(shown, path, olga)).toEqual([])
})
