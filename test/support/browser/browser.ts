/** A real Chromium for page tests: the one that an npm package brings, unless CHROMIUM_PATH names another. */
import chromiumPackage from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'
import { giveUpAfterMs } from '../wait.ts'
import { findChromium } from './find-chromium.ts'

/** Switches that fit a small function host but not a test: they weaken the origin and share one process. */
const unwanted = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
])

/** Its pages wait as long as every test does. `switches`: further ones of its command line. */
export async function openBrowser({ switches = [] }: { switches?: string[] } = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: [...chromiumPackage.args.filter((arg) => !unwanted.has(arg)), '--disable-background-networking', ...switches],
    headless: true,
    timeout: giveUpAfterMs,
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(giveUpAfterMs)
    return context
  }
  return browser
}

/** Explicit, because the browser otherwise reports `en-US@posix`. */
export const reader = { locale: 'en-GB', timezoneId: 'Europe/Berlin' } as const
