import { cookie } from '@elysiajs/cookie'
import { serializeCookie as serializeCookies } from 'elysia'
import { signCookie } from 'elysia/utils'
import type { Keys } from './tokens.ts'

/**
 * The session cookie's wire form. The plugin @elysiajs/cookie is used for its `unsignCookie` alone, which tells a forged
 * value from a genuine one before the database is asked; its setter breaks several cookies at once on Elysia 1.4, so
 * cookies are written by Elysia's own serializer.
 */
export interface SessionCookies {
  /** The genuine token a request carries, or undefined. */
  read(cookieHeader: string | null, names: readonly string[]): string | undefined
  /** The Set-Cookie value that hands out a token. */
  issue(name: string, token: string): Promise<string>
  /** The Set-Cookie value that takes it back. */
  expire(name: string): string
}

/** `__Host-` makes browsers refuse the cookie without Secure, with a Domain or with another Path. */
export function cookieNameFor(origin: string, name: 'quire' | 'quire-device' | 'quire-oidc' = 'quire'): string {
  return origin.startsWith('https:') ? `__Host-${name}` : name
}

export function createSessionCookies(keys: Keys): SessionCookies {
  // One for each key: of a list of keys the plugin uses the first alone.
  const unsigners = keys.map((key) => cookie({ secret: key }).decorator as unknown as Unsigner)
  return {
    read(cookieHeader, names) {
      for (const name of names) {
        // Tries every value: planted ones in front must not hide ours. The server bounds the header to 16 KiB.
        for (const value of cookieValues(cookieHeader, name)) {
          for (const { unsignCookie } of unsigners) {
            const unsigned = unsignCookie(value)
            if (unsigned.valid) return unsigned.value
          }
        }
      }
      return undefined
    },
    async issue(name, token) {
      return serializeCookie(name, { value: await signCookie(token, keys[0]) })
    },
    expire(name) {
      return serializeCookie(name, { value: '', maxAge: 0 })
    },
  }
}

interface Unsigner {
  unsignCookie(value: string): { valid: true; value: string } | { valid: false; value: undefined }
}

/**
 * The Set-Cookie value of a cookie that scripts can't read and other sites can't send. Browsers also send a `lax` one
 * when a link on another site leads here.
 */
export function serializeCookie(
  name: string,
  cookie: { value: string; maxAge?: number; sameSite?: 'lax' | 'strict' },
): string {
  const attributes = { httpOnly: true, sameSite: 'strict', path: '/', secure: name.startsWith('__Host-') } as const
  return String(serializeCookies({ [name]: { ...attributes, ...cookie } }))
}

/** Every value sent under a name, in order: a sibling domain may have planted a second one before ours. */
export function cookieValues(header: string | null, name: string): string[] {
  if (header === null) return []
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => decode(pair.slice(name.length + 1)))
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
