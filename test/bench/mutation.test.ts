import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Compiler, openCompiler } from '../../bench/mutation/compiler.ts'
import { mutantsOf, planted } from '../../bench/mutation/mutants.ts'
import { isNoticed, mutate, type Result } from '../../bench/mutation/run.ts'
import { ownTests, reachedBy } from '../../bench/mutation/tests.ts'

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
      'import { test } from "bun:test"\ntest("red", () => { throw 1 })\n',
    )
    const run = mutate({ root, folder: 'src/shop', sample: 1, seed: 1 })
    await expect(run).rejects.toThrow('test/shop/red.test.ts failed without a fault')
    rmSync(join(root, 'test/shop/red.test.ts'))
  })

  test('leaves out faults that the compiler notices', async () => {
    const { results, untyped } = await mutate({ root, folder: 'src/shop', sample: 1_000, seed: 1 })
    // The only name that there is, emptied.
    expect(untyped).toBe(1)
    expect(results.filter(({ diff }) => diff.includes('["me"]'))).toEqual([])
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
