/** Roles by groups: the first rule that fits decides. */
import { expect, test } from 'vitest'
import { toRuledRole } from '../../services/config/values/roles.ts'
import { configure } from '../dashboards/access/company.ts'

test.each([
  ['owner=a,manager=b', ['b', 'a'], 'owner'],
  ['manager=b,owner=a', ['a', 'b'], 'manager'],
  ['manager=*,owner=a', ['a'], 'manager'],
  ['owner=a,analyst=*', ['b'], 'analyst'],
  ['owner=a', ['b'], null],
])('the rules %s give people in the groups %s the role %s', (text, groups, role) => {
  const { dashboardRoles } = configure({ DASHBOARD_ROLES: text })
  expect(toRuledRole(dashboardRoles, groups)).toBe(role)
})

test('a rule with another role is refused with the roles that there are', () => {
  expect(() => configure({ DASHBOARD_ROLES: 'viewer=all-staff' })).toThrow(
    'roles are owner, analyst, manager',
  )
})
