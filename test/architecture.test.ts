import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { limits } from '../src/core/limits.ts'

/** Holds the import directions that the tables of docs/architecture.md allow, by reading every import of src/. */
const root = resolve(import.meta.dir, '..')
const source = join(root, 'src')

interface Import {
  from: string
  /** Path below src/ without extension changes, or the package's name. */
  to: string
  isPackage: boolean
  /** Only types are imported, which is nothing once the program runs. */
  isType: boolean
  /** Imported when it is first needed, by `import()`. */
  isLater: boolean
}

const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(source)]
  .filter((file) => !file.endsWith('.generated.ts'))
  .sort()
const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(source, file), 'utf8')
  const found = [
    ...text.matchAll(/(?:^|\n)\s*(?:import|export)\b([^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?)from\s*['"]([^'"]+)['"]/g),
    ...text.matchAll(/(?:^|\n)\s*import(\s*)['"]([^'"]+)['"]/g),
    ...text.matchAll(/\bimport\((\s*)['"]([^'"]+)['"]\s*\)/g),
  ]
  return found.map(([statement, names = '', specifier = '']) => {
    const isType = onlyTypes(names)
    const isLater = /^import\(/.test(statement)
    const isPackage = !specifier.startsWith('.')
    const to = isPackage ? specifier : relative(source, resolve(source, dirname(file), specifier))
    return { from: file, to, isPackage, isType, isLater }
  })
})

/** `type { A }`, or `{ type A, type B }`. */
function onlyTypes(names: string): boolean {
  if (/^\s*type\b/.test(names)) return true
  const [, inner] = /^\s*\{([^}]*)\}\s*$/.exec(names) ?? []
  const listed = (inner ?? '').split(',').filter((name) => name.trim() !== '')
  return listed.length > 0 && listed.every((name) => name.trim().startsWith('type '))
}

/** `core`, `engines/docx`, `modules/auth`, or the file itself at the top. */
function place(path: string): string {
  const parts = path.split('/')
  if (parts.length === 1) return path
  return parts[0] === 'engines' || parts[0] === 'modules' ? parts.slice(0, 2).join('/') : parts[0]!
}

const map = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8')

/** The rows below a head of a table in docs/architecture.md, as their cells. */
function tableOf(head: string): string[][] {
  const [, rows = ''] = map.split(`\n| ${head} |\n`)
  const [table = ''] = rows.split('\n\n')
  const cells = table
    .split('\n')
    .slice(1)
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
  if (cells.length < 2) throw new Error(`docs/architecture.md has no table with the head ${head}`)
  return cells
}

/** The names in a cell, without the slash at the end of a folder's. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+?)\/?`/g)].map(([, name]) => name!)
}

/** What each row of a table of the map may import besides itself, as its last cell says. */
function allowedBy(head: string): Map<string, readonly string[] | 'everything'> {
  const allowed = new Map<string, readonly string[] | 'everything'>()
  for (const [name = '', , may = ''] of tableOf(head)) {
    const [listed = '', rest] = may.split('; ')
    const names = namesIn(listed)
    const isRead = names.length > 0 || listed === 'nothing' || listed === '–' || listed === 'everything'
    if (!isRead || (rest !== undefined && !rest.startsWith('another module only'))) throw new Error(`unclear: ${may}`)
    const theirs = / and what (?:it|they) may import$/.test(listed)
      ? names.flatMap((one) => allowed.get(one) ?? [])
      : []
    allowed.set(namesIn(name)[0]!, listed === 'everything' ? 'everything' : [...new Set([...names, ...theirs])])
  }
  return allowed
}

/** What all phases of an engine may import beside the phases that the map names. */
const shared: Record<string, readonly string[]> = {
  'engines/pdf': ['engines/pdf/cache.ts', 'engines/pdf/report.ts'],
  'engines/docx': [],
}

/** Every group of files that reach each other by imports, as one line of their names. */
function circlesOf(edges: readonly Import[]): string[] {
  const next = Map.groupBy(edges, ({ from }) => from)
  const reached = new Map(
    files.map((file) => {
      const seen = new Set<string>()
      const open = [file]
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        for (const { to } of next.get(at) ?? []) {
          if (seen.has(to)) continue
          seen.add(to)
          open.push(to)
        }
      }
      return [file, seen]
    }),
  )
  const circles = files
    .filter((file) => reached.get(file)?.has(file))
    .map((file) => files.filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file)).join(', '))
  return [...new Set(circles)]
}

function list(found: readonly Import[]): string[] {
  return found.map(({ from, to }) => `${from} → ${to}`)
}

describe('the layout', () => {
  test('has enough files for these rules to mean something', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(imports.length).toBeGreaterThan(200)
  })

  test('lets each place import only what the map allows', () => {
    const allowed = allowedBy('folder | what it is for | may import')
    const inMap = (path: string) => place(path).replace(/^modules\/.*/, 'modules')
    const rowOf = new Map([...allowed].map(([name, may]) => [name.replace('/<m>', ''), may]))
    expect(new Set(rowOf.keys())).toEqual(new Set(files.filter((file) => !file.endsWith('.d.ts')).map(inMap)))
    const wrong = imports.filter(({ from, to, isPackage }) => {
      const may = rowOf.get(inMap(from))
      if (isPackage || inMap(from) === inMap(to) || to.startsWith('..') || may === 'everything') return false
      return !may?.some((name) => to === name || to.startsWith(`${name}/`))
    })
    expect(list(wrong)).toEqual([])
  })

  test.each(Object.entries(shared))('lets each phase of %s import only what the map allows', (engine, ofAll) => {
    const allowed = allowedBy(`folder of \`${engine}\` | what it is for | may import`)
    const phase = (path: string) => new RegExp(`^${engine}/(\\w+)/`).exec(path)?.[1]
    const inside = imports.filter(({ from }) => phase(from) !== undefined)
    expect(new Set(inside.map(({ from }) => phase(from)))).toEqual(new Set(allowed.keys()))
    const wrong = inside.filter(({ from, to, isPackage }) => {
      const [here, there] = [phase(from)!, phase(to)]
      if (isPackage || !to.startsWith(`${engine}/`) || here === there) return false
      return there === undefined ? !ofAll.includes(to) : !allowed.get(here)?.includes(there)
    })
    expect(list(wrong)).toEqual([])
  })

  test('lets each module of configuration import only modules in rows above it', () => {
    const rows = tableOf('module | what it knows').map(([names = '']) =>
      namesIn(names).map((name) => `modules/${name}`),
    )
    expect(rows.length).toBeGreaterThan(5)
    const rowOf = (path: string) => rows.findIndex((row) => row.includes(place(path)))
    const wrong = imports.filter(({ from, to, isPackage }) => {
      if (isPackage || rowOf(from) === -1 || rowOf(to) === -1) return false
      return place(from) !== place(to) && rowOf(to) >= rowOf(from)
    })
    expect(list(wrong)).toEqual([])
  })

  test('lets a module use another one only through its services, its reads and its wire shapes', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (!from.startsWith('modules/') || !to.startsWith('modules/') || place(from) === place(to)) return false
      // Operations that several modules have in common are built by routes, for routes.
      if (from.endsWith('.routes.ts') && to.endsWith('.routes.ts')) return false
      return !/\.(service|reads|model|wire)\.ts$/.test(to)
    })
    expect(list(wrong)).toEqual([])
  })

  test('writes nothing where other modules may read', () => {
    const readers = files.filter((file) => file.endsWith('.reads.ts'))
    expect(readers.length).toBeGreaterThan(1)
    const writes = /\.(insert|update|delete)\(/
    expect(readers.filter((file) => writes.test(readFileSync(join(source, file), 'utf8')))).toEqual([])
  })

  test('opens transactions in services only, and never within another one', () => {
    const modules = files.filter((file) => file.startsWith('modules/'))
    const textOf = (file: string) => readFileSync(join(source, file), 'utf8')
    const opens = /\bdatabase\s*\.write\(|\bmutate(?:Configuration)?\(\s*database\b/
    const openers = modules.filter((file) => opens.test(textOf(file)))
    expect(openers.length).toBeGreaterThan(5)
    const services = /(?:\.service|\/audit\.(?:sealer|announcer)|\/templates\.uploads)\.ts$/
    expect(openers.filter((file) => !services.test(file))).toEqual([])
    const fromRoutes = imports.filter(({ from }) => from.endsWith('.routes.ts'))
    expect(list(fromRoutes.filter(({ to }) => to.startsWith('db/')))).toEqual([])
    const claims = /\b(?:mutate|withIdempotency)\(/
    expect(modules.filter((file) => file.endsWith('.routes.ts') && claims.test(textOf(file)))).toEqual([])
    const both = modules.flatMap((file) =>
      [...textOf(file).matchAll(/function \w+[^(]*\(([^)]*)\)/g)]
        .map(([, parameters]) => parameters!)
        .filter((parameters) => /^\s*\w+: Transaction\b[\s\S]*: Database\b/.test(parameters)),
    )
    expect(both).toEqual([])
  })

  test("asks for PostgreSQL's advisory locks by their table", () => {
    const asking = files.filter((file) => readFileSync(join(source, file), 'utf8').includes('pg_advisory'))
    // A key of idempotency is a lock by its hash.
    expect(asking).toEqual(['db/advisory-locks.ts', 'http/idempotency.store.ts'])
  })

  test('has no circle among the modules', () => {
    const next = new Map<string, Set<string>>()
    for (const { from, to } of imports) {
      const [here, there] = [place(from), place(to)]
      if (here === there || !here.startsWith('modules/') || !there.startsWith('modules/')) continue
      next.set(here, (next.get(here) ?? new Set()).add(there))
    }
    const circleFrom = (module: string, path: string[]): string[] | undefined => {
      if (path.includes(module)) return [...path, module]
      for (const other of next.get(module) ?? []) {
        const circle = circleFrom(other, [...path, module])
        if (circle !== undefined) return circle
      }
      return undefined
    }
    for (const module of next.keys()) expect(circleFrom(module, [])).toBeUndefined()
  })

  test('has no import circle by value anywhere', () => {
    expect(circlesOf(imports.filter(({ isType }) => !isType))).toEqual([])
  })

  test('has no import circle by type but those that are known', () => {
    // This list only shrinks: whoever takes a circle apart takes its line away.
    expect(circlesOf(imports)).toEqual(['engines/pdf/model/document.ts, engines/pdf/model/shape.ts'])
  })

  test.each([
    ['elysia', /^(modules\/.*\.routes\.ts|http\/.*|app\.ts)$/],
    ['@elysiajs/cookie', /^http\//],
    ['oslo', /^http\//],
    ['drizzle-orm', /^(.*\.(?:store|reads)\.ts|db\/.*|bus\/.*|runner\/.*)$/],
    ['pdf-lib', /^engines\/pdf\/render\//],
    ['oauth4webapi', /^oidc\//],
    ['jose', /^oidc\//],
    ['@resvg/resvg-wasm', /^engines\/pdf\/svg\//],
    ['age-encryption', /^commands\/backup-encryption\.ts$/],
    ['mqtt', /^bus\//],
    ['aedes', /^bus\//],
    ['@aws-sdk/client-s3', /^objects\//],
    ['@libsql/client', /^db\//],
    ['libsql', /^db\//],
    ['postgres', /^db\//],
    ['preact', /^console\//],
  ])('imports %s only where it belongs', (name, where) => {
    const users = imports.filter(({ to, isPackage }) => isPackage && (to === name || to.startsWith(`${name}/`)))
    expect(list(users.filter(({ from }) => !where.test(from)))).toEqual([])
  })

  test('keeps the bounds in core/limits.ts, except for those that say what fixed or tuned them', () => {
    const declaration =
      /((?:^[ \t]*(?:\/?\*|\/\/).*\n)*)^(?:export )?(?:const|let) (\w+)(?:: [^=\n]+)? = (-?(?:\d|\.\d)\d*)/gm
    const boundName =
      /(?:^(?:max|min|most|least|longest)|Max|Min|Most|Least|Longest|Limit)(?=[A-Z_]|$)|^[A-Z][A-Z0-9_]+$/
    // What has such a unit is a size or a wait; sums begin with 0. The client's package takes nothing from core/.
    const unitName = /(?:Bytes|Ms|Seconds)$/
    const isMeasured = (file: string, name: string, value: string) =>
      unitName.test(name) && value !== '0' && !/^(?:client|engines\/pdf)\//.test(file)
    // The PDF engine writes its geometry in capitals, with a least width here and a depth there.
    const renderingName = /^max(?=[A-Z])|^(?:[A-Z0-9]+_)*(?:MAX|LONGEST|LIMIT|DEPTH|NESTING)(?:_[A-Z0-9]+)*$/
    const owned = /^\/\*\*\s(?:\* )?(?:Fixed by|Tuned)\b/
    // The console decides itself what it shows.
    const elsewhere = files.filter((file) => !/^(?:core\/limits\.ts$|console\/)/.test(file))
    const homeless = elsewhere.flatMap((file) => {
      const isBound = file.startsWith('engines/pdf/') ? renderingName : boundName
      return [...readFileSync(join(source, file), 'utf8').matchAll(declaration)]
        .filter(([, , name = '', value = '']) => isBound.test(name) || isMeasured(file, name, value))
        .filter(([, comment = '']) => !owned.test(comment.trimStart()))
        .map(([, , name]) => `${file}: ${name}`)
    })
    expect(homeless).toEqual([])
  })

  test('has no bound that nothing reads', () => {
    const texts = files
      .filter((file) => file !== 'core/limits.ts')
      .map((file) => readFileSync(join(source, file), 'utf8'))
    const unread = Object.keys(limits).filter((name) => !texts.some((text) => text.includes(`limits.${name}`)))
    expect(unread).toEqual([])
  })

  test('hands every other program its environment, so that it inherits no secret', () => {
    // Bun gives a child what this process was started with, whatever was removed from process.env since.
    const starts = files.flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8')
      return [...text.matchAll(/\b(?:spawn|spawnSync|execFile|execFileSync|fork|exec|execSync)\(/g)]
        .filter(({ index }) => /Bun\.$/.test(text.slice(0, index)) || text.includes('node:child_process'))
        .map(({ index }) => ({ file, call: text.slice(index, index + 400) }))
    })
    expect(starts.length).toBeGreaterThan(1)
    expect(starts.filter(({ call }) => !/\benv: /.test(call)).map(({ file }) => file)).toEqual([])
  })

  test('tells clients in whole sentences what it refuses', () => {
    const refusal = /(?:new Fault\(\s*'\w+',|throw (?:refuse|invalid|conflict)\()\s*(['"`])((?:\\.|(?!\1).)*)\1/gs
    const told = files
      .filter((file) => /^(?:modules|http)\//.test(file))
      .flatMap((file) => [...readFileSync(join(source, file), 'utf8').matchAll(refusal)].map(([, , text]) => text!))
    expect(told.length).toBeGreaterThan(60)
    // What begins or ends with a value is a sentence by that.
    expect(told.filter((text) => !/^(?:[A-Z]|\$\{).*[.}]$/s.test(text))).toEqual([])
  })

  test('keeps engines free of clocks, randomness, environment and I/O', () => {
    const impure =
      /\b(Date\.now|new Date\(\)|Math\.random|crypto\.random|process\.env|fetch\(|Bun\.(?!CryptoHasher|deflateSync|file|hash\b)|node:fs|node:net|performance\.)/
    const wrong = files
      .filter((file) => file.startsWith('engines/'))
      .filter((file) => impure.test(readFileSync(join(source, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')))
    expect(wrong).toEqual([])
  })

  test('loads no template engine, case generator or big package with the server, which holds them idle', () => {
    const loaded = new Set(['start.ts'])
    const packages = new Set<string>()
    for (const from of loaded) {
      for (const { to, isPackage } of imports.filter((one) => one.from === from && !one.isType && !one.isLater)) {
        if (isPackage) packages.add(to)
        else loaded.add(to)
      }
    }
    expect(packages).toContain('elysia')
    const big =
      'age-encryption, jose, oauth4webapi, htmlparser2, js-yaml, jsbarcode, markdown-it, qrcode-generator, re2js, yaml'.split(
        ', ',
      )
    expect(big.filter((name) => packages.has(name))).toEqual([])
    const engines = /^engines\/(?:docx|pdf|schema\/generate)\//
    expect([...loaded].filter((file) => engines.test(file))).toEqual([])
  })

  test('moves steps and executions through one setter', () => {
    const writes = /\.update\((?:\w+\.)*(?:steps|executions)\)\s*\.set\(\{[^}]*\bstatus\b/
    const writers = files.filter((file) => writes.test(readFileSync(join(source, file), 'utf8')))
    expect(writers).toEqual(['runner/steps.store.ts'])
  })
})

describe('the tests', () => {
  const tests = [...new Bun.Glob('**/*.ts').scanSync(import.meta.dir)].sort()
  const usersOf = (pattern: RegExp) =>
    tests.filter((file) => pattern.test(readFileSync(join(import.meta.dir, file), 'utf8')))

  test('wait for promises without holding up the event loop, by support/outcome.ts', () => {
    expect(usersOf(/\)\s*\.(?:rejects|resolves)\b/)).toEqual([])
  })
})
