import { expect, test } from 'bun:test'
import { limits } from '../src/core/limits.ts'
import { logLevels } from '../src/core/log.ts'
import { type Setting, settings } from '../src/settings.ts'

const table: readonly (readonly [string, Setting])[] = Object.entries(settings)

test('a setting’s variable is its name in quire.yaml in capitals, and it says in a line what it means', () => {
  for (const [name, { variable, meaning }] of table) {
    expect(variable).toBe(`QUIRE_${name.toUpperCase()}`)
    expect(meaning).toMatch(/^[^\n]{8,}[^.]$/)
  }
})

test('what opens something is a secret, which may be kept in a file, and nothing else is', () => {
  const secrets = table.flatMap(([name, { isSecret }]) => (isSecret === true ? [name] : []))
  expect(secrets.sort()).toEqual([
    ...['admin_password', 'database_token', 'database_url', 'metrics_token', 'mqtt_url', 'oidc_client_secret'],
    ...['secret', 'secret_previous', 'signing_key'],
  ])
})

test('descriptions of settings name the bounds in force', () => {
  expect(settings.replica_days.meaning).toContain(`1 to ${limits.replicaDaysMax}`)
  expect(settings.oidc_max_age.meaning).toContain(`1 to ${limits.oidcMaxAgeSeconds}`)
  expect(settings.queue_limit.meaning).toContain(`1 to ${limits.queuedStepsMax}`)
  expect(settings.rates.meaning).toContain(`1 to ${limits.requestsAMinuteMax}`)
  for (const level of logLevels) expect(settings.log.meaning).toContain(level)
})
