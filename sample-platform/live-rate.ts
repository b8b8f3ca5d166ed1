/** The rate at which a demo goes on: that of a working hour of its history, so that its numbers stay believable after hours. */

const workingDaysOfWeek = 5
const workingHoursOfDay = 8

/** Events a second, for a history of so many events over so many days. */
export function toLiveRate(events: number, days: number): number {
  const workingHours = ((days * workingDaysOfWeek) / 7) * workingHoursOfDay
  return Math.max(1, events) / (workingHours * 3_600)
}
