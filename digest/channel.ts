/** Posts a mail's content to a team channel, as Slack, Microsoft Teams and others want it. */
import type { KnownBlock, RichTextSection } from '@slack/types'
import { toLines, toText, type MailContent, type MailPart } from './mail/mail-content.ts'
import type { MailOutcome } from './sending/mailer.ts'

export type ChannelKind = 'slack' | 'teams' | 'text'

/** Known by the address. `text`: {"text": ...}, which Mattermost, Google Chat and others take. */
export function channelKindOf(url: string): ChannelKind {
  const host = URL.parse(url)?.hostname ?? ''
  if (/^hooks\.slack(-gov)?\.com$/.test(host)) return 'slack'
  // A workflow "Post to a channel when a webhook request is received", old and new, and the connectors before it.
  return /(^|\.)(logic\.azure\.com|powerplatform\.com|webhook\.office\.com)$/.test(host) ? 'teams' : 'text'
}

/** `names`: whether the list of people is shown. */
export function toPayload(kind: ChannelKind, content: MailContent, names: boolean): unknown {
  const parts = content.parts.filter((part) => names || part.kind !== 'list' || part.isNamed !== true)
  const text = toText({ ...content, parts, foot: [] }).trimEnd()
  if (kind === 'teams') return toTeamsMessage(parts, content.go)
  // A name such as "@channel" must call nobody. Slack and Mattermost read & < > as marks.
  const plain = text
    .replaceAll('@', '@\u200b')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  return kind === 'slack' ? { text: plain, blocks: toBlocks(parts, content.go) } : { text: plain }
}

/** Rich text, in which Slack reads no marks. Limits: a header of 150 characters, a button of 75. */
function toBlocks(parts: readonly MailPart[], go: MailContent['go']): KnownBlock[] {
  const toPlain = (text: string, most: number) =>
    ({ type: 'plain_text', text: cut(text, most), emoji: false }) as const
  const toBlock = (part: MailPart): KnownBlock[] => {
    if (part.kind === 'title') return [{ type: 'header', text: toPlain(part.text, 150) }]
    const elements = toLines(part).map(({ text, href }): RichTextSection => ({
      type: 'rich_text_section',
      elements: [href === null ? { type: 'text', text } : { type: 'link', url: href, text }],
    }))
    if (elements.length === 0) return []
    const list = { type: 'rich_text_list', style: 'bullet', elements } as const
    return [{ type: 'rich_text', elements: part.kind === 'list' ? [list] : elements }]
  }
  const button = go && ({ type: 'button', text: toPlain(go.text, 75), url: go.href } as const)
  return [...parts.flatMap(toBlock), ...(button ? [{ type: 'actions' as const, elements: [button] }] : [])]
}

/** Teams takes 28 KB. */
const mostCardBytes = 26_000

/** Rich text, in which Teams reads no Markdown. The last list is cut if the card would be too large. */
function toTeamsMessage(parts: readonly MailPart[], go: MailContent['go']): unknown {
  const toRun = (part: MailPart, { text, href }: { text: string; href: string | null }) => ({
    type: 'TextRun',
    text: part.kind === 'list' ? `• ${text}` : text,
    ...(part.kind === 'title' && { weight: 'bolder', size: 'medium' }),
    ...(href !== null && { selectAction: { type: 'Action.OpenUrl', url: href } }),
  })
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: parts.flatMap((part) =>
      toLines(part).map((line) => ({ type: 'RichTextBlock', inlines: [toRun(part, line)] })),
    ),
    actions: go === null ? [] : [{ type: 'Action.OpenUrl', title: go.text, url: go.href }],
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  const payload = { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
  const longest = parts.findLast((part) => part.kind === 'list' && part.lines.length > 1)
  if (longest?.kind !== 'list' || Buffer.byteLength(JSON.stringify(payload)) <= mostCardBytes) return payload
  const shorter = { ...longest, lines: longest.lines.slice(0, -1) }
  return toTeamsMessage(
    parts.map((part) => (part === longest ? shorter : part)),
    go,
  )
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
}

/** Answers are not awaited longer. */
const timeoutMs = 20_000

/** Never rejects. The address is a secret: no outcome quotes it. */
export async function postMessage(
  url: string,
  content: MailContent,
  { names = false }: { names?: boolean } = {},
): Promise<MailOutcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(toPayload(channelKindOf(url), content, names)),
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
    const cause = error instanceof Error ? error.cause : undefined
    const causes = cause instanceof AggregateError ? [cause, ...(cause.errors as unknown[])] : [cause]
    const codes = causes.map((each) => String((each as { code?: unknown } | undefined)?.code)).join(' ')
    // Ended in the handshake: the message was never sent.
    if (/\b(CERT_|ERR_TLS_CERT|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(codes))
      return { state: 'not_sent', detail: 'The certificate of the channel is not trusted.', isAway: true }
    return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT/.test(codes)
      ? { state: 'not_sent', detail: 'The channel could not be reached.', isAway: true }
      : { state: 'unknown', detail: 'The connection to the channel broke before it answered.' }
  }
}
