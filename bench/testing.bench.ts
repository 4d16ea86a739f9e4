/**
 * `quire test` over a project of 50 documents and 500 cases, each a DOCX and a PDF of one or two pages.
 *
 * Method: the demo's letter becomes 50 models with contracts, transformers and templates of their own, each with 10 cases of
 * different figures and numbers of instalments. Their results are stored once as expected. Then dist/quire (or the source, if it
 * isn't built) runs all cases in a new process without a cache. On a busy machine, half of the CPU seconds is the least that two
 * cores would take. For `--watch`, the time from the end of a write to the printed line is measured for a change of one case and
 * of a template. Median and range of 3. Run: bun run build && bun bench/testing.bench.ts
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { demo } from '../src/demo/demo.ts'
import { cleanUp } from '../test/support/cleanup.ts'
import { temporaryFolder } from '../test/support/database.ts'
import { summary } from './figures.ts'
import { templateOf } from './own-template.ts'

const documents = 50
const casesOfEach = 10
const runs = 3

const root = resolve(import.meta.dir, '..')
const binary = join(root, 'dist/quire')
const command = existsSync(binary) ? [binary] : [process.execPath, join(root, 'src/main.ts')]
const folder = temporaryFolder()

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

const template = await demo.template.bytes()
const accepted = demo.scenarios.filter(({ id }) => id !== 'invalid')
for (let number = 1; number <= documents; number++) {
  const slug = `letter-${number}`
  const title = `Notice ${number}`
  write(`contracts/${slug}.schema.json`, demo.contract.schema.replace(/"title": "[^"]*"/, `"title": "${title}"`))
  write(
    `transformers/${slug}.yaml`,
    demo.transformer.source.replace('Policy premium notice@1', `${title}@1`).replace('clws-policy@1', `${slug}@1`),
  )
  write(`templates/${slug}.docx`, templateOf(template, number))
  write(
    `models/${slug}.yaml`,
    demo.ingestionModel.source.replace('Policy premium notice', title).replaceAll('clws-policy', slug),
  )
  for (let index = 0; index < casesOfEach; index++) {
    const input = JSON.parse(accepted[index % accepted.length]!.raw_input)
    input.policy.number = `CLW-2026-${String(number * 100 + index).padStart(6, '0')}`
    input.policyholder.lastName = `Reader${number}x${index}`
    write(`cases/${slug}/case-${index}.json`, JSON.stringify(input))
  }
}

/** CPU seconds of the last command on all cores: on a busy machine they say more than the clock. */
let cpuSeconds = 0

async function quire(...args: string[]): Promise<string> {
  const child = Bun.spawn([...command, ...args], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'inherit',
    env: { PATH: process.env.PATH ?? '' },
  })
  const printed = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(printed)
  cpuSeconds = Number(child.resourceUsage()?.cpuTime.total ?? 0n) / 1e6
  return printed
}

async function timed(count: number, ...args: string[]): Promise<{ seconds: number[]; cpu: number[] }> {
  const times = { seconds: [] as number[], cpu: [] as number[] }
  for (let index = 0; index < count; index++) {
    const startMs = performance.now()
    await quire(...args)
    times.seconds.push((performance.now() - startMs) / 1000)
    times.cpu.push(cpuSeconds)
  }
  return times
}

await quire('test', '--update')
const refused = [...new Bun.Glob('cases/**/refusal.json').scanSync(folder)]
if (refused.length > 0) throw new Error(`every case is to make a document: ${refused[0]}`)
const total = documents * casesOfEach
for (const [name, count, ...args] of [
  [`${documents} documents, ${total} cases`, runs, 'test'],
  ['the same with --coverage', 1, 'test', '--coverage'],
  ['one case', runs, 'test', '--case', 'letter-7/case-3'],
] as const) {
  const { seconds, cpu } = await timed(count, ...args)
  console.log(summary(`${name}, s`, seconds, name.startsWith('50') ? 'reach 5' : '–'))
  console.log(summary('  CPU seconds of all cores', cpu, '–'))
  if (name.startsWith('50'))
    console.log(
      summary(
        '  cases a second',
        seconds.map((each) => total / each),
        'reach 100',
      ),
    )
}

/** Milliseconds from a change to the line with its cases' result. */
async function watched(
  path: string,
  change: (number: number) => string | Uint8Array,
): Promise<{ times: number[]; cpuMs: number }> {
  const child = Bun.spawn([...command, 'test', '--watch'], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'inherit',
    env: { PATH: process.env.PATH ?? '' },
  })
  const reader = child.stdout.getReader()
  let printed = ''
  const nextMatch = async (words: RegExp) => {
    while (!words.test(printed)) printed += new TextDecoder().decode((await reader.read()).value)
    printed = ''
  }
  await nextMatch(/Watching/)
  const times: number[] = []
  let cpuBefore = 0
  for (let number = 0; number < runs + 1; number++) {
    if (number === 1) cpuBefore = cpuMsOf(child.pid)
    const content = change(number)
    const startMs = performance.now()
    writeFileSync(join(folder, path), content)
    await nextMatch(/ passed, \d+ failed/)
    times.push(performance.now() - startMs)
  }
  const cpuMs = (cpuMsOf(child.pid) - cpuBefore) / runs
  child.kill()
  await child.exited
  return { times: times.slice(1), cpuMs }
}

/** Processor time of a process so far, in ticks of 10 ms; 0 without /proc. */
function cpuMsOf(pid: number): number {
  const stat = `/proc/${pid}/stat`
  if (!existsSync(stat)) return 0
  const fields = readFileSync(stat, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const caseFile = 'cases/letter-7/case-3.json'
const input = readFileSync(join(folder, caseFile), 'utf8')
const transformerFile = 'transformers/letter-7.yaml'
const transformer = readFileSync(join(folder, transformerFile), 'utf8')
for (const [name, path, change] of [
  ["a case's change, ms", caseFile, (number: number) => input + ' '.repeat(number)],
  ["a transformer's, 10 cases, ms", transformerFile, (number: number) => `${transformer}# ${number}\n`],
  ["a template's, 10 cases, ms", 'templates/letter-7.docx', (number: number) => templateOf(template, 1000 + number)],
] as const) {
  const { times, cpuMs } = await watched(path, change)
  console.log(summary(name, times, 'reach 200'))
  console.log(summary('  CPU ms of all cores', [cpuMs], '–'))
}
await cleanUp()
