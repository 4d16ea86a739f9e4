import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ApiClient, untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

const reference = 'CLW-PLANTED-90210'
const planted = 'Qzxplantedname'

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Files of the data directory that hold what was planted. */
function filesWithPlanted({ folder }: RunningQuire, texts: readonly string[] = [planted, reference]): string[] {
  const files = filesBelow(join(folder, 'quire-data'))
  return files.filter((file) => texts.some((text) => readFileSync(file).includes(text)))
}

/** Documents are packed, so that they are looked for by their hashes. */
function objectsOf({ folder }: RunningQuire): string[] {
  return filesBelow(join(folder, 'quire-data/objects')).map((file) => basename(file))
}

async function submit(client: ApiClient, object: string, name: string) {
  const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
  const input = JSON.parse(raw_input.replaceAll(metadata.source_object, object))
  const named = JSON.parse(JSON.stringify(input).replace(/("(?:\w*name|\w*Name)":")[^"]*"/g, `$1${name}"`))
  const body = {
    ingestion_model: 'clws-policy',
    raw_input: JSON.stringify(named),
    metadata: { ...metadata, source_object: object },
  }
  const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
  expect(answer.status).toBe(202)
  const ids: string[] = answer.body.submission.executions.map((execution: { id: string }) => execution.id)
  const ended = []
  for (const id of ids) ended.push(await untilEnded(client, id))
  return ended
}

/** As if they were stored some minutes ago: younger objects wait. */
function ageObjects(quire: RunningQuire): void {
  const before = new Date(Date.now() - 600_000)
  for (const file of filesBelow(join(quire.folder, 'quire-data/objects'))) utimesSync(file, before, before)
}

test('an erased object is in no file of the data directory, also after a kill in between, and verify says why', async () => {
  const first = await startQuire()
  const client = new ApiClient(first.origin)
  await client.login(first.username, first.password)
  // Rows before, between and after: what is erased shares its pages with what stays.
  const documents: string[] = []
  for (let round = 0; round < 3; round++) {
    const made = await submit(client, reference, planted)
    documents.push(...made.flatMap((one) => one.artifacts.map((file: { content_hash: string }) => file.content_hash)))
    await submit(client, `CLW-STAYS-${round}`, 'Somebody else')
  }
  expect(documents.length).toBeGreaterThan(0)
  for (const text of [planted, reference]) expect(filesWithPlanted(first, [text])).not.toEqual([])
  expect(objectsOf(first)).toContain(documents[0] ?? '')
  expect(await runCommand(first.folder, ['backup', 'before.tar'])).toMatchObject({ code: 0 })
  const environment = { QUIRE_SERVER: first.origin, QUIRE_USERNAME: first.username, QUIRE_PASSWORD: first.password }
  const plan = await runCommand(first.folder, ['erase', reference, '--dry-run'], environment)
  expect(plan).toMatchObject({ code: 0, stderr: '' })
  expect(plan.stdout).toStartWith('would erase 3 submissions, ')
  const held = await runCommand(first.folder, ['hold', reference, '--reason', 'case 12', '--json'], environment)
  expect(held).toMatchObject({ code: 0, stderr: '' })
  const { id: holdId } = JSON.parse(held.stdout)
  const refused = await runCommand(first.folder, ['erase', reference, '--reason', 'request 17'], environment)
  expect([refused.code, refused.stderr.includes(`under the legal hold ${holdId}`)]).toEqual([1, true])
  const release = ['hold', '--release', holdId, '--reason', 'case 12 is over']
  expect(await runCommand(first.folder, release, environment)).toMatchObject({ code: 0, stderr: '' })
  expect((await runCommand(first.folder, ['hold', '--list'], environment)).stdout).toContain('case 12 is over')
  const erased = await runCommand(first.folder, ['erase', reference, '--reason', 'request 17', '--json'], environment)
  expect(erased).toMatchObject({ code: 0, stderr: '' })
  const { id } = JSON.parse(erased.stdout)
  // Its documents are too young to be removed, so that the erasure isn't completed when the process is killed.
  expect((await client.get(`/api/v1/erasures/${id}`)).body.status).toBe('finishing')
  await first.kill()
  ageObjects(first)

  const second = await startQuire({ folder: first.folder })
  const again = new ApiClient(second.origin)
  await again.login(second.username, second.password)
  const status = async () => (await again.get(`/api/v1/erasures/${id}`)).body.status
  await until('the erasure is completed', async () => (await status()) === 'completed')
  expect(filesWithPlanted(second)).toEqual([])
  for (const document of documents) expect(objectsOf(second)).not.toContain(document)
  const listed = await runCommand(second.folder, ['erase', '--list'], { ...environment, QUIRE_SERVER: second.origin })
  expect(listed.stdout).toContain(`${id}  completed`)
  expect(listed.stdout).toContain('request 17')
  expect(await second.stop()).toBe(0)
  expect(filesWithPlanted(second)).toEqual([])
  expect(await second.log()).not.toContain(reference)

  const verified = await runCommand(second.folder, ['verify'])
  expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: '' })
  expect(verified.stdout).toContain('because of "request 17"')
  expect(verified.stdout).toContain('3 submissions with')
  // It is copied with the rest, and holds there as well.
  expect(await runCommand(second.folder, ['backup', 'copy.tar'])).toMatchObject({ code: 0 })
  const restored = await runCommand(second.folder, ['restore', 'copy.tar', '--replace'])
  expect([restored.code, restored.stdout.includes('again')]).toEqual([0, false])
  expect((await runCommand(second.folder, ['verify'])).stdout).toContain('because of "request 17"')

  // A backup from before has the data, and its restore erases it again, also where the data directory is lost.
  for (const lost of [false, true]) {
    if (lost) rmSync(join(second.folder, 'quire-data'), { recursive: true })
    const older = await runCommand(second.folder, ['restore', 'before.tar', ...(lost ? [] : ['--replace'])])
    expect([older.code, older.stderr]).toEqual([0, ''])
    expect(older.stdout).toContain('made an erasure again that the backup did not have')
    const told = await runCommand(second.folder, ['verify'])
    expect([told.code, told.stderr, told.stdout.includes('because of "request 17"')]).toEqual([0, '', true])
  }
  ageObjects(second)
  const third = await startQuire({ folder: second.folder })
  const last = new ApiClient(third.origin)
  await last.login(third.username, third.password)
  const list = await last.get(`/api/v1/submissions?object_reference=${reference}`)
  expect([list.status, list.body.submissions]).toEqual([200, []])
  await until(
    'it is completed again',
    async () => (await last.get(`/api/v1/erasures/${id}`)).body.status === 'completed',
  )
  expect(filesWithPlanted(third)).toEqual([])
  for (const document of documents) expect(objectsOf(third)).not.toContain(document)
}, 120_000)
