/** A digest as the HTML part of a mail. */
import { Go, MailFrame, MailLink, Quiet, Text, Title, mailStyles } from './mail-frame.tsx'
import {
  toLateLines,
  toNoteLines,
  toOverdueLine,
  toPeriodLine,
  toRateLines,
  toWaitingLines,
  type DigestView,
} from '../content/digest-text.ts'

export function DigestMail({ view, language }: { view: DigestView; language: string }) {
  const { digest, words, title, format, links, site, unsubscribeUrl } = view
  const { newlyLate, waiting, changes, metrics, notes } = digest
  return (
    <MailFrame title={title} language={language}>
      {digest.sample ? (
        <p class="bad" style={`${mailStyles.quiet}; ${mailStyles.bad}`}>
          {words.sample}
        </p>
      ) : null}
      <Title>{title}</Title>
      <Quiet>{toPeriodLine(view)}</Quiet>
      <Rates view={view} />
      <Quiet>
        <MailLink href={metrics.overdue.value === 0 ? null : links.late}>{toOverdueLine(view)}</MailLink>
      </Quiet>
      <Quiet>
        <MailLink href={metrics.due_soon.value === 0 ? null : links.dueSoon}>
          {words.dueSoon(format.count(metrics.due_soon.value))}
        </MailLink>
      </Quiet>
      <Heading>{newlyLate.total === 0 ? words.nobodyLate : words.newlyLate(format.count(newlyLate.total))}</Heading>
      <Lines lines={toLateLines(view)} />
      <More view={view} shown={newlyLate.rows.length} total={newlyLate.total} href={links.late} />
      {waiting.total === 0 ? null : (
        <>
          <Heading>{words.waiting(format.count(waiting.total))}</Heading>
          <Lines lines={toWaitingLines(view)} />
          <More view={view} shown={waiting.rows.length} total={waiting.total} href={links.grading} />
        </>
      )}
      <Heading>{words.changed}</Heading>
      {changes.length === 0 ? <Text>{words.nothingChanged}</Text> : <Counts view={view} />}
      {notes.length === 0 ? null : (
        <>
          <Heading>{words.notes}</Heading>
          <Lines lines={toNoteLines(view)} />
          <More view={view} shown={toNoteLines(view).length} total={notes.length} href={links.notes} />
        </>
      )}
      <Go href={links.overview}>{words.open}</Go>
      <Quiet>
        {words.why(site)} <MailLink href={links.settings}>{words.settings}</MailLink>
        {unsubscribeUrl === null ? null : (
          <>
            {' · '}
            <MailLink href={unsubscribeUrl}>{words.unsubscribe}</MailLink>
          </>
        )}
      </Quiet>
    </MailFrame>
  )
}

function Heading({ children }: { children: string }) {
  return (
    <h2 class="ink" style={mailStyles.heading}>
      {children}
    </h2>
  )
}

function Rates({ view }: { view: DigestView }) {
  return (
    <table role="presentation" cellpadding="0" cellspacing="0" style="margin: 20px 0 12px">
      <tr>
        {toRateLines(view).map(({ name, value, of }) => (
          <td style="padding: 0 40px 0 0; vertical-align: top">
            <Quiet>{name}</Quiet>
            <p class="ink" style={mailStyles.number}>
              {value}
            </p>
            <Quiet>{of}</Quiet>
          </td>
        ))}
      </tr>
    </table>
  )
}

function Lines({ lines }: { lines: ReturnType<typeof toLateLines> }) {
  if (lines.length === 0) return null
  return (
    <table width="100%" cellpadding="0" cellspacing="0" style="border-collapse: collapse">
      {lines.map(({ label, note, href }) => (
        <tr>
          <td class="line" style={mailStyles.cell}>
            <Text>
              <MailLink href={href}>{label}</MailLink>
            </Text>
            <Quiet>{note}</Quiet>
          </td>
        </tr>
      ))}
    </table>
  )
}

type MoreProps = { view: DigestView; shown: number; total: number; href: string | null }

function More({ view: { words, format }, shown, total, href }: MoreProps) {
  if (total <= shown) return null
  return (
    <Text more="margin-top: 8px">
      <MailLink href={href}>{words.more(format.count(total))}</MailLink>
    </Text>
  )
}

function Counts({ view: { digest, words, format, links } }: { view: DigestView }) {
  return (
    <table cellpadding="0" cellspacing="0" style="border-collapse: collapse">
      {digest.changes.map(({ kind, n }) => (
        <tr>
          <td class="line" style={`${mailStyles.cell}; text-align: right`}>
            <Text>
              <MailLink href={links.changes(kind)}>{format.count(n)}</MailLink>
            </Text>
          </td>
          <td class="line" style={mailStyles.cell}>
            <Text>{words.kind(kind, n)}</Text>
          </td>
        </tr>
      ))}
    </table>
  )
}
