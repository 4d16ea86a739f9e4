import { X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Config } from '../config.ts'
import { wordsOf } from '../core/error-cause.ts'
import { dayMs } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { type CertificateFiles, CertificateUnusable, readCertificate } from '../http/certificate.ts'
import { advice, type Finding, fine, unchecked, within, wrong } from './finding.ts'

const check = 'certificates'

/** How long the certificates are good for of all that is spoken to over TLS. */
export async function checkCertificates(config: Config): Promise<Finding[]> {
  const places = [endpointOf(config.objectsUrl), brokerOf(config.mqttUrl)].filter((place) => place !== undefined)
  const others = await Promise.all(
    places.map(async (place) => {
      const name = `${place.hostname}:${place.port}`
      try {
        return findingOf(name, await within(limits.doctorAskMs, certificateAt(place)))
      } catch (error) {
        return unchecked(check, `that of ${name}: ${wordsOf(error)}`)
      }
    }),
  )
  const { tls, mqttTls, origins } = config
  const hosts = origins.map((origin) => new URL(origin).hostname.replace(/^\[|\]$/g, ''))
  // Its clients may call the broker anything.
  const brokers = mqttTls === tls ? [] : checkOwn(mqttTls, [])
  return [...checkOwn(tls, hosts), ...brokers, ...others]
}

/** Checks a certificate that Quire serves: whether it is usable, for how long, and for the hosts that browsers ask for. */
function checkOwn(tls: CertificateFiles | undefined, hosts: readonly string[]): Finding[] {
  if (tls === undefined) return []
  try {
    const { leaf } = readCertificate(tls)
    const strange = hosts.filter((host) => !isFor(leaf, host))
    const found = strange.map((host) =>
      wrong(check, `${tls.certificate} is not for ${host}`, 'get one that names it, or correct QUIRE_ORIGINS'),
    )
    const { mode } = statSync(tls.key)
    if ((mode & 0o007) !== 0) {
      found.push(wrong(check, `${tls.key} can be read by every user of this machine`, `chmod o= ${tls.key}`))
    }
    return [findingOf(tls.certificate, leaf, 'renew it: the new files are served without a restart'), ...found]
  } catch (error) {
    if (!(error instanceof CertificateUnusable)) throw error
    const [, what = error.message, remedy = 'correct the setting'] = /^(.*); (.*)$/.exec(error.message) ?? []
    return [wrong(check, what, remedy)]
  }
}

function isFor(leaf: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined
}

/** The finding about a certificate's expiry. @param renewal what to do when it has expired */
export function findingOf(name: string, { validTo }: X509Certificate, renewal = 'renew it'): Finding {
  const endsMs = Date.parse(validTo)
  const days = Math.floor((endsMs - Date.now()) / dayMs)
  const on = new Date(endsMs).toISOString().slice(0, 10)
  if (endsMs <= Date.now()) return wrong(check, `that of ${name} expired on ${on}`, renewal)
  if (days < limits.doctorCertificateDays) {
    return advice(check, `that of ${name} expires on ${on}, in ${days} ${days === 1 ? 'day' : 'days'}`, renewal)
  }
  return fine(check, `that of ${name} is good until ${on}`)
}

interface Place {
  hostname: string
  port: number
}

function endpointOf(objectsUrl: string): Place | undefined {
  const endpoint = objectsUrl.startsWith('s3:') ? new URL(objectsUrl).searchParams.get('endpoint') : null
  return endpoint?.startsWith('https:') ? placeOf(new URL(endpoint), 443) : undefined
}

function brokerOf(mqttUrl: string): Place | undefined {
  return mqttUrl.startsWith('mqtts:') ? placeOf(new URL(mqttUrl), 8883) : undefined
}

function placeOf({ hostname, port }: URL, usual: number): Place {
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }
}

/** Gets a server's certificate without verifying it: an expired one must be seen, too, and its users report whether they trust it. */
function certificateAt({ hostname, port }: Place): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const isName = /[a-z]/i.test(hostname) && !hostname.includes(':')
    const socket = connect({
      host: hostname,
      port,
      rejectUnauthorized: false,
      ...(isName ? { servername: hostname } : {}),
    })
    socket.setTimeout(limits.doctorAskMs, () => socket.destroy(new Error('no answer')))
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      const { raw } = socket.getPeerCertificate()
      socket.destroy()
      if (raw === undefined) reject(new Error('it shows none'))
      else resolve(new X509Certificate(raw))
    })
  })
}
