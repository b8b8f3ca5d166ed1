import { type Message, t } from '../../../language/translate.ts'
import type { RegistrationFinding, RegistrationResult } from '../../../services/registration/registration.ts'
import { Field } from '../../components/field.tsx'
import {
  targetLimits,
  targetMetrics,
  type TargetMetric,
  type Targets,
} from '../../../schemas/metrics/targets.ts'

/** Two buttons, their findings, and a third one for what can be cleaned up. Plain forms: a link never acts. */
export function SetupRegistration({
  knowsUrl,
  result,
}: {
  knowsUrl: boolean
  result: RegistrationResult | null
}) {
  const canFix = result?.findings.some(({ fixedBy }) => fixedBy === 'fix') ?? false
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
        {canFix ? (
          <button class="button" name="mode" value="fix">
            {t('Remove what is marked below')}
          </button>
        ) : null}
      </p>
      {result === null ? (
        <p class="quiet">{t('Registers the address at the platform and proves it with a test event.')}</p>
      ) : (
        <Result result={result} />
      )}
    </form>
  )
}

const headings: Record<RegistrationResult['outcome'], Message> = {
  registered: 'Registered: the platform sends here, and a test event arrived in the store.',
  problems: 'Not right yet:',
  manual: 'This platform does not offer it by its API. By hand:',
  failed: 'The platform could not be asked:',
}

function Result({ result }: { result: RegistrationResult }) {
  const { outcome, changes, findings, manualSteps, error, delivery } = result
  const isTested = delivery.outcome === 'stored'
  return (
    <div role="status" class={`registration-result ${outcome}`}>
      <p>
        <strong>
          {outcome === 'registered' && !isTested
            ? t('Registered: the platform sends here.')
            : t(headings[outcome])}
        </strong>{' '}
        {error === null ? '' : error.message}
      </p>
      {changes.length === 0 && findings.length === 0 ? null : (
        <ul>
          {changes.map(({ message }) => (
            <li>{t('Done: {message}', { message })}</li>
          ))}
          {findings.map((finding) => (
            <li>{toWords(finding)}</li>
          ))}
        </ul>
      )}
      {manualSteps.length === 0 ? null : (
        <ol>
          {manualSteps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
      )}
    </div>
  )
}

function toWords({ severity, message, fixedBy }: RegistrationFinding): string {
  if (severity === 'note') return t('For your information: {message}', { message })
  if (fixedBy === 'register') return t('{message} “Register” puts this right.', { message })
  return fixedBy === 'fix' ? t('{message} “Remove what is marked below” removes it.', { message }) : message
}

const names: Record<TargetMetric, Message> = {
  completion_rate: 'Completion, percent at least',
  on_time_rate: 'On time, percent at least',
  grading_turnaround: 'Half of the grades within days',
}

export function TargetsForm({ targets }: { targets: Targets }) {
  return (
    <section class="setup-part" id="targets" aria-labelledby="targets-title">
      <h2 id="targets-title">{t('Targets')}</h2>
      <p class="quiet">{t('Company-wide targets. Leave empty for none.')}</p>
      <form method="post" action="/setup/targets" class="access-form">
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
        <button class="button primary">{t('Save targets')}</button>
      </form>
    </section>
  )
}
