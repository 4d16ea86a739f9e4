import { openBus } from '../bus/bus.ts'
import { embeddedAddressOf } from '../bus/embedded-address.ts'
import type { Config } from '../config.ts'
import { causesOf, wordsOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { withoutCredentials } from '../core/redact.ts'
import { advice, type Finding, fine, within, wrong } from './finding.ts'
import { isLoopback } from './settings.ts'

const check = 'broker'

/** Whether an external broker acknowledges a message, on the topic `quire/probe`. */
export async function checkBroker({ mqttUrl }: Pick<Config, 'mqttUrl'>): Promise<Finding[]> {
  if (mqttUrl.startsWith('embedded')) return [checkEmbedded(mqttUrl)]
  const name = withoutCredentials(mqttUrl)
  const bus = await openBus(mqttUrl)
  try {
    const connected = new Promise<void>((resolve) => bus.onConnected(resolve))
    // If that fails, the probe tells why.
    await within(limits.doctorAskMs, connected).catch(() => {})
    await bus.probe()
  } catch (error) {
    const reason = [...causesOf(error)].at(-1)
    return [wrong(check, `${name} can't be used: ${wordsOf(reason)}`, remedyOf(wordsOf(reason)))]
  } finally {
    await bus.close()
  }
  const { protocol, hostname } = new URL(mqttUrl)
  if (protocol === 'mqtts:' || isLoopback(hostname)) return [fine(check, `${name} acknowledges a message`)]
  return [
    advice(
      check,
      `${name} acknowledges, and what is sent to it is not encrypted`,
      'take mqtts:// where the broker has TLS',
    ),
  ]
}

function checkEmbedded(url: string): Finding {
  const address = embeddedAddressOf(url)
  if (address === undefined) return fine(check, 'none is needed: nobody else can connect')
  if (address.isEncrypted || isLoopback(address.host)) return fine(check, 'the one inside')
  return advice(
    check,
    `the one inside sends events and takes its password unencrypted at ${address.host}`,
    'take embedded+tls:// in QUIRE_MQTT_URL, and name a certificate in QUIRE_MQTT_CERTIFICATE and QUIRE_MQTT_KEY',
  )
}

function remedyOf(reason: string): string {
  if (/certificate|issuer|self.signed/i.test(reason)) {
    return "name the authority's certificate in NODE_EXTRA_CA_CERTS, or renew the broker's"
  }
  if (/authori[sz]ed|user ?name or password|identifier/i.test(reason))
    return 'correct user and password in QUIRE_MQTT_URL'
  return 'start the broker, or correct QUIRE_MQTT_URL'
}
