import { describe, expect, test } from 'vitest'
import type { PlatformClientOptions } from '../../services/platform/open-platform-client.ts'
import type { Pages } from '../../services/platform/platform-client.ts'
import { openClient, serve, type Answered } from './answers.ts'

async function open(
  answers: (url: URL, call: number) => Answered,
  options: Partial<PlatformClientOptions> = {},
) {
  const server = await serve(answers)
  return { client: openClient(server.url, options), calls: server.calls }
}

async function readIds(pages: Pages<{ id: string }>): Promise<string[]> {
  const ids = new Set<string>()
  for await (const { items } of pages) for (const { id } of items) ids.add(id)
  return [...ids].toSorted()
}

const toUsers = (...ids: string[]) => ids.map((id) => ({ id, name: `Person ${id}` }))
const toMany = (n: number, from = 0) => Array.from({ length: n }, (_, at) => ({ id: `u${from + at}` }))
const isQueried = (url: URL) => url.search !== ''
const refused: Answered = { status: 400, json: {} }

describe('a list that ignores the page', () => {
  const answers: [string, (call: number) => { id: string; name: string }[]][] = [
    ['as it is', () => toUsers('a', 'b', 'c')],
    [
      'in another order each time',
      (call) => (call % 2 === 0 ? toUsers('a', 'b', 'c') : toUsers('c', 'a', 'b')),
    ],
    [
      'with other names each time',
      (call) => toUsers('a', 'b', 'c').map((one) => ({ ...one, name: `N${call}` })),
    ],
    [
      'with one person more in the second answer',
      (call) => (call === 0 ? toUsers('a', 'b') : toUsers('a', 'c', 'b')),
    ],
    [
      'with one person less in the second answer',
      (call) => (call === 0 ? toUsers('a', 'b', 'c') : toUsers('a', 'c')),
    ],
    ['with one person', () => toUsers('a')],
  ]
  test.each(answers)('is whole: %s', async (_, toAnswer) => {
    const { client, calls } = await open((__, call) => ({ json: toAnswer(call) }))
    const expected = new Set([0, 1].flatMap((call) => toAnswer(call).map(({ id }) => id)))
    expect(await readIds(client.users())).toEqual([...expected].toSorted())
    expect(calls.length).toBeLessThanOrEqual(3)
  })

  test('is whole where a run continues in the middle, and for guides and their assignments', async () => {
    const { client } = await open(() => ({ json: toUsers('a', 'b') }))
    expect(await readIds(client.users({ from: 1 }))).toEqual(['a', 'b'])
    expect(await readIds(client.guides())).toEqual(['a', 'b'])
    expect(await readIds(client.guideAssignments('g'))).toEqual(['a', 'b'])
  })

  test('and never gives more than a page is an error that says so, not a list that is too short', async () => {
    const { client } = await open(() => ({ json: toMany(10) }))
    await expect(readIds(client.users({ size: 10 }))).rejects.toMatchObject({
      code: 'ENDLESS',
      message: expect.stringMatching(/ignores the page.*10 items at most/),
    })
  })
})

describe('a list whose query is refused', () => {
  const specified = (url: URL): Answered => (isQueried(url) ? refused : { json: toMany(250) })

  test('is asked once without one, and that is remembered for the path', async () => {
    const { client, calls } = await open(specified)
    expect(await readIds(client.users())).toHaveLength(250)
    expect(calls.map((call) => call.replace(/\?.*/, '?'))).toEqual([
      'GET /api/v1/users?',
      'GET /api/v1/users',
    ])
    await readIds(client.users())
    expect(calls.slice(2)).toEqual(['GET /api/v1/users'])
    // Each path on its own; the assignments of all guides are one path.
    await readIds(client.guideAssignments('g'))
    await readIds(client.guideAssignments('h'))
    expect(calls.slice(3)).toEqual([
      expect.stringContaining('/guides/g/assignments?'),
      'GET /api/v1/guides/g/assignments',
      'GET /api/v1/guides/h/assignments',
    ])
  })

  test('is not read in part: an answer without a query that says that there is more is no whole list', async () => {
    const { client } = await open((url) =>
      isQueried(url) ? refused : { json: { has_more: true, data: { users: toMany(25) } } },
    )
    await expect(readIds(client.users())).rejects.toMatchObject({ code: 'REFUSED', status: 400 })
  })

  test('in the middle of a paged list is a refusal, not a list without pages', async () => {
    const { client, calls } = await open((url) =>
      url.searchParams.get('page') === '0' ? { json: toMany(10) } : refused,
    )
    await expect(readIds(client.users({ size: 10 }))).rejects.toMatchObject({ status: 400 })
    await expect(readIds(client.users({ size: 10, from: 1 }))).rejects.toMatchObject({ status: 400 })
    expect(calls.every((call) => call.includes('?'))).toBe(true)
  })

  test.each([401, 403, 404, 422])('is not asked without one after %i', async (status) => {
    const { client, calls } = await open(() => ({ status, json: {} }))
    await expect(readIds(client.users())).rejects.toMatchObject({ status })
    expect(calls).toHaveLength(1)
  })
})

describe('a bare list whose pages begin with 1, and that answers page 0 with the first', () => {
  const everything = toMany(450)
  const answer = (url: URL, call: number): Answered => {
    const page = Math.max(1, Number(url.searchParams.get('page')))
    const rows = everything.map((one, at) => ({ ...one, timeSpent: at === 7 ? call : 0 }))
    return { json: rows.slice((page - 1) * 200, page * 200) }
  }

  test('is read to its end, also where a row changes meanwhile, and where a run continues in the middle', async () => {
    const { client } = await open(answer)
    // It begins a page too early: some items are read again.
    expect(await readIds(client.guides({ from: 1 }))).toHaveLength(450)
    for (let pull = 0; pull < 2; pull++) expect(await readIds(client.guides())).toHaveLength(450)
    const { client: other } = await open(answer)
    for (let pull = 0; pull < 2; pull++) expect(await readIds(other.guides())).toHaveLength(450)
  })
})
