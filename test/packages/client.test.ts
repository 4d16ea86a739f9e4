import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackage } from '../../scripts/build-packages.ts'
import { QuireClient } from '../../src/client/client.ts'
import { demo } from '../../src/demo/demo.ts'
import { blocksOf } from '../docs/pages.ts'
import { skipsBrowserTests, startBrowser } from '../support/browser.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { type FreshProject, freshProject, typeErrors } from './fresh-project.ts'

const root = join(import.meta.dir, '../..')

/** The program that the package's README shows. */
const [, program = ''] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'src/client/README.md'), 'utf8')) ?? []
/** The two that the page of the client shows. */
const shown = (await blocksOf('docs/client.md')).filter(({ language }) => language === 'ts').map(({ text }) => text)
const [{ raw_input, metadata }] = demo.scenarios
const files = {
  'program.mjs': program,
  'shown.ts': shown[0] ?? '',
  'freeze.ts': shown[1] ?? '',
  'letters/cases/clws-policy/monthly.json': raw_input,
  'submission.json': JSON.stringify({ ingestion_model: 'clws-policy', raw_input, metadata }),
  'checked.ts': `import { QuireClient, QuireRefusal, type Execution } from '@quire/client'
    const quire = new QuireClient({ origin: 'https://quire.example', token: async () => 'qr_' })
    export async function check(signal: AbortSignal): Promise<Execution['status']> {
      try {
        const { status } = await quire.waitForExecution('id', { signal, onEvent: ({ type }) => void type.length })
        const { body } = await quire.download('id', 'id', { signal })
        for await (const chunk of body) chunk.byteLength
        return status satisfies 'completed'
      } catch (error) {
        if (!(error instanceof QuireRefusal)) throw error
        const { problem } = error
        if (problem.code === 'not_found') problem.status satisfies 404
        // @ts-expect-error only general problems have dependencies, and only those of one code
        problem.dependencies
        // @ts-expect-error there is no such code
        if (problem.code === 'no_such_code') throw error
        // @ts-expect-error there is no such operation
        await quire.noSuchOperation()
        throw error
      }
    }`,
}

/** A site of the same origin as the interface, as a browser wants it: a page, the client, and Quire behind it. */
function serveBeside(origin: string, client: string): ReturnType<typeof Bun.serve> {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/': new Response('<!doctype html><title>site</title>', { headers: { 'content-type': 'text/html' } }),
      '/client.js': () => new Response(Bun.file(client)),
      '/api/*': (request) => {
        const { pathname, search } = new URL(request.url)
        return fetch(origin + pathname + search, request)
      },
    },
  })
  onTestsEnd(() => server.stop(true))
  return server
}

/** Node from the version on that the package names. */
function findNode(): string | undefined {
  const node = Bun.which('node')
  const version = node === null ? '' : Bun.spawnSync([node, '--version']).stdout.toString()
  const [, major = 0, minor = 0] = /^v(\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
  return node !== null && (major > 20 || (major === 20 && minor >= 3)) ? node : undefined
}

describe('@quire/client, packed and installed without a network', () => {
  let project: FreshProject
  let quire: RunningQuire
  let token: string

  beforeAll(async () => {
    const { archive } = await buildPackage('client', temporaryFolder())
    project = freshProject(archive, files)
    quire = await startQuire()
    const person = new QuireClient({ origin: quire.origin })
    await person.login({ body: { username: quire.username, password: quire.password } })
    const { body } = await person.createToken({
      body: { name: 'packages', scopes: ['submission_create', 'submission_read', 'artifact_download'] },
    })
    token = body.secret
  }, 120_000)
  afterAll(() => quire.stop())

  /** Runs the README's program, and checks what it downloaded. */
  function goesTheWholeWay(runtime: string, file = 'program.mjs'): void {
    const variables = { QUIRE_SERVER: quire.origin, QUIRE_TOKEN: token }
    const { code, output } = project.run([runtime, file], variables)
    expect([code, output]).toEqual([0, expect.stringMatching(/^\S+\.docx\n\S+\.pdf\n$/)])
    const [, pdf = ''] = output.split('\n')
    expect(readFileSync(join(project.folder, pdf)).subarray(0, 5).toString()).toBe('%PDF-')
  }

  test('goes from a submission to its documents under Bun', () => goesTheWholeWay(process.execPath))

  test('goes the same way by the program that its page in the docs shows, whose types the strict compiler takes', () => {
    goesTheWholeWay(process.execPath, 'shown.ts')
    const types = join(root, 'node_modules/bun-types')
    expect(shown).toHaveLength(2)
    for (const file of ['shown.ts', 'freeze.ts']) expect(typeErrors(project, file, 'nodenext', [types])).toBe('')
  })

  test.skipIf(findNode() === undefined)('goes from a submission to its documents under Node', () => {
    goesTheWholeWay(findNode() ?? '')
  })

  test('says what was refused, and what does not answer', () => {
    const refused = project.run([process.execPath, 'program.mjs'], {
      QUIRE_SERVER: quire.origin,
      QUIRE_TOKEN: 'qr_wrong',
    })
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('authentication_required: ')])
    const once = program.replace('token:', 'retries: false, token:')
    const away = project.run([process.execPath, '-e', once], { QUIRE_SERVER: 'http://127.0.0.1:1', QUIRE_TOKEN: token })
    expect([away.code, away.output]).toEqual([1, expect.stringContaining('QuireUnreachable: POST http://127.0.0.1:1/')])
  })

  test('has types that the strict compiler takes, however it resolves modules', () => {
    for (const module of ['nodenext', 'preserve'] as const) expect(typeErrors(project, 'checked.ts', module)).toBe('')
  })

  test.skipIf(skipsBrowserTests('the client in a browser'))(
    'goes from a submission to its documents in a browser',
    async () => {
      const page = await (await startBrowser()).newPage()
      const site = serveBeside(quire.origin, join(project.folder, 'node_modules/@quire/client/index.js'))
      await page.goto(site.url.href)
      const made = await page.evaluate(
        async ({ token, submission }) => {
          const module = '/client.js'
          const { QuireClient } = await import(module)
          const client = new QuireClient({ origin: location.origin, token })
          const { body } = await client.createSubmission({ body: JSON.parse(submission) })
          const [{ id }] = body.submission.executions
          const { artifacts } = await client.waitForExecution(id)
          const pdf = artifacts.find((artifact: { kind: string }) => artifact.kind === 'pdf')
          const download = await client.download(id, pdf.id)
          const bytes: Uint8Array = await download.bytes()
          const refusal = await client
            .getExecution({ params: { executionId: pdf.id } })
            .catch((error: unknown) => error)
          return {
            length: bytes.length,
            size: pdf.byte_size,
            start: String.fromCharCode(...bytes.slice(0, 5)),
            code: refusal.code,
          }
        },
        { token, submission: files['submission.json'] },
      )
      expect(made).toEqual({ length: made.size, size: expect.any(Number), start: '%PDF-', code: 'not_found' })
    },
  )

  test('is one module for browsers, too: it imports nothing and needs no global of a server', () => {
    const source = readFileSync(join(project.folder, 'node_modules/@quire/client/index.js'), 'utf8')
    expect(new Bun.Transpiler({ loader: 'js' }).scanImports(source)).toEqual([])
    expect(source.match(/\brequire\(|\bprocess\.|\bBuffer\b|\bBun\./g)).toBeNull()
    const manifest = JSON.parse(readFileSync(join(project.folder, 'node_modules/@quire/client/package.json'), 'utf8'))
    expect([manifest.name, manifest.license, manifest.dependencies]).toEqual(['@quire/client', 'MIT', undefined])
    expect(manifest.version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version)
  })
})

test('a package is installed from its folder as well', async () => {
  const { folder } = await buildPackage('client', temporaryFolder())
  const project = freshProject(folder, {
    'one.mjs': "import { QuireClient } from '@quire/client'; console.log(QuireClient.name)",
  })
  expect(project.run([process.execPath, 'one.mjs']).output).toBe('QuireClient\n')
  for (const name of ['README.md', 'LICENSE']) {
    expect(existsSync(join(project.folder, 'node_modules/@quire/client', name))).toBe(true)
  }
})
