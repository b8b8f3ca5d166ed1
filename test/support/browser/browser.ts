/** A real Chromium for page tests: the one that an npm package brings, unless CHROMIUM_PATH names another. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import chromiumPackage from '@sparticuz/chromium'
import { chromium, type Browser, type Locator } from 'playwright-core'
import { giveUpAfterMs, until } from '../wait.ts'
import { runDirectoryVariable } from '../run-directory.ts'

/**
 * Switches that fit a small function host but not a test: they weaken the origin, share one process, or draw as a graphics card would,
 * which takes a processor far longer than drawing by itself.
 */
const unwanted = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
])

/** Its pages wait as long as every test does. `switches`: further ones of its command line. */
export async function openBrowser({ switches = [] }: { switches?: string[] } = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: [
      ...chromiumPackage.args.filter((arg) => !unwanted.has(arg)),
      '--disable-background-networking',
      '--disable-gpu',
      ...switches,
    ],
    headless: true,
    timeout: giveUpAfterMs,
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(giveUpAfterMs)
    context.on('page', (page) => letClicksArrive(page.locator('html')))
    return context
  }
  return browser
}

/**
 * A click on a link returns when the next page has begun. A count of elements at once, without waiting for one, would miss some of
 * them on a busy machine, so clicks and key presses of all tests return when that page is there. `any`: a locator, for its class.
 */
function letClicksArrive(any: Locator): void {
  const locators = Object.getPrototypeOf(any) as Pick<Locator, 'click' | 'press'>
  if (arriving.has(locators)) return
  arriving.add(locators)
  for (const act of ['click', 'press'] as const) {
    const perform = locators[act] as (this: Locator, ...given: unknown[]) => Promise<void>
    locators[act] = async function (this: Locator, ...given: unknown[]) {
      await perform.apply(this, given)
      if (!this.page().isClosed()) await this.page().waitForLoadState('load')
    }
  }
}

const arriving = new WeakSet<object>()

/** Explicit, because the browser otherwise reports `en-US@posix`. */
export const reader = { locale: 'en-GB', timezoneId: 'Europe/Berlin' } as const

/**
 * The program: CHROMIUM_PATH, or the one of the npm package. In a run of tests one file unpacks it and the others wait, because a
 * program that is still being written cannot be started (ETXTBSY).
 */
export async function findChromium(): Promise<string> {
  const given = process.env['CHROMIUM_PATH']
  if (given !== undefined) return given
  const run = process.env[runDirectoryVariable]
  if (run === undefined) return chromiumPackage.executablePath()
  const done = join(run, 'chromium.unpacked')
  if (isFirst(join(run, 'chromium.begun'))) {
    const path = await chromiumPackage.executablePath()
    writeFileSync(done, '')
    return path
  }
  await until(() => existsSync(done))
  return chromiumPackage.executablePath()
}

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
