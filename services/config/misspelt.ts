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

/** Letters put in, left out or exchanged. */
function countEdits(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > mostEdits) return Infinity
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const letter of a) {
    const above = row
    const at = (column: number) => above[column] ?? Infinity
    row = [at(0) + 1]
    for (let column = 1; column <= b.length; column++) {
      const exchanged = at(column - 1) + (letter === b[column - 1] ? 0 : 1)
      row.push(Math.min(exchanged, at(column) + 1, (row[column - 1] ?? Infinity) + 1))
    }
  }
  return row.at(-1) ?? Infinity
}
