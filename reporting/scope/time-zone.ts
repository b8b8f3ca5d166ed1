/** Regions of the tz database, old ones too. */
const regions =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)$/

/**
 * Whether this is a name of the tz database, in its own spelling: the store tells upper from lower case, Intl does not, and
 * Intl also takes offsets, which are no zones.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/.test(name)) return false
  let resolved: string
  try {
    resolved = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return false
  }
  if (resolved === name) return true
  // An alias: Intl gives its target, so its own spelling has to be judged by what such names look like.
  if (resolved.toLowerCase() === name.toLowerCase()) return false
  const [region = '', ...places] = name.split('/')
  return places.length === 0 || (regions.test(region) && places.every((place) => !/^[A-Z]{4,}/.test(place)))
}
