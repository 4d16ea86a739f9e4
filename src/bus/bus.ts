import { type BrokerCertificate, type Bus, BusUrlInvalid } from './message-bus.ts'
import { openOwnBus } from './own-bus.ts'

/**
 * Opens `embedded`, which loads no broker, `embedded://[user:password@]host:port`, `embedded+tls://…`, `mqtt://…` or `mqtts://…`. Resolves
 * at once for an external broker, whether or not it can be reached: Quire starts and works without one.
 * @param certificate for `embedded+tls://` alone
 * @throws BusUrlInvalid; for an embedded broker with a port also what listening there throws (EADDRINUSE, EACCES)
 */
export async function openBus(url: string, certificate?: BrokerCertificate): Promise<Bus> {
  if (/^embedded(?::(?:\/\/)?)?$/.test(url)) return openOwnBus()
  if (/^embedded(?:\+tls)?:/.test(url)) return (await import('./embedded.ts')).openEmbeddedBus(url, certificate)
  if (/^mqtts?:\/\//.test(url)) {
    const { openExternalBus } = await import('./client.ts')
    return openExternalBus(url)
  }
  throw new BusUrlInvalid(
    'the bus must be embedded, embedded://host:port, embedded+tls://host:port, mqtt://host:port or mqtts://host:port',
  )
}
