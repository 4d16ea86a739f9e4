import { BlockList, isIP } from 'node:net'

/** A set of IP networks. */
export interface Networks {
  /** @param address an IP address; anything else is in no network */
  has(address: string): boolean
}

/**
 * Networks written as addresses (`192.0.2.7`, `::1`) or CIDR ranges (`10.0.0.0/8`, `fd00::/8`).
 *
 * @throws RangeError naming the first text that is neither
 */
export function networksOf(ranges: readonly string[]): Networks {
  const list = new BlockList()
  for (const range of ranges) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? []
    const version = isIP(address)
    const bits = version === 4 ? 32 : 128
    if (version === 0 || Number(prefix ?? bits) > bits) throw new RangeError(range)
    list.addSubnet(address, Number(prefix ?? bits), familyOf(address))
  }
  return { has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

/**
 * The address in a text such as `192.0.2.7`, `192.0.2.7:4711`, `2001:db8::1`, `[2001:db8::1]:4711` or `::ffff:192.0.2.7`
 * (an IPv4 address, as sockets of both families show it); undefined if there is none.
 */
export function addressIn(text: string): string | undefined {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text) ?? []
  const address = (bracketed ?? dotted ?? text).replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) === 0 ? undefined : address
}
