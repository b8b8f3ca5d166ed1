/** A team channel: its messages, checked by Microsoft's own reader of cards, and a real server that takes them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import type * as Cards from 'adaptivecards'
import { expect, onTestFinished, test } from 'vitest'
import { channelKindOf, postMessage, toPayload } from '../../digest/channel.ts'
import type { MailContent } from '../../digest/mail/mail-content.ts'
import { manager, reports, strangers } from '../dashboards/access/company.ts'
import { certificate } from '../support/network/certificate.ts'
import { findFreePorts } from '../support/processes/ports.ts'
import { day, monday } from '../support/data/records.ts'
import { openDigestCompany, site, toHealth } from './digest-company.ts'

test.each([
  ['https://hooks.slack.com/services/T/B/x', 'slack'],
  ['https://hooks.slack-gov.com/services/T/B/x', 'slack'],
  ['https://prod-12.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=x', 'teams'],
  [
    'https://default1.2.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/1?sig=x',
    'teams',
  ],
  ['https://contoso.webhook.office.com/webhookb2/x', 'teams'],
  ['https://chat.example.com/hooks/x', 'text'],
  ['https://hooks.slack.com.example.com/x', 'text'],
  ['https://evillogic.azure.com.example.com/x', 'text'],
  ['https://notlogic.azure.com/x', 'text'],
])('%s is a channel of %s', (url, kind) => {
  expect(channelKindOf(url)).toBe(kind)
})

// The modules of the package name their files without endings: only its bundle is one that Node loads.
const cards = createRequire(import.meta.url)('adaptivecards/dist/adaptivecards.js') as typeof Cards

const hostile = '*Eve* <!channel> [x](https://evil.example.com) & @here: **Safety**'
const message: MailContent = {
  subject: '',
  parts: [
    { kind: 'title', text: 'Everybody' },
    { kind: 'quiet', text: '345 overdue', href: `${site}/overdue` },
    { kind: 'numbers', numbers: [{ name: 'Completion', value: '76%', of: '3 of 4 assigned' }] },
    { kind: 'list', isNamed: true, lines: [{ text: hostile, note: 'due', href: `${site}/?a=1&b=2` }] },
  ],
  go: { text: 'Open Rollcall', href: `${site}/` },
  foot: [{ text: 'Unsubscribe', href: `${site}/digest` }],
}
const endless: MailContent = {
  ...message,
  parts: [
    { kind: 'title', text: '⚠'.repeat(500) },
    { kind: 'quiet', text: 'Became overdue: 8' },
    { kind: 'list', lines: Array.from({ length: 40 }, () => ({ text: '漢'.repeat(480), href: site })) },
  ],
}

/** Texts that the channel must show, and what must not be in its message. */
const messages: [name: string, content: MailContent, names: boolean, has: string[], hasNot: string[]][] = [
  ['named', message, true, ['Everybody', '345 overdue', 'Completion: 76% (3 of 4 assigned)', 'due'], []],
  ['without names', message, false, ['345 overdue', `${site}/overdue`], ['*Eve*', 'Unsubscribe']],
  ['endless', endless, false, ['Became overdue: 8'], []],
]
const marks = { slack: ['mrkdwn'], teams: ['"TextBlock"'], text: ['<!channel>', '@here'] }

for (const kind of ['slack', 'teams', 'text'] as const)
  test.each(messages)(
    `${kind} gets a message %s: all of it, as text without marks`,
    (_, content, names, has, hasNot) => {
      const payload = toPayload(kind, content, names)
      const json = JSON.stringify(payload)
      for (const text of has) expect(json).toContain(text)
      for (const text of [...hasNot, ...marks[kind]]) expect(json).not.toContain(text)
      if (kind === 'slack') {
        const { text, blocks } = payload as { text: string; blocks: { text: { text: string } }[] }
        expect(text).not.toMatch(/<!channel>|@here/)
        expect(blocks.length).toBeLessThanOrEqual(50)
        expect(blocks[0]?.text.text.length).toBeLessThanOrEqual(150)
      }
      if (kind !== 'teams') return
      expect(Buffer.byteLength(json)).toBeLessThan(28_000)
      const { attachments } = payload as { attachments: { content: { body: unknown[] } }[] }
      const card = new cards.AdaptiveCard()
      const context = new cards.SerializationContext()
      card.parse(attachments[0]!.content, context)
      expect([context.eventCount, card.validateProperties().validationEvents]).toEqual([0, []])
      expect([card.getItemCount(), card.getActionCount()]).toEqual([attachments[0]!.content.body.length, 1])
    },
  )

/** `answer`: a status, or nothing, as one that cuts the connection. */
async function openChannel(
  answer: () => number | undefined = () => 200,
): Promise<{ url: string; texts: string[] }> {
  const texts: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      texts.push((JSON.parse(body) as { text: string }).text)
      const status = answer()
      if (status === undefined) request.socket.destroy()
      else response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end('ok')
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/services/secret`, texts }
}

const due = monday + 35 * day + 7 * 3_600_000 + 60_000

test.each([
  [200, 'sent'],
  [404, 'refused'],
  [302, 'refused'],
  [429, 'not_sent'],
  [503, 'not_sent'],
  [undefined, 'unknown'],
])('an answer %s is %s, and no outcome tells the address', async (status, state) => {
  const { url } = await openChannel(() => status)
  const outcome = await postMessage(url, message)
  expect(outcome.state).toBe(state)
  expect(outcome.detail).not.toContain('secret')
})

test('a channel that is not there: not sent', async () => {
  const [port = 0] = await findFreePorts(1)
  expect(await postMessage(`http://127.0.0.1:${port}/`, message)).toMatchObject({ state: 'not_sent' })
})

test('a channel whose certificate nobody trusts: not sent, and tried again', async () => {
  const server = createTlsServer(certificate, (_request, response) => response.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  expect(await postMessage(`https://localhost:${port}/secret`, message)).toEqual({
    state: 'not_sent',
    detail: 'The certificate of the channel is not trusted.',
    isAway: true,
  })
  server.close()
})

test('the digest of a channel has counts, and names only where granted; once for a date', async () => {
  const own = await openDigestCompany({ now: due })
  onTestFinished(() => own.close())
  const names = [manager, ...reports, ...strangers].flatMap(({ name, email, id }) => [
    name,
    email,
    `Person ${id}`,
  ])
  const channel = await openChannel()
  const note = (text: string, team: string) =>
    own.company.entrance.notes.add(
      { day: new Date(due).toISOString().slice(0, 10), text, team },
      { by: '', address: '' },
    )
  await note('New prices', '')
  await note('Own team moves', 'team-own')
  const { digester } = own.openProcess({ env: { DIGEST_CHANNEL_URL: channel.url } })
  await digester.tick()
  await own.openProcess({ env: { DIGEST_CHANNEL_URL: channel.url } }).digester.tick()
  expect(channel.texts.length).toBe(1)
  expect(channel.texts[0]).toContain('of 7 assigned')
  expect(channel.texts[0]).toContain(site)
  // A note on a team is for those who see the team.
  expect(channel.texts[0]).toContain('New prices')
  expect(channel.texts[0]).not.toContain('Own team moves')
  for (const name of names) expect(channel.texts[0]).not.toContain(name)
  expect(own.errors).toEqual([])
})

test('an alert goes to its channel when it begins and when it ends', async () => {
  const own = await openDigestCompany({ now: due })
  onTestFinished(() => own.close())
  const channel = await openChannel()
  let health = toHealth({ failed: 2 })
  const env = { ALERT_CHANNEL_URL: channel.url }
  const { digester } = own.openProcess({ env, arrival: { health: () => Promise.resolve(health) } })
  for (let minute = 0; minute < 20; minute++) {
    own.clock.now += 60_000
    if (minute === 10) health = toHealth({})
    await digester.tick()
  }
  expect(channel.texts.map((each) => each.split('\n')[0])).toEqual([
    'Problem: webhooks could not be read',
    'Resolved: webhooks could not be read',
  ])
  expect(own.errors).toEqual([])
})

test('a channel that refuses is told to the owner, on Health', async () => {
  const own = await openDigestCompany({ now: due })
  onTestFinished(() => own.close())
  const channel = await openChannel(() => 404)
  const { digester, pages } = own.openProcess({ env: { DIGEST_CHANNEL_URL: channel.url } })
  await digester.tick()
  expect(await pages.trouble()).toEqual({ count: 1, detail: 'The channel answered 404.' })
  await digester.tick()
  expect(channel.texts.length).toBe(1)
})
