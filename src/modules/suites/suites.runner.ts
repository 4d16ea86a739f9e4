/** Running cases in engine processes, and comparing what they make in the judge's: nothing of it on the thread of requests. */
import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import { WorkerOutgrew, WorkerOverran } from '../../runner/faults.ts'
import { LruCache } from '../../runner/lru.ts'
import type { EnginePool } from '../../runner/pool.ts'
import type { Judge } from '../drafts/judge.service.ts'
import type { Verdict } from '../drafts/questions.service.ts'
import { type CaseContent, expectedFolderOf, readCase, type SuiteCase } from './suites.cases.ts'
import type { SuiteChain } from './suites.chain.ts'

type ComparedCase = Verdict<'comparedCase'>

/** How a case went. */
export interface CaseVerdict {
  isGreen: boolean
  /** What isn't as expected, as one line; of a case that is green, nothing. */
  message: string | undefined
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
  /** Runs one case, and remembers how it went. */
  run(chain: SuiteChain, testCase: SuiteCase, options: RunOptions): Promise<ComparedCase>
  /** Runs several, so many at once as leave room for others. */
  runAll<T>(cases: readonly SuiteCase[], run: (testCase: SuiteCase) => Promise<T>): Promise<T[]>
}

/**
 * Remembers how cases went by the content of all that they read: fonts and engines stay the same while the process runs, so the
 * same content makes the same documents.
 */
export function createSuiteRunner(ports: { connection: Connection; pool: EnginePool; judge: Judge }): SuiteRunner {
  const verdicts = new LruCache<CaseVerdict>(limits.suiteVerdicts)
  const keyOf = (chain: SuiteChain, testCase: SuiteCase) => `${chain.slug} ${chain.hash} ${testCase.hash}`
  return {
    known: (chain, testCase) => verdicts.get(keyOf(chain, testCase)),

    async run(chain, testCase, options) {
      const content = options.content ?? (await readCase(ports.connection, chain.slug, testCase))
      const compared = await runOne(ports, { chain, testCase, content }, options)
      const [first] = compared.failures
      verdicts.set(keyOf(chain, testCase), {
        isGreen: first === undefined,
        message: first && (first.kind === 'other' ? first.message : `${first.file} differs.`),
      })
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
): Promise<ComparedCase> {
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
    if (!(error instanceof WorkerOverran) && !(error instanceof WorkerOutgrew)) throw error
    const message = 'It takes longer, or more memory, than a step of an execution may. Use a smaller input.'
    return { failures: [{ kind: 'other', file: testCase.input.path, message }], made: [], madeHash: sha256Hex('') }
  }
}
