/**
 * Prints a page as a PDF, with a Chromium of this machine. The browser has no way out: every request it makes is answered by
 * `fetch`, in this process, and anything but reading this page's origin is refused. Scripts are off, because pages need none.
 */
import { access, constants } from 'node:fs/promises'
import type { Browser, Route } from 'playwright-core'

export type PdfPrinter = {
  /**
   * A4. One at a time: throws `PdfError` `busy` meanwhile, `missing` without a browser, `failed` where it breaks or takes too
   * long.
   */
  print(request: PdfRequest): Promise<Uint8Array>
}

export type PdfRequest = {
  /** Where the page is; the name means nothing outside. */
  url: URL
  /** The page itself, which has been asked for already. */
  html: string
  /** Answers what the page needs besides, as its reader asked. */
  fetch: (request: Request) => Response | Promise<Response>
  locale: string
}

export class PdfError extends Error {
  override readonly name = 'PdfError'
  readonly code: 'busy' | 'missing' | 'failed'
  constructor(code: PdfError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export type PdfPrinterOptions = {
  chromiumPath: string
  /** For everything from the start of the browser to its end. Default 30,000. */
  timeoutMs?: number
}

const args = [
  // No name leads anywhere, whatever a page asks for.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
  '--renderer-process-limit=1',
]
/** A page weighs a few hundred kB; a larger one would cost the browser too much memory. */
const largestPage = 8_000_000

export function createPdfPrinter({ chromiumPath, timeoutMs = 30_000 }: PdfPrinterOptions): PdfPrinter {
  let isPrinting = false
  return {
    async print(request) {
      if (isPrinting) throw new PdfError('busy', 'Another PDF is being made. Try again in a moment.')
      if (request.html.length > largestPage)
        throw new PdfError('failed', 'The page is too long for a PDF. Narrow it by filters.')
      isPrinting = true
      try {
        return await printAlone(request, chromiumPath, timeoutMs)
      } finally {
        isPrinting = false
      }
    },
  }
}

async function printAlone(request: PdfRequest, executablePath: string, timeoutMs: number): Promise<Uint8Array> {
  await access(executablePath, constants.X_OK).catch((cause: unknown) => {
    throw new PdfError('missing', `CHROMIUM_PATH names ${executablePath}, where there is no browser to run.`, { cause })
  })
  const { chromium } = await import('playwright-core').catch((cause: unknown) => {
    throw new PdfError('missing', 'The package playwright-core is not installed. Install the optional packages.', {
      cause,
    })
  })
  const endsAt = performance.now() + timeoutMs
  const left = () => Math.max(1, endsAt - performance.now())
  let browser: Browser | undefined
  let timer: NodeJS.Timeout | undefined
  try {
    browser = await chromium.launch({ executablePath, args, timeout: left() })
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not done after ${timeoutMs} ms`)), left())
    })
    return await Promise.race([printIn(browser, request), tooLate])
  } catch (cause) {
    throw new PdfError('failed', 'The browser could not make the PDF. The log of this process says why.', { cause })
  } finally {
    clearTimeout(timer)
    await browser?.close().catch(() => undefined)
  }
}

async function printIn(browser: Browser, { url, html, fetch, locale }: PdfRequest): Promise<Uint8Array> {
  const page = await browser.newPage({
    javaScriptEnabled: false,
    colorScheme: 'light',
    locale,
    serviceWorkers: 'block',
  })
  await page.route('**/*', (route) => answer(route, url, html, fetch))
  await page.goto(url.href, { waitUntil: 'load' })
  return page.pdf({ format: 'A4', printBackground: true, preferCSSPageSize: true, tagged: true })
}

async function answer(route: Route, { href, origin }: URL, html: string, fetch: PdfRequest['fetch']): Promise<void> {
  const asked = route.request()
  const url = new URL(asked.url())
  if (asked.isNavigationRequest() && url.href === href) {
    return route.fulfill({ status: 200, contentType: 'text/html; charset=UTF-8', body: html })
  }
  if (asked.isNavigationRequest() || asked.method() !== 'GET' || url.origin !== origin) return route.abort()
  const found = await fetch(new Request(url))
  const contentType = found.headers.get('content-type') ?? 'application/octet-stream'
  return route.fulfill({ status: found.status, contentType, body: Buffer.from(await found.arrayBuffer()) })
}
