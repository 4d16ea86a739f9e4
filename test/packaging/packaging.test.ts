import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { settingsHelp } from '../../src/config.ts'

const root = join(import.meta.dir, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const settings = new Set([...settingsHelp.map(({ variable }) => variable), 'QUIRE_REVISION'])

test('the Dockerfile copies only files that exist and that .dockerignore lets through', () => {
  const ignored = read('.dockerignore').split('\n')
  expect(ignored[0]).toBe('*')
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((line) => line[1]!.split(' '))
  expect(copied.length).toBeGreaterThan(5)
  for (const name of copied) {
    expect([name, existsSync(join(root, name))]).toEqual([name, true])
    expect(ignored).toContain(`!${name}`)
  }
  // What the build reads from the project's own folder is in the image too.
  for (const name of ['CHANGELOG.md', 'patches', 'tsconfig.json']) expect(copied).toContain(name)
})

test('no packaging file names a setting that Quire does not have', () => {
  for (const file of ['Dockerfile', 'compose.yaml', 'packaging/quire.service']) {
    const named = [...read(file).matchAll(/QUIRE_[A-Z]+(?:_[A-Z]+)*/g)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !settings.has(name))).toEqual([])
  }
})

test('compose.yaml runs two instances with the same settings, on servers that it defines', () => {
  const { services } = parse(read('compose.yaml'), { merge: true })
  expect(services['quire-1'].environment).toEqual(services['quire-2'].environment)
  const { environment } = services['quire-1']
  const hosts = [environment.QUIRE_DATABASE_URL, environment.QUIRE_MQTT_URL].map(
    (url: string) => /@([\w-]+):/.exec(url)?.[1],
  )
  for (const host of [...hosts, /endpoint=http:\/\/([\w-]+):/.exec(environment.QUIRE_OBJECTS_URL)?.[1]]) {
    expect(Object.keys(services)).toContain(String(host))
  }
})
