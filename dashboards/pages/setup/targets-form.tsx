import { targetLimits, targetMetrics, type TargetMetric, type Targets } from '../../../schemas/metrics/targets.ts'
import { type Message, t } from '../../../language/translate.ts'
import { Field } from '../../components/field.tsx'

const names: Record<TargetMetric, Message> = {
  completion_rate: 'Completion, percent at least',
  on_time_rate: 'On time, percent at least',
  grading_turnaround: 'Half of the grades within days',
}

export function TargetsForm({ targets }: { targets: Targets }) {
  return (
    <section class="setup-part" id="targets" aria-labelledby="targets-title">
      <h2 id="targets-title">{t('Targets')}</h2>
      <p class="quiet">
        {t('Of the whole company. Charts show them as a dashed line, and Home says what is below. Empty: no target.')}
      </p>
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
