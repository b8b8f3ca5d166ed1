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
    Buffer.from(
      toBody(
        'Created',
        `a${n}`,
        monday,
        { challengeId: `c${n}`, isSubmitted: n > 5 },
        { id: `p${n}`, name, managers: [{ id: `p${n}` }], groups: [{ id: `t${n}`, name: `Team ${name}` }] },
      )
        .toString()
        .replace('"id":"c1","displayTitle":"First call"', `"id":"c${n}","displayTitle":"Course ${name}"`),
    ),
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
  const teams = await olga.read('/teams?sort=team_name')
  const listed = [...teams.matchAll(/dir="auto">\u2068?Team ([^<]*?)\u2069?<\/a>/g)].map(([, name]) => name)
  expect(listed).toEqual(sorted)
})

test('a name that turns the direction round does so for itself alone', async () => {
  const one = ['/learners/p7', '/teams/t7', '/challenges/c7', '/managers/p7', '/assignments/a7']
  const all = [
    '/learners',
    '/assignments',
    '/teams',
    '/managers',
    '/challenges',
    '/',
    '/search?q=exe',
    '/notes',
  ]
  const late = [
    '/overdue',
    '/grading',
    '/guides',
    '/changes',
    '/remind?user=p7',
    '/?team=t7&challenge=c7&user=p7',
  ]
  const lists = [...one, ...all, ...late, '/assignments?user=p7&team=t7']
  for (const path of lists) {
    const html = await olga.read(path)
    const places = [...html.matchAll(/(<[^>]*>)([^<]*\u202e[^<]*)</g)]
    expect([path, places.length > 0]).toEqual([path, true])
    const bare = places.filter(
      ([, tag = '', text = '']) => !/^<bdi|dir="auto"/.test(tag) && !text.includes('\u2068'),
    )
    expect([path, bare.map(([all]) => all)]).toEqual([path, []])
  }
  const page = await olga.read('/learners/p7')
  expect(page).toContain(`<title>\u2068${turned}\u2069 · Rollcall</title>`)
  expect(page).toMatch(new RegExp(`<h1>\u2068${turned}\u2069</h1>`))
})
