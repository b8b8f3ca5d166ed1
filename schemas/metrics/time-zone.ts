/** Regions of the tz database, including old ones. */
const regions =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)$/

/**
 * Whether this is a name of the tz database in its own spelling: the store is case-sensitive, Intl is not, and Intl also
 * accepts offsets, which are not zones.
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
  // An alias: Intl gives its target, so its spelling is judged by the usual form of such names.
  if (resolved.toLowerCase() === name.toLowerCase()) return false
  const [region = '', ...places] = name.split('/')
  return places.length === 0 || (regions.test(region) && places.every((place) => !/^[A-Z]{4,}/.test(place)))
}
