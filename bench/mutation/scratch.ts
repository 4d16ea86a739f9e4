import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../test/support/processes.ts'

/** What no test reads from the project, or what would hide a fault that was planted (a built executable). */
const leftBehind = new Set(['node_modules', 'dist', '.git', '.tools', 'quire-data'])

export interface Run {
  outcome: 'passed' | 'failed' | 'over time'
  seconds: number
  /** What the tests printed. */
  output: string
}

const live = new Set<Scratch>()

/** With the process that made it in its name: what one leaves that was killed, the next removes. */
const PREFIX = 'quire-mutation-'

function removeLeftScratches(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^quire-mutation-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

/** A copy of the project in which faults are planted and tests run; the project itself is never touched. */
export class Scratch {
  private readonly base = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  readonly root = join(this.base, 'p')
  /** What the tests leave in their folder for temporary files goes with it after each run. */
  private readonly temporary = join(this.base, 't')
  private readonly program = join(this.base, 'quire')
  private running: Bun.Subprocess | undefined

  constructor(
    project: string,
    /** Names what its tests share with those of other runs. */
    private readonly environment: Readonly<Record<string, string>> = {},
  ) {
    removeLeftScratches()
    live.add(this)
    // PostgreSQL, which runs as another user, must get through to its own folder.
    chmodSync(this.base, 0o755)
    mkdirSync(this.root)
    for (const name of readdirSync(project)) {
      if (leftBehind.has(name)) continue
      cpSync(join(project, name), join(this.root, name), { recursive: true, preserveTimestamps: true })
    }
    // Tests of the executable run the program from its source, so that they meet the fault.
    writeFileSync(this.program, `#!/bin/sh\nexec ${process.execPath} ${join(this.root, 'src/main.ts')} "$@"\n`, {
      mode: 0o755,
    })
    const packages = join(project, 'node_modules')
    if (existsSync(packages)) symlinkSync(packages, join(this.root, 'node_modules'))
  }

  /** Runs something with the file changed, and puts the file back. */
  async withText<T>(file: string, text: string, action: () => Promise<T>): Promise<T> {
    const path = join(this.root, file)
    const original = readFileSync(path)
    writeFileSync(path, text)
    try {
      return await action()
    } finally {
      writeFileSync(path, original)
    }
  }

  /** Runs test files one after another, up to the first that fails. Files have paths below the project. */
  async test(files: readonly string[], maxSeconds: number): Promise<Run> {
    mkdirSync(this.temporary, { recursive: true })
    const begunAt = performance.now()
    const child = Bun.spawn(
      [process.execPath, 'test', '--no-orphans', '--bail', '--timeout', '60000', ...files.map((file) => `./${file}`)],
      {
        cwd: this.root,
        env: {
          ...process.env,
          ...this.environment,
          QUIRE_BINARY: this.program,
          TMPDIR: this.temporary,
          NO_COLOR: '1',
        },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
        // A process group of its own: what the tests started ends with them, though bun runs no hooks after --bail.
        detached: true,
      },
    )
    this.running = child
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      this.end()
    }, maxSeconds * 1_000)
    const printed = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const code = await child.exited
    clearTimeout(timer)
    this.end()
    const output = (await printed).join('')
    rmSync(this.temporary, { recursive: true, force: true })
    const seconds = (performance.now() - begunAt) / 1_000
    return { outcome: isOver ? 'over time' : code === 0 ? 'passed' : 'failed', seconds, output }
  }

  /** Ends what runs, with everything it started. PostgreSQL gives back its memory on SIGQUIT, and not on SIGKILL. */
  private end(): void {
    if (this.running === undefined) return
    for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
      try {
        process.kill(-this.running.pid, signal)
      } catch {
        return
      }
      if (signal === 'SIGQUIT') Bun.sleepSync(100)
    }
  }

  remove(): void {
    live.delete(this)
    this.end()
    rmSync(this.base, { recursive: true, force: true })
  }
}

/** Ends all runs and removes their copies, for a program that is told to stop. */
export function removeScratches(): void {
  for (const scratch of live) scratch.remove()
}
