import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { wordsOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { openDatabase } from '../db/connect.ts'
import { readAccountFacts } from './facts.store.ts'
import { advice, type Finding, fine, within, wrong } from './finding.ts'

const check = 'sign-in'

/** Whether the OpenID provider describes itself as Quire needs it, and who gets in while it doesn't. */
export async function checkProvider(config: Config): Promise<Finding[]> {
  const { oidc } = config
  if (oidc === undefined) return []
  const found: Finding[] = []
  try {
    const { createProvider } = await import('../oidc/provider.ts')
    const { description, keys } = await within(
      limits.doctorAskMs,
      createProvider({ config: oidc, clock: systemClock }).describe(),
    )
    if (keys === 0)
      found.push(wrong(check, `${oidc.issuer} shows no keys`, 'mend that there; no token can be believed'))
    const methods = description.code_challenge_methods_supported
    if (methods !== undefined && !methods.includes('S256')) {
      found.push(
        wrong(check, `${oidc.issuer} does not take PKCE with S256`, 'let it take that for the client of Quire'),
      )
    }
    if (found.length === 0) found.push(fine(check, `${oidc.issuer} answers, with ${keys} keys`))
  } catch (error) {
    const remedy = 'start the provider, or correct QUIRE_OIDC_ISSUER; until then only passwords work'
    found.push(wrong(check, `${oidc.issuer} can't be used: ${wordsOf(error)}`, remedy))
  }
  if (oidc.clientSecret === undefined) {
    const remedy = 'set QUIRE_OIDC_CLIENT_SECRET, unless the client is registered as a public one'
    found.push(advice(check, 'QUIRE_OIDC_CLIENT_SECRET is not set', remedy))
  }
  return [...found, ...(await checkBreakGlass(config))]
}

async function checkBreakGlass({ localSignIn, databaseUrl }: Config): Promise<Finding[]> {
  if (localSignIn === undefined) return []
  // The first start makes it, if it is the first administrator.
  if (databaseUrl.startsWith('file:') && !existsSync(databaseUrl.slice('file:'.length))) return []
  const database = await openDatabase(databaseUrl, { readOnly: true })
  try {
    const account = await readAccountFacts(database.read, localSignIn)
    const isUsable = account !== undefined && !account.disabled && account.hasPassword && account.isAdministrator
    if (isUsable) return [fine(check, `${localSignIn} may sign in by password`)]
    const remedy = 'name an enabled administrator with a password in QUIRE_LOCAL_SIGN_IN'
    return [wrong(check, `${localSignIn} is the only account for passwords, and nobody can use it`, remedy)]
  } finally {
    await database.close()
  }
}
