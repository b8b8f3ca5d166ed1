/** A message to a team channel, and how Slack, Microsoft Teams and others want it. Numbers and links, never a picture. */
import type { KnownBlock, RichTextSection } from '@slack/types'
import type { MailOutcome } from './sending/mailer.ts'

export type ChannelLine = { text: string; href?: string | null }

export type ChannelMessage = {
  title: string
  /** In the order of the message; a list is shown with bullets. */
  body: (ChannelLine | readonly ChannelLine[])[]
  link: { text: string; href: string }
}

export type ChannelKind = 'slack' | 'teams' | 'text'

/** Known by the address. `text`: {"text": ...}, which Mattermost, Google Chat and others take. */
export function channelKindOf(url: string): ChannelKind {
  const host = URL.parse(url)?.hostname ?? ''
  if (/^hooks\.slack(-gov)?\.com$/.test(host)) return 'slack'
  // A workflow "Post to a channel when a webhook request is received", old and new, and the connectors before it.
  return /(^|\.)(logic\.azure\.com|powerplatform\.com|webhook\.office\.com)$/.test(host) ? 'teams' : 'text'
}

export function toPayload(kind: ChannelKind, message: ChannelMessage): unknown {
  if (kind === 'slack') return { text: escapeMarks(toText(message)), blocks: toBlocks(message) }
  return kind === 'teams' ? toTeamsMessage(message) : { text: escapeMarks(toText(message)) }
}

const isList = (part: ChannelLine | readonly ChannelLine[]): part is readonly ChannelLine[] =>
  Array.isArray(part)

function toText({ title, body, link }: ChannelMessage): string {
  const lines = body.flatMap((part) => (isList(part) ? part.map(({ text }) => `• ${text}`) : [part.text]))
  // A name such as "@channel" must call nobody. The address of a link stays as it is.
  return [[title, ...lines].join('\n').replaceAll('@', '@\u200b'), `${link.text}: ${link.href}`].join('\n')
}

/** Slack and Mattermost read & < > as marks. */
function escapeMarks(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Rich text, in which Slack reads no marks. Limits: a header of 150 characters, a button of 75. */
function toBlocks({ title, body, link }: ChannelMessage): KnownBlock[] {
  const section = ({ text, href }: ChannelLine): RichTextSection => ({
    type: 'rich_text_section',
    elements: [href == null ? { type: 'text', text } : { type: 'link', url: href, text }],
  })
  return [
    { type: 'header', text: { type: 'plain_text', text: cut(title, 150), emoji: false } },
    ...body.map((part): KnownBlock => ({
      type: 'rich_text',
      elements: isList(part)
        ? [{ type: 'rich_text_list', style: 'bullet', elements: part.map(section) }]
        : [section(part)],
    })),
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          text: { type: 'plain_text', text: cut(link.text, 75), emoji: false },
          url: link.href,
        },
      ],
    },
  ]
}

/** Teams takes 28 KB. */
const mostCardBytes = 26_000

/** Rich text, in which Teams reads no Markdown. Lists are cut where the card would be too large. */
function toTeamsMessage(message: ChannelMessage): unknown {
  const payload = {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            toRun({ text: message.title }, { weight: 'bolder', size: 'medium' }),
            ...message.body.flatMap((part) =>
              isList(part)
                ? part.map(({ text, href = null }) => toRun({ text: `• ${text}`, href }))
                : [toRun(part)],
            ),
          ],
          actions: [{ type: 'Action.OpenUrl', title: message.link.text, url: message.link.href }],
        },
      },
    ],
  }
  const list = message.body.findLast((part) => isList(part) && part.length > 1)
  if (list === undefined || Buffer.byteLength(JSON.stringify(payload)) <= mostCardBytes) return payload
  const body = message.body.map((part) => (part === list && isList(part) ? part.slice(0, -1) : part))
  return toTeamsMessage({ ...message, body })
}

function toRun({ text, href }: ChannelLine, look: { weight?: 'bolder'; size?: 'medium' } = {}) {
  const open = href == null ? {} : { selectAction: { type: 'Action.OpenUrl', url: href } }
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...look, ...open }] }
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}

/** Answers are not awaited longer. */
const timeoutMs = 20_000

/** Never rejects. The address is a secret: no outcome quotes it. */
export async function postMessage(url: string, message: ChannelMessage): Promise<MailOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(toPayload(channelKindOf(url), message)),
      // A secret address must not be led elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    const detail = `The channel answered ${response.status}.`
    if (response.ok) return { state: 'sent', detail }
    const mayPass = response.status === 429 || response.status >= 500
    return mayPass ? { state: 'not_sent', detail, isAway: true } : { state: 'refused', detail }
  } catch (error) {
    const codes = toCodes(error)
    // Ended in the handshake: the message was never sent.
    if (codes.some((code) => /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)))
      return { state: 'not_sent', detail: 'The certificate of the channel is not trusted.', isAway: true }
    return codes.some((code) => unconnected.has(code))
      ? { state: 'not_sent', detail: 'The channel could not be reached.', isAway: true }
      : { state: 'unknown', detail: 'The connection to the channel broke before it answered.' }
  }
}

/** Nothing was sent: there was no connection. */
const unconnected = new Set(
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT'.split(' '),
)

function toCodes(error: unknown): string[] {
  const cause = error instanceof Error ? error.cause : undefined
  return [cause, ...(cause instanceof AggregateError ? (cause.errors as unknown[]) : [])].map((each) =>
    String((each as { code?: unknown } | undefined)?.code),
  )
}
