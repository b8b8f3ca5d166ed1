import { rich, t } from '../../language/translate.ts'

export function SampleBanner() {
  return (
    <aside class="sample-banner" aria-label={t('Sample data')}>
      {rich('<strong>Sample data.</strong> These people and numbers are made up.', {
        strong: (text) => <strong>{text}</strong>,
      })}
    </aside>
  )
}
