/** The parameters of a scope for the description of the API; which of them there are says `scope.ts`. */
import { z } from 'zod'
import { agingBuckets, effectiveStatuses, periods } from '../../schemas/metrics/answer.ts'
import { scopeFacts } from '../../schemas/metrics/scope.ts'
import { scopeParameters } from '../../reporting/scope/parse-scope.ts'

const date = (description: string) => z.string().optional().meta({ description, format: 'date' })
const several = (schema: z.ZodType, description: string) => z.array(schema).optional().meta({ description })
const word = (values: readonly [string, ...string[]], description: string) =>
  z.enum(values).optional().meta({ description })
const zone = (description: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: ['Europe/Berlin'] })

const described: Record<string, z.ZodType> = {
  challenge: several(z.string(), 'Challenge ids'),
  team: several(z.string(), 'Team (group) ids'),
  manager: several(z.string(), 'User ids of managers: whoever reports to them, directly or not'),
  manager_depth: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'At most so many links below a manager; 1 = direct reports only' }),
  user: several(z.string(), 'User ids'),
  status: several(z.enum(effectiveStatuses), 'Effective status'),
  fact: several(z.enum(scopeFacts), 'Facts, any of which holds'),
  aging: several(z.enum(agingBuckets), 'Days overdue'),
  as_of: z
    .string()
    .optional()
    .meta({
      description:
        'The moment: an instant with offset, or a date = its last millisecond in the reporting zone (today’s = now). Default: now',
      examples: ['2026-03-31', '2026-03-31T12:00:00Z'],
    }),
  tz: zone('Reporting zone: days, weeks, months. Default: the setting'),
  due_zone: zone('Due zone: who is late. Default: the setting'),
  due_end: word(['end_of_day', 'instant'], 'When a due day ends. Default: the setting'),
  period: word(periods, 'Of cohorts and trend. Default: week'),
  due_soon_days: z.int().min(0).max(365).optional().meta({ description: 'Default: 7' }),
  include_leavers: word(['true', 'false'], 'Whether people who have left count. Default: false'),
  assigned_from: date('Created on or after this date of the reporting zone'),
  assigned_to: date('Created on or before this date'),
  completed_from: date('Completed on or after this date of the reporting zone'),
  completed_to: date('Completed on or before this date'),
  due_from: date('Due on or after this date of the due zone'),
  due_to: date('Due on or before this date'),
  trend_from: date('First date of the trend. Default: 11 periods before the last'),
  trend_to: date('Last date of the trend. Default: the period of the moment'),
}

/** Those of a scope, and a route's own. */
export function scopeQuery(own: Record<string, z.ZodType> = {}, without: readonly string[] = []): z.ZodObject {
  const known = scopeParameters
    .filter((name) => !without.includes(name))
    .map((name) => [name, described[name] ?? z.string().optional()] as const)
  return z.object({ ...Object.fromEntries(known), ...own })
}

/** Parameters of a scope that nobody has described yet. */
export const undescribedParameters = scopeParameters.filter((name) => described[name] === undefined)
