import { limits } from '../core/limits.ts'
import type { Role } from '../db/schema.ts'
import type { OidcConfig } from './settings.ts'

export type Claims = Readonly<Record<string, unknown>>

/** The roles that a person's groups give; undefined if the provider has no say in them. */
export function rolesOf(
  claims: Claims,
  { roles, groupsClaim }: Pick<OidcConfig, 'roles' | 'groupsClaim'>,
): Role[] | undefined {
  if (roles === undefined) return undefined
  const groups = new Set(groupsOf(claims, groupsClaim))
  const given = roles.filter(({ group }) => group === '*' || groups.has(group))
  return [...new Set(given.map(({ role }) => role))]
}

/** The texts in the claim of this name, or else at this path of names. */
export function groupsOf(claims: Claims, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'))
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.slice(0, limits.oidcGroups).filter((group) => typeof group === 'string')
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = Reflect.get(at, name)
  }
  return at
}
