import type { Metrics, Rate } from '../../../schemas/metrics/answer.ts'
import type { PageContext } from '../../page-context.ts'
import { exclusionWords } from '../../scope/part-words.ts'
import { Count } from '../count.tsx'
import { t, rich } from '../../../language/translate.ts'
import { seesRounded } from '../access.tsx'

type ExclusionsProps = { context: PageContext; metric: keyof Metrics; rate: Rate<string> }

/** "Left out: 210 have no due date, 41 are not due yet.", each number with its rows. Reasons with a count of 0 are omitted. */
export function Exclusions({ context, metric, rate }: ExclusionsProps) {
  const counts = Object.entries(rate.excluded).filter(([, count]) => count > 0)
  if (counts.length === 0) return <>{seesRounded(context) ? '' : t('Nothing is left out.')}</>
  const reasons = counts.map(([reason, count], index) => (
    <>
      {index === 0 ? '' : ', '}
      <Count context={context} n={count} narrow={{ metric, part: `excluded.${reason}` }} /> {exclusionWords(reason)}
    </>
  ))
  return <>{rich('Left out: {reasons}.', { reasons: <>{reasons}</> })}</>
}
