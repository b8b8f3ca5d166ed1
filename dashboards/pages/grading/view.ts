import { t } from '../../../language/translate.ts'
import { waitingAgeKeys, type Grading } from '../../../reporting/queries/grading.ts'
import type { MetricsAnswer } from '../../../schemas/metrics/answer.ts'
import type { View } from '../../blocks/page.ts'
import { date, oneOf } from '../../scope/page-keys.ts'
import { ageWords, periodWords } from './words.ts'

/** The parameters that only this page has. */
export const own = {
  waiting: oneOf(waitingAgeKeys, { label: 'Waiting', words: (age) => t(ageWords[age]) }),
  graded: date({ label: 'Graded', words: (day, { period }, format) => periodWords(day, period, format) }),
}

export type GradingData = Grading & Pick<MetricsAnswer, 'metrics' | 'period'>
export type GradingView = View<GradingData, typeof own>
