/** Names of the environment that look like a setting and are none: nothing else would say that they do nothing. */

/** Shorter names are too near to those of other programs: HOSTS, PORT. */
const shortestName = 8
const mostEdits = 2

export function findMisspelt(names: readonly string[], settings: readonly string[]): string[] {
  const spellings = new Set(settings)
  return names.flatMap((name) => {
    if (spellings.has(name) || name.length < shortestName - mostEdits) return []
    const near = settings
      .filter((setting) => setting.length >= shortestName)
      .map((setting) => ({ setting, edits: countEdits(name.toUpperCase(), setting) }))
      .filter(({ edits }) => edits <= mostEdits)
      .sort((a, b) => a.edits - b.edits)[0]
    return near === undefined ? [] : [`${name} is not a setting. Did you mean ${near.setting}?`]
  })
}

/** Letters put in, left out or exchanged, and neighbours that changed places. */
function countEdits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > mostEdits) return Infinity
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      line[column] = Math.min(
        at(rows, row - 1, column) + 1,
        (line[column - 1] ?? Infinity) + 1,
        at(rows, row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(rows, row - 2, column - 2) + 1 : Infinity,
      )
    }
    rows.push(line)
  }
  return at(rows, a.length, b.length)
}

function at(rows: readonly number[][], row: number, column: number): number {
  return rows[row]?.[column] ?? Infinity
}
