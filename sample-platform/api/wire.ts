/** The forms of values on the wire of different platforms. They mean the same. */
export type WireOptions = {
  /** Times in camelCase answers: whole milliseconds (default), with fractions, or ISO 8601. */
  timestamps?: 'whole' | 'fractional' | 'iso'
  /** User ids: JSON integers as on live platforms (default), or strings as the specification says. */
  ids?: 'integer' | 'string'
}

const timeNames = /(At|Date|timestamp)$/
const userIds = new Set(['userId', 'user_id', 'assignerId', 'assigner_id'])

export function toWire(value: unknown, options: WireOptions): unknown {
  const { timestamps = 'whole', ids = 'integer' } = options
  if (timestamps === 'whole' && ids === 'integer') return value
  const form = (name: string, part: unknown): unknown => {
    if (typeof part === 'number' && timeNames.test(name)) return toTime(part, timestamps)
    // Only users' ids are numbers.
    if (typeof part === 'number' && (name === 'id' || userIds.has(name)) && ids === 'string') return String(part)
    return walk(part)
  }
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, form(name, inner)]))
  }
  return walk(value)
}

function toTime(ms: number, form: 'whole' | 'fractional' | 'iso'): number | string {
  if (form === 'iso') return new Date(ms).toISOString()
  // A fraction that a double holds exactly enough to be cut off again.
  return form === 'fractional' ? ms + 0.25 + (ms % 3) / 8 : ms
}
