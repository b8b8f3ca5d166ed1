/** The messages to Slack and Microsoft Teams: checked by the types of @slack/types, and by Microsoft's own reader of cards. */
import { createRequire } from 'node:module'
import type { KnownBlock } from '@slack/types'
import type * as Cards from 'adaptivecards'
import { describe, expect, test } from 'vitest'
import { channelKindOf, toPayload, type ChannelMessage } from '../../digest/channel.ts'
import { toSummary } from '../../digest/content/reminder-text.ts'

// The modules of the package name their files without endings: only its bundle is one that Node loads.
const cards = createRequire(import.meta.url)('adaptivecards/dist/adaptivecards.js') as typeof Cards

const message: ChannelMessage = {
  title: 'Everybody, Nov 16 to Nov 23, Europe/Berlin',
  body: [
    { text: 'Completion: 76% (3,429 of 4,536 assigned)' },
    { text: '345 overdue in all', href: 'https://rollcall.example.com/overdue' },
    [
      {
        text: '*Eve* <!channel> [x](https://evil.example.com) & @here: **Safety**',
        href: 'https://rollcall.example.com/?a=1&b=2',
      },
      { text: 'Ann: Data', href: null },
    ],
  ],
  link: { text: 'Open Rollcall', href: 'https://rollcall.example.com/' },
}
const endless: ChannelMessage = {
  ...message,
  title: '⚠'.repeat(500),
  body: [
    { text: 'Became overdue: 8' },
    Array.from({ length: 40 }, () => ({ text: '漢'.repeat(480), href: 'https://rollcall.example.com/' })),
  ],
}

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

describe('Slack', () => {
  const blocksOf = (of: ChannelMessage) => (toPayload('slack', of) as { blocks: KnownBlock[] }).blocks

  test('gets rich text, in which a name is no mark and a number is a link', () => {
    const text = JSON.stringify(blocksOf(message))
    expect(text).not.toContain('mrkdwn')
    expect(blocksOf(message)).toContainEqual({
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'link', url: 'https://rollcall.example.com/overdue', text: '345 overdue in all' },
          ],
        },
      ],
    })
  })

  test('gets a text beside it, for its notices, without marks that call people', () => {
    const { text } = toPayload('slack', message) as { text: string }
    expect(text).toContain('*Eve* &lt;!channel&gt;')
    expect(text).not.toContain('@here')
    expect(text).toContain('Open Rollcall: https://rollcall.example.com/')
  })

  test('keeps its limits: 50 blocks, 150 characters of a header', () => {
    const blocks = blocksOf(endless)
    expect(blocks.length).toBeLessThanOrEqual(50)
    expect(blocks[0]).toMatchObject({ type: 'header' })
    expect((blocks[0] as { text: { text: string } }).text.text.length).toBeLessThanOrEqual(150)
  })
})

describe('Teams', () => {
  const contentOf = (of: ChannelMessage) =>
    (toPayload('teams', of) as { attachments: { content: { body: unknown[] } }[] }).attachments[0]!.content

  test.each([
    ['a digest', message],
    ['an endless one', endless],
  ])('gets a card that Microsoft’s own reader finds nothing wrong with: %s', (_, of) => {
    const card = new cards.AdaptiveCard()
    const context = new cards.SerializationContext()
    card.parse(contentOf(of), context)
    expect(
      Array.from({ length: context.eventCount }, (_each, index) => context.getEventAt(index).message),
    ).toEqual([])
    expect(card.validateProperties().validationEvents).toEqual([])
    expect(card.getItemCount()).toBe(contentOf(of).body.length)
    expect(card.getActionCount()).toBe(1)
  })

  test('reads no Markdown in a name: it is text of a run', () => {
    const text = JSON.stringify(contentOf(message))
    expect(text).not.toContain('"TextBlock"')
    expect(text).toContain('"text":"• *Eve* <!channel> [x](https://evil.example.com)')
  })

  test('gets at most 28 KB: lists are cut, counts stay', () => {
    const payload = JSON.stringify(toPayload('teams', endless))
    expect(Buffer.byteLength(payload)).toBeLessThan(28_000)
    expect(payload).toContain('Became overdue: 8')
  })
})

test('other channels get plain text, in which a name calls nobody', () => {
  const { text } = toPayload('text', message) as { text: string }
  expect(text.split('\n')[0]).toBe(message.title)
  expect(text).toContain('&lt;!channel&gt;')
  expect(text).not.toContain('@here')
  expect(Object.keys(toPayload('text', message) as object)).toEqual(['text'])
})

test('the card of reminders leads to who was overdue when they were asked for', () => {
  const asked = { state: 'sent', detail: '', asked_at_ms: Date.UTC(2026, 1, 3, 8) } as const
  const { body } = toSummary([asked], 'https://rollcall.example.com')
  expect(body).toContainEqual({
    text: 'Who is overdue?',
    href: 'https://rollcall.example.com/overdue?as_of=2026-02-03T08%3A00%3A00.000Z',
  })
})
