import { epochMsOf, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { cookieNameFor, cookieValues, serializeCookie } from '../../http/cookies.ts'
import { deriveKeys, type Keys, randomToken, sign, signingKeyOf } from '../../http/tokens.ts'

/**
 * A sign-in's state while its browser is at the provider: a signed note in a cookie of that browser, so that nobody can be made
 * to complete a sign-in that somebody else began. The cookie is `SameSite=Lax`, because the way back is a link on the provider's
 * page. It holds the last few sign-ins (of several tabs), joined by `~`.
 *
 * The nonce and PKCE's verifier are derived from the state and a key of the server, so the browser never has them.
 */
export interface FlowCookies {
  begin(cookieHeader: string | null, wanted: Wanted, at: Instant): Promise<{ flow: Flow; cookie: string }>
  /** Finds the sign-in with this state from one of these origins, even if it has expired, and returns a cookie without it. */
  end(
    cookieHeader: string | null,
    origins: readonly string[],
    state: string,
    at: Instant,
  ): Promise<EndedFlow | undefined>
}

export interface EndedFlow {
  flow: Flow
  cookie: string
}

export interface Wanted {
  /** The configured origin where it began, and to which it returns. */
  origin: string
  /** The console page to open afterwards. */
  next: string
  /** Whether the sign-in happens in a separate window. */
  isWindow: boolean
  /** The session to confirm; undefined for a new one. */
  sessionId?: string | undefined
  /** Hash of the token of the browser's earlier session; that cookie isn't sent on the way back, either. */
  sessionBefore?: string | undefined
  /** The browser's id, if it is known for signing in at the provider. */
  device?: string | undefined
  /** The browser's device cookie, which is `SameSite=Strict` and so isn't sent on the way back. */
  deviceNotes?: string | undefined
}

export interface Flow extends Wanted {
  state: string
  startedAtSeconds: number
  isExpired: boolean
  nonce: string
  verifier: string
}

type Note = Pick<Flow, 'state' | 'startedAtSeconds' | keyof Wanted>

export async function createFlowCookies(secrets: Keys): Promise<FlowCookies> {
  const keys = await deriveKeys(secrets, 'oidc')
  const lifetimeSeconds = limits.oidcFlowMs / 1000

  async function flowOf(note: Note, key: string, at: Instant): Promise<Flow> {
    const age = secondsOf(at) - note.startedAtSeconds
    return {
      ...note,
      // A time in the future is from before the clock was set back.
      isExpired: Math.abs(age) > lifetimeSeconds,
      nonce: await sign(key, `nonce\n${note.state}`),
      verifier: await sign(key, `verifier\n${note.state}`),
    }
  }

  async function read(text: string, at: Instant): Promise<Flow | undefined> {
    const [payload = '', signature = ''] = text.split('.')
    const key = await signingKeyOf(keys, `note\n${payload}`, signature)
    if (key === undefined) return undefined
    // The cast is safe: the payload's signature was checked.
    return flowOf(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Note, key, at)
  }

  const notesIn = (cookieHeader: string | null, origin: string) =>
    cookieValues(cookieHeader, cookieNameFor(origin, 'quire-oidc'))
      .flatMap((value) => value.split('~'))
      .filter((note) => /^[\w-]+\.[\w-]{43}$/.test(note))
      .slice(0, limits.oidcFlows)

  const cookieOf = (origin: string, notes: readonly string[]) =>
    serializeCookie(cookieNameFor(origin, 'quire-oidc'), {
      value: notes.join('~'),
      maxAge: notes.length === 0 ? 0 : lifetimeSeconds,
      sameSite: 'lax',
    })

  return {
    async begin(cookieHeader, wanted, at) {
      const note: Note = { ...wanted, state: randomToken(), startedAtSeconds: secondsOf(at) }
      const payload = Buffer.from(JSON.stringify(note)).toString('base64url')
      const notes = [`${payload}.${await sign(keys[0], `note\n${payload}`)}`]
      for (const other of notesIn(cookieHeader, wanted.origin)) {
        const flow = await read(other, at)
        if (flow !== undefined && !flow.isExpired && notes.length < limits.oidcFlows) notes.push(other)
      }
      return { flow: await flowOf(note, keys[0], at), cookie: cookieOf(wanted.origin, notes) }
    },

    async end(cookieHeader, origins, state, at) {
      for (const origin of origins) {
        let found: Flow | undefined
        const others: string[] = []
        for (const note of notesIn(cookieHeader, origin)) {
          const flow = await read(note, at)
          if (flow?.state === state && flow.origin === origin) found = flow
          else if (flow !== undefined && !flow.isExpired) others.push(note)
        }
        if (found !== undefined) return { flow: found, cookie: cookieOf(origin, others) }
      }
      return undefined
    },
  }
}

/** A path in the console; the home page instead of anything that a browser could take for another site. */
export function returnPathOf(text: string | undefined): string {
  const isPath = text !== undefined && text.length <= limits.oidcReturnChars && /^\/(?![/\\])[!-[\]-~]*$/.test(text)
  return isPath ? text : '/'
}

function secondsOf(at: Instant): number {
  return Math.floor(epochMsOf(at) / 1000)
}
