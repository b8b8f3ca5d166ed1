/** Registering by the Setup page: the real pages and forms over the real function and the stand-in platform. */
import { afterEach, describe, expect, test } from 'vitest'
import { registerWebhook } from '../../services/registration/register.ts'
import type { RegisterMode } from '../../services/registration/registration.ts'
import { listen, startPreview, type Running } from '../dashboards/ui/serve.ts'
import { startPlatform, type Platform, type PlatformOptions } from '../../sample-platform/start.ts'
import { openTestClient } from './client.ts'
import { follow } from '../support/network/follow.ts'

const from = Date.UTC(2026, 4, 4, 6)
const url = 'https://rollcall.example.com/webhooks/a-token-that-nobody-may-see-0123456789'
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const thing of open.splice(0).toReversed()) await thing.close()
})

async function start(
  options: Partial<PlatformOptions> = {},
): Promise<{ platform: Platform; pages: Running }> {
  const platform = await startPlatform({
    seed: 'page',
    from,
    to: from,
    people: 20,
    tokens: ['good'],
    ...options,
  })
  const client = openTestClient(platform.baseUrl, 'good')
  const register = (mode: RegisterMode, given: string | null) =>
    registerWebhook({
      client,
      url: given ?? url,
      mode,
      platformUrl: platform.baseUrl,
      checkDelivery: async () => ({ outcome: 'stored', receipt: 'r', tookMs: 1 }),
    })
  const pages = await listen(await startPreview({ deps: { register } }))
  open.push(platform, client, { close: () => pages.stop() })
  return { platform, pages }
}

async function press(pages: Running, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields)
  const init = { method: 'POST', body, headers, redirect: 'manual' } as const
  const pressed = await fetch(`${pages.url}/setup/registration`, init)
  const answer =
    pressed.status === 303
      ? await follow(pressed, (path, cookie) => fetch(`${pages.url}${path}`, { headers: { cookie } }))
      : pressed
  return { status: answer.status, text: await answer.text() }
}

describe('the set-up page', () => {
  test('offers to check and to register, and calls the platform only on request', async () => {
    const { platform, pages } = await start()
    const page = await (await fetch(`${pages.url}/setup`)).text()
    expect(page).toContain('Check registration')
    expect(page).toContain('value="register"')
    expect(page).not.toContain('value="fix"')
    expect(platform.calls.list()).toEqual([])
  })

  test('checks without changing anything, registers when told to, and then finds it right', async () => {
    const { platform, pages } = await start()
    expect((await press(pages, { mode: 'check' })).text).toContain('The platform does not send to')
    const inGerman = await press(pages, { mode: 'check' }, { cookie: 'rollcall_language=de' })
    expect(inGerman.text).toContain('Die Plattform sendet nicht an https://rollcall.example.com')
    expect(platform.subscriptions.list()).toEqual([])
    expect((await press(pages, { mode: 'register' })).text).toContain(
      'Done: Subscribed https://rollcall.example.com',
    )
    expect(platform.subscriptions.list().map((one) => one.url)).toEqual([url])
    const { text } = await press(pages, { mode: 'check' })
    expect(text).toContain('A test event arrived in the store.')
    expect(text).not.toContain('nobody-may-see')
  })

  test('offers to remove duplicates only after it has shown them', async () => {
    const { platform, pages } = await start()
    for (const name of ['one', 'two']) platform.subscriptions.add({ name, url, eventTypes: [] }, from)
    const shown = (await press(pages, { mode: 'check' })).text
    expect(shown).toContain('sends to the same address once more')
    expect(shown).toContain('value="fix"')
    await press(pages, { mode: 'fix' })
    expect(platform.subscriptions.list()).toHaveLength(1)
  })
})
