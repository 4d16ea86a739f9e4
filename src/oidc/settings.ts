import { limits } from '../core/limits.ts'
import type { Role } from '../db/schema.ts'
import type { RequiredStrength } from './strength.ts'

/** How people sign in at an OpenID provider. */
export interface OidcConfig {
  /** Exactly as the provider writes it, in its description and in tokens. */
  issuer: string
  clientId: string
  /** Undefined for a public client, which has PKCE alone. */
  clientSecret: string | undefined
  /** What the sign-in page calls the provider. */
  name: string
  scopes: string
  /** Its name, or a path of names between dots. */
  groupsClaim: string
  /** The role that each group gives; undefined if roles stay as administrators set them. */
  roles: readonly RoleOfGroup[] | undefined
  /** A first sign-in makes a user; otherwise only those that an administrator has linked sign in. */
  createsUsers: boolean
  required: RequiredStrength
}

export interface RoleOfGroup {
  role: Role
  /** `*` for everybody. */
  group: string
}

type Name =
  | 'oidc_issuer'
  | 'oidc_client_id'
  | 'oidc_client_secret'
  | 'oidc_name'
  | 'oidc_scopes'
  | 'oidc_groups_claim'
  | 'oidc_roles'
  | 'oidc_users'
  | 'oidc_acr'
  | 'oidc_amr'
  | 'oidc_max_age'

type Refuse = (name: Name, why: string) => never

/** @param refuse called for the first setting that can't be used */
export function parseOidc(read: (name: Name) => string | undefined, refuse: Refuse): OidcConfig | undefined {
  const issuer = read('oidc_issuer')
  const clientId = read('oidc_client_id')
  if (issuer === undefined) {
    if (clientId !== undefined) refuse('oidc_issuer', 'QUIRE_OIDC_CLIENT_ID is set, and this is not')
    return undefined
  }
  if (!isIssuer(issuer)) refuse('oidc_issuer', `"${issuer}" is none (http:// is for this machine alone)`)
  if (clientId === undefined) refuse('oidc_client_id', 'QUIRE_OIDC_ISSUER is set, and this is not')
  const name = read('oidc_name') ?? 'single sign-on'
  if ([...name].length > 40 || /\p{Cc}/u.test(name)) refuse('oidc_name', 'it is too long')
  const scopes = read('oidc_scopes') ?? 'openid profile email'
  if (!scopes.split(/\s+/).includes('openid')) refuse('oidc_scopes', 'openid is not among them')
  const users = read('oidc_users') ?? 'created'
  if (users !== 'created' && users !== 'known') refuse('oidc_users', `"${users}" is neither`)
  const roles = read('oidc_roles')
  if (roles === undefined && users === 'created') {
    refuse('oidc_roles', 'it is not set, so that new users would have no role; set it, or QUIRE_OIDC_USERS=known')
  }
  return {
    issuer,
    clientId,
    clientSecret: read('oidc_client_secret'),
    name,
    scopes,
    groupsClaim: read('oidc_groups_claim') ?? 'groups',
    roles: roles === undefined ? undefined : parseRoles(roles, refuse),
    createsUsers: users === 'created',
    required: {
      acr: wordsOf(read('oidc_acr')),
      amr: wordsOf(read('oidc_amr')),
      maxAgeSeconds: parseMaxAge(read('oidc_max_age'), refuse),
    },
  }
}

function wordsOf(text = ''): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function parseMaxAge(text: string | undefined, refuse: Refuse): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || seconds < 1 || seconds > limits.oidcMaxAgeSeconds) {
    refuse('oidc_max_age', `"${text}" is not a whole number from 1 to ${limits.oidcMaxAgeSeconds}`)
  }
  return seconds
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username, hostname } = new URL(text)
  const isPlain = search === '' && hash === '' && username === '' && !/[?#]/.test(text)
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname)))
}

export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

export const roleNames: readonly Role[] = ['administrator', 'engineer', 'operator', 'auditor', 'business_viewer']

/** The role comes first, since names of groups may have any character but a semicolon: `cn=clerks,dc=example`. */
function parseRoles(text: string, refuse: Refuse): RoleOfGroup[] {
  const pairs = text.split(/[;\n]/).map((pair) => pair.trim())
  const roles = pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      const role = roleNames.find((name) => name === pair.slice(0, at).trim())
      const group = pair.slice(at + 1).trim()
      if (role === undefined || group === '')
        refuse('oidc_roles', `"${pair}" is no such pair (roles: ${roleNames.join(', ')})`)
      return { role, group }
    })
  if (roles.length === 0) refuse('oidc_roles', 'there is no pair in it')
  return roles
}
