import type { Problem } from '../../reporting/scope/given.ts'
import { sayProblem } from './problem-words.ts'
import { t } from '../../language/translate.ts'

/** What a page could not use of its address. The words of a problem are those of the API. */
export function toPageNotices(problems: readonly Problem[]): string[] {
  return problems.map(({ parameter, message }) => {
    const [, values, given] = /^must be one of (.+), not (".*")$/.exec(message) ?? []
    if (values !== undefined && given !== undefined)
      return t('“{parameter}” must be one of {values}, not {given}, so it was left out.', { parameter, values, given })
    if (message === 'is not known') return t('“{parameter}” is not known, so it was left out.', { parameter })
    if (message === 'may be given only once')
      return t('“{parameter}” may be given only once, so it was left out.', { parameter })
    return t('“{parameter}” {message}, so it was left out.', { parameter, message: sayProblem(message) })
  })
}
