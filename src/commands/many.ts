/** Makes many files at once, in workers. One that fails stops none of the others. */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { errorsOf, type Finding } from '../core/finding.ts'
import { limits } from '../core/limits.ts'
import type { Paint } from './colours.ts'
import { UsageError } from './command.ts'
import { findingLines } from './findings.ts'
import type { Input } from './inputs.ts'
import { jsonLine } from './print-json.ts'
import { withProgress } from './progress.ts'

export type ManyTask =
  | { kind: 'render'; input: string; output: string; fontFolders: readonly string[] }
  | { kind: 'compose'; template: string; input: string; output: string }

export interface ManyDone {
  isWritten: boolean
  findings: readonly Finding[]
}

export interface MadeFile extends ManyDone {
  path: string
  output: string
}

/** Whether an output is a folder: one that is there, or a name with a slash at its end. */
export function isOutputFolder(output: string): boolean {
  return /[\\/]$/.test(output) || statSync(output, { throwIfNoEntry: false })?.isDirectory() === true
}

/**
 * Where the results of inputs go below a folder: under the name of the input, with another ending.
 *
 * @throws UsageError if two would be one file, or the folder is a file
 */
export function outputsIn(folder: string, inputs: readonly Input[], ending: string): Map<Input, string> {
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new UsageError(`${folder} is a file; several results want a folder`)
  }
  const outputs = new Map<Input, string>()
  const taken = new Map<string, Input>()
  for (const input of inputs) {
    const output = join(folder, input.name.replace(/\.[^.\\/]+$/, '') + ending)
    const other = taken.get(output)
    if (other !== undefined) throw new UsageError(`${other.path} and ${input.path} would both be written to ${output}`)
    taken.set(output, input)
    outputs.set(input, output)
  }
  return outputs
}

/** Runs the tasks in as many workers as the machine has processors. @returns what came of each, in their order */
export async function makeMany(tasks: readonly ManyTask[]): Promise<MadeFile[]> {
  for (const folder of new Set(tasks.map(({ output }) => dirname(output)))) mkdirSync(folder, { recursive: true })
  const made = new Array<MadeFile>(tasks.length)
  const waiting = tasks.entries()
  let count = 0
  await withProgress(async (progress) => {
    const work = async () => {
      const worker = new TaskWorker()
      try {
        for (const [index, task] of waiting) {
          const { isWritten, findings } = await worker.run(task)
          made[index] = { path: task.input, output: task.output, isWritten, findings }
          progress.tell(`${++count} of ${tasks.length} files`)
        }
      } finally {
        worker.end()
      }
    }
    await Promise.all(Array.from({ length: Math.min(availableParallelism(), tasks.length) }, work))
  })
  return made
}

/** A worker that is replaced when a task takes it down, or takes longer than any document may. */
class TaskWorker {
  #worker: Worker | undefined
  /** Ends the task that runs. */
  #settle: (done: ManyDone) => void = () => {}

  async run(task: ManyTask): Promise<ManyDone> {
    const worker = this.#worker ?? this.#start()
    const { promise, resolve } = Promise.withResolvers<ManyDone>()
    this.#settle = resolve
    const ms = limits.renderMs + limits.workerMarginMs
    const timer = setTimeout(() => this.#fail(`It was given up after ${ms / 1000} s.`), ms)
    worker.postMessage(task)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  end(): void {
    const worker = this.#worker
    this.#worker = undefined
    worker?.terminate()
  }

  #start(): Worker {
    // Keep this exact form of URL: the bundler finds the worker's file by it.
    const worker = new Worker(new URL('./many.worker.ts', import.meta.url).href)
    const ifCurrent = (act: () => void) => void (this.#worker === worker && act())
    worker.onmessage = ({ data }: MessageEvent<ManyDone>) => ifCurrent(() => this.#settle(data))
    worker.onerror = (event) => {
      event.preventDefault()
      ifCurrent(() => this.#fail(`The engine failed: ${event.message}`))
    }
    const ended = 'The engine ended; the document may need more memory than there is.'
    worker.addEventListener('close', () => ifCurrent(() => this.#fail(ended)))
    this.#worker = worker
    return worker
  }

  #fail(message: string): void {
    this.end()
    this.#settle({ isWritten: false, findings: [{ code: 'file', severity: 'error', message }] })
  }
}

/** For people: findings by file, and how many were made. */
export function madeText(
  made: readonly MadeFile[],
  paint: Paint = (text) => text,
): { findings: string; summary: string } {
  const findings = made.map(({ path, findings: found }) => findingLines(path, found, paint)).join('')
  const failed = made.filter(({ isWritten }) => !isWritten).length
  const rest = failed === 0 ? '' : `; ${failed} failed`
  return { findings, summary: `${made.length - failed} of ${made.length} files written${rest}\n` }
}

/** For programs, in one line: `{"files": [{"path", "output", "findings"}], "errors", "warnings"}`. */
export function madeJson(made: readonly MadeFile[]): string {
  const files = made.map(({ path, output, isWritten, findings }) => ({
    path,
    ...(isWritten ? { output } : {}),
    findings,
  }))
  const all = made.flatMap(({ findings }) => findings)
  const errors = errorsOf(all).length
  return `${jsonLine({ files, errors, warnings: all.length - errors })}\n`
}
