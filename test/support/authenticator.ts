import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What a phone or a security key does, as far as Quire sees it: codes, and passkeys without any attestation. */

/** The code that an authenticator app shows (RFC 6238), for a key as it is typed into one. */
export function appCode(typedKey: string, atMs: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...typedKey].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const number = digest.readUInt32BE(digest[19]! & 15) & 0x7fff_ffff
  return String(number % 1_000_000).padStart(6, '0')
}

interface Asked {
  challenge: string
  rpId?: string
  rp?: { id: string }
  user?: { id: string }
}

/** Ways to answer wrongly. */
export interface Answering {
  origin?: string
  /** In a frame of another site's page. */
  crossOrigin?: boolean
  /** The person was not made sure of, or not even there. */
  isUnverified?: boolean
  isAbsent?: boolean
  /** In place of what the authenticator counts. */
  counter?: number
  /** Says that it has this id, beside the one in its data. */
  id?: string
}

const kinds = {
  'P-256': () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  Ed25519: () => generateKeyPairSync('ed25519'),
  'RSA 2048': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'RSA 1024': () => generateKeyPairSync('rsa', { modulusLength: 1024 }),
}
export type KeyKind = keyof typeof kinds

export class Authenticator {
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject }
  readonly #hash: string | null
  readonly id = randomBytes(32).toString('base64url')
  #counter = 0

  constructor(
    readonly origin: string,
    kind: KeyKind = 'P-256',
  ) {
    this.#keys = kinds[kind]()
    this.#hash = kind === 'Ed25519' ? null : 'sha256'
  }

  /** RegistrationResponseJSON, as browsers give it beside an attestation that Quire doesn't look at. */
  register(options: Asked, answering: Answering = {}) {
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 255]), id])
    const { publicKey } = this.#keys
    return {
      ...this.#head(answering),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options, answering).toString('base64url'),
        authenticatorData: Buffer.concat([this.#data(options.rp?.id ?? '', 0x40, answering), attested]).toString(
          'base64url',
        ),
        attestationObject: '',
        publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64url'),
        publicKeyAlgorithm: -7,
        transports: ['internal'],
      },
    }
  }

  /** AuthenticationResponseJSON. */
  answer(options: Asked, answering: Answering = {}) {
    const clientData = this.#clientData('webauthn.get', options, answering)
    const data = this.#data(options.rpId ?? '', 0, answering)
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    return {
      ...this.#head(answering),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign(this.#hash, signed, this.#keys.privateKey).toString('base64url'),
      },
    }
  }

  #head({ id = this.id }: Answering) {
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  }

  #clientData(type: string, { challenge }: Asked, { origin = this.origin, crossOrigin = false }: Answering): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
  }

  #data(host: string, flags: number, answering: Answering): Buffer {
    const { isUnverified = false, isAbsent = false, counter = ++this.#counter } = answering
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const present = (isAbsent ? 0 : 1) | (isUnverified ? 0 : 4)
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.from([flags | present]), count])
  }
}
