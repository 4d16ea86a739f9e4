/**
 * Throttling of guesses. Every attempt is counted before its password is checked, so that a hundred at once don't all
 * pass; a right one takes its count back. From the threshold on, each further failure blocks its counter for twice as
 * long, up to a few minutes, and attempts during a block change nothing: no attacker can keep a door shut for good.
 *
 * An address from which an account has logged in before is counted on its own: what strangers do to that account, or
 * others do behind the same proxy, doesn't keep its owner out.
 */
import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { addMs, epochMsOf, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Transaction } from '../../db/database.ts'
import {
  blockedUntil,
  blockUntil,
  clearCounter,
  countAttempt,
  KNOWN_PREFIX,
  knowsAddress,
  refundAttempt,
  rememberAddress,
} from './throttle.store.ts'

export interface Attempt {
  counters: readonly { key: string; threshold: number; isAddress: boolean }[]
  knownKey: string | undefined
}

/** @throws Fault rate_limited, with the seconds to wait */
export async function beginLogin(tx: Transaction, at: Instant, username: string, address: string): Promise<Attempt> {
  const network = networkOf(address)
  const knownKey = `${KNOWN_PREFIX}${sha256Hex(`${username}\n${network}`)}`
  const isKnown = await knowsAddress(tx, knownKey, addMs(at, -limits.throttleKnownAddressMs))
  const account = { threshold: limits.throttleAccountFailures, isAddress: false }
  const counters = isKnown
    ? [{ key: `pair:${sha256Hex(`${username}\n${network}`)}`, ...account }]
    : [
        { key: `account:${sha256Hex(username)}`, ...account },
        { key: `address:${sha256Hex(network)}`, threshold: limits.throttleAddressFailures, isAddress: true },
      ]
  await count(tx, at, counters)
  return { counters, knownKey }
}

/** @throws Fault rate_limited, with the seconds to wait */
export async function beginPasswordChange(tx: Transaction, at: Instant, userId: string): Promise<Attempt> {
  const counters = [{ key: `change:${userId}`, threshold: limits.throttleAccountFailures, isAddress: false }]
  await count(tx, at, counters)
  return { counters, knownKey: undefined }
}

/** The password was right. An address keeps its other failures: it may guess at other accounts beside its own. */
export async function attemptSucceeded(tx: Transaction, at: Instant, attempt: Attempt): Promise<void> {
  for (const { key, threshold, isAddress } of attempt.counters) {
    if (isAddress) await refundAttempt(tx, key, at, threshold)
    else await clearCounter(tx, key)
  }
  if (attempt.knownKey !== undefined) await rememberAddress(tx, attempt.knownKey, at)
}

async function count(tx: Transaction, at: Instant, counters: Attempt['counters']): Promise<void> {
  for (const { key, threshold } of counters) {
    const failures = await countAttempt(tx, key, at)
    if (failures === undefined) throw tooMany(at, (await blockedUntil(tx, key)) ?? at)
    if (failures >= threshold) await blockUntil(tx, key, addMs(at, blockMs(failures - threshold)))
  }
}

function blockMs(excess: number): number {
  return Math.min(limits.throttleBlockMs * 2 ** Math.min(excess, 20), limits.throttleBlockMaxMs)
}

function tooMany(at: Instant, until: Instant): Fault {
  const retryAfterSeconds = Math.max(1, Math.ceil((epochMsOf(until) - epochMsOf(at)) / 1000))
  return new Fault('rate_limited', `Too many attempts. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
}

/** The client's network: an IPv4 address, or the /64 of an IPv6 one, since one client usually holds a whole /64. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().replace(/%.*/, '').split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last].slice(0, 4)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
