/** A real Chromium for page tests: the one that an npm package brings, unless CHROMIUM_PATH names another. */
import chromiumPackage from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** Switches that fit a small function host but not a test: they weaken the origin and share one process. */
const unwanted = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
])

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? (await chromiumPackage.executablePath()),
    args: chromiumPackage.args.filter((arg) => !unwanted.has(arg)),
    headless: true,
  })
}

/** Explicit, because the browser otherwise reports `en-US@posix`. */
export const reader = { locale: 'en-GB', timezoneId: 'Europe/Berlin' } as const
