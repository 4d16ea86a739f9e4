import { type Bus, BusUrlInvalid } from './message-bus.ts'
import { openWhenNeeded } from './when-needed.ts'

/**
 * Opens `embedded`, `embedded://[user:password@]host:port`, `mqtt://…` or `mqtts://…`. Resolves at once for an external
 * broker, whether or not it can be reached: Quire starts and works without one.
 * @throws BusUrlInvalid; for `embedded://host:port` also what listening there throws (EADDRINUSE, EACCES)
 */
export async function openBus(url: string): Promise<Bus> {
  if (url === 'embedded' || url.startsWith('embedded:')) {
    const open = async () => (await import('./embedded.ts')).openEmbeddedBus(url)
    return url === 'embedded' ? openWhenNeeded(open) : open()
  }
  if (/^mqtts?:\/\//.test(url)) {
    const { openExternalBus } = await import('./client.ts')
    return openExternalBus(url)
  }
  throw new BusUrlInvalid('the bus must be embedded, embedded://host:port, mqtt://host:port or mqtts://host:port')
}
