/** Runs cases in engine processes and compares the results in the judge's, so that nothing runs on the thread of requests. */
import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import { EngineThrew, WorkerCrashed, WorkerOutgrew, WorkerOverran } from '../../runner/faults.ts'
import { LruCache } from '../../runner/lru.ts'
import type { EnginePool } from '../../runner/pool.ts'
import type { Judge } from '../drafts/judge.service.ts'
import type { Verdict } from '../drafts/questions.service.ts'
import { type CaseContent, expectedFolderOf, readCase, type SuiteCase } from './suites.cases.ts'
import type { SuiteChain } from './suites.chain.ts'

/** A case's result. If its run broke off, there is nothing to accept. */
export type RanCase = Verdict<'comparedCase'> & { brokeOff?: true }

/** Whether a case was green. */
export interface CaseVerdict {
  isGreen: boolean
}

/** Equal for the same case with the same content of everything that it reads. */
export function caseKey(chain: SuiteChain, testCase: SuiteCase): string {
  return `${chain.slug} ${chain.hash} ${testCase.hash}`
}

/** Which nodes' pages to draw: those with expected pages, or all. */
export type WantedPages = 'kept' | 'all'

export interface RunOptions {
  /** The content of the case's files, if they may no longer be in the store. */
  content?: CaseContent
  pages: WantedPages
  /** Whether to return pictures of differing pages. */
  pictures: boolean
}

export interface SuiteRunner {
  /** The remembered verdict on a case. */
  known(chain: SuiteChain, testCase: SuiteCase): CaseVerdict | undefined
  /** Runs one case and remembers the verdict, unless the run broke off, because the next run may not. */
  run(chain: SuiteChain, testCase: SuiteCase, options: RunOptions): Promise<RanCase>
  /** Runs several cases, only so many at once that others have room. */
  runAll<T>(cases: readonly SuiteCase[], run: (testCase: SuiteCase) => Promise<T>): Promise<T[]>
}

/**
 * Remembers verdicts by the content of everything that a case reads. Fonts and engines stay the same for the life of the process,
 * so equal content gives equal documents.
 */
export function createSuiteRunner(ports: { connection: Connection; pool: EnginePool; judge: Judge }): SuiteRunner {
  const verdicts = new LruCache<CaseVerdict>(limits.suiteVerdicts)
  return {
    known: (chain, testCase) => verdicts.get(caseKey(chain, testCase)),

    async run(chain, testCase, options) {
      const content = options.content ?? (await readCase(ports.connection, chain.slug, testCase))
      const compared = await runOne(ports, { chain, testCase, content }, options)
      if (compared.brokeOff !== true) {
        verdicts.set(caseKey(chain, testCase), { isGreen: compared.failures.length === 0 })
      }
      return compared
    },

    async runAll<T>(cases: readonly SuiteCase[], run: (testCase: SuiteCase) => Promise<T>) {
      const results = new Array<T>(cases.length)
      const waiting = cases.entries()
      const work = async () => {
        for (const [index, testCase] of waiting) results[index] = await run(testCase)
      }
      await Promise.all(Array.from({ length: Math.min(limits.suiteCasesAtOnce, cases.length) }, work))
      return results
    },
  }
}

interface OneCase {
  chain: SuiteChain
  testCase: SuiteCase
  content: CaseContent
}

async function runOne(
  { pool, judge }: { pool: EnginePool; judge: Judge },
  { chain, testCase, content }: OneCase,
  { pages, pictures }: Omit<RunOptions, 'content'>,
): Promise<RanCase> {
  const { raw, params, expected } = content
  const folder = expectedFolderOf(chain.slug, testCase.name)
  // The first case loads the engine that decides which nodes want an input.
  const { runCase } = await import('../../suite/run.ts')
  const { expectsPages } = await import('../../suite/compare.ts')
  try {
    const runs = await runCase(chain.model, { raw, params }, (job) => pool.run(job), 'discarded')
    const made = []
    for (const { address, output, text, refusal, drawPages } of runs) {
      const isDrawn = refusal === undefined && (pages === 'all' || expectsPages(address, { folder, files: expected }))
      made.push({ address, output, text, refusal, ...(isDrawn ? { pages: await drawPages() } : {}) })
    }
    return await judge.ask('comparedCase', { made, folder, expected: [...expected], pictures })
  } catch (error) {
    const message = whyBrokenOff(error)
    if (message === undefined) throw error
    const failures = [{ kind: 'other' as const, file: testCase.input.path, message }]
    return { failures, made: [], madeHash: sha256Hex(''), brokeOff: true }
  }
}

function whyBrokenOff(error: unknown): string | undefined {
  if (error instanceof WorkerOverran || error instanceof WorkerOutgrew) {
    return 'It takes longer, or more memory, than a step of an execution may. Use a smaller input.'
  }
  if (error instanceof EngineThrew || error instanceof WorkerCrashed) {
    return 'An engine broke over it, which is a fault of Quire; the log says more. Report it, or leave the case out.'
  }
  return undefined
}
