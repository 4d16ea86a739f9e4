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
import { linesOf, type Measure } from './measures.ts'

/** Files that no test reads, or that would hide a planted fault (a built executable). */
const leftBehind = new Set(['node_modules', 'dist', '.git', '.tools', 'quire-data'])

export interface Run {
  /** `over work`: it used more processor time than allowed, which other programs don't cause; `over time`: by the clock. */
  outcome: 'passed' | 'failed' | 'over work' | 'over time'
  seconds: number
  cpuSeconds: number
  /** The tests' output. */
  output: string
}

export interface Bounds {
  seconds: number
  cpuSeconds: number
}

const live = new Set<Scratch>()

/** Followed by the id of the process that made it, so that the next run removes what a killed one left. */
const PREFIX = 'quire-mutation-'

function removeLeftScratches(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^quire-mutation-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) removeFolder(join(tmpdir(), name))
  }
}

/** Also unmounts file systems that tests have mounted in it: no hook does that after --bail. */
export function removeFolder(folder: string): void {
  const mounts = existsSync('/proc/self/mounts') ? readFileSync('/proc/self/mounts', 'utf8').split('\n') : []
  for (const place of mounts.map((line) => line.split(' ')[1] ?? ''))
    if (place.startsWith(`${folder}/`)) Bun.spawnSync(['umount', '-l', place])
  rmSync(folder, { recursive: true, force: true })
}

/** A copy of the project in which faults are planted and tests run; the project itself is never changed. */
export class Scratch {
  private readonly base = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  readonly root = join(this.base, 'p')
  /** The tests' folder for temporary files, emptied after each run. */
  private readonly temporary = join(this.base, 't')
  private readonly program = join(this.base, 'quire')
  private running: Bun.Subprocess | undefined

  constructor(
    project: string,
    /** Names resources that its tests share with those of other runs. */
    private readonly environment: Readonly<Record<string, string>> = {},
  ) {
    removeLeftScratches()
    live.add(this)
    // PostgreSQL, which runs as another user, must be able to enter its own folder.
    chmodSync(this.base, 0o755)
    mkdirSync(this.root)
    for (const name of readdirSync(project)) {
      if (leftBehind.has(name)) continue
      cpSync(join(project, name), join(this.root, name), { recursive: true, preserveTimestamps: true })
    }
    // Tests of the executable run the program from source, so that they meet the fault.
    writeFileSync(this.program, `#!/bin/sh\nexec ${process.execPath} ${join(this.root, 'src/main.ts')} "$@"\n`, {
      mode: 0o755,
    })
    const packages = join(project, 'node_modules')
    if (existsSync(packages)) symlinkSync(packages, join(this.root, 'node_modules'))
  }

  /** Runs an action with the file changed, and then restores the file. */
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

  /** Runs test files one after another, up to the first that fails. Paths are relative to the project. */
  test(files: readonly string[], bounds: Bounds): Promise<Run> {
    return this.run(['--bail', ...files.map((file) => `./${file}`)], bounds)
  }

  /** Runs an unchanged test file and measures what it costs and which lines it runs; or says how it failed. */
  async measure(file: string): Promise<Measure | { failure: string }> {
    const folder = join(this.base, 'c')
    const coverage = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${folder}`]
    const run = await this.run([...coverage, `./${file}`], { seconds: 900, cpuSeconds: 300 })
    if (run.outcome !== 'passed') return { failure: `${run.outcome} without a fault:\n${run.output}` }
    const report = join(folder, 'lcov.info')
    const lines = existsSync(report) ? linesOf(readFileSync(report, 'utf8')) : {}
    removeFolder(folder)
    return { seconds: run.seconds, cpuSeconds: run.cpuSeconds, lines }
  }

  private async run(args: readonly string[], bounds: Bounds): Promise<Run> {
    mkdirSync(this.temporary, { recursive: true })
    const begunAt = performance.now()
    const child = Bun.spawn([process.execPath, 'test', '--no-orphans', '--timeout', '60000', ...args], {
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
      // In a process group of its own, so that everything that the tests started ends with them, although bun runs no hooks after
      // --bail.
      detached: true,
    })
    this.running = child
    const secondsSince = () => (performance.now() - begunAt) / 1_000
    let over: 'over work' | 'over time' | undefined
    const timer = setInterval(() => {
      if (groupCpuSeconds(child.pid) > bounds.cpuSeconds) over ??= 'over work'
      else if (secondsSince() > bounds.seconds) over ??= 'over time'
      if (over !== undefined) this.end()
    }, 1_000)
    const printed = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const code = await child.exited
    clearInterval(timer)
    this.end()
    const output = (await printed).join('')
    removeFolder(this.temporary)
    const cpuSeconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6
    return { outcome: over ?? (code === 0 ? 'passed' : 'failed'), seconds: secondsSince(), cpuSeconds, output }
  }

  /** Ends the running tests and everything they started. PostgreSQL frees its shared memory on SIGQUIT, but not on SIGKILL. */
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
    removeFolder(this.base)
  }
}

/** Ends all runs and removes their copies, when the program is told to stop. */
export function removeScratches(): void {
  for (const scratch of live) scratch.remove()
}

/** Processor time that a group's processes, and those that they waited for, have used so far; 0 without /proc. */
function groupCpuSeconds(group: number): number {
  if (!existsSync('/proc/self/stat')) return 0
  // In hundredths of a second on every Linux.
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      // After the program's name, which may contain spaces: state, parent, group, …; user and system time, its own and its
      // children's, from the 12th on.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      if (Number(fields[2]) === group) for (const field of fields.slice(11, 15)) ticks += Number(field)
    } catch {
      // It has ended since it was listed.
    }
  }
  return ticks / 100
}
