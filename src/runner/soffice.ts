import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '../core/hash.ts'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { stabilisePdf } from '../engines/pdf/render/stabilise.ts'
import { WorkerCrashed, WorkerOverran } from './faults.ts'
import type { StepJob, StepResult } from './job.ts'
import type { ServicePool } from './pool.ts'

/** Options for LibreOffice: tagged PDF/A-2b with an outline, as Quire's own engine makes it. */
const exportFilter = `pdf:writer_pdf_Export:${JSON.stringify({
  SelectPdfVersion: { type: 'long', value: '2' },
  UseTaggedPDF: { type: 'boolean', value: 'true' },
  ExportBookmarks: { type: 'boolean', value: 'true' },
})}`

export interface SofficeOptions {
  /** Path of the `soffice` program. */
  binary: string
  log: Log
  deadlineMs?: number
}

/** The output of `soffice --version`, such as "LibreOffice 25.2.3.2"; undefined if it can't be run. */
export async function sofficeVersion(binary: string): Promise<string | undefined> {
  const profile = await mkdtemp(join(tmpdir(), 'quire-soffice-'))
  try {
    const child = Bun.spawn([binary, `-env:UserInstallation=file://${profile}`, '--version'], {
      env: environment(profile),
      stdin: 'ignore',
      stderr: 'ignore',
      timeout: limits.sofficeVersionMs,
      killSignal: 'SIGKILL',
    })
    const text = await new Response(child.stdout).text()
    const version = /LibreOffice \d+(?:\.\d+)*/.exec(text)?.[0]
    return (await child.exited) === 0 ? version : undefined
  } catch {
    return undefined
  } finally {
    await rm(profile, { recursive: true, force: true })
  }
}

/**
 * A pool whose documents LibreOffice renders; all other steps run in Quire's own workers. As many conversions run at once as the
 * pool has workers, each with a profile of its own. One that overruns its deadline or dies is ended with everything it started,
 * and the next one begins with a fresh profile.
 *
 * @param version the result of `sofficeVersion`; recorded with every document
 */
export async function openSofficePool(
  pool: ServicePool,
  version: string,
  { binary, log, deadlineMs = limits.renderMs }: SofficeOptions,
): Promise<ServicePool> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-soffice-'))
  const idle = Array.from({ length: pool.size }, (_, seat) => join(folder, `${seat}`))
  const waiting: ((seat: string) => void)[] = []
  const running = new Set<Bun.Subprocess>()
  /** Running conversions, including their clean-up. */
  const conversions = new Set<Promise<unknown>>()
  let isClosed = false

  async function withSeat<T>(work: (seat: string) => Promise<T>): Promise<T> {
    const seat = idle.pop() ?? (await new Promise<string>((resolve) => waiting.push(resolve)))
    try {
      return await work(seat)
    } finally {
      const next = waiting.shift()
      if (next === undefined) idle.push(seat)
      else next(seat)
    }
  }

  async function convert(seat: string, docx: Uint8Array): Promise<Uint8Array | undefined> {
    const profile = join(seat, 'profile')
    const input = join(seat, 'document.docx')
    const output = join(seat, 'document.pdf')
    await mkdir(profile, { recursive: true })
    await Bun.write(input, docx)
    // Checked last, so that nothing starts after closing.
    if (isClosed) throw new WorkerCrashed('the renderer is closed')
    const args = ['--headless', '--norestore', '--nolockcheck', '--convert-to', exportFilter, '--outdir', seat, input]
    const child = Bun.spawn([binary, `-env:UserInstallation=file://${profile}`, ...args], {
      env: environment(profile),
      cwd: seat,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      // The program starts others; a process group of its own lets all of them be ended together.
      detached: true,
    })
    running.add(child)
    let hasOverrun = false
    const timer = setTimeout(() => {
      hasOverrun = true
      endGroup(child)
    }, deadlineMs)
    try {
      const code = await child.exited
      if (hasOverrun) throw new WorkerOverran(`LibreOffice took more than ${deadlineMs} ms over a document`)
      if (code !== 0) throw new WorkerCrashed(`LibreOffice ended with ${child.signalCode ?? `code ${code}`}`)
      const file = Bun.file(output)
      return (await file.exists()) ? await file.bytes() : undefined
    } catch (error) {
      if (!isClosed) log.error('LibreOffice was ended, and starts with a fresh profile', { error })
      await rm(profile, { recursive: true, force: true })
      throw error
    } finally {
      clearTimeout(timer)
      running.delete(child)
      await Promise.all([rm(input, { force: true }), rm(output, { force: true })])
    }
  }

  async function render(docx: Uint8Array): Promise<StepResult> {
    const startedMs = performance.now()
    const inputHash = sha256Hex(docx)
    const conversion = withSeat((seat) => convert(seat, docx))
    conversions.add(conversion)
    const made = await conversion.finally(() => conversions.delete(conversion))
    const stable = made === undefined ? undefined : await stabilisePdf(made, inputHash)
    const durationMs = performance.now() - startedMs
    if (stable === undefined) {
      const message = `${version} could not render the document.`
      const issue = { path: 'word/document.xml', message }
      return { step: 'render', ok: false, durationMs, failure: { code: 'render_failed', message, issues: [issue] } }
    }
    const { pdf, pages } = stable
    if (pdf.length > limits.artifactBytes) {
      const message = `The file has ${pdf.length} bytes; at most ${limits.artifactBytes} are allowed.`
      return { step: 'render', ok: false, durationMs, failure: { code: 'artifact_too_large', message, issues: [] } }
    }
    const file = { bytes: pdf, hash: sha256Hex(pdf) }
    return { step: 'render', ok: true, durationMs, summary: { pages, renderer: version }, file }
  }

  return {
    size: pool.size,
    get busy() {
      return pool.busy + running.size
    },
    get waiting() {
      return pool.waiting + waiting.length
    },
    warm: () => pool.warm(),
    get longWaiting() {
      return pool.longWaiting
    },
    async run(job: StepJob, onBegun?: () => void) {
      // LibreOffice is a process of its own and harms nothing else, so no rendering counts as begun.
      if (!job.steps.includes('render')) return pool.run(job, onBegun)
      if (job.steps.length === 1 && job.docx !== undefined) return [await render(job.docx)]
      // The engines run the steps before the rendering, and must return the document.
      const steps = job.steps.filter((step) => step !== 'render')
      const before = await pool.run({ ...job, steps, discardsFiles: false }, onBegun)
      const last = before.at(-1)
      if (last?.ok !== true || last.file === undefined || before.length < steps.length) return before
      return [...before, await render(last.file.bytes)]
    },
    async close() {
      isClosed = true
      for (const child of running) endGroup(child)
      // First wait for their clean-up: two removals of one folder at once leave something behind.
      await Promise.allSettled(conversions)
      await pool.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function endGroup({ pid }: Bun.Subprocess): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** None of Quire's own settings and secrets; the same time zone and language everywhere. */
function environment(home: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home, TMPDIR: tmpdir(), TZ: 'UTC', LC_ALL: 'C.UTF-8' }
}
