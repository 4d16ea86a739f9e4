import { createServer } from 'node:net'
import { type Address, formatAddress } from '../addresses.ts'
import { embeddedAddressOf } from '../bus/embedded-address.ts'
import type { Config } from '../config.ts'
import { detailOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { PRODUCT_VERSION, REVISION } from '../core/version.ts'
import { advice, type Finding, fine, wrong } from './finding.ts'

/** Whether the addresses that Quire serves on are available, or held by a Quire that runs already. */
export async function checkPorts(config: Config): Promise<Finding[]> {
  const [served, running] = await checkServed(config)
  const broker = brokerAddress(config.mqttUrl)
  const others = [
    ...(config.metricsListen === undefined
      ? []
      : [{ variable: 'QUIRE_METRICS_LISTEN', address: config.metricsListen }]),
    ...(broker === undefined ? [] : [{ variable: 'QUIRE_MQTT_URL', address: broker }]),
  ]
  const rest = await Promise.all(
    others.map(async ({ variable, address }) => {
      const problem = await problemOf(address)
      if (problem === undefined) return fine('ports', `${formatAddress(address)} is free`)
      // A running Quire holds its other ports, too; only a client of theirs could ask who holds them.
      if (running && problem === 'EADDRINUSE')
        return fine('ports', `${formatAddress(address)} is in use, as by the Quire above`)
      return refused(variable, address, problem)
    }),
  )
  return [served, ...rest]
}

async function checkServed({ listen }: Config): Promise<[Finding, isRunning: boolean]> {
  const problem = await problemOf(listen)
  const place = formatAddress(listen)
  if (problem === undefined) return [fine('ports', `${place} is free`), false]
  if (problem !== 'EADDRINUSE') return [refused('QUIRE_LISTEN', listen, problem), false]
  const build = await buildAt(listen)
  if (build === undefined) return [refused('QUIRE_LISTEN', listen, problem), false]
  // A build from a working folder has no revision to compare.
  const isSame = [build.revision, 'development'].includes(REVISION) && build.version === PRODUCT_VERSION
  if (isSame) return [fine('ports', `Quire ${build.version} answers at ${place}`), true]
  return [
    advice(
      'ports',
      `Quire ${build.version} (${build.revision}) answers at ${place}, and this is ${PRODUCT_VERSION} (${REVISION})`,
      'restart the service to have this one serve, or ask with the executable that serves',
    ),
    true,
  ]
}

function brokerAddress(url: string): Address | undefined {
  const address = embeddedAddressOf(url)
  return address && { hostname: address.host, port: address.port }
}

/** Why the address can't be had. */
function problemOf({ hostname, port }: Address): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(detailOf(error) ?? error.message))
    server.listen({ host: hostname, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/** What a Quire at that address says it was built from. */
async function buildAt({ hostname, port }: Address): Promise<{ version: string; revision: string } | undefined> {
  const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname === '::' ? '::1' : hostname
  const place = formatAddress({ hostname: host, port })
  for (const scheme of ['http', 'https']) {
    try {
      const answer = await fetch(`${scheme}://${place}/health/live`, {
        signal: AbortSignal.timeout(limits.doctorAskMs),
        // It is asked who it is, and told nothing; a certificate for another name is its own check.
        tls: { rejectUnauthorized: false },
      })
      const { build } = (await answer.json()) as { build?: { version?: unknown; revision?: unknown } }
      if (typeof build?.version === 'string' && typeof build.revision === 'string') {
        return { version: build.version, revision: build.revision }
      }
    } catch {
      // It speaks something else.
    }
  }
  return undefined
}

function refused(variable: string, address: Address, code: string): Finding {
  const place = formatAddress(address)
  if (code === 'EADDRINUSE') {
    return wrong(
      'ports',
      `${place} is taken by another program`,
      `find it with: ss -ltnp sport = :${address.port}; stop it, or set ${variable} to another port`,
    )
  }
  if (code === 'EACCES') {
    return wrong(
      'ports',
      `${place} is not for this user`,
      `set ${variable} to a port from 1024 on, or grant CAP_NET_BIND_SERVICE`,
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return wrong('ports', `${place} is no address of this machine`, `set ${variable} to one of them; 0.0.0.0 is all`)
  }
  return wrong('ports', `${place} can't be had (${code})`, `set ${variable} to another address`)
}
