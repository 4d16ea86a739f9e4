import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { parse } from 'yaml'
import { settingsHelp } from '../../src/config.ts'
import { folderWith, greeting } from '../project/fixture.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'

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

test('the Dockerfile is well formed, pins what it builds on, and runs as a user of its own', () => {
  const dockerfile = read('Dockerfile')
  expect(validate(dockerfile)).toEqual([])
  expect(validate(dockerfile.replace('EXPOSE 8080', 'EXPOSE port'))).toHaveLength(1)
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
  expect(bases.length).toBeGreaterThan(1)
  for (const image of bases) expect(image).toMatch(/^[\w./-]+:\d[\w.-]*$/)
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  expect(last).toMatch(/^USER (?!root|0)\w+$/m)
  // Arguments given to `docker run` are those of the program, and signals reach it: no shell in between.
  expect(last).toMatch(/^ENTRYPOINT \["\/usr\/local\/bin\/quire"\]$/m)
})

test("the image for CI is well formed, takes the service's executable, and runs the project's cases, not as root", async () => {
  const dockerfile = read('scripts/ci/Dockerfile')
  expect(validate(dockerfile)).toEqual([])
  expect(validate(dockerfile.replace('WORKDIR', 'WORKDR')).length).toBeGreaterThan(0)
  const service = read('Dockerfile')
  const baseOf = (text: string) => text.match(/^FROM (\S+)/gm)?.at(-1)
  expect(baseOf(dockerfile)).toBe(baseOf(service))
  const [, from, to] = /^COPY --from=quire (\S+) (\S+)$/m.exec(dockerfile) ?? []
  expect(service).toContain(`COPY --from=build /build/dist/quire ${from}\n`)
  // CI systems run a shell in it; without one, its command tests what lies in /project.
  expect(dockerfile).not.toContain('ENTRYPOINT')
  expect(dockerfile).toMatch(/^USER (?!root|0)\w+$/m)
  const [program, ...args]: string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]')
  expect([program, to]).toEqual(['quire', '/usr/local/bin/quire'])
  expect(await runCommand(folderWith(greeting), args)).toMatchObject({ code: 0, stderr: '' })
})

test.skipIf(Bun.which('systemd-analyze') === null)('the unit is one that systemd takes without a warning', () => {
  const folder = temporaryFolder()
  const verify = (text: string) => {
    writeFileSync(join(folder, 'quire.service'), text.replaceAll('/usr/local/bin/quire', '/bin/true'))
    const { stdout, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', join(folder, 'quire.service')])
    return `${stdout}${stderr}`
  }
  expect(verify(read('packaging/quire.service'))).toBe('')
  expect(verify(read('packaging/quire.service').replace('ExecStart=', 'ExecStrat='))).toContain('ExecStrat')
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
