import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig, secretVariables, withDatabaseToken } from '../src/config.ts'
import { openDatabase } from '../src/db/connect.ts'
import { runCommand } from './support/command.ts'
import { temporaryFolder } from './support/database.ts'

const folder = temporaryFolder()
const load = (environment: Record<string, string>, where = folder) => loadConfig(environment, where)
function fileWith(content: string | Uint8Array, name: string = crypto.randomUUID()): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const key = 'k'.repeat(40)
const read = (environment: Record<string, string>, where = folder) => {
  const { secret, secretPrevious, databaseUrl, databaseToken, mqttUrl, metricsToken, admin } = load(environment, where)
  return { secret, secretPrevious, databaseUrl, databaseToken, mqttUrl, metricsToken, password: admin.password }
}

describe('a secret from a file', () => {
  test.each([
    ['QUIRE_SECRET', key, { secret: key }],
    ['QUIRE_SECRET_PREVIOUS', key, { secretPrevious: key }],
    ['QUIRE_ADMIN_PASSWORD', 'with a blank ', { password: 'with a blank ' }],
    ['QUIRE_DATABASE_URL', 'postgres://u:p@host/db', { databaseUrl: 'postgres://u:p@host/db' }],
    ['QUIRE_DATABASE_TOKEN', 'geheim', { databaseToken: 'geheim' }],
    ['QUIRE_MQTT_URL', 'mqtt://u:p@host', { mqttUrl: 'mqtt://u:p@host' }],
    ['QUIRE_METRICS_TOKEN', key, { metricsToken: key }],
  ])('is that of the variable itself: %s_FILE', (variable, value, expected) => {
    expect(secretVariables).toContain(variable)
    const plain = read({})
    for (const end of ['', '\n', '\r\n']) {
      const environment = { [`${variable}_FILE`]: fileWith(value + end) }
      expect(read(environment)).toEqual({ ...plain, ...expected })
      expect(load(environment).ignored).toEqual([])
    }
    const key = variable.slice('QUIRE_'.length).toLowerCase()
    const where = temporaryFolder()
    writeFileSync(join(where, 'own'), value)
    writeFileSync(join(where, 'quire.yaml'), `${key}_file: own\n`)
    expect(read({}, where)).toMatchObject(expected)
    const directory = temporaryFolder()
    writeFileSync(join(directory, `quire.${key}`), value)
    expect(read({ CREDENTIALS_DIRECTORY: directory })).toEqual({ ...plain, ...expected })
  })

  test('comes from the environment first, then from systemd, then from quire.yaml', () => {
    const [first, second, third, fourth] = ['1', '2', '3', '4'].map((digit) => digit.repeat(32)) as [
      string,
      string,
      string,
      string,
    ]
    const where = temporaryFolder()
    writeFileSync(join(where, 'quire.yaml'), `secret: "${fourth}"\n`)
    const directory = temporaryFolder()
    expect(read({ CREDENTIALS_DIRECTORY: directory }, where).secret).toBe(fourth)
    writeFileSync(join(directory, 'quire.secret'), third)
    expect(read({ CREDENTIALS_DIRECTORY: directory }, where).secret).toBe(third)
    const named = { CREDENTIALS_DIRECTORY: directory, QUIRE_SECRET_FILE: fileWith(second) }
    expect(read(named, where).secret).toBe(second)
    expect(read({ CREDENTIALS_DIRECTORY: directory, QUIRE_SECRET: first }, where).secret).toBe(first)
    expect(read({ CREDENTIALS_DIRECTORY: '', QUIRE_SECRET_FILE: '' }, where).secret).toBe(fourth)
  })

  test('is never taken where the value is given, too', () => {
    const both = { QUIRE_SECRET: key, QUIRE_SECRET_FILE: fileWith(key) }
    expect(() => load(both)).toThrow('QUIRE_SECRET_FILE: QUIRE_SECRET is set, too; keep one of them')
    const where = temporaryFolder()
    writeFileSync(join(where, 'quire.yaml'), `secret: ${key}\nsecret_file: own\n`)
    expect(() => load({}, where)).toThrow('secret_file: secret is set, too')
  })

  test('is offered for secrets alone', () => {
    expect(load({ QUIRE_LOG_FILE: fileWith('warn') })).toMatchObject({ logLevel: 'info', ignored: [expect.anything()] })
    const where = temporaryFolder()
    writeFileSync(join(where, 'quire.yaml'), 'log_file: x\n')
    expect(() => load({}, where)).toThrow('there is no setting "log_file"')
  })

  test.each<[what: string, path: () => string, told: string]>([
    ['is not there', () => join(folder, 'nothing'), 'make it, or correct the path'],
    ['is below a file', () => join(fileWith('x'), 'y'), 'make it, or correct the path'],
    ['is a directory', () => folder, 'name the file in it'],
    ['is empty', () => fileWith('\n'), 'is empty; write the value into it'],
    ['has two lines', () => fileWith(`${key}\nmore`), 'more than one line'],
    ['is too large', () => fileWith('x'.repeat(70_000)), 'has 70000 bytes'],
    ['is no text', () => fileWith(new Uint8Array([0xff, 0xfe, 0x00])), 'is not UTF-8 text'],
    ['breaks the rules', () => fileWith('short'), 'QUIRE_SECRET: it has 5 characters'],
  ])('is refused with file and remedy if it %s', (_, path, told) => {
    const where = path()
    const refused = () => load({ QUIRE_SECRET_FILE: where })
    expect(refused).toThrow('QUIRE_SECRET')
    expect(refused).toThrow(told)
    if (!told.startsWith('QUIRE_SECRET:')) expect(refused).toThrow(where)
    const directory = temporaryFolder()
    mkdirSync(join(directory, 'quire.secret'))
    expect(() => load({ CREDENTIALS_DIRECTORY: directory })).toThrow(/^QUIRE_SECRET: .*name the file in it/)
  })

  test('is refused with its remedy if Quire may not read it', () => {
    const path = fileWith(key)
    chmodSync(path, 0)
    const isRoot = process.geteuid?.() === 0
    // Root reads everything, so the call is made as the user with no rights.
    if (isRoot) process.seteuid?.(65_534)
    try {
      expect(() => load({ QUIRE_SECRET_FILE: path })).toThrow('let the user that runs Quire read it')
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  test('ends the program with exit code 2 and one line', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'nowhere')
    const { code, stdout, stderr } = await runCommand(folder, ['serve'], { QUIRE_SECRET_FILE: path })
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `quire: QUIRE_SECRET_FILE: there is no file ${path}; make it, or correct the path\n`,
    })
  })
})

describe('the token of a libSQL server', () => {
  test('reaches that server, and no other kind of database', async () => {
    const { promise, resolve } = Promise.withResolvers<string | null>()
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        resolve(request.headers.get('authorization'))
        return new Response('no', { status: 401 })
      },
    })
    const url = `http://127.0.0.1:${server.port}`
    const { databaseUrl } = load({ QUIRE_DATABASE_URL: url, QUIRE_DATABASE_TOKEN: 'a/b+c' })
    await openDatabase(databaseUrl)
      .then((database) => database.read.q.select().from(database.read.t.users))
      .catch(() => undefined)
    expect(await promise).toBe('Bearer a/b+c')
    await server.stop(true)
    for (const other of ['file:/there/quire.db', 'postgres://host/db', 'libsql://host?authToken=own']) {
      expect(withDatabaseToken(other, 'x')).toBe(other)
    }
    expect(withDatabaseToken('libsql://host?tls=0', 'x')).toBe('libsql://host?tls=0&authToken=x')
  })
})
