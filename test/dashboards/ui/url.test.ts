import { afterAll, describe, expect, test } from 'vitest'
import { peopleHref, rowsFileHref, rowsHref, pageParams } from '../../../dashboards/scope/page-url.ts'
import { remindHref } from '../../../dashboards/components/remind.tsx'
import { followed } from '../../../dashboards/scope/follow.ts'
import { createFormat } from '../../../language/format.ts'
import { parsePage } from '../../../dashboards/scope/parse-page.ts'
import { settings, startPreview } from './serve.ts'
import { toGuideMetrics } from '../../../schemas/metrics/guide-metrics.ts'
import { filledNow, ids } from '../filled-company.ts'

const asOf = '2026-11-20T13:05:00.000Z'
const query = (href: string | null) => new URL(href ?? 'x:none', 'http://here').searchParams

describe('the scope in the URL', () => {
  test('drops empty fields and unknown keys', () => {
    expect(pageParams(new URLSearchParams('team=&team=a&bogus=1&range=')).toString()).toBe('team=a')
  })
})

describe('relative ranges', () => {
  const parse = (query: string, timeZone: string = settings.timeZone) =>
    parsePage(new URLSearchParams(query), { now: filledNow, settings: { ...settings, timeZone } })

  test('become dates of the reporting zone, today included', () => {
    const { scope, params, rowParams } = parse('range=7d')
    expect(scope.assignedFrom).toBe('2026-11-14')
    expect(params.toString()).toBe('range=7d')
    expect(rowParams.toString()).toBe('assigned_from=2026-11-14')
  })

  test('follow the moment looked at, and read a date as that day, whatever the zone', () => {
    const { scope, rowParams } = parse('range=90d&team=a')
    expect(rowParams.toString()).toBe('team=a&assigned_from=2026-08-23&trend_from=2026-08-23')
    expect(scope).toMatchObject({ team: ['a'], assignedFrom: '2026-08-23', trendFrom: '2026-08-23' })
    expect(parse('range=7d&as_of=2026-10-10', 'Pacific/Kiritimati').scope.assignedFrom).toBe('2026-10-04')
  })

  test('compare with the same assignments four weeks ago, or at the end of the last calendar month', () => {
    const asOfOf = (query: string) => {
      const { scope, previous, notices } = parse(`range=90d&${query}`)
      expect([previous, notices]).toEqual([{ ...scope, asOf: previous?.asOf }, []])
      return new Date(previous?.asOf ?? 0).toISOString()
    }
    // The same time on the clock, which was put back on 25 October.
    expect(asOfOf('')).toBe('2026-10-23T12:05:00.000Z')
    expect(asOfOf('as_of=2026-11-08')).toBe('2026-10-11T21:59:59.999Z')
    expect(asOfOf('compare=last_month')).toBe('2026-10-31T22:59:59.999Z')
    expect(asOfOf('compare=last_month&as_of=2026-10-31')).toBe('2026-09-30T21:59:59.999Z')
    expect(parse('as_of=1970-01-20').previous).toBeNull()
  })

  test.each(['month', 'previous', 'sideways'])(
    'answer compare=%s with four weeks ago and a notice',
    (value) => {
      const { previous, params, notices } = parse(`compare=${value}`)
      expect([previous, params.has('compare')]).toEqual([parse('').previous, false])
      expect(notices).toEqual([`There is no comparison “${value}”: the page compares with 4 weeks ago.`])
    },
  )

  test('that mean nothing are left out with a notice', () => {
    const { params, rowParams, notices } = parse('range=banana')
    expect([params.toString(), rowParams.toString()]).toEqual(['', ''])
    expect(notices).toHaveLength(1)
  })

  test('never overrule a date that was chosen', () => {
    const { scope, params, notices } = parse('range=7d&assigned_from=2026-01-01')
    expect([scope.assignedFrom, params.toString()]).toEqual(['2026-01-01', 'assigned_from=2026-01-01'])
    expect(notices).toEqual(['“range” means nothing beside a first day, so it was ignored.'])
  })

  test('that begin after the last day that was chosen are left out with a notice, or the API would refuse the files', () => {
    const { scope, params, rowParams, notices } = parse('range=7d&assigned_to=2026-10-01')
    expect([scope.assignedFrom, params.toString()]).toEqual([undefined, 'assigned_to=2026-10-01'])
    expect(rowParams.toString()).toBe('assigned_to=2026-10-01')
    expect(notices).toEqual(['“range” must not be after assigned_to, so it was ignored.'])
    expect(parse('range=90d&assigned_to=2026-10-01').notices).toEqual([])
  })
})

describe('links to rows', () => {
  test('keep the period of a part of a list of periods, and no other', () => {
    const part = new URLSearchParams('metric=trend&part=2026-06-01.completed&period=month')
    const other = new URLSearchParams('metric=overdue&part=value&period=month')
    const periods = (params: URLSearchParams) => [
      query(rowsHref(params, asOf)).get('period'),
      query(peopleHref(params, asOf, 'all')).get('period'),
      query(rowsFileHref(params, asOf)).get('period'),
      query(remindHref({ params })).get('period'),
      followed({ params, format: createFormat({ locale: 'en-GB', timeZone: 'UTC', now: filledNow }) }).get(
        'period',
      ),
    ]
    expect(periods(part)).toEqual(Array(5).fill('month'))
    expect(periods(other)).toEqual(Array(5).fill(null))
  })

  test('narrow a window to the days that are in both', () => {
    const page = new URLSearchParams('due_from=2026-11-10&due_to=2026-11-18')
    const week = query(rowsHref(page, asOf, { due_from: '2026-11-16', due_to: '2026-11-22' }))
    expect([week.get('due_from'), week.get('due_to')]).toEqual(['2026-11-16', '2026-11-18'])
  })

  test('name the part of a metric where no filter says it, and keep the period of a part', () => {
    const rows = query(
      rowsHref(new URLSearchParams('period=month'), asOf, { metric: 'trend', part: '2026-11-01.graded' }),
    )
    expect([rows.get('metric'), rows.get('part'), rows.get('period')]).toEqual([
      'trend',
      '2026-11-01.graded',
      'month',
    ])
    expect(query(rowsHref(new URLSearchParams('period=month'), asOf)).get('period')).toBeNull()
  })

  test('narrow and never widen: values of one key mean "or"', () => {
    const graded = new URLSearchParams('fact=graded')
    expect(query(rowsHref(graded, asOf, { fact: 'graded' })).getAll('fact')).toEqual(['graded'])
    expect(rowsHref(graded, asOf, { fact: 'overdue' })).toBeNull()
    expect(
      query(rowsHref(new URLSearchParams('aging=1-7&aging=8-14'), asOf, { aging: '1-7' })).getAll('aging'),
    ).toEqual(['1-7'])
    expect(rowsHref(new URLSearchParams('aging=1-7'), asOf, { aging: ['61-90', '91+'] })).toBeNull()
    expect(rowsHref(new URLSearchParams('team=a&team=b'), asOf, { team: 'c' })).toBeNull()
    expect(query(rowsHref(new URLSearchParams('team=a&team=b'), asOf, { team: 'b' })).getAll('team')).toEqual(
      ['b'],
    )
  })
})

const dashboards = await startPreview()
afterAll(() => dashboards.close())
const read = async (path: string) =>
  (await (await dashboards.app.request(path)).text()).replaceAll('&amp;', '&')

test.each([
  [`/guides?show=assigned&team=${ids.team}`, expect.stringMatching(/^\/learners\/\d+\?team=[\w-]+$/)],
  [`/remind?team=${ids.team}&user=${ids.person}&ticked=true`, `/overdue?team=${ids.team}`],
])('%s has a link to %s, with the filters and the moment that it has', async (page, link) => {
  const links = [...(await read(page)).matchAll(/href="([^"]+)"/g)].map(([, to]) =>
    decodeURIComponent(to ?? ''),
  )
  expect(links).toContainEqual(link)
})

test.each([
  '/changes?kind=foo',
  '/teams?by=foo',
  '/teams?sort=foo',
  '/overdue?range=foo',
  '/assignments?sort=foo',
  '/assignments?columns=foo',
  '/teams?page=abc',
  `/managers/${ids.manager}?reports=foo`,
  '/grading?challenges=foo',
])('%s says what it left out, and nothing where it is empty', async (path) => {
  const [, key, value] = /\?(\w+)=(\w+)/.exec(path) ?? []
  const notice = `Ignored: “${value}” is not a value of “${key}”.`
  expect(await read(path)).toContain(notice)
  expect(await read(path.replace(/=.*/, '='))).not.toContain(notice)
})

test('what the page of guides left out is said before the first pull, too', async () => {
  const pulled = { guides: null, assignments: null, changes: null }
  const metrics = toGuideMetrics([])
  const empty = await startPreview({
    queries: ({ guides }) => ({
      guides: async (...given) => ({ ...(await guides(...given)), metrics, pulled }),
    }),
  })
  const html = await (await empty.app.request('/guides?show=foo')).text()
  expect(html).toContain('PLATFORM_URL')
  expect(html).toContain('Ignored: “foo” is not a value of “show”.')
  await empty.close()
})
