import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Compiler, openCompiler } from '../../bench/mutation/compiler.ts'
import { mutantsOf, planted } from '../../bench/mutation/mutants.ts'
import { isNoticed, mutate, type Result } from '../../bench/mutation/run.ts'
import { namedTests, ownTests, reachedBy, roomOf, testsOfRoom } from '../../bench/mutation/tests.ts'
import { outcomeOf } from '../support/outcome.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { isAlive } from '../support/processes.ts'
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
  test('reports the fault that no test notices, and not the noticed one', async () => {
    const shown: Result[] = []
    const report = await mutate({
      root,
      folder: 'src/shop',
      sample: 1_000,
      seed: 1,
      jobs: 2,
      onResult: (result) => shown.push(result),
    })
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
    const drawn = await mutate({ root, folder: 'src/shop', sample: 1_000, seed: 1 })
    const faults = drawn.results.filter((result) => !isNoticed(result)).map(({ fault }) => fault)
    expect(faults.length).toBeGreaterThan(1)
    const again = await mutate({ root, folder: 'src/shop', sample: 0, seed: 1, faults })
    expect(again.results.map(({ diff }) => diff).sort()).toEqual(
      drawn.results
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

  test('leaves out faults that the compiler notices', async () => {
    const { results, untyped } = await mutate({ root, folder: 'src/shop', sample: 1_000, seed: 1 })
    // The only name that there is, emptied.
    expect(untyped).toBe(1)
    expect(results.filter(({ diff }) => diff.includes('["me"]'))).toEqual([])
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

  test('can be planted in parts that are the whole together, with tests timed once', async () => {
    const seconds = new Map<string, number>()
    const parts: Result[][] = []
    for (const index of [1, 2, 3]) {
      const { results } = await mutate({ root, ...all, part: { index, of: 3 }, seconds })
      parts.push(results)
    }
    const diffs = (results: readonly Result[]) => results.map(({ file, diff }) => `${file} ${diff}`).sort()
    const whole = await mutate({ root, ...all, seconds })
    expect(diffs(parts.flat())).toEqual(diffs(whole.results))
    expect(parts.every((part) => part.length >= Math.floor(whole.results.length / 3))).toBe(true)
    expect([...seconds.keys()].sort()).toContain('test/shop/price.test.ts')
    // What is known isn't measured again: a time that is no time stays.
    seconds.set('test/shop/price.test.ts', 0.125)
    await mutate({ root, folder: 'src/shop/price.ts', tests: ['test/shop/price.test.ts'], sample: 1, seed: 1, seconds })
    expect(seconds.get('test/shop/price.test.ts')).toBe(0.125)
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
    expect(testsOfRoom(project, 'src/modules/holds')).toContain(erasures)
    expect(testsOfRoom(project, 'src/modules/audit')).not.toContain(erasures)
    expect(testsOfRoom(project, 'src/nowhere')).toEqual([])
    const started = reachedBy(project, ['test/metrics.test.ts']).get('test/metrics.test.ts')
    expect(started?.has('src/metrics.ts')).toBe(true)
  })

  test('may be named by file or folder, and are refused where there are none', () => {
    expect(namedTests(root, 'test/other.test.ts')).toEqual(['test/other.test.ts'])
    expect(namedTests(root, 'test/shop/')).toEqual(ownTests(root, 'src/shop'))
    expect(() => namedTests(root, 'src/shop')).toThrow('src/shop holds no test files')
    expect(() => namedTests(root, 'test/nowhere.test.ts')).toThrow('there is no test/nowhere.test.ts')
  })

  test('reach the modules that they import and those that they start by name', () => {
    const reached = reachedBy(root, ['test/shop/till.test.ts', 'test/shop/greeting.test.ts'])
    expect([...(reached.get('test/shop/till.test.ts') ?? [])].sort()).toEqual([
      'src/other.ts',
      'src/shop/price.ts',
      'src/shop/till.worker.ts',
      'test/shop/till.test.ts',
    ])
    expect(reached.get('test/shop/greeting.test.ts')?.has('src/shop/price.ts')).toBe(false)
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
