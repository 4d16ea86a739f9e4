import type { Log } from '../core/log.ts'
import { addressIn, networksOf } from '../core/networks.ts'

/** Tells where a request came from, by its headers and the address of its connection. */
export type ClientAddressOf = (headers: Headers, peer: string) => string

/**
 * Finds a client's address behind proxies: the address that the outermost trusted proxy saw. Each proxy appends its
 * caller's address to `X-Forwarded-For` or `Forwarded` (RFC 7239), so the list is read from the right for as long as the
 * addresses are trusted. The client may have invented everything further left.
 *
 * A proxy writes one of the two headers and may pass on the other as the client sent it. If they name different clients,
 * neither counts, and the address is that of the proxy.
 *
 * @param trusted addresses and CIDR ranges of proxies (`networksOf`)
 */
export function createClientAddress(trusted: readonly string[], log: Log): ClientAddressOf {
  const proxies = networksOf(trusted)
  let isTold = false

  function tellOnce(peer: string): void {
    if (isTold) return
    isTold = true
    log.warn(
      'a request names the client it was forwarded for, and is not believed; if its sender is your proxy, set QUIRE_TRUSTED_PROXIES',
      {
        sender: peer,
      },
    )
  }

  function clientIn(hops: readonly string[], peer: string): string {
    let address = peer
    for (const hop of hops.toReversed()) {
      const next = proxies.has(address) ? addressIn(hop) : undefined
      if (next === undefined) return address
      address = next
    }
    return address
  }

  return (headers, connection) => {
    const peer = addressIn(connection) ?? connection
    const list = headers.get('x-forwarded-for')
    const elements = headers.get('forwarded')
    if (list === null && elements === null) return peer
    if (!proxies.has(peer)) {
      tellOnce(peer)
      return peer
    }
    const clients = [
      ...(list === null
        ? []
        : [
            clientIn(
              list.split(',').map((hop) => hop.trim()),
              peer,
            ),
          ]),
      ...(elements === null ? [] : [clientIn(forwardedFor(elements), peer)]),
    ]
    return new Set(clients).size === 1 ? (clients[0] ?? peer) : peer
  }
}

/** The `for` of each element; an empty text for an element without one. A quoted address contains no escapes. */
function forwardedFor(header: string): string[] {
  const elements = header.match(/(?:[^,"]|"[^"]*")+/g) ?? []
  return elements.map((element) => {
    const [, quoted, token] = /(?:^|;)\s*for=(?:"([^"]*)"|([^;\s]*))/i.exec(element.trim()) ?? []
    return quoted ?? token ?? ''
  })
}
