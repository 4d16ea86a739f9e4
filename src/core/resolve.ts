import { setServers } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { readFileSync, statSync } from 'node:fs'
import type { LookupFunction } from 'node:net'
import { dns } from 'bun'

export interface Address {
  address: string
  family: number
}

/**
 * All addresses of a name that an outsider may have chosen. c-ares queries the name servers. The system's own lookup would block
 * a thread: there may be only two, which also read files and hash passwords, and two names with unresponsive servers would block
 * both for ten seconds. If c-ares finds nothing, the system is asked, one name at a time: it may have other sources.
 *
 * @throws Error with a `code` as of node:dns
 */
export async function addressesOfName(hostname: string): Promise<Address[]> {
  followServers()
  try {
    return (await dns.lookup(hostname, { backend: 'c-ares' })).map(({ address, family }) => ({ address, family }))
  } catch (error) {
    const code = codeOf(error)
    if (isSystemAsked || !foundNothing.has(code)) throw Object.assign(new Error(`${hostname}: ${code}`), { code })
    isSystemAsked = true
    return await lookup(hostname, { all: true }).finally(() => {
      isSystemAsked = false
    })
  }
}

/** The same, as connections ask for it. */
export const lookupByName: LookupFunction = (hostname, { all = false }, found) => {
  addressesOfName(hostname).then(
    (addresses) => {
      const [{ address, family } = { address: '', family: 0 }] = addresses
      if (all) found(null, addresses)
      else found(null, address, family)
    },
    (error: NodeJS.ErrnoException) => found(error, ''),
  )
}

let isSystemAsked = false
/** The last: there is no server, as before the machine has a network. */
const foundNothing: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code.replace(/^DNS_/, '') : 'EAI_FAIL'
}

const SERVERS_FILE = '/etc/resolv.conf'
let readAtMs: number | undefined

/** c-ares reads the list of servers once; a machine that changes networks has others. */
function followServers(): void {
  const { mtimeMs } = statSync(SERVERS_FILE, { throwIfNoEntry: false }) ?? {}
  const isChanged = readAtMs !== undefined && mtimeMs !== undefined && mtimeMs !== readAtMs
  readAtMs = mtimeMs ?? readAtMs ?? 0
  if (!isChanged) return
  const lines = readFileSync(SERVERS_FILE, 'utf8').split('\n')
  const servers = lines.flatMap((line) => /^nameserver\s+(\S+)/.exec(line)?.[1] ?? [])
  try {
    if (servers.length > 0) setServers(servers)
  } catch {
    // Not a list that c-ares takes: the one before goes on.
  }
}
