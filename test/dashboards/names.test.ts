/** Names as people know them: found when typed plainly, in alphabetical order, and isolated from the text around them. */
import { afterAll, expect, test } from 'vitest'
import { monday, toBody } from '../support/data/records.ts'
import { openCompany, signInAs } from './access/company.ts'

const turned = 'ab\u202egnp.exe'
const people = [
  'José Núñez',
  'Rene\u0301e Dupré',
  'İsmail Işık',
  'Łukasz Groß',
  'Ágnes Bodnár',
  'Bernd Alt',
  'Zoe Abel',
  turned,
]
const company = await openCompany({
  bodies: people.map((name, n) =>
    toBody('Created', `a${n}`, monday, {}, { id: `p${n}`, name, groups: [{ id: `t${n}`, name: `Team ${name}` }] }),
  ),
})
const olga = await signInAs(company, 'olga@example.com', 'owner')
afterAll(() => company.close())

type Hits = { hits: { kind: string; name: string }[] }

test.each([
  ['nunez', 'José Núñez'],
  ['NÚÑEZ', 'José Núñez'],
  ['Renée', 'Rene\u0301e Dupré'],
  ['Rene\u0301e', 'Rene\u0301e Dupré'],
  ['ismail', 'İsmail Işık'],
  ['isik', 'İsmail Işık'],
  ['lukasz', 'Łukasz Groß'],
  ['gross', 'Łukasz Groß'],
])('a search for %s finds %s, and their team', async (typed, name) => {
  const { hits } = JSON.parse(await olga.read(`/search?format=json&q=${encodeURIComponent(typed)}`)) as Hits
  const found = hits.map(({ kind, name: of }) => `${kind} ${of}`)
  expect(found).toEqual(expect.arrayContaining([`Person ${name}`, `Team Team ${name}`]))
  expect(found.filter((each) => each.startsWith('Person'))).toHaveLength(1)
  const q = encodeURIComponent(typed)
  expect(await olga.read(`/learners?q=${q}`)).toContain(`>${name}</a>`)
  const teams = await olga.read(`/teams?find=${q}`)
  expect([teams.includes(`>Team ${name}</a>`), teams.includes('>Team Zoe Abel</a>')]).toEqual([true, false])
})

test('people, teams and pages of rows are in alphabetical order, whatever the accents', async () => {
  const sorted = people.toSorted((a, b) => new Intl.Collator('en').compare(a, b))
  const names: string[] = []
  type Page = { assignments: { user_name: string }[]; next: string | null }
  for (let path: string | null = '/api/assignments?sort=person&per_page=2'; path !== null;) {
    const page = JSON.parse(await olga.read(path)) as Page
    names.push(...page.assignments.map(({ user_name }) => user_name))
    path = page.next
  }
  expect(names).toEqual(sorted)
  const teams = await olga.read('/teams?sort=name')
  const listed = [...teams.matchAll(/dir="auto">Team ([^<]*)<\/a>/g)].map(([, name]) => name)
  expect(listed).toEqual(sorted)
})

test('a name that turns the direction round does so for itself alone', async () => {
  const lists = ['/learners', '/assignments', '/teams', '/', '/search?q=exe']
  for (const path of lists) {
    const html = await olga.read(path)
    const places = [...html.matchAll(/(<[^>]*>)([^<]*\u202e[^<]*)</g)].filter(([, tag]) => !tag?.startsWith('<option'))
    expect([path, places.length > 0]).toEqual([path, true])
    const bare = places.filter(([, tag = '', text = '']) => !/^<bdi|dir="auto"/.test(tag) && !text.includes('\u2068'))
    expect([path, bare.map(([all]) => all)]).toEqual([path, []])
  }
  const page = await olga.read('/learners/p7')
  expect(page).toContain(`<title>\u2068${turned}\u2069 · Rollcall</title>`)
  expect(page).toMatch(new RegExp(`<h1 class="name" dir="auto">${turned}</h1>`))
})
