import { type Context, Hono } from 'hono'
import { currentVisitor } from '../../../services/access/visitor.ts'
import type { RouteContext } from '../../dashboards-deps.ts'
import { blockRows, isOverviewBlock } from '../../../reporting/exports/overview-tables.ts'
import { drawCharts } from '../../components/figures/draw-charts.ts'
import { contentPlace, OverviewContent, OverviewFrame, OverviewPage, type OverviewPageProps } from './page.tsx'
import { pageRequest } from '../../http/page-request.ts'
import { dataProblemPart } from '../../http/problems.ts'
import { sendTable } from '../../http/send-table.ts'
import { setupPage } from '../setup/routes.ts'
import { canOpen } from '../../components/access.tsx'
import { DataUnavailableError } from '../../../reporting/errors.ts'
import { fewestPeople } from '../../../reporting/audience/audience.ts'
import type { Overview } from '../../../reporting/metrics/overview.ts'
import type { BriefChangeCount } from '../../../reporting/queries/change-counts.ts'
import type { Scope } from '../../../schemas/metrics/scope.ts'
import type { PageContext } from '../../page-context.ts'
import { momentOf } from '../../components/moment.ts'
import { toMonday } from '../changes/moments.ts'
import { t } from '../../../language/translate.ts'
import { sendInParts } from '../../http/send-in-parts.ts'
import { changesPlace, ChangesStrip } from './changes-strip.tsx'
import { SampleBanner } from '../../components/messages.tsx'

export function overviewRoutes(routes: RouteContext): Hono {
  const app = new Hono()

  /** Whether the data are a sample, as last read; `null`: not known, or nothing has arrived yet. */
  let isSample: boolean | null = null

  /** `null`: nothing has arrived yet, so Set-up is shown; not where the frame of this page has been sent (`isWhole`). */
  async function read(
    { scope, previous, rowParams, notices, context: toContext }: ParsedPage,
    isWhole = true,
  ): Promise<OverviewPageParts | null> {
    const overview = await routes.overview(scope, previous)
    const { sample, has_challenge_events } = overview.freshness
    if (!currentVisitor().audience.persons)
      notices.push(...coarseNotices(previous !== null && overview.previous === null))
    // Set-up shows the secret ingest URL.
    const canSetUp = currentVisitor().role === 'owner'
    if (canSetUp && !has_challenge_events && isWhole) return null
    isSample = has_challenge_events ? sample : null
    const context = toContext(overview.answer.as_of)
    const strip = readStrip(routes, { context, scope, rowParams, overview })
    const charts = await drawCharts(overview, context, routes)
    const canAssign = routes.assigning !== undefined && canSetUp
    const hasChanges = strip !== null
    return { props: { context, overview, charts, rowParams, canAssign, notices, hasChanges }, strip }
  }

  /** For the address bar of a browser: first what stands before any number is known. An error then is a part of the page. */
  async function* frameFirst(c: Context, parsed: ParsedPage, sample: boolean): AsyncGenerator<string> {
    const context = parsed.context()
    const [before = '', after = ''] = String(await OverviewFrame({ context, sample })).split(contentPlace)
    yield before
    try {
      const found = await read(parsed, false)
      if (found !== null) {
        if (found.props.overview.freshness.sample && !sample) yield String(await SampleBanner())
        yield* withStrip(String(await OverviewContent(found.props)), found.strip)
      }
    } catch (error) {
      yield await dataProblemPart(c, routes, error)
    }
    yield after
  }

  app.get('/', async (c) => {
    const parsed = pageRequest(c, routes)
    // Programs, and the script that loads parts of the page again, get the status of the whole.
    if (isSample !== null && c.req.header('sec-fetch-dest') === 'document') {
      return sendInParts(c, frameFirst(c, parsed, isSample))
    }
    const found = await read(parsed)
    if (found === null) return setupPage(c, routes, { empty: true })
    return await sendInParts(c, withStrip(String(await OverviewPage(found.props)), found.strip))
  })

  app.get('/overview/:file{[a-z-]+\\.(csv|xlsx)}', async (c) => {
    const [block = '', extension = ''] = c.req.param('file').split('.')
    if (!isOverviewBlock(block)) return c.notFound()
    const { scope, previous, rowParams } = pageRequest(c, routes)
    const overview = await routes.overview(scope, previous)
    const { sample } = overview.freshness
    const rows = blockRows(overview, block)
    return sendTable(c, { what: block, extension, rows, asOf: scope.asOf, params: rowParams, sample })
  })

  return app
}

type ParsedPage = ReturnType<typeof pageRequest>

function coarseNotices(isWithoutComparison: boolean): string[] {
  return [
    t(
      'Counts are rounded to five, so parts may miss their total. A team or challenge is shown if it and everybody else are at least {fewestPeople} people.',
      { fewestPeople },
    ),
    ...(isWithoutComparison ? [t('There is no comparison: too few people were in this group then.')] : []),
  ]
}

type OverviewPageParts = { props: OverviewPageProps; strip: Promise<string> | null }

/** The strip stands at the end of the page, and is sent when it is read. `strip` never rejects. */
async function* withStrip(page: string, strip: Promise<string> | null): AsyncGenerator<string> {
  const at = strip === null ? -1 : page.indexOf(changesPlace)
  if (strip === null || at < 0) return yield page
  yield page.slice(0, at)
  yield (await strip) + page.slice(at + changesPlace.length)
}

type StripRequest = { context: PageContext; scope: Scope; rowParams: URLSearchParams; overview: Overview }

/** After the numbers, so that these wait for nothing; of their moment. `null`: the reader may not see changes, or they are not there yet. */
function readStrip(
  routes: RouteContext,
  { context, scope, rowParams, overview }: StripRequest,
): Promise<string> | null {
  const { as_of: asOf } = overview.answer
  if (!canOpen(context, '/changes') || momentOf(asOf, context.format) === 'future') return null
  const to = Date.parse(asOf)
  const from = toMonday(scope.timeZone, to)
  const { teams } = overview.options
  const draw = async (counts: BriefChangeCount[] | null) =>
    (await ChangesStrip({ context, rowParams, from, to, teams, counts })).toString()
  const between = [
    { ...scope, asOf: from },
    { ...scope, asOf: to },
  ] as const
  return routes.changes.briefChanges(...between).then(draw, (error: unknown) => {
    if (!(error instanceof DataUnavailableError)) routes.onError?.(error)
    return draw(null)
  })
}
