/** A digest as the HTML part of a mail. */
import { t } from '../../language/translate.ts'
import { Go, MailFrame, MailLink, Quiet, Text, Title, mailStyles } from './mail-frame.tsx'
import {
  changeWords,
  toDueSoonLine,
  toLateHead,
  toLateLines,
  toNoteLines,
  toOverdueLine,
  toPeriodLine,
  toRateLines,
  toWaitingLines,
  toWhyLine,
  type DigestView,
} from '../content/digest-text.ts'

export function DigestMail({ view }: { view: DigestView }) {
  const { digest, title, format, links, unsubscribeUrl } = view
  const { newlyLate, waiting, changes, metrics, notes } = digest
  return (
    <MailFrame title={title}>
      {digest.sample ? (
        <p class="bad" style={`${mailStyles.quiet}; ${mailStyles.bad}`}>
          {t('Sample data. These people and numbers are made up.')}
        </p>
      ) : null}
      <Title>{title}</Title>
      <Quiet>{toPeriodLine(view)}</Quiet>
      <Rates view={view} />
      <Quiet>
        <MailLink href={metrics.overdue.value === 0 ? null : links.late}>{toOverdueLine(view)}</MailLink>
      </Quiet>
      <Quiet>
        <MailLink href={metrics.due_soon.value === 0 ? null : links.dueSoon}>{toDueSoonLine(view)}</MailLink>
      </Quiet>
      <Heading>{toLateHead(view)}</Heading>
      <Lines lines={toLateLines(view)} />
      <More view={view} shown={newlyLate.rows.length} total={newlyLate.total} href={links.late} />
      {waiting.total === 0 ? null : (
        <>
          <Heading>{t('Waiting for a grade: {n}', { n: format.count(waiting.total) })}</Heading>
          <Lines lines={toWaitingLines(view)} />
          <More view={view} shown={waiting.rows.length} total={waiting.total} href={links.grading} />
        </>
      )}
      <Heading>{t('What changed')}</Heading>
      {changes.length === 0 ? <Text>{t('Nothing changed.')}</Text> : <Counts view={view} />}
      {notes.length === 0 ? null : (
        <>
          <Heading>{t('Notes')}</Heading>
          <Lines lines={toNoteLines(view)} />
          <More view={view} shown={toNoteLines(view).length} total={notes.length} href={links.notes} />
        </>
      )}
      <Go href={links.overview}>{t('Open Rollcall')}</Go>
      <Quiet>
        {toWhyLine(view)} <MailLink href={links.settings}>{t('Change how often it comes')}</MailLink>
        {unsubscribeUrl === null ? null : (
          <>
            {' · '}
            <MailLink href={unsubscribeUrl}>{t('Unsubscribe')}</MailLink>
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

function More({ view: { format }, shown, total, href }: MoreProps) {
  if (total <= shown) return null
  return (
    <Text more="margin-top: 8px">
      <MailLink href={href}>{t('Show all {all}', { all: format.count(total) })}</MailLink>
    </Text>
  )
}

function Counts({ view: { digest, format, links } }: { view: DigestView }) {
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
            <Text>{changeWords(kind, n)}</Text>
          </td>
        </tr>
      ))}
    </table>
  )
}
