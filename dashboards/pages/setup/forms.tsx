import { type Message, t } from '../../../language/translate.ts'
import { targetLimits, targetMetrics, type TargetMetric } from '../../../schemas/metrics/targets.ts'
import type { RegistrationFinding, RegistrationResult } from '../../../services/registration/registration.ts'
import type { CompanyTargets } from '../../../services/targets/targets.ts'
import { Field, Form } from '../../components/field.tsx'
import { Panel } from '../../components/section.tsx'
import { Status } from '../../components/status.tsx'

/** Two buttons, their findings, and a third one for what can be removed. Plain forms: a link never acts. */
export function Registration({ knowsUrl, result }: { knowsUrl: boolean; result: RegistrationResult | null }) {
  return (
    <form method="post" action="/setup/registration" class="registration">
      {knowsUrl ? null : (
        <Field
          label={t('The whole ingest URL, with its token')}
          type="url"
          name="url"
          required
          autocomplete="off"
          placeholder="https://…/webhooks/…"
        />
      )}
      <p class="buttons">
        <button class="button primary" name="mode" value="register">
          {t('Register')}
        </button>
        <button class="button" name="mode" value="check">
          {t('Check registration')}
        </button>
        {result?.findings.some(({ fixedBy }) => fixedBy === 'fix') && (
          <button class="button" name="mode" value="fix">
            {t('Remove duplicates')}
          </button>
        )}
      </p>
      {result === null ? (
        <p class="quiet">{t('Registers the address with the platform and sends a test event.')}</p>
      ) : (
        <Result {...result} />
      )}
    </form>
  )
}

const headings: Record<RegistrationResult['outcome'], Message> = {
  registered: 'Registered: the platform sends here.',
  problems: 'Not right yet:',
  manual: 'The platform’s API cannot register it. By hand:',
  failed: 'The platform did not answer:',
}

function Result({ outcome, changes, findings, manualSteps, error, delivery }: RegistrationResult) {
  const isRegistered = outcome === 'registered'
  return (
    <div role="status" class="registration-result">
      <p>
        <Status level={isRegistered ? 'ok' : outcome === 'failed' ? 'bad' : 'check'}>
          {t(headings[outcome])}
        </Status>{' '}
        {isRegistered && delivery.outcome === 'stored' ? t('A test event arrived in the store.') : ''}{' '}
        {error?.message}
      </p>
      <ul>
        {[
          ...changes.map(({ message }) => t('Done: {message}', { message })),
          ...findings.map(toWords),
          ...manualSteps,
        ].map((line) => (
          <li>{line}</li>
        ))}
      </ul>
    </div>
  )
}

function toWords({ severity, message, fixedBy }: RegistrationFinding): string {
  if (severity === 'note') return t('For your information: {message}', { message })
  if (fixedBy === 'register') return t('{message} “Register” fixes this.', { message })
  return fixedBy === 'fix' ? t('{message} “Remove duplicates” removes it.', { message }) : message
}

const names: Record<TargetMetric, Message> = {
  completion_rate: 'Completion, percent at least',
  on_time_rate: 'On time, percent at least',
  grading_turnaround: 'Median grading time (days)',
}

export function TargetsForm({ targets, version }: CompanyTargets) {
  return (
    <Panel id="targets" className="setup-part" title={t('Targets')}>
      <p class="quiet">{t('Company-wide targets. Leave empty for none.')}</p>
      <Form action="/setup/targets" button={t('Save targets')} hidden={{ version: String(version) }}>
        {targetMetrics.map((metric) => (
          <Field
            label={t(names[metric])}
            type="number"
            name={metric}
            min={1}
            max={targetLimits[metric]}
            value={targets[metric] ?? ''}
          />
        ))}
      </Form>
    </Panel>
  )
}
