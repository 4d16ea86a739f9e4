import { Fault } from '../../core/faults.ts'
import { limits } from '../../core/limits.ts'
import { isCommonPassword } from './common-passwords.ts'

/**
 * argon2id with 19 MiB and two passes (OWASP's first choice): about 30 ms. Only a few are computed at once, so that a
 * flood of logins takes neither all memory nor all processors.
 */
export interface Passwords {
  hash(password: string): Promise<string>
  /** False for an account that doesn't exist (`undefined`), after just as long. A caller counts as a stranger by default. */
  verify(password: string, hash: string | undefined, lane?: Lane): Promise<boolean>
}

/** Who waits for a slot: known browsers and sessions go first, so that a flood of strangers doesn't hold them up. */
export type Lane = 'known' | 'strangers'

export interface PasswordCost {
  /** KiB. */
  memoryCost: number
  timeCost: number
}
const standardCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

/** The hash of a random password that nobody knows, at the standard cost. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$AWIRk1r16yPs2JQr93qogKXlFSThm9tW8o2f2KXP8NA$tXsCewPQLaIWGRURzKiHDH5Q3oZxlF2YmadAjyWd9JM'

/** @param cost memory and passes of one hash; tests may choose less */
export function createPasswords(cost: PasswordCost = standardCost): Passwords {
  const parameters = { algorithm: 'argon2id', ...cost } as const
  const nobody = cost === standardCost ? NOBODY : Bun.password.hash(crypto.randomUUID(), parameters)
  let running = 0
  const waiting: Record<Lane, (() => void)[]> = { known: [], strangers: [] }

  async function inTurn<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (running >= limits.passwordHashesAtOnce) {
      if (waiting[lane].length >= limits.passwordHashesWaiting) {
        throw new Fault('rate_limited', 'Too many logins at once. Try again in 1 s.', { retryAfterSeconds: 1 })
      }
      // A finished call passes its slot on, so `running` stays the same.
      await new Promise<void>((resolve) => waiting[lane].push(resolve))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = waiting.known.shift() ?? waiting.strangers.shift()
      if (next === undefined) running--
      else next()
    }
  }

  return {
    hash: (password) => inTurn('known', () => Bun.password.hash(normalize(password), parameters)),
    verify: (password, hash, lane = 'strangers') =>
      inTurn(lane, async () => {
        const isRight = await Bun.password.verify(normalize(password), hash ?? (await nobody))
        return isRight && hash !== undefined
      }),
  }
}

/** The same text has several Unicode forms, and keyboards differ in which one they send. */
function normalize(password: string): string {
  return password.normalize('NFC')
}

/** @throws Fault validation_failed naming the broken rule; `subject` names the password in that sentence */
export function requireGoodPassword(password: string, username: string, subject: string): void {
  const rule = brokenPasswordRule(password, username)
  if (rule !== undefined) throw new Fault('validation_failed', `${subject} ${rule}`)
}

function brokenPasswordRule(password: string, username: string): string | undefined {
  const length = [...normalize(password)].length
  if (length < limits.passwordMinChars || length > limits.passwordMaxChars) {
    return `must have ${limits.passwordMinChars} to ${limits.passwordMaxChars} characters.`
  }
  if (password.toLowerCase() === username.toLowerCase()) return 'must not be the username. Choose another.'
  if (isCommonPassword(password, ['quire', username])) {
    return 'is among the commonest passwords, or little more than a name. Choose one that nobody would guess.'
  }
  return undefined
}

/** A password that a person can type: 125 random bits in five groups, without letters that look alike. */
export function generatePassword(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
  const letters = [...crypto.getRandomValues(new Uint8Array(25))].map((byte) => alphabet[byte & 31])
  return Array.from({ length: 5 }, (_, group) => letters.slice(group * 5, group * 5 + 5).join('')).join('-')
}
