import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { formatAddress } from '../src/addresses.ts'
import { type Config, ConfigError, loadConfig, settingsHelp } from '../src/config.ts'
import { usualRates } from '../src/http/rates.ts'
import { refuseAddress } from '../src/migrated-database.ts'
import { temporaryFolder } from './support/database.ts'

const folder = temporaryFolder()
const load = (environment: Record<string, string>, where = folder) => loadConfig(environment, where)

const oidc = { QUIRE_OIDC_ISSUER: 'https://id.example.org', QUIRE_OIDC_CLIENT_ID: 'quire', QUIRE_OIDC_USERS: 'known' }

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

  test('says which key of quire.yaml was meant, or lists all, and what a setting takes in one sentence', () => {
    const where = temporaryFolder()
    writeFileSync(join(where, 'quire.yaml'), 'lisen: 1\n')
    expect(() => load({}, where)).toThrow('quire.yaml: there is no setting "lisen"; did you mean listen?')
    writeFileSync(join(where, 'quire.yaml'), 'colour: 1\n')
    expect(() => load({}, where)).toThrow('there is no setting "colour"; the settings are listen, origins, ')
    expect(() => load({ QUIRE_DEMO: 'yes' })).toThrow(
      'it takes true or false: whether the demo configuration is seeded',
    )
    expect(() => load({ QUIRE_WORKERS: '0' })).toThrow('it takes a number of engine workers, 1 to 64')
    expect(() => load({ QUIRE_LOG: 'loud' })).toThrow('it takes a level: debug, info, warn, error')
  })

  test('takes numbers of quire.yaml as they are written there', () => {
    const where = temporaryFolder()
    writeFileSync(join(where, 'quire.yaml'), 'admin_username: 0012\nadmin_password: 1e5000000000\nworkers: 3\n')
    expect(load({}, where)).toMatchObject({ admin: { username: '0012', password: '1e5000000000' }, workers: 3 })
  })

  test('warns if it listens on all addresses, and lets only this machine sign in until it is configured', () => {
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

  test('warns where every client is a trusted proxy', () => {
    for (const range of ['0.0.0.0/0', '::/0', '::1, ::/0']) {
      expect(load({ QUIRE_TRUSTED_PROXIES: range }).warnings).toEqual([
        expect.stringMatching(/^QUIRE_TRUSTED_PROXIES: /),
      ])
    }
    expect(load({ QUIRE_TRUSTED_PROXIES: '10.0.0.0/8' }).warnings).toEqual([])
  })

  test('gives the embedded broker over TLS its own certificate, else that of HTTPS, and refuses an unused one', () => {
    const url = { QUIRE_MQTT_URL: 'embedded+tls://127.0.0.1:8883' }
    const served = { QUIRE_TLS_CERTIFICATE: 'tls.crt', QUIRE_TLS_KEY: 'tls.key' }
    const own = { QUIRE_MQTT_CERTIFICATE: '/etc/broker.crt', QUIRE_MQTT_KEY: 'broker.key' }
    expect(load({ ...served, QUIRE_MQTT_URL: 'embedded://127.0.0.1:1883' }).mqttTls).toBeUndefined()
    const files = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
    expect(load({ ...url, ...served })).toMatchObject({ tls: files, mqttTls: files })
    expect(load({ ...url, ...served, ...own })).toMatchObject({
      tls: files,
      mqttTls: { certificate: '/etc/broker.crt', key: join(folder, 'broker.key'), settings: 'QUIRE_MQTT' },
    })
    expect(load({ ...url, ...own })).toMatchObject({ tls: undefined, origins: ['http://127.0.0.1:8080'] })
    for (const [given, why] of [
      [url, 'it is not set, and QUIRE_TLS_CERTIFICATE neither'],
      [own, 'QUIRE_MQTT_URL is not embedded+tls://host:port'],
      [{ ...url, QUIRE_MQTT_KEY: 'broker.key' }, 'QUIRE_MQTT_KEY is set, and this is not'],
    ] as const) {
      expect(() => load(given)).toThrow(`QUIRE_MQTT_CERTIFICATE: ${why}; it takes a PEM file`)
    }
  })

  test('treats an empty variable as not set', () => {
    expect(load({ QUIRE_LISTEN: '', QUIRE_SECRET: '' }).listen.port).toBe(8080)
  })

  const fonts = temporaryFolder()
  test.each<[variable: string, value: string, read: Partial<Config>]>([
    ['QUIRE_LISTEN', 'quire.internal:0', { listen: { hostname: 'quire.internal', port: 0 } }],
    ['QUIRE_LISTEN', '[fe80::1]:65535', { listen: { hostname: 'fe80::1', port: 65_535 } }],
    ['QUIRE_ORIGINS', 'https://a.test, http://b.test:81', { origins: ['https://a.test', 'http://b.test:81'] }],
    [
      'QUIRE_AUDIT_SYSLOG',
      'tls://[::1]',
      { auditSyslog: { hostname: '::1', port: 6_514, isEncrypted: true, caFile: undefined } },
    ],
    [
      'QUIRE_BACKUP_RECIPIENT',
      ` age1${'q'.repeat(58)}, age1${'p'.repeat(58)},`,
      { backupRecipients: [`age1${'q'.repeat(58)}`, `age1${'p'.repeat(58)}`] },
    ],
    ['QUIRE_TRUSTED_PROXIES', ' 10.0.0.0/8,, fd00::/8 ,::1 ', { trustedProxies: ['10.0.0.0/8', 'fd00::/8', '::1'] }],
    ['QUIRE_DATA', 'here', { dataFolder: join(folder, 'here'), databaseUrl: `file:${join(folder, 'here/quire.db')}` }],
    ['QUIRE_DATA', '/there', { dataFolder: '/there', objectsUrl: 'file:/there/objects' }],
    ['QUIRE_DATABASE_URL', 'file:///var/quire.db', { databaseUrl: 'file:/var/quire.db' }],
    ['QUIRE_DATABASE_URL', 'file:/var/quire.db', { databaseUrl: 'file:/var/quire.db' }],
    ['QUIRE_DATABASE_URL', 'libsql://host', { databaseUrl: 'libsql://host' }],
    ['QUIRE_DATABASE_URL', 'https://host', { databaseUrl: 'https://host' }],
    ['QUIRE_DATABASE_URL', 'ws://host', { databaseUrl: 'ws://host' }],
    ['QUIRE_DATABASE_URL', 'postgres://host/db', { databaseUrl: 'postgres://host/db' }],
    ['QUIRE_DATABASE_URL', 'postgresql://host/db', { databaseUrl: 'postgresql://host/db' }],
    ['QUIRE_OBJECTS_URL', 'file:///var/objects', { objectsUrl: 'file:/var/objects' }],
    ['QUIRE_OBJECTS_URL', 's3://abc', { objectsUrl: 's3://abc' }],
    ['QUIRE_OBJECTS_URL', 's3://a.b-c/some/prefix?region=x', { objectsUrl: 's3://a.b-c/some/prefix?region=x' }],
    ['QUIRE_MQTT_URL', 'embedded://127.0.0.1:1883', { mqttUrl: 'embedded://127.0.0.1:1883' }],
    ['QUIRE_MQTT_URL', 'embedded://u:p@[::1]:1883', { mqttUrl: 'embedded://u:p@[::1]:1883' }],
    ['QUIRE_MQTT_URL', 'mqtt://broker', { mqttUrl: 'mqtt://broker' }],
    ['QUIRE_MQTT_URL', 'mqtts://broker:8883', { mqttUrl: 'mqtts://broker:8883' }],
    ['QUIRE_SECRET', 's'.repeat(32), { secret: 's'.repeat(32) }],
    ['QUIRE_ADMIN_USERNAME', 'root', { admin: { username: 'root', password: undefined } }],
    ['QUIRE_ADMIN_PASSWORD', 'geheim', { admin: { username: 'admin', password: 'geheim' } }],
    ['QUIRE_FOUR_EYES', 'true', { fourEyes: true }],
    ['QUIRE_FOUR_EYES', '', { fourEyes: false }],
    ['QUIRE_DEMO', 'true', { demo: true }],
    ['QUIRE_DEMO', 'false', { demo: false }],
    ['QUIRE_WORKERS', '1', { workers: 1 }],
    ['QUIRE_WORKERS', '64', { workers: 64 }],
    ['QUIRE_QUEUE_LIMIT', '1', { queueLimit: 1 }],
    ['QUIRE_QUEUE_LIMIT', '10000000', { queueLimit: 10_000_000 }],
    ['QUIRE_RATES', 'reads=1', { rates: { ...usualRates, reads: 1 } }],
    ['QUIRE_RATES', 'costly = 3, reads=10000000,changes=2', { rates: { reads: 10_000_000, changes: 2, costly: 3 } }],
    ['QUIRE_FONTS', `${fonts}, , .`, { fontFolders: [fonts, folder] }],
    ['QUIRE_RENDERER', '/bin/sh', { renderer: { soffice: '/bin/sh' } }],
    ['QUIRE_METRICS_LISTEN', '127.0.0.1:9100', { metricsListen: { hostname: '127.0.0.1', port: 9_100 } }],
    ['QUIRE_LOG', 'debug', { logLevel: 'debug' }],
    ['QUIRE_DATABASE_TOKEN', 'a credential', { databaseToken: 'a credential' }],
    ['QUIRE_SECRET_PREVIOUS', 's'.repeat(32), { secretPrevious: 's'.repeat(32) }],
    ['OTHER_SETTING', 'of another program', {}],
  ])('reads %s=%s, and leaves everything else as it is', (variable, value, read) => {
    const expected = { ...load({}), ...read }
    if (variable === 'QUIRE_LISTEN') expected.origins = [`http://${formatAddress(expected.listen)}`]
    if (variable === 'QUIRE_DATA') {
      expected.databaseUrl = `file:${join(expected.dataFolder, 'quire.db')}`
      expected.objectsUrl = `file:${join(expected.dataFolder, 'objects')}`
    }
    expect(load({ [variable]: value })).toEqual(expected)
  })

  test('leaves one processor to the thread that answers, where there are several', () => {
    expect(load({}).workers).toBe(Math.max(1, availableParallelism() - 1))
  })

  test('has no font folders, and quire.yaml may be empty', () => {
    const where = temporaryFolder()
    writeFileSync(join(where, 'quire.yaml'), '# nothing yet\n')
    expect(load({}, where)).toMatchObject({ fontFolders: [], workers: load({}).workers })
  })

  test('takes every setting from quire.yaml under its variable’s name in lower case, without QUIRE_', () => {
    const where = temporaryFolder()
    const values = {
      data: '/there',
      mqtt_url: 'mqtt://broker',
      secret: 's'.repeat(40),
      log: 'warn',
      metrics_listen: 'h:1',
    }
    writeFileSync(join(where, 'quire.yaml'), JSON.stringify(values))
    expect(load({}, where)).toMatchObject({
      dataFolder: '/there',
      mqttUrl: 'mqtt://broker',
      secret: 's'.repeat(40),
      logLevel: 'warn',
      metricsListen: { hostname: 'h', port: 1 },
    })
    for (const { variable, meaning } of settingsHelp) {
      expect(meaning).not.toBe('')
      writeFileSync(join(where, 'quire.yaml'), `${variable.slice('QUIRE_'.length).toLowerCase()}: [x]\n`)
      // Known under this name, and no list.
      expect(() => load({}, where)).toThrow('single value')
    }
  })

  test.each([
    ['QUIRE_LISTEN', '8080'],
    ['QUIRE_LISTEN', '127.0.0.1:65536'],
    ['QUIRE_LISTEN', 'http://127.0.0.1:80'],
    ['QUIRE_LISTEN', ' 127.0.0.1:80'],
    ['QUIRE_LISTEN', '127.0.0.1:80/'],
    ['QUIRE_LISTEN', '::1:80'],
    ['QUIRE_ORIGINS', 'https://a.test,,https://b.test'],
    ['QUIRE_ORIGINS', 'a.test'],
    ['QUIRE_AUDIT_SYSLOG', 'udp://logs.test:514'],
    ['QUIRE_AUDIT_SYSLOG', 'tcp://logs.test'],
    ['QUIRE_AUDIT_SYSLOG', 'tls://logs.test:70000'],
    ['QUIRE_AUDIT_SYSLOG', 'tls://user:word@logs.test'],
    ['QUIRE_BACKUP_RECIPIENT', 'age1'],
    ['QUIRE_BACKUP_RECIPIENT', `age1${'b'.repeat(58)}`],
    ['QUIRE_BACKUP_RECIPIENT', 'AGE-SECRET-KEY-1'],
    ['QUIRE_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['QUIRE_TRUSTED_PROXIES', 'fd00::/129'],
    ['QUIRE_TRUSTED_PROXIES', '10.0.0.0/'],
    ['QUIRE_TRUSTED_PROXIES', '10.0.0/8'],
    ['QUIRE_TRUSTED_PROXIES', '127.0.0.1, proxy.internal'],
    ['QUIRE_TRUSTED_PROXIES', '*'],
    ['QUIRE_DATABASE_URL', 'libsql:///db'],
    ['QUIRE_OBJECTS_URL', 's3://ab'],
    ['QUIRE_OBJECTS_URL', 's3://Abc'],
    ['QUIRE_OBJECTS_URL', 'xs3://abc'],
    ['QUIRE_MQTT_URL', 'embedded://host'],
    ['QUIRE_MQTT_URL', 'embedded+tls://host'],
    ['QUIRE_MQTT_URL', 'embedded://u:50%@127.0.0.1:1883'],
    ['QUIRE_MQTT_URL', 'mqtt://'],
    ['QUIRE_SECRET', 's'.repeat(31)],
    ['QUIRE_WORKERS', '65'],
    ['QUIRE_WORKERS', '-1'],
    ['QUIRE_RATES', '100'],
    ['QUIRE_RATES', 'writes=100'],
    ['QUIRE_RATES', 'reads=0'],
    ['QUIRE_RATES', 'reads='],
    ['QUIRE_RATES', 'reads=10000001'],
    ['QUIRE_RATES', 'reads=5,reads=6'],
    ['QUIRE_QUEUE_LIMIT', '0'],
    ['QUIRE_QUEUE_LIMIT', '10000001'],
    ['QUIRE_QUEUE_LIMIT', 'many'],
    ['QUIRE_WORKERS', '2x'],
    ['QUIRE_FONTS', '/nowhere/fonts'],
    ['QUIRE_FONTS', '/bin/sh'],
    ['QUIRE_DEMO', 'TRUE'],
    ['QUIRE_METRICS_LISTEN', 'h:1:2'],
    ['QUIRE_LISTEN', '127.0.0.1:70000'],
    ['QUIRE_ORIGINS', 'https://quire.example.org/'],
    ['QUIRE_ORIGINS', 'ftp://quire.example.org'],
    ['QUIRE_DATABASE_URL', 'mysql://host/db'],
    ['QUIRE_OBJECTS_URL', 's3:/bucket'],
    ['QUIRE_MQTT_URL', 'http://broker'],
    ['QUIRE_SECRET', 'short'],
    ['QUIRE_FOUR_EYES', 'yes'],
    ['QUIRE_DEMO', 'yes'],
    ['QUIRE_WORKERS', '0'],
    ['QUIRE_WORKERS', '1.5'],
    ['QUIRE_RENDERER', 'word'],
    ['QUIRE_RENDERER', '/nowhere/soffice'],
    ['QUIRE_METRICS_LISTEN', 'here'],
    ['QUIRE_LOG', 'loud'],
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
    ['QUIRE_LISTENS', '; did you mean QUIRE_LISTEN?'],
    ['QUIRE_DATABASE_UR', '; did you mean QUIRE_DATABASE_URL?'],
    ['QUIRE_FLAVOUR', ''],
    // Set by Kubernetes and Docker for a service called quire.
    ['QUIRE_PORT', ''],
    ['QUIRE_PORT_8080_TCP', ''],
    ['QUIRE_PORT_8080_TCP_ADDR', ''],
    ['QUIRE_SERVICE_HOST', ''],
    ['QUIRE_SERVICE_PORT_HTTP', ''],
  ])('ignores %s, and says so', (variable, more) => {
    expect(load({ [variable]: 'tcp://10.0.0.1:8080' }).ignored).toEqual([
      `${variable}: there is no such setting, so it is ignored${more}`,
    ])
  })

  test('ignores no setting, no credential and no variable of others', () => {
    expect(load({ QUIRE_DATABASE_TOKEN: 'a', QUIRE_LOG: 'warn', LISTEN: 'b', MY_QUIRE_LISTEN: 'c' }).ignored).toEqual(
      [],
    )
  })

  test.each([
    ['listens: x', 'listens'],
    ['constructor: x', 'constructor'],
    ['- list', 'mapping'],
    ['listen: [a]', 'listen'],
    ['listen: "unclosed', 'quire.yaml'],
  ])('refuses a quire.yaml with "%s"', (text, named) => {
    const where = temporaryFolder()
    writeFileSync(join(where, 'quire.yaml'), text)
    expect(() => load({}, where)).toThrow(named)
  })

  test('never shows the password of a URL it refuses, whatever the setting', () => {
    const addresses = [
      'mysql://user:geheim@host/db',
      'mysql://user:ge/heim@host/db',
      's3://user:geheim@host?endpoint=http://user:geheim@host&secret_access_key=geheim',
      'http://user:geheim@host:1',
    ]
    const refusals = settingsHelp.flatMap(({ variable }) =>
      addresses.map((address): [string, string] => {
        // Others are refused first where these lack.
        const beside = variable.startsWith('QUIRE_OIDC') && variable !== 'QUIRE_OIDC_ISSUER' ? oidc : {}
        try {
          load({ ...beside, [variable]: address })
          return [variable, 'taken']
        } catch (error) {
          return [variable, String(error)]
        }
      }),
    )
    expect(refusals.filter(([, said]) => /ge.?heim|heim@/.test(said) && !said.includes('no folder'))).toEqual([])
    const quoting = refusals.filter(([, said]) => said.includes('//…@')).map(([variable]) => variable)
    for (const name of [
      'DATABASE_URL',
      'OBJECTS_URL',
      'MQTT_URL',
      'ORIGINS',
      'OIDC_ISSUER',
      'AUDIT_SYSLOG',
      'REPLICA_URL',
    ])
      expect(quoting).toContain(`QUIRE_${name}`)
  })

  test('says of an address that can’t be opened what its driver said, and not what it was asked', () => {
    const cause = new Error('connect ECONNREFUSED postgres://user:geheim@host')
    const opening = () =>
      refuseAddress('QUIRE_DATABASE_URL', 'postgres://user:geheim@host')(new Error('Failed query: select 1', { cause }))
    expect(opening).toThrow(
      "QUIRE_DATABASE_URL: postgres://…@host can't be opened: connect ECONNREFUSED postgres://…@host",
    )
  })
})
