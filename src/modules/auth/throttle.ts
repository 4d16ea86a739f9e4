/**
 * Throttling of guesses. Every attempt is counted before its password is checked, so that a hundred at once don't all pass; a
 * successful one takes its count back. From the threshold on, each failure blocks its counter for twice as long, up to a few
 * minutes. Attempts during a block change nothing, so no attacker can lock an account for good.
 *
 * A browser or an address from which an account has logged in before (http/devices.ts) has a counter of its own: strangers who
 * attack the account don't lock its owner out. Behind a proxy that hides addresses, only the browser protects the owner.
 */
import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { addMs, epochMsOf, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { networkOf } from '../../core/networks.ts'
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
  counters: readonly Counter[]
  knownKey: string | undefined
}

interface Counter {
  key: string
  threshold: number
}

/** Who tries to log in. */
export interface Caller {
  username: string
  address: string
  /** The id of the browser, if it is known for this user. */
  device: string | undefined
}

/** An attempt during a block: 429, with the seconds to wait. */
export class Throttled extends Fault {
  constructor(
    readonly counter: string,
    readonly until: Instant,
    at: Instant,
  ) {
    const retryAfterSeconds = Math.max(1, Math.ceil((epochMsOf(until) - epochMsOf(at)) / 1000))
    super('rate_limited', `Too many attempts. Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds })
  }

  /** Which counter is blocked: `account`, `address`, `pair` of the two, `device`, `factor` or `change`. */
  get counted(): string {
    return this.counter.slice(0, this.counter.indexOf(':'))
  }
}

/** @throws Throttled */
export async function beginLogin(tx: Transaction, at: Instant, caller: Caller): Promise<Attempt> {
  const { username, device } = caller
  const network = networkOf(caller.address)
  const pair = sha256Hex(`${username}\n${network}`)
  const knownKey = `${KNOWN_PREFIX}${pair}`
  const threshold = limits.throttleAccountFailures
  const countersOf = async (): Promise<Counter[]> => {
    if (device !== undefined) return [{ key: `device:${sha256Hex(`${username}\n${device}`)}`, threshold }]
    const isKnown = await knowsAddress(tx, knownKey, addMs(at, -limits.throttleKnownMs))
    if (isKnown) return [{ key: `pair:${pair}`, threshold }]
    const address = { key: `${ADDRESS_PREFIX}${sha256Hex(network)}`, threshold: limits.throttleAddressFailures }
    return [{ key: `account:${sha256Hex(username)}`, threshold }, address]
  }
  const counters = await countersOf()
  await count(tx, at, counters)
  return { counters, knownKey }
}

const ADDRESS_PREFIX = 'address:'

/** @throws Throttled */
export async function beginPasswordChange(tx: Transaction, at: Instant, userId: string): Promise<Attempt> {
  const counters = [{ key: `change:${userId}`, threshold: limits.throttleAccountFailures }]
  await count(tx, at, counters)
  return { counters, knownKey: undefined }
}

/**
 * Counts per user, across sessions, because a code has only six digits.
 * @throws Throttled
 */
export async function beginSecondFactor(tx: Transaction, at: Instant, userId: string): Promise<Attempt> {
  const counters = [{ key: `factor:${userId}`, threshold: limits.throttleAccountFailures }]
  await count(tx, at, counters)
  return { counters, knownKey: undefined }
}

/** A passkey can't be guessed; this bounds how much one network makes Quire check and write. @throws Throttled */
export async function beginPasskeySignIn(tx: Transaction, at: Instant, address: string): Promise<Attempt> {
  const key = `${ADDRESS_PREFIX}${sha256Hex(`passkey\n${networkOf(address)}`)}`
  const counters = [{ key, threshold: limits.throttleAddressFailures }]
  await count(tx, at, counters)
  return { counters, knownKey: undefined }
}

/**
 * Counts a sign-in that failed at the provider or on the way back. There is nothing to guess; this bounds how much one network
 * makes Quire write and ask. A browser in which people sign in this way has a counter of its own.
 * @throws Throttled
 */
export async function beginProviderSignIn(
  tx: Transaction,
  at: Instant,
  { address, device }: Omit<Caller, 'username'>,
): Promise<Attempt> {
  const key = device === undefined ? sha256Hex(`oidc\n${networkOf(address)}`) : sha256Hex(`oidc\n${device}`)
  const counters: Counter[] =
    device === undefined
      ? [{ key: `${ADDRESS_PREFIX}${key}`, threshold: limits.throttleAddressFailures }]
      : [{ key: `device:${key}`, threshold: limits.throttleAccountFailures }]
  await count(tx, at, counters)
  return { counters, knownKey: undefined }
}

/** After a right password. An address keeps its other failures: it may also be guessing at other accounts. */
export async function attemptSucceeded(tx: Transaction, at: Instant, attempt: Attempt): Promise<void> {
  for (const { key, threshold } of attempt.counters) {
    if (key.startsWith(ADDRESS_PREFIX)) await refundAttempt(tx, key, at, threshold)
    else await clearCounter(tx, key)
  }
  if (attempt.knownKey !== undefined) await rememberAddress(tx, attempt.knownKey, at)
}

async function count(tx: Transaction, at: Instant, counters: Attempt['counters']): Promise<void> {
  for (const { key, threshold } of counters) {
    const failures = await countAttempt(tx, key, at)
    if (failures === undefined) throw new Throttled(key, (await blockedUntil(tx, key)) ?? at, at)
    if (failures >= threshold) await blockUntil(tx, key, addMs(at, blockMs(failures - threshold)))
  }
}

function blockMs(excess: number): number {
  return Math.min(limits.throttleBlockMs * 2 ** Math.min(excess, 20), limits.throttleBlockMaxMs)
}
