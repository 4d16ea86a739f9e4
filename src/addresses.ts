export interface Address {
  hostname: string
  port: number
}

export function formatAddress({ hostname, port }: Address): string {
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
}

export function isEveryAddress({ hostname }: Address): boolean {
  return hostname === '0.0.0.0' || hostname === '::'
}

/**
 * Origins of a server without configured ones. Browsers can't use the address of one that listens on all addresses; on this
 * machine, `localhost` works.
 */
export function ownOrigins(listen: Address, scheme: 'http' | 'https'): string[] {
  const own = `${scheme}://${formatAddress(listen)}`
  return isEveryAddress(listen) ? [`${scheme}://localhost:${listen.port}`, own] : [own]
}
