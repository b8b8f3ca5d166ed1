/** `/pdf?page=/overdue?team=...`: a page as its reader sees it, on paper. */
import { Hono, type Context } from 'hono'
import type { RouteContext } from '../dashboards-deps.ts'
import { currentReading } from '../../language/language.ts'
import { pageContext } from '../http/page-request.ts'
import { ProblemPage } from '../components/problem-page.tsx'
import { PdfError, type PdfPrinter } from './pdf-printer.ts'
import { t, lookUp } from '../../language/translate.ts'

type Ask = (request: Request, env: unknown) => Response | Promise<Response>

/** What of a request says how its answer is to come; all else says who asks, or may. */
const ofTransport = ['accept-encoding', 'if-none-match', 'if-modified-since', 'range']

/** `ask`: the whole app. A page asked through it is decided about as one asked by the reader, with her own credentials. */
export function pdfRoutes(routes: RouteContext, printer: PdfPrinter | undefined, ask: Ask): Hono {
  const app = new Hono()
  app.get('/pdf', async (c) => {
    const path = c.req.query('page') ?? ''
    const url = URL.parse(path, c.req.url)
    const isOurs = /^\/(?![/\\])/.test(path) && url?.origin === new URL(c.req.url).origin
    if (url === null || !isOurs || url.pathname === '/pdf') {
      return problem(c, routes, 400, t('Which page?'), t('Say it as page=/overdue, with its filters if it has some.'))
    }
    if (printer === undefined) {
      const words = t(
        'Set CHROMIUM_PATH to a Chromium of this machine, or print the page from your own browser as a PDF.',
      )
      return problem(c, routes, 501, t('PDFs are not switched on here'), words)
    }
    url.hash = ''
    const fetch = (request: Request) => ask(asReader(c, request), c.env)
    const page = await fetch(new Request(url))
    if (page.status !== 200) return page
    if (!(page.headers.get('content-type') ?? '').startsWith('text/html')) {
      return problem(
        c,
        routes,
        400,
        t('This is no page'),
        t('Only pages are printed; files can be downloaded as they are.'),
      )
    }
    try {
      const { locale } = currentReading()
      const pdf = await printer.print({ url, html: await page.text(), fetch, locale })
      return c.body(new Uint8Array(pdf).buffer, 200, {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${toFileName(url, routes.clock())}"`,
      })
    } catch (error) {
      if (!(error instanceof PdfError)) throw error
      if (error.code !== 'busy') routes.onError?.(error)
      c.header('retry-after', '5')
      return problem(c, routes, 503, t('The PDF could not be made'), lookUp(error.message))
    }
  })
  return app
}

function asReader(c: Context, request: Request): Request {
  const headers = new Headers(c.req.raw.headers)
  for (const name of ofTransport) headers.delete(name)
  return new Request(request, { headers })
}

function toFileName({ pathname }: URL, now: number): string {
  const name = pathname.replaceAll(/[^A-Za-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '')
  const at = new Date(now).toISOString().slice(0, 16).replace(':', '')
  return `rollcall_${name.slice(0, 60) || 'overview'}_${at}Z.pdf`
}

function problem(c: Context, routes: RouteContext, status: 400 | 501 | 503, title: string, explanation: string) {
  c.status(status)
  const context = pageContext(c, routes, { now: routes.clock() })
  return c.html(ProblemPage({ context, title, explanation, retry: { href: '/', name: t('To the Overview') } }))
}
