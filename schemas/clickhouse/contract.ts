/** The views that analysts build on: stable, commented, changed only with a note in the changelog. */
export const contractViews = [
  'assignments',
  'assignments_as_of',
  'assignments_all',
  'assignments_all_as_of',
  'events',
  'users',
  'people',
  'reporting_lines',
  'guides',
  'guide_assignments',
  'guide_orders',
  'pulls',
  'failed_events',
  'ledger',
] as const

/** Called with parameters, like a function. */
export const viewsWithParameters: readonly string[] = ['assignments_as_of', 'assignments_all_as_of']
