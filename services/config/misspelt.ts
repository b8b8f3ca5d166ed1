/** Names of the environment that look like a setting and are none: nothing else would say that they do nothing. */

/** Shorter names are too near to those of other programs: HOSTS, PORT. */
const shortestName = 8

export function findMisspelt(names: readonly string[], settings: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (settings.includes(name)) return []
    const isNear = (edits: number) => (setting: string) =>
      setting.length >= shortestName && isWithin(edits, name.toUpperCase(), setting)
    const near = settings.find(isNear(1)) ?? settings.find(isNear(2))
    return near === undefined ? [] : [`${name} is not a setting. Did you mean ${near}?`]
  })
}

/** Whether so many letters, put in, left out or exchanged, turn one into the other. */
function isWithin(edits: number, a: string, b: string): boolean {
  if (a === b) return true
  if (edits === 0 || Math.abs(a.length - b.length) > edits) return false
  if (a[0] === b[0]) return isWithin(edits, a.slice(1), b.slice(1))
  const rest: [string, string][] = [
    [a.slice(1), b.slice(1)],
    [a.slice(1), b],
    [a, b.slice(1)],
  ]
  return rest.some(([one, other]) => isWithin(edits - 1, one, other))
}
