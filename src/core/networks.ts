import { BlockList, isIP } from 'node:net'

/** A set of IP networks. */
export interface Networks {
  /** @param address an IP address; anything else is in no network */
  has(address: string): boolean
  isEmpty: boolean
}

/**
 * Networks written as addresses (`192.0.2.7`, `::1`) or CIDR ranges (`10.0.0.0/8`, `fd00::/8`).
 *
 * @throws RangeError naming the first text that is neither
 */
export function networksOf(ranges: readonly string[]): Networks {
  // One list per family: a list takes an IPv4 address for its mapped form, and ::ffff:0:0/96 would match all of those.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? []
    const version = isIP(address)
    const bits = version === 4 ? 32 : 128
    if (version === 0 || Number(prefix ?? bits) > bits) throw new RangeError(range)
    lists[familyOf(address)].addSubnet(address, Number(prefix ?? bits), familyOf(address))
  }
  return {
    isEmpty: ranges.length === 0,
    has: (address) => isIP(address) !== 0 && lists[familyOf(address)].check(address, familyOf(address)),
  }
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

/**
 * Addresses that are only reachable inside a network (RFC 6890), and IPv6 addresses that embed an IPv4 address, which may
 * be translated to it on the way: mapped, compatible, translated, NAT64, Teredo and 6to4.
 */
export const privateNetworks: Networks = networksOf([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96'],
  ...['64:ff9b:1::/48', '100::/64', '2001::/32', '2002::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
])

/** The client's network: an IPv4 address, or the /64 of an IPv6 address, since one client usually holds a whole /64. */
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
