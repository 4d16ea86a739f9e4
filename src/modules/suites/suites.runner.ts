/** Running cases in engine processes, and comparing what they make in the judge's: nothing of it on the thread of requests. */
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

/** What came of a case; one that broke off made nothing that could be accepted. */
export type RanCase = Verdict<'comparedCase'> & { brokeOff?: true }

/** How a case went. */
export interface CaseVerdict {
  isGreen: boolean
}

/** The same for the same case with the same content of all that it reads. */
export function caseKey(chain: SuiteChain, testCase: SuiteCase): string {
  return `${chain.slug} ${chain.hash} ${testCase.hash}`
}

/** Drawn pages: of nodes that some are expected of, or of all. */
export type WantedPages = 'kept' | 'all'

export interface RunOptions {
  /** What the case's files hold, where they may not be on the store any more. */
  content?: CaseContent
  pages: WantedPages
  /** Whether pages that differ are handed back as pictures. */
  pictures: boolean
}

export interface SuiteRunner {
  /** What is known of a case without running it. */
  known(chain: SuiteChain, testCase: SuiteCase): CaseVerdict | undefined
  /** Runs one case and remembers the result, unless the run broke off: the next one may not. */
  run(chain: SuiteChain, testCase: SuiteCase, options: RunOptions): Promise<RanCase>
  /** Runs several, as many at once as leave room for others. */
  runAll<T>(cases: readonly SuiteCase[], run: (testCase: SuiteCase) => Promise<T>): Promise<T[]>
}

/**
 * Remembers how cases went by the content of all that they read: fonts and engines stay the same while the process runs, so the
 * same content makes the same documents.
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
  // The engine that decides which nodes want an input is loaded by the first case.
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
