/** The guide assignments behind a number of the page of guides. */
import { z } from 'zod'
import type { Scope } from '../../schemas/metrics/scope.ts'
import { selectRows, toScopeParams } from './sql.ts'
import type { Reader } from '../read/reader.ts'

/** What a number counts: all, one of the counts, or the numerator (`on_time`) or denominator (`decided`) of the on-time rate. */
export const guideParts = ['assigned', 'completed', 'overdue', 'on_time', 'decided'] as const
export type GuidePart = (typeof guideParts)[number]

export type GuideRowRequest = { guide: readonly string[]; part: GuidePart; offset: number; limit: number }

/** Instants: ISO 8601, UTC. */
export type GuideAssignment = {
  assignment_id: string
  guide_id: string
  guide: string | null
  user_id: string | null
  user_name: string | null
  completed: boolean
  /** Not completed, and the due date has passed. */
  overdue: boolean
  due_date: string | null
  completed_at: string | null
}

export type GuideRowPage = { total: number; rows: GuideAssignment[] }

const flag = z.union([z.boolean(), z.number()]).transform(Boolean)
const instant = z.number().transform((ms) => (ms === 0 ? null : new Date(ms).toISOString()))
const text = z.string().transform((value) => value || null)
const rowSchema = z.object({
  assignment_id: z.string(),
  guide_id: z.string(),
  guide: text,
  user_id: text,
  user_name: text,
  completed: flag,
  late: flag,
  due_ms: instant,
  completed_ms: instant,
  total: z.number(),
})

/** As of now, as guides are. A page behind the last row has a total of 0. */
export async function readGuideRows(
  reader: Reader,
  scope: Scope,
  { guide, part, offset, limit }: GuideRowRequest,
): Promise<GuideRowPage> {
  const { as_of: _, ...params } = toScopeParams(scope)
  const found = await selectRows(
    reader,
    'guide-rows',
    { ...params, guide, offset, limit },
    {
      rows: true,
      completed: part === 'completed',
      overdue: part === 'overdue',
      on_time: part === 'on_time',
      decided: part === 'decided',
    },
  )
  const rows = rowSchema.array().parse(found)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ late, due_ms, completed_ms, total: _total, ...row }) => ({
      ...row,
      overdue: late && !row.completed,
      due_date: due_ms,
      completed_at: completed_ms,
    })),
  }
}
