import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, loadConfig } from '../src/config.ts'
import { temporaryFolder } from './support/database.ts'

const folder = temporaryFolder()
const load = (environment: Record<string, string>, where = folder) => loadConfig(environment, where)

describe('the configuration', () => {
  test('needs nothing: embedded defaults below the working directory', () => {
    expect(load({})).toMatchObject({
      listen: { hostname: '127.0.0.1', port: 8080 },
      origins: ['http://127.0.0.1:8080'],
      dataFolder: join(folder, 'quire-data'),
      databaseUrl: `file:${join(folder, 'quire-data/quire.db')}`,
      objectsUrl: `file:${join(folder, 'quire-data/objects')}`,
      mqttUrl: 'embedded',
      secret: undefined,
      admin: { username: 'admin', password: undefined },
      demo: false,
      renderer: 'quire',
      metricsListen: undefined,
      logLevel: 'info',
    })
    expect(load({}).workers).toBeGreaterThan(0)
  })

  test('takes quire.yaml, and the environment over it', () => {
    const where = temporaryFolder()
    writeFileSync(join(where, 'quire.yaml'), 'listen: "[::1]:9000"\nworkers: 3\ndemo: true\n')
    expect(load({ QUIRE_WORKERS: '2' }, where)).toMatchObject({
      listen: { hostname: '::1', port: 9000 },
      origins: ['http://[::1]:9000'],
      workers: 2,
      demo: true,
    })
  })

  test('warns where all addresses are listened on, and lets only this machine sign in until it is told more', () => {
    for (const [listen, own] of [
      ['0.0.0.0:9000', 'http://0.0.0.0:9000'],
      ['[::]:9000', 'http://[::]:9000'],
    ] as const) {
      const alone = load({ QUIRE_LISTEN: listen })
      expect(alone.origins).toEqual(['http://localhost:9000', own])
      expect(alone.warnings).toEqual([expect.stringMatching(/^QUIRE_ORIGINS: /)])
      const named = load({ QUIRE_LISTEN: listen, QUIRE_ORIGINS: 'https://quire.example.org' })
      expect(named).toMatchObject({ origins: ['https://quire.example.org'], warnings: [] })
    }
    expect(load({}).warnings).toEqual([])
  })

  test('treats an empty variable as one that is not set', () => {
    expect(load({ QUIRE_LISTEN: '', QUIRE_SECRET: '' }).listen.port).toBe(8080)
  })

  test.each([
    ['QUIRE_LISTEN', '8080'],
    ['QUIRE_LISTEN', '127.0.0.1:70000'],
    ['QUIRE_ORIGINS', 'https://quire.example.org/'],
    ['QUIRE_ORIGINS', 'ftp://quire.example.org'],
    ['QUIRE_DATABASE_URL', 'mysql://host/db'],
    ['QUIRE_OBJECTS_URL', 's3:/bucket'],
    ['QUIRE_MQTT_URL', 'http://broker'],
    ['QUIRE_SECRET', 'short'],
    ['QUIRE_DEMO', 'yes'],
    ['QUIRE_WORKERS', '0'],
    ['QUIRE_WORKERS', '1.5'],
    ['QUIRE_RENDERER', 'word'],
    ['QUIRE_RENDERER', '/nowhere/soffice'],
    ['QUIRE_METRICS_LISTEN', 'here'],
    ['QUIRE_LOG', 'loud'],
    ['QUIRE_LISTENS', '127.0.0.1:8080'],
  ])('refuses %s=%s in one line that names it', (variable, value) => {
    expect(() => load({ [variable]: value })).toThrow(ConfigError)
    try {
      load({ [variable]: value })
    } catch (error) {
      expect((error as Error).message).toStartWith(`${variable}: `)
      expect((error as Error).message).not.toContain('\n')
    }
  })

  test.each([
    ['listens: x', 'listens'],
    ['- list', 'mapping'],
    ['listen: [a]', 'listen'],
    ['listen: "unclosed', 'quire.yaml'],
  ])('refuses a quire.yaml with "%s"', (text, named) => {
    const where = temporaryFolder()
    writeFileSync(join(where, 'quire.yaml'), text)
    expect(() => load({}, where)).toThrow(named)
  })

  test('never shows the password of a URL it refuses', () => {
    expect(() => load({ QUIRE_DATABASE_URL: 'mysql://user:geheim@host/db' })).toThrow(/^(?!.*geheim)/)
  })
})
