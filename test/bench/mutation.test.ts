import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Compiler, openCompiler } from '../../bench/mutation/compiler.ts'
import { draw } from '../../bench/mutation/draw.ts'
import { linesOf, Notes, runsPlace } from '../../bench/mutation/measures.ts'
import { mutantsOf, planted } from '../../bench/mutation/mutants.ts'
import { isNoticed, mutate, type Report, type Result } from '../../bench/mutation/run.ts'
import { scoreLines } from '../../bench/mutation/score.ts'
import { removeFolder } from '../../bench/mutation/scratch.ts'
import { namedTests, ownTests, reachedBy, roomOf, testsOfRoom } from '../../bench/mutation/tests.ts'
import { outcomeOf } from '../support/outcome.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { isAlive } from '../support/processes.ts'
import { smallDisk } from '../support/small-disk.ts'
import { until } from '../support/until.ts'

/** A project of its own: what `price` gives is tested at its boundary, what `greeting` gives isn't looked at. */
const files: Record<string, string> = {
  'tsconfig.json':
    '{ "compilerOptions": { "strict": true, "module": "esnext", "allowImportingTsExtensions": true, "noEmit": true, "types": [] }, "include": ["src"] }',
  'src/shop/price.ts': 'export function price(count: number): number {\n  return count >= 10 ? 9 : 10\n}\n',
  'src/shop/greeting.ts':
    'const names: readonly "me"[] = ["me"]\nexport function greeting(name: string): string {\n  names.some((one) => one === name)\n  return "Hello"\n}\n',
  'src/shop/till.worker.ts': '#!/usr/bin/env bun\nimport { price } from "./price.ts"\nexport const total = price(1)\n',
  'src/other.ts': 'export const other = 1\n',
  'test/shop/price.test.ts':
    'import { expect, test } from "bun:test"\nimport { price } from "../../src/shop/price.ts"\ntest("ten cost less each", () => {\n  expect([9, 10, 11].map(price)).toEqual([10, 9, 9])\n})\n',
  'test/shop/greeting.test.ts':
    'import { expect, test } from "bun:test"\nimport { greeting } from "../../src/shop/greeting.ts"\ntest("greets", () => {\n  expect(greeting("you")).toBeString()\n})\n',
  'test/shop/till.test.ts':
    'import { expect, test } from "bun:test"\nimport { other } from "../../src/other.ts"\ntest("has a till", () => {\n  expect([other, new URL("../../src/shop/till.worker.ts", import.meta.url)]).toHaveLength(2)\n})\n',
  'test/other.test.ts': 'import { test } from "bun:test"\ntest("nothing", () => {})\n',
}

let root = ''
let compiler: Compiler

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'quire-mutation-test-'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  compiler = await openCompiler(root)
})
afterAll(async () => {
  await compiler?.close()
  rmSync(root, { recursive: true, force: true })
})

/** The texts that a file's faults make of the one line `code`. */
async function faultsOf(code: string): Promise<string[]> {
  const file = join(root, 'src/other.ts')
  writeFileSync(file, code)
  // The compiler takes the file anew with the check of any text.
  await compiler.complaints(file, code)
  const tree = await compiler.parse(file)
  const found = mutantsOf(tree).map((mutant) => planted(tree.text, mutant))
  writeFileSync(file, files['src/other.ts'] ?? '')
  return found
}

describe('the mutation run', () => {
  const shown: Result[] = []
  let report: Report
  beforeAll(async () => {
    const onResult = (result: Result) => shown.push(result)
    report = await mutate({ root, folder: 'src/shop', sample: 1_000, seed: 1, jobs: 2, onResult })
  })

  test('reports the fault that no test notices, and not the noticed one', () => {
    expect(shown).toHaveLength(report.results.length)
    const noticed = (file: string) =>
      report.results
        .filter((result) => result.file === `src/shop/${file}`)
        .map((result) => [result.diff, isNoticed(result)])

    const prices = noticed('price.ts')
    expect(prices).toContainEqual(['    - return count >= 10 ? 9 : 10\n    + return count >= 11 ? 9 : 10', true])
    expect(prices.filter(([, isNoticed]) => !isNoticed)).toEqual([])
    const greetings = noticed('greeting.ts')
    expect(greetings).toContainEqual(['    - return "Hello"\n    + return \'\'', false])
    expect(greetings.filter(([, isNoticed]) => isNoticed)).toEqual([])
  })

  test('draws the same faults from the same seed and others from another', async () => {
    const drawn = async (seed: number) => {
      const { results } = await mutate({
        root,
        folder: 'src/shop/price.ts',
        tests: ['test/shop/price.test.ts'],
        sample: 2,
        seed,
      })
      return results.map(({ diff }) => diff)
    }
    const first = await drawn(3)
    expect(first).toHaveLength(2)
    expect(await drawn(3)).toEqual(first)
    expect(await drawn(4)).not.toEqual(first)
  })

  test('plants a hand-made fault, reports its line, and leaves the project unchanged', async () => {
    const fault = { file: 'src/shop/price.ts', find: '? 9', replace: '? 8' }
    const { results } = await mutate({ root, folder: 'src/shop', sample: 0, seed: 1, faults: [fault] })
    expect(results).toMatchObject([{ line: 2, outcome: 'noticed', noticedBy: 'ten cost less each' }])
    expect(readFileSync(join(root, fault.file), 'utf8')).toBe(files[fault.file] ?? '')
  })

  test('writes unnoticed faults to a file from which they can be planted again', async () => {
    const faults = report.results.filter((result) => !isNoticed(result)).map(({ fault }) => fault)
    expect(faults.length).toBeGreaterThan(1)
    const again = await mutate({ root, folder: 'src/shop', sample: 0, seed: 1, faults })
    expect(again.results.map(({ diff }) => diff).sort()).toEqual(
      report.results
        .filter((result) => !isNoticed(result))
        .map(({ diff }) => diff)
        .sort(),
    )
    expect(again.results.filter(isNoticed)).toEqual([])
  })

  test('stops when the tests fail without any fault', async () => {
    writeFileSync(
      join(root, 'test/shop/red.test.ts'),
      'import { test } from "bun:test"\nimport { price } from "../../src/shop/price.ts"\ntest("red", () => { throw price(1) })\n',
    )
    const run = mutate({ root, folder: 'src/shop', sample: 1, seed: 1 })
    expect(await outcomeOf(run)).toThrow('test/shop/red.test.ts failed without a fault')
    rmSync(join(root, 'test/shop/red.test.ts'))
  })

  test('leaves out faults that the compiler notices', () => {
    // The only name that there is, emptied.
    expect(report.untyped).toBe(1)
    expect(report.results.filter(({ diff }) => diff.includes('["me"]'))).toEqual([])
  })
})

describe('a sample of all of the source', () => {
  const all = { folder: 'src', sample: 1_000, seed: 1 }

  test('meets the tests of the part that each file belongs to', async () => {
    const { results } = await mutate({ root, ...all })
    const outcomes = (file: string) => [
      ...new Set(results.filter((one) => one.file === file).map((one) => one.outcome)),
    ]
    expect(outcomes('src/shop/price.ts')).toEqual(['noticed'])
    // A test of the shop imports it, which is nothing to go by.
    expect(outcomes('src/other.ts')).toEqual(['reached by no test'])
    expect(
      ['src/shop/deep/a.ts', 'src/engines/pdf/read/a.ts', 'src/modules/audit/a.ts', 'src/main.ts'].map(roomOf),
    ).toEqual([...['src/shop', 'src/engines/pdf', 'src/modules/audit', 'src/main.ts']])
  })

  test('gives each part its share by lines, also among the first that are planted', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `export const c${index} = ${index + 5}\n`)
    const added = { 'src/attic/long.ts': lines.join(''), 'src/cellar/short.ts': lines.slice(0, 10).join('') }
    for (const [file, text] of Object.entries(added)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    const { planted: drawn } = await draw(root, 'src', 10_000, 1)
    for (const file of Object.keys(added)) rmSync(dirname(join(root, file)), { recursive: true })
    const ofRoom = (count: number, file: string) => drawn.slice(0, count).filter((one) => one.file === file).length
    // Of 69 lines, with the blank ones after the last line feeds.
    for (const count of [14, 28]) {
      expect(Math.abs(ofRoom(count, 'src/attic/long.ts') - (41 / 69) * count)).toBeLessThan(2)
      expect(Math.abs(ofRoom(count, 'src/cellar/short.ts') - (11 / 69) * count)).toBeLessThan(2)
    }
  })
})

describe('a fault of one part of a folder', () => {
  test('meets the tests of its part first, and the others of the folder only where these leave it', async () => {
    const till = (expected: string) =>
      `import { expect, test } from "bun:test"\nimport { till } from "../../../src/modules/till/till.ts"\ntest("${expected}", () => { expect(till(1)).${expected} })\n`
    const added = {
      'src/modules/till/till.ts': 'export function till(count: number): number {\n  return count + 1\n}\n',
      'test/modules/till/till.test.ts': till('toBeGreaterThan(1)'),
      'test/modules/desk/desk.test.ts': till('toBe(2)'),
    }
    for (const [file, text] of Object.entries(added)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    const tried = async (replace: string, nearest: boolean) => {
      const notes = new Notes<Result>()
      const faults = [{ file: 'src/modules/till/till.ts', find: '+ 1', replace }]
      const { results } = await mutate({ root, folder: 'src/modules', sample: 0, seed: 1, faults, notes, nearest })
      return [results.map(({ outcome, noticedBy = '' }) => `${outcome} ${noticedBy}`), [...notes.measures.keys()]]
    }
    const [near, far] = ['test/modules/till/till.test.ts', 'test/modules/desk/desk.test.ts']
    expect(await tried('- 1', false)).toEqual([['noticed toBeGreaterThan(1)'], [near]])
    expect(await tried('+ 2', true)).toEqual([['unnoticed '], [near]])
    expect(await tried('+ 2', false)).toEqual([['noticed toBe(2)'], [near, far]])
    for (const folder of ['src/modules', 'test/modules']) rmSync(join(root, folder), { recursive: true })
  })
})

describe('a run that was ended', () => {
  const shop = { folder: 'src/shop', sample: 1_000, seed: 1 }

  test('goes on with what it kept: no fault is planted and no test measured twice', async () => {
    const folder = mkdtempSync(join(root, 'notes-'))
    const notes = () => new Notes<Result>(folder)
    const first = await mutate({ root, ...shop, notes: notes(), untilMs: 0 })
    expect(first.results).toEqual([])
    const whole = await mutate({ root, ...shop, notes: notes() })
    expect(whole.results.length).toBeGreaterThan(5)
    const kept = readFileSync(join(folder, 'results.jsonl'), 'utf8').split('\n').slice(0, -1)
    expect(kept).toHaveLength(whole.results.length)
    // All but the last two, and half a line that was being written.
    writeFileSync(join(folder, 'results.jsonl'), `${kept.slice(0, -2).join('\n')}\n{"outco`)
    const measures = readFileSync(join(folder, 'measures.jsonl'), 'utf8')
    const again = await mutate({ root, ...shop, notes: notes() })
    const outcomes = ({ results }: typeof again) => results.map(({ diff, outcome }) => [diff, outcome])
    expect(outcomes(again)).toEqual(outcomes(whole))
    expect(again.results.slice(0, -2).map(({ seconds }) => seconds)).toEqual(
      whole.results.slice(0, -2).map(({ seconds }) => seconds),
    )
    expect(readFileSync(join(folder, 'measures.jsonl'), 'utf8')).toBe(measures)
    rmSync(folder, { recursive: true })
  })
})

describe('what a fault is held against', () => {
  const fault = { file: 'src/shop/price.ts', find: '? 9', replace: '? 8' }
  const withTest = async <T>(text: string, action: (tests: string[]) => Promise<T>) => {
    const head =
      'import { expect, test } from "bun:test"\nimport { existsSync, writeFileSync } from "node:fs"\nimport { price } from "../../src/shop/price.ts"\n'
    writeFileSync(join(root, 'test/shop/timed.test.ts'), head + text)
    try {
      return await action(['test/shop/timed.test.ts'])
    } finally {
      rmSync(join(root, 'test/shop/timed.test.ts'))
    }
  }
  const outcomeFor = (text: string, more: { longestSeconds?: number } = {}) =>
    withTest(text, async (tests) => {
      const plan = { root, folder: 'src/shop', sample: 0, seed: 1, faults: [fault], tests, ...more }
      const { results } = await mutate(plan)
      return results.map(({ outcome }) => outcome)
    })
  const vain = 'throw new Error("waited 10000 ms in vain until it came")'

  test('is tried again when a test waited in vain, and is not noticed where that passes', async () => {
    const flag = JSON.stringify(join(root, 'waited'))
    const once = `test("a", () => { if (price(10) === 9 || existsSync(${flag})) return; writeFileSync(${flag}, ""); ${vain} })\n`
    expect(await outcomeFor(once)).toEqual(['unnoticed'])
    expect(await outcomeFor(`test("a", () => { if (price(10) === 8) ${vain} })\n`)).toEqual(['noticed'])
  })

  test('is tried again when a hook took too long, which is named without its time', async () => {
    const flag = JSON.stringify(join(root, 'hooked'))
    const slow = `beforeAll(async () => { if (price(10) === 9 || existsSync(${flag})) return; writeFileSync(${flag}, ""); await Bun.sleep(500) }, 50)\ntest("a", () => {})\n`
    expect(await outcomeFor(`import { beforeAll } from "bun:test"\n${slow}`)).toEqual(['unnoticed'])
  })

  test('decides nothing when the test waits in vain without it, too', async () => {
    const flag = JSON.stringify(join(root, 'measured'))
    const later = `test("a", () => { price(10); if (existsSync(${flag})) ${vain}\n  writeFileSync(${flag}, "") })\n`
    expect(await outcomeFor(later)).toEqual(['undecided'])
  })

  test('is a test that passes without it: one that waits in vain is measured again', async () => {
    const flag = JSON.stringify(join(root, 'begun'))
    const first = `test("a", () => { expect(price(10)).toBe(9); if (existsSync(${flag})) return; writeFileSync(${flag}, ""); ${vain} })\n`
    expect(await outcomeFor(first)).toEqual(['noticed'])
  })

  test('leaves out tests that take longer than it may', async () => {
    const notices = 'test("a", () => { expect(price(10)).toBe(9) })\n'
    expect(await outcomeFor(notices, { longestSeconds: 60 })).toEqual(['noticed'])
    expect(await outcomeFor(notices, { longestSeconds: 0 })).toEqual(['reached by no test'])
  })

  test('are the tests that run its line, and those that start a process or a worker which may', async () => {
    const idle = 'test("a", () => { expect(price).toBeFunction() })\n'
    expect(await outcomeFor(idle)).toEqual(['reached by no test'])
    expect(await outcomeFor(`${idle}export const started = "../../src/shop/till.worker.ts"\n`)).toEqual(['unnoticed'])
  })
})

describe('the lines that a test runs', () => {
  const lcov = 'TN:\nSF:src/a.ts\nDA:1,1\nDA:4,0\nDA:5,0\nend_of_record\nSF:test/b.ts\nDA:9,1\nend_of_record\n'
  const measure = { seconds: 1, cpuSeconds: 1, lines: linesOf(lcov) }

  test('are those of the sources that its report counts', () => {
    expect(measure.lines).toEqual({ 'src/a.ts': { run: [1], idle: [4, 5] } })
  })

  test('rule a place out only where it has lines and all of them are idle', () => {
    expect([1, 4, 7].map((line) => runsPlace(measure, 'src/a.ts', line, line))).toEqual([true, false, true])
    expect(runsPlace(measure, 'src/a.ts', 1, 4)).toBe(true)
    expect(runsPlace(measure, 'src/never-loaded.ts', 4, 4)).toBe(true)
  })
})

describe('the score', () => {
  const result = (file: string, outcome: Result['outcome']): Result => ({
    ...{ file, outcome, line: 1, lastLine: 1, kind: 'by hand', diff: '', seconds: 0 },
    fault: { file, find: '', replace: '' },
  })

  test('comes by part and for all, and leaves out what was not decided', () => {
    const results = [
      ...Array.from({ length: 9 }, () => result('src/bus/a.ts', 'noticed')),
      result('src/bus/a.ts', 'unnoticed'),
      result('src/modules/audit/b.ts', 'noticed by time'),
      result('src/modules/audit/b.ts', 'reached by no test'),
      result('src/modules/audit/b.ts', 'undecided'),
    ]
    expect(scoreLines(results)).toEqual([
      'src/bus                      9 of 10 noticed (90 %, 60 to 98)',
      'src/modules/audit            1 of 2 noticed (50 %, 9 to 91)',
      'all                          10 of 12 noticed (83 %, 55 to 95)',
      '1 left out: their tests failed for want of time without a fault as well',
    ])
    expect(scoreLines([])).toEqual([])
  })
})

describe('a process that is killed', () => {
  /** Runs a script, waits until it has printed a line, and kills it. Gives the numbers of that line. */
  async function killed(script: string): Promise<number[]> {
    const child = Bun.spawn([process.execPath, '-e', script], {
      cwd: join(import.meta.dir, '../..'),
      stderr: 'inherit',
    })
    const reader = child.stdout.getReader()
    const { value } = await reader.read()
    child.kill('SIGKILL')
    await child.exited
    return new TextDecoder().decode(value).trim().split(' ').map(Number)
  }

  test.if(postgresAvailable)('leaves no PostgreSQL behind that it started', async () => {
    const [pid = 0] = await killed(
      "const { launchPostgres } = await import('./test/support/postgres.ts'); console.log((await launchPostgres()).pid); await Bun.sleep(60_000)",
    )
    expect(pid).toBeGreaterThan(1)
    await until('the server has ended', () => !isAlive(pid))
  })

  const disk = smallDisk(16 * 1024)
  test.if(disk !== undefined)('removes a folder in which a test has left a disk of its own mounted', () => {
    const folder = dirname(disk!)
    writeFileSync(join(disk!, 'left'), '')
    removeFolder(folder)
    expect(existsSync(folder)).toBe(false)
  })

  test('leaves no test behind that loops for ever, and the next run removes its copies', async () => {
    const file = join(root, 'pid')
    const looping = `import { test } from "bun:test"\nimport { price } from "../../src/shop/price.ts"\ntest("loops", async () => {\n  if (price(1) === 10) return\n  await Bun.write(${JSON.stringify(file)}, String(process.pid))\n  for (;;) {}\n})\n`
    writeFileSync(join(root, 'test/shop/loop.test.ts'), looping)
    const plan = {
      ...{ root, folder: 'src/shop', sample: 0, seed: 1, tests: ['test/shop/loop.test.ts'] },
      faults: [{ file: 'src/shop/price.ts', find: ': 10', replace: ': 11' }],
    }
    const copies = () => readdirSync(tmpdir()).filter((name) => /^quire-mutation-\d+-/.test(name))
    const child = Bun.spawn(
      [
        ...[process.execPath, '-e'],
        `const { mutate } = await import('./bench/mutation/run.ts'); await mutate(${JSON.stringify(plan)})`,
      ],
      { cwd: join(import.meta.dir, '../..'), stderr: 'inherit' },
    )
    const looper = Number(await until('a test loops', () => existsSync(file) && readFileSync(file, 'utf8')))
    expect(copies().some((name) => name.startsWith(`quire-mutation-${child.pid}-`))).toBe(true)
    child.kill('SIGKILL')
    await child.exited
    await until('the test has ended', () => !isAlive(looper))
    rmSync(join(root, 'test/shop/loop.test.ts'))
    await mutate({ root, folder: 'src/shop/price.ts', tests: ['test/shop/price.test.ts'], sample: 1, seed: 1 })
    expect(copies().some((name) => name.startsWith(`quire-mutation-${child.pid}-`))).toBe(false)
  })
})

describe('the tests for a folder', () => {
  test('are those at its own path', () => {
    expect(ownTests(root, 'src/shop')).toEqual([
      'test/shop/greeting.test.ts',
      'test/shop/price.test.ts',
      'test/shop/till.test.ts',
    ])
    expect(ownTests(root, 'src/other.ts')).toEqual(['test/other.test.ts'])
  })

  test('are those of all modules for a module without its own, and what the started program reaches', () => {
    const project = join(import.meta.dir, '../..')
    const erasures = 'test/modules/erasures/erasures.test.ts'
    expect(testsOfRoom(project, 'src/modules/one-without-tests')).toContain(erasures)
    expect(testsOfRoom(project, 'src/modules/audit')).not.toContain(erasures)
    expect(testsOfRoom(project, 'src/nowhere')).toEqual([])
    const started = reachedBy(project, ['test/metrics.test.ts']).get('test/metrics.test.ts')
    expect(started?.elsewhere.has('src/metrics.ts')).toBe(true)
  })

  test('may be named by file or folder, and are refused if there are none', () => {
    expect(namedTests(root, 'test/other.test.ts')).toEqual(['test/other.test.ts'])
    expect(namedTests(root, 'test/shop/')).toEqual(ownTests(root, 'src/shop'))
    expect(() => namedTests(root, 'src/shop')).toThrow('src/shop holds no test files')
    expect(() => namedTests(root, 'test/nowhere.test.ts')).toThrow('there is no test/nowhere.test.ts')
  })

  test('reach the modules that they import and those that they start by name', () => {
    const reached = reachedBy(root, ['test/shop/till.test.ts', 'test/shop/greeting.test.ts'])
    expect([...(reached.get('test/shop/till.test.ts')?.files ?? [])].sort()).toEqual([
      'src/other.ts',
      'src/shop/price.ts',
      'src/shop/till.worker.ts',
      'test/shop/till.test.ts',
    ])
    expect(reached.get('test/shop/greeting.test.ts')?.files.has('src/shop/price.ts')).toBe(false)
  })
})

describe('the faults', () => {
  test('change comparisons, conditions, constants and statements', async () => {
    expect(await faultsOf('if (a < 2) b()')).toEqual([
      'if (true) b()',
      'if (false) b()',
      'if (a <= 2) b()',
      'if (a >= 2) b()',
      'if (a < 3) b()',
      'if (a < 2) {}',
    ])
    expect(await faultsOf('x = !a && (b ?? c)')).toEqual([
      ';',
      'x = a && (b ?? c)',
      'x = !a || (b ?? c)',
      'x = !a && ((c))',
      'x = !a && ((b))',
    ])
    expect(await faultsOf('for (const a of b) continue')).toEqual(['for (const a of b) ;'])
    expect(await faultsOf('function f() { g() }')).toEqual([
      'function f() { if (1) return; g() }',
      'function f() { ; }',
    ])
  })

  test('swap methods, drop calls and leave out elements and properties', async () => {
    expect(await faultsOf('const a = Math.min(b, c)')).toEqual(['const a = Math.max(b, c)'])
    expect(await faultsOf('const a = b.at(-1)')).toEqual(['const a = b.at(0)', 'const a = b.at(1)'])
    expect(await faultsOf('const a = b.toSorted()')).toEqual(['const a = b'])
    expect(await faultsOf('const a = [b, c]')).toEqual(['const a = [c]', 'const a = [b]'])
    expect(await faultsOf('const a = { b, c: d }')).toEqual(['const a = { c: d }', 'const a = { b }'])
  })

  test('change queries, with the import of what the change names', async () => {
    expect(await faultsOf("import { eq } from 'drizzle-orm'\nconst a = eq(b, c)")).toEqual([
      "import { eq } from 'drizzle-orm'\nconst a = ne(b, c)\nimport { ne } from 'drizzle-orm'\n",
    ])
    const statement = 'const a = sql`select x where y < $' + '{b} order by z desc`'
    expect(await faultsOf(statement)).toEqual([statement.replace('<', '<='), statement.replace('desc', 'asc')])
  })

  test('spare types, imports, messages, descriptions and log calls', async () => {
    const words = [
      "import { a } from 'a'",
      "type A = 'b' | 1",
      "const a = { message: 'b' }",
      "const a = 'there is no such thing'",
      "throw new ConfigError('wrong')",
      "log.warn('wrong', { a: 1 })",
      "class A extends Error { override readonly name = 'A' }",
    ]
    for (const code of words) {
      const found = await faultsOf(code)
      expect(found.filter((text) => text !== ';')).toEqual([])
    }
    expect(await faultsOf("log.warn('wrong')")).toEqual([])
  })
})
