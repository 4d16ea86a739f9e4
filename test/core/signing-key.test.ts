import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { sha256Hex } from '../../src/core/hash.ts'
import { attestingKey, hmac, isSignedBy, keyIdOf, signingKeyOf } from '../../src/core/signing-key.ts'

/** RFC 8032, 7.1, test 1: its message is empty. */
const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
const ofNothing =
  'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b'

describe('the signing key', () => {
  const key = signingKeyOf(seed)

  test('signs as RFC 8032 has it, and is named by the hash of its public half', () => {
    expect([key.publicKey, key.sign('')]).toEqual([publicKey, ofNothing])
    expect(key.id).toBe(sha256Hex(Buffer.from(publicKey, 'hex')).slice(0, 16))
    expect(keyIdOf(publicKey)).toBe(key.id)
  })

  test('is told by its signature and by nothing else', () => {
    const signature = key.sign('a head')
    const other = signingKeyOf('1'.repeat(64))
    expect(isSignedBy(publicKey, 'a head', signature)).toBe(true)
    expect(isSignedBy(publicKey, 'another head', signature)).toBe(false)
    expect(isSignedBy(other.publicKey, 'a head', signature)).toBe(false)
    expect(isSignedBy(publicKey, 'a head', other.sign('a head'))).toBe(false)
  })

  test.each([
    ['', ofNothing],
    [publicKey.slice(2), ofNothing],
    [`${publicKey}00`, ofNothing],
    [publicKey.toUpperCase(), ofNothing],
    [publicKey, ''],
    [publicKey, ofNothing.slice(2)],
    [publicKey, `${ofNothing}00`],
    [publicKey, ofNothing.toUpperCase()],
    [publicKey, 'z'.repeat(128)],
  ])('takes what is no key or no signature for none: "%.8s", "%.8s"', (given, signature) => {
    expect(isSignedBy(given, '', signature)).toBe(false)
  })

  test('attests a text with a tag that names the key, and that another key or text has not', () => {
    const tag = key.attest('a row')
    expect(tag).toBe(`${key.id}.${hmac(hmac(seed, 'quire row tags'), 'a row')}`)
    expect(attestingKey(tag)).toBe(key.id)
    expect(key.attest('another row')).not.toBe(tag)
    expect(signingKeyOf('1'.repeat(64)).attest('a row').slice(17)).not.toBe(tag.slice(17))
  })
})

test('an HMAC is that of SHA-256, in hexadecimal', () => {
  expect(hmac('key', 'text')).toBe(createHmac('sha256', 'key').update('text').digest('hex'))
})
