import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type JsonValue, readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { isSameSecret } from '../../core/same-secret.ts'
import type { FactorRow } from './factors.store.ts'

/**
 * Passkeys (WebAuthn, level 3), as far as Quire needs them: the options for browsers, and checks of their answers. No attestation
 * is requested, because a signed-in user may choose any authenticator. So there is neither CBOR nor a certificate to read:
 * browsers return the key as SubjectPublicKeyInfo beside the attestation (section 5.2.1.1).
 */

/** Where a passkey is used. */
export interface Site {
  origin: string
  /** The host name: passkeys belong to it. */
  host: string
}

export interface NewPasskey {
  credentialId: string
  key: string
  counter: number
  transports: string[]
}

/** Whether a challenge was made for this purpose. */
export type IsOurs = (challenge: string) => Promise<boolean>

/** COSE numbers of the algorithms whose public key every browser can return: Ed25519, ECDSA with P-256, RSA. */
const algorithms = [-8, -7, -257]

/** PublicKeyCredentialCreationOptionsJSON. */
export function registrationOptions(
  site: Site,
  user: { id: string; username: string; displayName: string },
  challenge: string,
  known: readonly FactorRow[],
): JsonValue {
  return {
    rp: { id: site.host, name: 'Quire' },
    user: { id: toBase64url(user.id), name: user.username, displayName: user.displayName },
    challenge: toBase64url(challenge),
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: limits.passkeyMs,
    attestation: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    excludeCredentials: descriptorsOf(site, known),
  }
}

/**
 * PublicKeyCredentialRequestOptionsJSON.
 * @param known the user's passkeys; left out if the browser says who signs in
 */
export function authenticationOptions(site: Site, challenge: string, known?: readonly FactorRow[]): JsonValue {
  return {
    rpId: site.host,
    challenge: toBase64url(challenge),
    timeout: limits.passkeyMs,
    userVerification: known === undefined ? 'required' : 'preferred',
    ...(known === undefined ? {} : { allowCredentials: descriptorsOf(site, known) }),
  }
}

/** The new passkey of a RegistrationResponseJSON (section 7.1); undefined if it isn't valid. */
export async function checkRegistration(
  answer: JsonValue,
  site: Site,
  isOurs: IsOurs,
): Promise<NewPasskey | undefined> {
  const { id, response } = partsOf(answer)
  const key = keyOf(textIn(response, 'publicKey'))
  const isAnswer = await answersHere(textIn(response, 'clientDataJSON'), 'webauthn.create', site, isOurs)
  const data = readData(textIn(response, 'authenticatorData'), site)
  if (key === undefined || !isAnswer || data === undefined || !data.isPresent) return undefined
  if (data.credentialId === undefined || data.credentialId !== id || id.length > limits.passkeyIdChars) return undefined
  const transports = response.transports ?? null
  return {
    ...{ credentialId: id, counter: data.counter },
    key: key.export({ type: 'spki', format: 'der' }).toString('base64url'),
    transports: Array.isArray(transports) ? transports.filter(isTransport).slice(0, algorithms.length * 2) : [],
  }
}

/** The passkey's new count from an AuthenticationResponseJSON (section 7.2); undefined if it isn't valid. */
export async function checkAuthentication(
  answer: JsonValue,
  passkey: FactorRow,
  site: Site,
  { isOurs, verifiesUser }: { isOurs: IsOurs; verifiesUser: boolean },
): Promise<number | undefined> {
  const { id, response } = partsOf(answer)
  const clientData = textIn(response, 'clientDataJSON')
  const authenticatorData = textIn(response, 'authenticatorData')
  const key = keyOf(passkey.key)
  const data = readData(authenticatorData, site)
  if (key === undefined || data === undefined || id !== passkey.credentialId) return undefined
  if (!data.isPresent || (verifiesUser && !data.isVerified)) return undefined
  const signed = Buffer.concat([bytesOf(authenticatorData), sha256(bytesOf(clientData))])
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  if (!verify(hash, signed, key, bytesOf(textIn(response, 'signature')))) return undefined
  return (await answersHere(clientData, 'webauthn.get', site, isOurs)) ? data.counter : undefined
}

/** Whether the client data has this type, comes from this very page, and answers a challenge of ours. */
async function answersHere(clientData: string, type: string, site: Site, isOurs: IsOurs): Promise<boolean> {
  const text = bytesOf(clientData).toString()
  const read = readJson(text)
  if (!read.ok) return false
  const said = read.value
  if (textIn(said, 'type') !== type || textIn(said, 'origin') !== site.origin) return false
  // Quire may not be framed, so a cross-origin request isn't its own.
  const isFramed = typeof said === 'object' && said !== null && !Array.isArray(said) && said.crossOrigin === true
  return !isFramed && isOurs(bytesOf(textIn(said, 'challenge')).toString())
}

interface AuthenticatorData {
  isPresent: boolean
  isVerified: boolean
  counter: number
  /** For a new passkey. */
  credentialId: string | undefined
}

/** Section 6.1: the hash of the host, flags, a count, and for a new passkey 16 bytes of kind, the length of its id, and the id. */
function readData(text: string, site: Site): AuthenticatorData | undefined {
  const bytes = bytesOf(text)
  if (bytes.length < 37) return undefined
  if (!isSameSecret(bytes.subarray(0, 32).toString('hex'), sha256(Buffer.from(site.host)).toString('hex')))
    return undefined
  const flags = bytes.readUInt8(32)
  const idBytes = (flags & 0x40) !== 0 && bytes.length >= 55 ? bytes.readUInt16BE(53) : 0
  const isWhole = idBytes > 0 && bytes.length >= 55 + idBytes
  return {
    isPresent: (flags & 1) !== 0,
    isVerified: (flags & 4) !== 0,
    counter: bytes.readUInt32BE(33),
    credentialId: isWhole ? bytes.subarray(55, 55 + idBytes).toString('base64url') : undefined,
  }
}

/** A key of one of the requested kinds; undefined for anything else. */
function keyOf(spki: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: bytesOf(spki), type: 'spki', format: 'der' })
    const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
    if (key.asymmetricKeyType === 'ed25519') return key
    if (key.asymmetricKeyType === 'ec') return namedCurve === 'prime256v1' ? key : undefined
    return key.asymmetricKeyType === 'rsa' && modulusLength >= RSA_BITS ? key : undefined
  } catch {
    return undefined
  }
}

/** Fixed by NIST SP 800-131A: the least length of an RSA key. */
const RSA_BITS = 2_048

function descriptorsOf(site: Site, known: readonly FactorRow[]): JsonValue[] {
  return known
    .filter(({ kind, host }) => kind === 'passkey' && host === site.host)
    .map(({ credentialId, transports }) => ({ type: 'public-key', id: credentialId, transports: transports ?? [] }))
}

function isTransport(value: JsonValue): value is string {
  return typeof value === 'string' && /^[a-z-]{2,20}$/.test(value)
}

/** The id that an answer names, and its response; empty for anything else. */
export function partsOf(answer: JsonValue): { id: string; response: { [name: string]: JsonValue } } {
  const parts = objectOf(answer)
  return { id: textIn(parts, 'id'), response: objectOf(parts.response ?? null) }
}

function objectOf(value: JsonValue): { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function textIn(value: JsonValue, name: string): string {
  const text = objectOf(value)[name]
  return typeof text === 'string' ? text : ''
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function toBase64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function bytesOf(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url')
}
