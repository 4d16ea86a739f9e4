import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { sha256Hex } from './hash.ts'

/**
 * The store's key. It signs the heads of the audit chain, so that others can verify them with the public key alone. It
 * also tags rows that no signed head covers yet, which exposes rows that others wrote into the database.
 */
export interface SigningKey {
  /** Names the key: the first 16 hexadecimal digits of its public key's hash. */
  id: string
  /** The 32 bytes of the public key (RFC 8032), hexadecimal. */
  publicKey: string
  /** A tag for a text that only holders of the key can make. */
  attest(text: string): string
  /** Ed25519 over the text's UTF-8 bytes, hexadecimal. */
  sign(text: string): string
}

/** Fixed by RFC 8410: the DER of a private and of a public key up to their 32 bytes. */
const PRIVATE_PREFIX = '302e020100300506032b657004220420'
const PUBLIC_PREFIX = '302a300506032b6570032100'

/** @param seed 32 bytes, hexadecimal */
export function signingKeyOf(seed: string): SigningKey {
  const key = createPrivateKey({ key: Buffer.from(PRIVATE_PREFIX + seed, 'hex'), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('hex').slice(-64)
  const id = keyIdOf(publicKey)
  const tagKey = hmac(seed, 'quire row tags')
  return {
    id,
    publicKey,
    attest: (text) => `${id}.${hmac(tagKey, text)}`,
    sign: (text) => sign(null, Buffer.from(text), key).toString('hex'),
  }
}

export function keyIdOf(publicKey: string): string {
  return sha256Hex(Buffer.from(publicKey, 'hex')).slice(0, 16)
}

/** The id of the key that a tag was made with. */
export function attestingKey(tag: string): string {
  return tag.slice(0, 16)
}

/** False for a signature of another key or text, and for what isn't a key or a signature at all. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(publicKey) || !/^[0-9a-f]{128}$/.test(signature)) return false
  return verify(null, Buffer.from(text), publicKeyObject(publicKey), Buffer.from(signature, 'hex'))
}

function publicKeyObject(publicKey: string): KeyObject {
  return createPublicKey({ key: Buffer.from(PUBLIC_PREFIX + publicKey, 'hex'), format: 'der', type: 'spki' })
}

/** Lower-case hexadecimal HMAC-SHA-256. */
export function hmac(key: string, text: string): string {
  return new Bun.CryptoHasher('sha256', key).update(text).digest('hex')
}
