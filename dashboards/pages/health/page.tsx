import { t } from '../../../language/translate.ts'
import { Behind } from '../../components/behind.tsx'
import { Layout } from '../../components/layout.tsx'
import { PlainHead } from '../../components/plain-page.tsx'
import { Section } from '../../components/section.tsx'
import { AsOf } from '../../components/stamp.tsx'
import { Status } from '../../components/status.tsx'
import { type Block, toBlocks } from './blocks.tsx'
import type { HealthView } from './read.ts'

/** Whether the numbers are complete. What needs an action is open; what is fine is one line. */
export function HealthPage(view: HealthView) {
  const { context, health } = view
  const { format } = context
  const blocks = toBlocks(view)
  const fine = blocks.filter(({ level, name }) => level === 'ok' && name !== undefined)
  const open = blocks.filter((block) => !fine.includes(block))
  const show = ({ id, title, says, content }: Block) =>
    title === undefined || !content ? null : (
      <Section id={id} title={t(title)} finding={says}>
        {content}
      </Section>
    )
  return (
    <Layout context={context} title={t('Health')} sample={health.sample}>
      <PlainHead title={t('Are the numbers complete?')}>
        <AsOf
          format={format}
          answer={{ as_of: health.as_of, time_zone: format.timeZone, due_zone: format.timeZone }}
        />
      </PlainHead>
      <div class="health">
        <ul class="health-verdict">
          {blocks
            .filter(({ level, isAlways }) => level !== 'ok' || isAlways)
            .map(({ id, level, says, content }) => (
              <li>
                <Status level={level} /> {content ? <a href={`#${id}`}>{says}</a> : <span>{says}</span>}
              </li>
            ))}
        </ul>
        {open.map(show)}
        <Behind
          class="behind health-fine"
          summary={
            <Status level="ok">
              {t('All fine: {names}', { names: fine.map(({ name = 'ledger' }) => t(name)).join(', ') })}
            </Status>
          }
        >
          {fine.map(show)}
        </Behind>
      </div>
    </Layout>
  )
}
