/** The company's figures beside those of a manager's people, where the owner allows it. */
import { currentVisitor } from '../../services/access/visitor.ts'
import type { Company, OwnFigures } from '../../reporting/coarse/company.ts'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { t } from '../../language/translate.ts'
import type { RouteContext } from '../dashboards-deps.ts'
import type { PageContext } from '../page-context.ts'

/** Only for managers who signed in. */
export async function readCompany(
  { queries, settings }: Pick<RouteContext, 'queries' | 'settings'>,
  scope: Scope,
  readFigures: () => OwnFigures | Promise<OwnFigures>,
): Promise<Pick<PageContext, 'company'>> {
  const { role, via } = currentVisitor()
  const isShown = settings.companyFigures === true && role === 'manager' && (via === 'session' || via === 'proxy')
  const company = isShown ? await queries.company(scope, await readFigures()) : null
  return company === null ? {} : { company }
}

/** The company's figure in words: that of a whole team on its page, else that of all teams. */
export function companyWords(
  { company, path, params, format }: PageContext,
  metric: Exclude<keyof Company, 'people' | 'lines'>,
): string | null {
  const share = company?.[metric].value ?? null
  if (share === null) return null
  const value = format.percent(share)
  return path.startsWith('/teams/') || params.has('team')
    ? t('whole team: {value}', { value })
    : t('all teams: {value}', { value })
}
