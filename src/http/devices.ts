import { epochMsOf, type Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { cookieNameFor, cookieValues, serializeCookie } from './cookies.ts'
import { deriveKeys, isSigned, type Keys, randomToken, sign } from './tokens.ts'

/**
 * Device cookies, as OWASP describes them: a browser in which somebody has signed in keeps a signed note of it, and its
 * attempts for that user are counted on their own, so that nobody else's guesses shut it out. The note is no
 * credential: whoever steals it gets as few guesses as the browser itself.
 *
 * One cookie holds a note for each of the last few users, `device.seconds.signature`, joined by `~`. The signature covers
 * the username, which the note doesn't tell.
 */
export interface DeviceCookies {
  /** The browser's id in its note for this user; undefined if there is none, or it is too old. */
  find(cookieHeader: string | null, user: DeviceUser): Promise<string | undefined>
  /** The Set-Cookie value with a new note for this user, beside those of other users. */
  issue(cookieHeader: string | null, user: DeviceUser): Promise<string>
}

export interface DeviceUser {
  username: string
  /** The checked origin of the login: its scheme decides the cookie's name. */
  origin: string
  at: Instant
}

const NOTE = /^([\w-]{43})\.(\d{1,12})\.([\w-]{43})$/

export async function createDeviceCookies(secrets: Keys): Promise<DeviceCookies> {
  const keys = await deriveKeys(secrets, 'device')
  const lifetimeSeconds = limits.throttleKnownMs / 1000

  async function read(note: string, { username, at }: DeviceUser): Promise<string | undefined> {
    const [, device = '', seconds, signature = ''] = NOTE.exec(note) ?? []
    // Either way: a clock that was set back must not make strangers of everybody.
    const age = Math.abs(secondsOf(at) - Number(seconds))
    if (!(age <= lifetimeSeconds)) return undefined
    const isGenuine = await isSigned(keys, messageOf(username, device, Number(seconds)), signature)
    return isGenuine ? device : undefined
  }

  function notesIn(cookieHeader: string | null, origin: string): string[] {
    const values = cookieValues(cookieHeader, cookieNameFor(origin, 'quire-device'))
    return values.flatMap((value) => value.split('~')).filter((note) => NOTE.test(note))
  }

  return {
    async find(cookieHeader, user) {
      for (const note of notesIn(cookieHeader, user.origin)) {
        const device = await read(note, user)
        if (device !== undefined) return device
      }
      return undefined
    },

    async issue(cookieHeader, user) {
      const device = randomToken()
      const seconds = secondsOf(user.at)
      const notes = [`${device}.${seconds}.${await sign(keys[0], messageOf(user.username, device, seconds))}`]
      for (const note of notesIn(cookieHeader, user.origin)) {
        const isOfAnother = (await read(note, user)) === undefined
        if (notes.length < limits.deviceCookieUsers && isOfAnother) notes.push(note)
      }
      return serializeCookie(cookieNameFor(user.origin, 'quire-device'), {
        value: notes.join('~'),
        maxAge: lifetimeSeconds,
      })
    },
  }
}

function secondsOf(at: Instant): number {
  return Math.floor(epochMsOf(at) / 1000)
}

function messageOf(username: string, device: string, seconds: number): string {
  return `${username.toLowerCase()}\n${device}\n${seconds}`
}
