import type { Config } from '../config.ts'
import { wordsOf } from '../core/error-cause.ts'
import { checkAuditReceiver } from './audit.ts'
import { checkBroker } from './broker.ts'
import { checkCertificates } from './certificates.ts'
import { checkDataFolder, checkDisks, checkSync } from './data.ts'
import { checkDatabase } from './database.ts'
import { type Finding, wrong } from './finding.ts'
import { checkFonts, checkMemory, checkRenderer, checkVersions } from './machine.ts'
import { checkObjects } from './objects.ts'
import { checkPorts } from './ports.ts'
import { checkProvider } from './provider.ts'
import { checkProxies, checkSettings } from './settings.ts'

type Check = (config: Config) => Promise<readonly Finding[]> | readonly Finding[]

/** The checks, from the inside out: later ones rest on earlier ones. */
const checks: readonly (readonly [name: string, check: Check])[] = [
  ['versions', checkVersions],
  ['settings', checkSettings],
  ['data', checkDataFolder],
  ['disk', checkDisks],
  ['sync', checkSync],
  ['memory', checkMemory],
  ['ports', checkPorts],
  ['proxies', checkProxies],
  ['database', checkDatabase],
  ['objects', checkObjects],
  ['broker', checkBroker],
  ['audit trail', checkAuditReceiver],
  ['sign-in', checkProvider],
  ['certificates', checkCertificates],
  ['fonts', checkFonts],
  ['renderer', checkRenderer],
]

/**
 * Checks everything that a service with these settings needs, also while one runs. It changes nothing: it removes the
 * probes that it writes. A check that throws becomes a finding, and the other checks still run.
 */
export async function* examine(config: Config): AsyncGenerator<Finding> {
  for (const [name, check] of checks) {
    try {
      yield* await check(config)
    } catch (error) {
      yield wrong(name, `it could not be looked at: ${wordsOf(error)}`, 'mend that, or report it as a fault of Quire')
    }
  }
}
