/** A reminder as the mail that Rollcall sends. */
import {
  toGreeting,
  toOpening,
  toReminderLines,
  toReminderSubject,
  toReminderText,
  toWay,
  type LateWork,
} from '../content/reminder-text.ts'
import { toLine } from '../content/digest-text.ts'
import { t } from '../../language/translate.ts'
import { MailFrame, MailLink, Quiet, Text, mailStyles } from './mail-frame.tsx'

export type ReminderView = {
  work: LateWork
  /** Who gets the answers. */
  askedBy: string
  unsubscribeUrl: string
}

function toFoot({ askedBy }: ReminderView): string {
  return t('{askedBy} asked for this reminder.', { askedBy: toLine(askedBy) })
}

export function toReminderMailText(view: ReminderView): string {
  return [
    toReminderText(view.work),
    toFoot(view),
    `${t('No more reminders by mail')}: ${view.unsubscribeUrl}`,
    '',
  ].join('\n')
}

export function ReminderMail({ view }: { view: ReminderView }) {
  const { work, unsubscribeUrl } = view
  const lines = toReminderLines(work)
  const way = toWay(work)
  return (
    <MailFrame title={toReminderSubject(work)}>
      <Text>{toGreeting(work)}</Text>
      <h1 class="ink" style={mailStyles.heading}>
        {toOpening(work)}
      </h1>
      <ul style="margin: 0; padding-left: 20px">
        {lines.map(({ label, href }) => (
          <li class="ink" style={`${mailStyles.text}; padding-bottom: 8px`}>
            <MailLink href={href}>{label}</MailLink>
          </li>
        ))}
        {work.late.length > lines.length ? (
          <li class="ink" style={mailStyles.text}>
            {t('and {n} more', { n: work.late.length - lines.length })}
          </li>
        ) : null}
      </ul>
      {lines.some(({ href }) => href !== null) ? null : (
        <Text more="padding-top: 12px">
          {way.words} {way.href === null ? null : <MailLink href={way.href}>{way.href}</MailLink>}
        </Text>
      )}
      <Quiet more="padding-top: 24px">
        {toFoot(view)} <MailLink href={unsubscribeUrl}>{t('No more reminders by mail')}</MailLink>
      </Quiet>
    </MailFrame>
  )
}
