/**
 * Planning and applying a project, and what an export does to other requests.
 *
 * A project of 50 documents (a contract, a transformer, a template and a model each) and 500 cases is planned twice on an empty
 * store, applied, planned by servers just started on that store, planned again, and applied with every tenth transformer changed.
 * Then /health/live is polled while an export of 500 configuration files is made; the figures beside it are those of the same
 * requests without the export.
 * Run: bun bench/project.bench.ts
 */
import { readFileSync } from 'node:fs'
import { demo } from '../src/demo/demo.ts'
import { writeZip } from '../src/engines/ooxml/zip-writer.ts'
import { ApiClient } from '../test/support/client.ts'
import { startQuire } from '../test/support/quire.ts'
import { templateOf } from './own-template.ts'

const documents = Number(process.env.DOCUMENTS ?? 50)
const casesOfEach = 10

/** The demo's letter, each time under another name and with a template of its own. */
async function project(count: number, change = ''): Promise<Uint8Array> {
  const { contract, transformer, template, ingestionModel, scenarios } = demo
  const letter = await template.bytes()
  const encoder = new TextEncoder()
  const files: { name: string; data: Uint8Array }[] = []
  const [scenario] = scenarios
  for (let index = 0; index < count; index++) {
    const slug = `letter-${index}`
    const own = (text: string) =>
      text.replaceAll('clws-policy', slug).replaceAll('Policy premium notice', `Contract ${index}`)
    const add = (name: string, text: string) => files.push({ name, data: encoder.encode(own(text)) })
    add(`contracts/${slug}.schema.json`, contract.schema)
    add(`transformers/${slug}.yaml`, index % 10 === 0 ? `${transformer.source}${change}` : transformer.source)
    add(`models/${slug}.yaml`, ingestionModel.source)
    files.push({ name: `templates/${slug}.docx`, data: templateOf(letter, index) })
    for (let each = 0; each < casesOfEach; each++) {
      add(`cases/${slug}/case-${each}.json`, `${scenario?.raw_input ?? ''}${' '.repeat(each)}`)
    }
  }
  return writeZip(files)
}

let quire = await startQuire()
let client = new ApiClient(quire.origin, false)
await client.login(quire.username, quire.password)

interface Planned {
  plan_hash: string
  changes: unknown[]
  unchanged: number
  cases_run: number
  broken_cases: unknown[]
  issues: unknown[]
}

async function send(path: string, archive: Uint8Array, fields: Record<string, string>): Promise<[ms: number, Planned]> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(archive)], { type: 'application/zip' }), 'file')
  const startedMs = performance.now()
  const answer = await fetch(`${quire.origin}/api/v1/project/${path}`, {
    method: 'POST',
    headers: { ...client.session, origin: quire.origin, 'idempotency-key': crypto.randomUUID() },
    body: form,
  })
  const body = (await answer.json()) as Planned
  if (answer.status !== 200) throw new Error(JSON.stringify(body))
  return [performance.now() - startedMs, body]
}

/**
 * Processor time that all threads of the server and its engine processes have used so far; it is easier to compare between
 * machines than elapsed time.
 */
function processorMs(): number {
  const engines = readFileSync(`/proc/${quire.pid}/task/${quire.pid}/children`, 'utf8').trim().split(' ')
  return [quire.pid, ...engines].filter((pid) => pid !== '').reduce((sum: number, pid) => sum + usedBy(pid), 0)
}

function usedBy(pid: number | string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function both(what: string, archive: Uint8Array): Promise<void> {
  const began = processorMs()
  const [planMs, plan] = await send('plan', archive, {})
  const planned = processorMs()
  const [applyMs] = await send('apply', archive, { plan_hash: plan.plan_hash })
  const applied = processorMs()
  const { changes, unchanged, cases_run: run, broken_cases: broken, issues } = plan
  console.log(
    `${what}: plan ${planMs.toFixed(0)} ms (${planned - began} of processor), apply ${applyMs.toFixed(0)} ms (${applied - planned} of processor); ${changes.length} changes, ${unchanged} unchanged, ` +
      `${run} cases, ${broken.length} broken, ${issues.length} issues`,
  )
}

/** Durations of requests for /health/live until the work is done. */
async function liveBeside(work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isDone = false
  const asking = (async () => {
    while (!isDone) {
      const startedMs = performance.now()
      await fetch(`${quire.origin}/health/live`)
      times.push(performance.now() - startedMs)
      await Bun.sleep(1)
    }
  })()
  await work()
  isDone = true
  await asking
  return times.sort((one, other) => one - other)
}

const shown = (times: readonly number[]) =>
  `p50 ${times[times.length >> 1]?.toFixed(1)} ms, p99 ${times[Math.floor(times.length * 0.99)]?.toFixed(1)} ms, most ${times.at(-1)?.toFixed(1)} ms of ${times.length}`

async function planFirst(what: string, archive: Uint8Array): Promise<void> {
  const started = processorMs()
  const [ms] = await send('plan', archive, {})
  const used = processorMs() - started
  console.log(`the first plan of a process, on ${what}: ${ms.toFixed(0)} ms (${used} of processor)`)
}

await planFirst('an empty store', await project(documents))
await both('an empty store', await project(documents))
for (const [what, change] of [
  ['a store that has the project', ''],
  ['one that has it but for every tenth transformer', '# changed, but not applied\n'],
] as const) {
  await quire.stop()
  quire = await startQuire({ folder: quire.folder })
  client = new ApiClient(quire.origin, false)
  await client.login(quire.username, quire.password)
  await planFirst(what, await project(documents, change))
}
await both('nothing changed', await project(documents))
await both('every tenth transformer changed', await project(documents, '# changed\n'))
await both('125 documents', await project(125))
let bytes = 0
const get = async () => {
  const startedMs = performance.now()
  const answer = await fetch(`${quire.origin}/api/v1/project`, { headers: client.session })
  bytes = (await answer.arrayBuffer()).byteLength
  return performance.now() - startedMs
}
await get()
let ms = 0
console.log('/health/live beside nothing:', shown(await liveBeside(() => Bun.sleep(2000))))
const beside = await liveBeside(async () => {
  ms = await get()
})
console.log('/health/live beside the export of 500 files of configuration:', shown(beside))
console.log(`the export takes ${ms.toFixed(0)} ms and has ${bytes} bytes`)
const large = await project(125, '# once more\n')
console.log('/health/live beside a plan of them:', shown(await liveBeside(() => send('plan', large, {}))))
await quire.stop()
