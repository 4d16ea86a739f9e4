import { expect, test } from 'bun:test'
import { loadConfig } from '../../src/config.ts'
import { checkProvider } from '../../src/doctor/provider.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { LyingProvider } from '../support/lying-provider.ts'

const folder = temporaryFolder()

async function told(environment: Record<string, string>): Promise<string[]> {
  const found = await checkProvider(loadConfig(environment, folder))
  return found.map(({ verdict, found, remedy = '' }) => `${verdict}: ${found} → ${remedy}`)
}

test('the doctor says nothing without a provider, and what is wrong with the one that is set', async () => {
  expect(await told({})).toEqual([])
  const provider = await LyingProvider.start()
  const { issuer } = provider
  const environment = {
    ...{ QUIRE_OIDC_ISSUER: issuer, QUIRE_OIDC_CLIENT_ID: 'quire', QUIRE_OIDC_CLIENT_SECRET: 'geheim' },
    QUIRE_OIDC_ROLES: 'operator=*',
  }
  expect(await told(environment)).toEqual([`fine: ${issuer} answers, with 1 keys → `])
  expect(await told({ ...environment, QUIRE_OIDC_CLIENT_SECRET: '' })).toEqual([
    expect.stringMatching(/^fine: /),
    expect.stringMatching(/^advice: QUIRE_OIDC_CLIENT_SECRET is not set → /),
  ])
  provider.answers['/jwks'] = () => Response.json({ keys: [] })
  provider.description = { code_challenge_methods_supported: ['plain'] }
  expect(await told(environment)).toEqual([
    expect.stringMatching(/^wrong: .* shows no keys → /),
    expect.stringMatching(/^wrong: .* does not take PKCE with S256 → /),
  ])
  provider.beHonest()
  provider.description = { issuer: `${issuer}/` }
  expect(await told(environment)).toEqual([expect.stringMatching(/^wrong: .*can't be used: .* → start the provider/)])
  for (const description of [{ authorization_endpoint: 'nonsense' }, { token_endpoint: undefined }]) {
    provider.description = description
    const [name = ''] = Object.keys(description)
    expect(await told(environment)).toEqual([expect.stringMatching(new RegExp(`^wrong: .*can't be used: .*${name}`))])
  }
  provider.answers['/.well-known/openid-configuration'] = () => new Response('', { status: 500 })
  expect(await told(environment)).toEqual([expect.stringMatching(/^wrong: .*can't be used: /)])
  expect(JSON.stringify(await told(environment))).not.toContain('geheim')
})

test('the doctor asks for an account that may use a password if only one account may', async () => {
  const provider = await LyingProvider.start()
  const where = temporaryFolder()
  const environment = {
    ...{ QUIRE_OIDC_ISSUER: provider.issuer, QUIRE_OIDC_CLIENT_ID: 'quire', QUIRE_OIDC_CLIENT_SECRET: 'geheim' },
    QUIRE_OIDC_ROLES: 'operator=*',
  }
  for (const [name, role] of [
    ['glass', 'administrator'],
    ['clerk', 'operator'],
  ] as const) {
    expect((await runCommand(where, ['user', 'add', name, '--role', role], {})).code).toBe(0)
  }
  const glassOf = async (name: string) => {
    const found = await checkProvider(loadConfig({ ...environment, QUIRE_LOCAL_SIGN_IN: name }, where))
    return found.slice(1).map(({ verdict }) => verdict)
  }
  expect([await glassOf('glass'), await glassOf('clerk'), await glassOf('nobody')]).toEqual([
    ['fine'],
    ['wrong'],
    ['wrong'],
  ])
})
