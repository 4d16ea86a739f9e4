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

/** What no test reads from the project, or what would hide a fault that was planted (a built executable). */
const leftBehind = new Set(['node_modules', 'dist', '.git', '.tools', 'quire-data'])

export interface Run {
  /** `over work`: it used more of the processors than it may, which other programs don't cause; `over time`: by the clock. */
  outcome: 'passed' | 'failed' | 'over work' | 'over time'
  seconds: number
  cpuSeconds: number
  /** What the tests printed. */
  output: string
}

export interface Bounds {
  seconds: number
  cpuSeconds: number
}

const live = new Set<Scratch>()

/** With the process that made it in its name: what one leaves that was killed, the next removes. */
const PREFIX = 'quire-mutation-'

function removeLeftScratches(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^quire-mutation-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) removeFolder(join(tmpdir(), name))
  }
}

/** With the file systems that tests have mounted in it: no hook takes them away after --bail. */
export function removeFolder(folder: string): void {
  const mounts = existsSync('/proc/self/mounts') ? readFileSync('/proc/self/mounts', 'utf8').split('\n') : []
  for (const place of mounts.map((line) => line.split(' ')[1] ?? ''))
    if (place.startsWith(`${folder}/`)) Bun.spawnSync(['umount', '-l', place])
  rmSync(folder, { recursive: true, force: true })
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
  test(files: readonly string[], bounds: Bounds): Promise<Run> {
    return this.run(['--bail', ...files.map((file) => `./${file}`)], bounds)
  }

  /** Runs a test file as it is and notes what it takes and which lines it runs; or says how it failed. */
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
      // A process group of its own: what the tests started ends with them, though bun runs no hooks after --bail.
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
    removeFolder(this.base)
  }
}

/** Ends all runs and removes their copies, for a program that is told to stop. */
export function removeScratches(): void {
  for (const scratch of live) scratch.remove()
}

/** What the processes of a group have used so far, with those that they waited for; nothing where /proc doesn't tell. */
function groupCpuSeconds(group: number): number {
  if (!existsSync('/proc/self/stat')) return 0
  // In hundredths of a second on every Linux.
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      // Behind the program's name, which may hold blanks: state, parent, group, …; user, system and both of its children from the 12th on.
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
