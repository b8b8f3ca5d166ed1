import fc from 'fast-check'

const dayMs = 86_400_000
const hourMs = 3_600_000

/**
 * 2026-03-29 is the day to be on: the clocks change in Europe at 01:00Z, and in Beirut midnight does not exist. The
 * other days are near it, at the edges of the aging buckets before it, or change the clocks elsewhere (8 March: New
 * York and Havana; 5 April: Lord Howe and Santiago; 24 April: Cairo).
 */
const centre = Date.UTC(2026, 2, 29)
const days = [0, 1, -1, 2, 3, -2, -3, 7, 8, -7, -8, -14, -15, -21, -30, -31, -60, -61, -91, 26]
const hours = [12, 0, 1, 4, 5, 22, 21, 23, 10, 14]
const jitters = [0, 0, 0, 1, -1]

/** A few hundred instants around a few days, so that equal ones and neighbours come up often. */
export const instantArb: fc.Arbitrary<number> = fc
  .tuple(
    fc.oneof(
      { arbitrary: fc.constantFrom(...days.slice(0, 6)), weight: 3 },
      { arbitrary: fc.constantFrom(...days), weight: 1 },
    ),
    fc.constantFrom(...hours),
    fc.constantFrom(...jitters),
  )
  .map(([day, hour, jitter]) => centre + day * dayMs + hour * hourMs + jitter)

/** Well before nearly all of them. */
const earlyInstantArb = fc.constantFrom(-35, -70, -100).map((day) => centre + day * dayMs + 12 * hourMs)

/** The same instant in one of the ways in which platforms write it. */
export const wireInstantArb = asWritten(instantArb)

/** For what mostly lies before anything happens, and sometimes does not. */
export const earlyWireInstantArb = asWritten(
  fc.oneof({ arbitrary: earlyInstantArb, weight: 3 }, { arbitrary: instantArb, weight: 2 }),
)

function asWritten(instants: fc.Arbitrary<number>): fc.Arbitrary<number | string> {
  const writing = fc.oneof(
    { arbitrary: fc.constant<Writing>('number'), weight: 6 },
    {
      arbitrary: fc.constantFrom<Writing>(
        'fraction',
        'digits',
        'utc',
        'offset',
        'no offset',
        'date',
        'microseconds',
      ),
      weight: 2,
    },
  )
  return fc.tuple(instants, writing).map(([instant, written]) => write(instant, written))
}

type Writing = 'number' | 'fraction' | 'digits' | 'utc' | 'offset' | 'no offset' | 'date' | 'microseconds'

function write(instant: number, writing: Writing): number | string {
  const text = new Date(instant).toISOString()
  switch (writing) {
    case 'number':
      return instant
    case 'fraction':
      return instant + 0.75
    case 'digits':
      return String(instant)
    case 'utc':
      return text
    case 'offset':
      return new Date(instant + 5.5 * hourMs).toISOString().replace('Z', '+05:30')
    case 'no offset':
      return text.replace('Z', '')
    case 'date':
      return text.slice(0, 10)
    case 'microseconds':
      return text.replace('Z', '999Z')
  }
}
