import { epochMsOf, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { deriveKeys, isSigned, type Keys, randomToken, sign } from '../../http/tokens.ts'

/**
 * Challenges for passkeys: `nonce.seconds.signature`. Nothing is stored until one comes back. The signature covers its purpose
 * and the session that asked; whoever accepts an answer must remember that the challenge was used.
 */
export interface PasskeyChallenges {
  make(purpose: ChallengePurpose, at: Instant): Promise<string>
  isFor(purpose: ChallengePurpose, challenge: string, at: Instant): Promise<boolean>
}

export interface ChallengePurpose {
  kind: 'add' | 'second_factor' | 'sign_in'
  /** Empty for signing in. */
  sessionId: string
  origin: string
}

export async function createPasskeyChallenges(secrets: Keys): Promise<PasskeyChallenges> {
  const keys = await deriveKeys(secrets, 'passkey')
  const messageOf = ({ kind, sessionId, origin }: ChallengePurpose, nonce: string, seconds: string) =>
    [kind, sessionId, origin, nonce, seconds].join('\n')
  return {
    async make(purpose, at) {
      const [nonce, seconds] = [randomToken(), String(secondsOf(at))]
      return `${nonce}.${seconds}.${await sign(keys[0], messageOf(purpose, nonce, seconds))}`
    },

    async isFor(purpose, challenge, at) {
      const [, nonce = '', seconds = '', signature = ''] = CHALLENGE.exec(challenge) ?? []
      // A challenge of the future is from before the clock was set back.
      const age = Math.abs(secondsOf(at) - Number(seconds))
      if (signature === '' || age * 1000 > limits.passkeyMs) return false
      return isSigned(keys, messageOf(purpose, nonce, seconds), signature)
    },
  }
}

const CHALLENGE = /^([\w-]{43})\.(\d{1,12})\.([\w-]{43})$/

function secondsOf(at: Instant): number {
  return Math.floor(epochMsOf(at) / 1000)
}
