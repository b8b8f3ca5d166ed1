/** In one process a closed page takes the browser along. */
const unwanted = new Set(['--single-process', '--no-zygote'])

/** A real Chromium: the one that the npm package brings, or CHROMIUM_PATH. */
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright-core'

export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    args: [...chromium.args.filter((arg) => !unwanted.has(arg)), '--disable-quic', '--disable-background-networking'],
    headless: true,
  })
}
