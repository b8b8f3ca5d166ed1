import { sayProblem } from '../../language/problems.ts'
import { t } from '../../language/translate.ts'
import type { ScopeProblem } from '../../reporting/scope/url-parameters.ts'

/** The parameters of an address that the page could not use. */
export function toPageNotices(problems: readonly ScopeProblem[]): string[] {
  return problems.map(({ parameter, ...problem }) =>
    problem.code === 'unknown'
      ? t('Unknown filter “{parameter}” was ignored.', { parameter })
      : t('“{parameter}” {problem}, so it was ignored.', { parameter, problem: sayProblem(problem) }),
  )
}
