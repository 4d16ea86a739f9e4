import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { buildPackage } from '../../scripts/build-packages.ts'
import { QuireClient } from '../../src/client/client.ts'
import { type Description, groupsOf, type Operation } from '../../src/console/views/api-reference/description.ts'
import { firstBody, firstTyped, keyOf, requestOf, type Typed } from '../../src/console/views/api-reference/request.ts'
import { type Language, languages, sampleOf } from '../../src/console/views/api-reference/samples.ts'
import { demo } from '../../src/demo/demo.ts'
import { describeOperations } from '../../src/http/openapi.ts'
import type { Operation as Declared, SingleBody } from '../../src/http/operation.ts'
import { startTestApp } from '../http/harness.ts'
import { freshProject, typeErrors } from '../packages/fresh-project.ts'
import { temporaryFolder } from '../support/database.ts'
import { startQuire } from '../support/quire.ts'

/** What the samples use of Node. */
const nodeTypes = `declare const process: { env: Record<string, string | undefined> }
declare module 'node:fs/promises' {
  export function readFile(path: string): Promise<Uint8Array<ArrayBuffer>>
  export function writeFile(path: string, data: Uint8Array): Promise<void>
}
`

const origin = 'http://127.0.0.1:8080'

describe('the samples of the API reference', () => {
  let api: Description
  let all: Operation[]
  let declared: readonly Declared[]

  let archive: string

  beforeAll(async () => {
    archive = (await buildPackage('client', temporaryFolder())).archive
    const { app } = await startTestApp()
    declared = app.operations
    api = describeOperations(app.operations) as unknown as Description
    all = groupsOf(api, '').flatMap(([, operations]) => operations)
  })

  function samples(
    language: Language,
    typed: (operation: Operation) => Typed = (one) => firstTyped(one, () => 'key-1'),
  ) {
    return all.flatMap((operation) => {
      const forms = operation.body.length === 0 ? [undefined] : operation.body
      return forms.map((form) => {
        const body = form === undefined ? '' : firstBody(form.mediaType, form.schema, api)
        const filled = { typed: typed(operation), mediaType: form?.mediaType, body }
        return { id: operation.id, text: sampleOf(language, requestOf(operation, filled, origin)) }
      })
    })
  }
  const filledIn = (operation: Operation): Typed =>
    Object.fromEntries(
      operation.parameters.map((one) => [keyOf(one), one.schema?.type === 'integer' ? '7' : 'it\'s "\\ü$1`']),
    )

  test('begin with a body that the operation takes', () => {
    expect(all.length).toBeGreaterThan(100)
    const json = all
      .flatMap(({ id, body }) => body.map((form) => ({ id, ...form })))
      .filter(({ mediaType }) => mediaType === 'application/json')
    expect(json.length).toBeGreaterThan(50)
    const unfit = json.flatMap(({ id, mediaType, schema }) => {
      const form = declared.find((one) => one.id === id)?.body
      const forms: readonly SingleBody[] = form?.kind === 'choice' ? form.of : form === undefined ? [] : [form]
      const taken = forms.find((one) => one.kind === 'json')
      const example: unknown = JSON.parse(firstBody(mediaType, schema, api))
      if (taken?.kind !== 'json') throw new Error(`${id} takes no JSON`)
      return TypeCompiler.Compile(taken.schema).Check(example) ? [] : [{ id, example }]
    })
    expect(unfit).toEqual([])
  })

  test('in TypeScript pass the strict compiler against the client', () => {
    const files = Object.fromEntries(
      samples('TypeScript').map(({ id, text }, at) => [`samples/${at}-${id}.ts`, `${text}\nexport {}\n`]),
    )
    const index = Object.keys(files).map((name) => `import './${name}'\n`)
    const node = { 'node.d.ts': nodeTypes }
    const project = freshProject(archive, {
      ...files,
      ...node,
      'all.ts': `/// <reference path="node.d.ts" />\n${index.join('')}`,
    })
    expect(typeErrors(project, 'all.ts', 'nodenext')).toBe('')
  }, 60_000)

  test('for curl are what a shell reads as the request, whatever was typed', async () => {
    for (const typed of [undefined, filledIn]) {
      for (const { id, text } of samples('curl', typed)) {
        const script = `curl() { printf '%s\\0' "$@"; }\nexport QUIRE_TOKEN=qr_x CSRF_TOKEN=c\n${text}`
        const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-c', script])
        expect([id, exitCode, stderr.toString()]).toEqual([id, 0, ''])
        const args = stdout.toString().split('\0')
        expect(args[0]).toBe('--fail-with-body')
        expect(URL.canParse(args[1] ?? '')).toBe(true)
        if (
          typed === filledIn &&
          all.find((one) => one.id === id)?.parameters.some(({ name }) => name === 'Idempotency-Key')
        ) {
          expect(args).toContain('Idempotency-Key: it\'s "\\ü$1`')
        }
      }
    }
  })

  test('make, list, upload and download as they are, in each language', async () => {
    const quire = await startQuire()
    try {
      const person = new QuireClient({ origin: quire.origin })
      await person.login({ body: { username: quire.username, password: quire.password } })
      const scopes = ['configuration_read', 'configuration_write', 'artifact_download'] as const
      const made = await person.createToken({ body: { name: 'samples', scopes: [...scopes] } })
      const [{ raw_input, metadata }] = demo.scenarios
      const { body } = await person.createSubmission({ body: { ingestion_model: 'clws-policy', raw_input, metadata } })
      const executionId = body.submission.executions[0]?.id ?? ''
      const { artifacts } = await person.waitForExecution(executionId)
      const letter = readFileSync(join(import.meta.dir, '../../src/demo/letter.docx'))
      const project = freshProject(archive, { 'file.docx': letter })

      function run(
        language: Language,
        id: string,
        typed: Typed,
        about: { mediaType?: string; members?: object } = {},
      ): string {
        const operation = all.find((one) => one.id === id)
        if (operation === undefined) throw new Error(`there is no ${id}`)
        const form = operation.body.find(({ mediaType }) => mediaType === (about.mediaType ?? mediaType))
        const first = form === undefined ? '' : firstBody(form.mediaType, form.schema, api)
        const filled = {
          typed: { ...firstTyped(operation, () => `${id}-${language}`), ...typed },
          ...{
            mediaType: form?.mediaType,
            body: form === undefined ? '' : JSON.stringify({ ...JSON.parse(first), ...about.members }, null, 2),
          },
        }
        const text = sampleOf(language, requestOf(operation, filled, quire.origin))
        const command = { curl: ['sh', '-c'], Python: ['python3', '-c'], TypeScript: [process.execPath, '-e'] }[
          language
        ]
        const { code, output } = project.run([...command, text], { QUIRE_TOKEN: made.body.secret })
        expect([language, id, code, output]).toEqual([language, id, 0, output])
        return output
      }

      for (const language of languages) {
        const name = language.toLowerCase()
        expect(run(language, 'createContract', {}, { members: { name, schema: '{}' } })).toContain(name)
        expect(run(language, 'listContracts', { 'query limit': '2' })).toContain(name)
        expect(run(language, 'createTemplate', {}, { members: { name }, mediaType: 'multipart/form-data' })).toContain(
          name,
        )
        const artifact = { 'path executionId': executionId, 'path artifactId': artifacts[0]?.id ?? '' }
        run(language, 'downloadArtifact', artifact)
        const saved = join(project.folder, 'answer.docx')
        expect(readFileSync(saved).subarray(0, 2).toString()).toBe('PK')
        rmSync(saved)
      }
    } finally {
      await quire.stop()
    }
  }, 120_000)

  test('in Python compile, whatever was typed', () => {
    const texts = [undefined, filledIn].flatMap((typed) => samples('Python', typed))
    const script =
      'import json, sys\nfor one in json.load(sys.stdin): compile(one["text"], one["id"], "exec")\nprint("all")'
    const { stdout, stderr } = Bun.spawnSync(['python3', '-c', script], { stdin: Buffer.from(JSON.stringify(texts)) })
    expect([stdout.toString(), stderr.toString()]).toEqual(['all\n', ''])
  })
})
