import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** The folder's own tests: those in the same path below test/, or next to it with the same name. Paths in the project. */
export function ownTests(root: string, folder: string): string[] {
  const path = relative('src', folder).replace(/\.tsx?$/, '')
  const below = new Bun.Glob(`test/${path}/**/*.test.ts`).scanSync(root)
  const beside = new Bun.Glob(`test/${path}.test.ts`).scanSync(root)
  return [...below, ...beside].sort()
}

/** The tests that should notice the faults of a part: its own, or those of all modules for a module without any. */
export function testsOfRoom(root: string, room: string): string[] {
  const own = ownTests(root, room)
  return own.length === 0 && room.startsWith('src/modules/') ? ownTests(root, 'src/modules') : own
}

/** The test files of a path: the file itself, or all files below the folder. @throws if there are none */
export function namedTests(root: string, name: string): string[] {
  const path = relative(root, resolve(root, name))
  if (!existsSync(join(root, path))) throw new Error(`there is no ${name}`)
  if (!statSync(join(root, path)).isDirectory()) return [path]
  const found = [...new Bun.Glob(`${path}/**/*.test.ts`).scanSync(root)].sort()
  if (found.length === 0) throw new Error(`${name} holds no test files (*.test.ts)`)
  return found
}

/** The part of src/ to which a file belongs and whose tests should notice its faults: `src/runner`, `src/modules/audit`. */
export function roomOf(file: string): string {
  return file
    .split('/')
    .slice(0, /^src\/(?:engines|modules)\//.test(file) ? 3 : 2)
    .join('/')
}

export interface Reach {
  /** All files that the test file reaches: through imports of values, and through files named in a string. */
  files: ReadonlySet<string>
  /** Those of them that are reached through a file named in a string, which is how workers and processes are started. */
  elsewhere: ReadonlySet<string>
}

export function reachedBy(root: string, tests: readonly string[]): Map<string, Reach> {
  const known = new Map<string, Named>()
  const namedBy = (file: string) => {
    const named = known.get(file) ?? filesNamedIn(root, file)
    known.set(file, named)
    return named
  }
  const closure = (files: Iterable<string>) => {
    const reached = new Set(files)
    for (const file of reached) {
      const { imported, inStrings } = namedBy(file)
      for (const other of [...imported, ...inStrings]) reached.add(other)
    }
    return reached
  }
  return new Map(
    tests.map((test) => {
      const files = closure([test])
      const elsewhere = closure([...files].flatMap((file) => namedBy(file).inStrings))
      return [test, { files, elsewhere }]
    }),
  )
}

interface Named {
  imported: readonly string[]
  inStrings: readonly string[]
}

const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }

function filesNamedIn(root: string, file: string): Named {
  if (!/\.tsx?$/.test(file)) return { imported: [], inStrings: [] }
  // The transpiler doesn't accept a line that names an interpreter.
  const text = readFileSync(join(root, file), 'utf8').replace(/^#!.*/, '')
  const paths = new Set(transpilers[file.endsWith('x') ? 'tsx' : 'ts'].scanImports(text).map(({ path }) => path))
  const strings = [...text.matchAll(/['"`]([\w./-]+\.tsx?)['"`]/g)].map(([, path = '']) => path)
  const here = dirname(join(root, file))
  const existing = (names: Iterable<string>) =>
    [...new Set(names)]
      .filter((path) => /\.tsx?$/.test(path))
      .flatMap((path) => [resolve(here, path), resolve(root, path)])
      .filter((path) => path.startsWith(`${root}/`) && !path.includes('/node_modules/') && existsSync(path))
      .map((path) => relative(root, path))
  return { imported: existing(paths), inStrings: existing(strings.filter((path) => !paths.has(path))) }
}
