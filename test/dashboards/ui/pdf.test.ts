/** PDFs of pages, made by a real Chromium. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPdfPrinter, PdfError, type PdfPrinter, type PdfRequest } from '../../../dashboards/pdf/pdf-printer.ts'
import { until } from '../../support/wait.ts'
import { type Running, listen, startPreview } from './serve.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { findChromium } from '../../support/browser/find-chromium.ts'
import { testLong } from '../../support/thorough.ts'

let chromiumPath: string
let server: Running
const failures: unknown[] = []
let printer: PdfPrinter
beforeAll(async () => {
  chromiumPath = await findChromium()
  // A test waits as long as it has to.
  printer = createPdfPrinter({ chromiumPath, timeoutMs: 600_000 })
  const pdf: PdfPrinter = { print: (request) => printer.print(request) }
  server = await listen(await startPreview({ deps: { pdf, onError: (error) => failures.push(error) } }))
})
afterAll(() => server?.stop())

const get = (page: string) => fetch(`${server.url}/pdf?${new URLSearchParams({ page }).toString()}`)
/** Titles of PDFs are UTF-16 where they are not ASCII. */
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()

test('a page becomes a file with its title, on as many sheets as it needs', async () => {
  const response = await get('/overdue/print?team=g-north')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="rollcall_overdue-print_2026-11-20T1305Z.pdf"',
  )
  const pdf = Buffer.from(await response.arrayBuffer()).toString('latin1')
  expect(pdf.startsWith('%PDF-')).toBe(true)
  expect(pdf.trimEnd().endsWith('%%EOF')).toBe(true)
  // A sheet for each of five managers.
  expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThanOrEqual(5)
  expect(pdf.includes(utf16(' · Rollcall')) || pdf.includes('Rollcall')).toBe(true)
})

testLong('a sheet holds its tables whole, wide ones across it, and begins with its page', async () => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.emulateMedia({ media: 'print' })
    for (const [path, isAcross] of [
      ['/assignments', true],
      ['/challenges', true],
      ['/teams', true],
      ['/learners', true],
      ['/grading', false],
      ['/overdue', false],
      ['/', false],
      ['/challenges/c-1', false],
    ] as const) {
      // What margins leave of A4, across or upright.
      await page.setViewportSize({ width: isAcross ? 1_032 : 703, height: isAcross ? 688 : 1_016 })
      await page.goto(server.url + path)
      const sheet = await page.evaluate(`({
        across: getComputedStyle(document.body).getPropertyValue('page') === 'across',
        beyond: [...document.querySelectorAll('main table')].filter((table) => table.getBoundingClientRect().right > innerWidth + 1).length,
        unbreakable: [...document.querySelectorAll('main .figure')].filter(
          (figure) => getComputedStyle(figure).breakInside === 'avoid' && figure.getBoundingClientRect().height > ${isAcross ? 688 : 1_016},
        ).length,
        broken: [...document.querySelectorAll('main .figure:has(.plot)')].filter(
          (figure) => getComputedStyle(figure).breakInside !== 'avoid',
        ).length,
      })`)
      expect([path, sheet]).toEqual([path, { across: isAcross, beyond: 0, unbreakable: 0, broken: 0 }])
    }
  } finally {
    await browser.close()
  }
  const pdf = Buffer.from(await (await get('/assignments')).arrayBuffer()).toString('latin1')
  const [, width, height] = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(pdf) ?? []
  expect(Number(width)).toBeGreaterThan(Number(height))
})

test('every page says where its PDF is, with its filters; without a browser none does', async () => {
  for (const path of ['/?team=g-north', '/grading?waiting=7-13', '/guides', '/help']) {
    const html = await (await fetch(`${server.url}${path}`)).text()
    expect(html).toContain(`href="/pdf?${new URLSearchParams({ page: path }).toString()}"`)
  }
  const without = await listen(await startPreview())
  expect(await (await fetch(`${without.url}/`)).text()).not.toContain('/pdf?')
  const answer = await fetch(`${without.url}/pdf?page=/overdue`)
  expect([answer.status, await answer.text()]).toEqual([501, expect.stringContaining('CHROMIUM_PATH')])
  await without.stop()
})

test('only pages of this origin are printed, and what is no page stays what it is', async () => {
  for (const page of [
    '',
    'overdue',
    '//example.com/',
    '/\\example.com',
    'https://example.com/',
    '/pdf?page=/',
    '/overdue/people.csv',
  ])
    expect([page, (await get(page)).status]).toEqual([page, 400])
  expect((await get('/nowhere')).status).toBe(404)
})

test('what the page asks for goes to the app as its reader, and nothing goes anywhere else', async () => {
  const asked: string[] = []
  const html = `<title>x</title><link rel="stylesheet" href="/a.css"><img src="http://127.0.0.1:9/b.png"><img src="https://example.com/c.png">
    <iframe src="/d"></iframe><script>document.title = 'run'</script><meta http-equiv="refresh" content="0;url=/e">`
  const pdf = await printer.print({
    url: new URL('http://rollcall.example/page'),
    html,
    locale: 'en-GB',
    fetch: (request) => {
      asked.push(`${request.method} ${request.url}`)
      return new Response('body { color: red }', { headers: { 'content-type': 'text/css' } })
    },
  })
  expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-')
  expect(asked).toEqual(['GET http://rollcall.example/a.css'])
})

test('one at a time; a missing browser, one that breaks and one that takes too long are told', async () => {
  const request: PdfRequest = { url: new URL('http://x/'), html: '<p>x', locale: 'en', fetch: () => new Response('') }
  const codeOf = (print: Promise<unknown>) =>
    print.then(
      () => 'printed',
      (error: unknown) => (error instanceof PdfError ? error.code : error),
    )
  const open = Promise.withResolvers<Response>()
  let hasAsked = false
  const slow = printer.print({
    ...request,
    html: '<link rel="stylesheet" href="/a.css">',
    fetch: () => {
      hasAsked = true
      return open.promise
    },
  })
  await until(async () => hasAsked)
  expect(await codeOf(printer.print(request))).toBe('busy')
  expect((await get('/help')).status).toBe(503)
  open.resolve(new Response(''))
  expect(await codeOf(slow)).toBe('printed')
  expect(await codeOf(printer.print(request))).toBe('printed')

  expect(await codeOf(createPdfPrinter({ chromiumPath: '/nowhere/chromium' }).print(request))).toBe('missing')
  expect(await codeOf(createPdfPrinter({ chromiumPath: process.execPath }).print(request))).toBe('failed')
  expect(await codeOf(createPdfPrinter({ chromiumPath, timeoutMs: 1 }).print(request))).toBe('failed')
  expect(await codeOf(printer.print({ ...request, html: 'x'.repeat(8_000_001) }))).toBe('failed')

  const [old, before] = [printer, failures.length]
  printer = createPdfPrinter({ chromiumPath: '/nowhere/chromium' })
  const told = await get('/help')
  expect([told.status, await told.text()]).toEqual([503, expect.stringContaining('/nowhere/chromium')])
  expect(failures.length).toBe(before + 1)
  printer = old
})
