/** Who may do what: the three roles, and how groups of the sign-in provider become one. */
import { setting, toEntries } from '../setting.ts'

export const roles = ['owner', 'analyst', 'manager'] as const
export type Role = (typeof roles)[number]

/** The owner's choices for a login: a role, or no access at all. */
export const assignedRoles = [...roles, 'nobody'] as const
export type AssignedRole = (typeof assignedRoles)[number]

export const roleMeanings: Record<Role, string> = {
  owner: 'everything: setup, roles, tokens, replay, guide orders',
  analyst: 'all numbers and rows, and SQL; names only where granted',
  manager: 'the numbers and rows of their own direct and indirect reports of today, with names',
}

export function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}

/** A group's role; the group `*` means everybody who can sign in. */
export type RoleRule = { role: Role; group: string }

/** `owner=it-admins,manager=*`; the first rule that fits wins. */
export const roleRules = setting((text, refuse) =>
  toEntries(text).map((entry): RoleRule => {
    const [, role = '', group = ''] = /^([a-z]+)=(.+)$/.exec(entry) ?? []
    return isRole(role)
      ? { role, group }
      : refuse(`${entry} must be role=group; roles are ${roles.join(', ')}`)
  }),
)

export function toRuledRole(rules: readonly RoleRule[], groups: readonly string[]): Role | null {
  return rules.find(({ group }) => group === '*' || groups.includes(group))?.role ?? null
}

/**
 * E-mails and the like, in the form in which they are stored and compared. Nothing becomes ASCII that is not: folded, the Kelvin sign is
 * a k, so two people whose addresses differ in it would have one login. Such a character stands as its code.
 */
export function toLogin(text: string): string {
  const distinct = text.trim().replaceAll(/\P{ASCII}/gu, (character) => {
    const folded = fold(character)
    return /^\p{ASCII}+$/u.test(folded)
      ? `\\u${character.codePointAt(0)?.toString(16).padStart(4, '0')}`
      : character
  })
  return fold(distinct)
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
