/** A project outside of this one that installs a package as any other would, without a network. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../support/database.ts'
import { bareEnvironment } from '../support/environment.ts'

const root = join(import.meta.dir, '../..')

export interface FreshProject {
  folder: string
  /** Runs a program in the project; both its streams. */
  run(command: readonly string[], variables?: Readonly<Record<string, string>>): { code: number; output: string }
}

/** @param dependency the path of a package's folder or archive */
export function freshProject(dependency: string, files: Readonly<Record<string, string | Uint8Array>>): FreshProject {
  const folder = temporaryFolder('quire-fresh-')
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  write('package.json', JSON.stringify({ name: 'fresh', version: '1.0.0', type: 'module' }))
  for (const [name, content] of Object.entries(files)) write(name, content)
  const run: FreshProject['run'] = (command, variables = {}) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([...command], {
      cwd: folder,
      env: {
        ...bareEnvironment,
        HOME: temporaryFolder(),
        NO_COLOR: '1',
        // Nothing listens there: whoever asks a registry fails.
        BUN_CONFIG_REGISTRY: 'http://127.0.0.1:1/',
        BUN_INSTALL_CACHE_DIR: temporaryFolder(),
        ...variables,
      },
    })
    return { code: exitCode, output: `${stdout}${stderr}` }
  }
  const installed = run([process.execPath, 'add', dependency])
  if (installed.code !== 0) throw new Error(`${dependency} can't be installed:\n${installed.output}`)
  return { folder, run }
}

/** What the strict compiler says of a file of the project, resolving as `module` does; empty when it is content. `types` are folders. */
export function typeErrors(
  { folder, run }: FreshProject,
  file: string,
  module: 'nodenext' | 'preserve',
  types: readonly string[] = [],
): string {
  const compilerOptions = {
    ...{ target: 'ESNext', module, strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false },
    ...{ lib: ['ESNext', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'], allowImportingTsExtensions: true },
    types,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const { code, output } = run([process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
  return code === 0 ? '' : output
}
