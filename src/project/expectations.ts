/** What is expected of a case, as files beside it: `<name>.expected/<node>/…`. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expectedEnd, expectedFiles } from '../core/project-layout.ts'
import {
  compareMade,
  type Expectations,
  expectationsOf,
  expectsPages,
  type Failure,
  isExpectation,
  isSame,
  type MadeNode,
} from '../suite/compare.ts'
import type { NodeRun } from '../suite/run.ts'
import type { ProjectFolder } from './folder.ts'
import type { ProjectCase } from './project.ts'

/** The project's folder has the findings of files that can't be read. */
export function readExpectations(project: ProjectFolder, { stem }: Pick<ProjectCase, 'stem'>): Expectations {
  const folder = `${stem}${expectedEnd}`
  const files = new Map<string, string>()
  for (const path of project.filesBelow(folder).filter((each) => isExpectation(basename(each)))) {
    const text = project.text(path)
    if (text !== undefined) files.set(path.slice(folder.length + 1), text)
  }
  return { folder, files }
}

/**
 * Compares a case's results with its expectations; see `compareMade`. Draws pages only where some are expected.
 *
 * @param tolerance points by which what is drawn may be displaced
 * @param refusing nodes that may refuse the case if it has no expectations
 */
export async function compareCase(
  runs: readonly NodeRun[],
  expected: Expectations,
  tolerance: number,
  refusing: ReadonlySet<string> = new Set(),
): Promise<readonly Failure[]> {
  return compareMade(await withPages(runs, expected, 'kept'), expected, { tolerance, refusing })
}

/** The nodes that are expected to refuse a case. */
export function refusingNodes({ files }: Expectations): Set<string> {
  return new Set(
    [...files.keys()].filter((file) => basename(file) === expectedFiles.refusal).map((file) => dirname(file)),
  )
}

/** Draws the pages of all documents, or of those that some are expected of. */
async function withPages(runs: readonly NodeRun[], expected: Expectations, pages: 'all' | 'kept'): Promise<MadeNode[]> {
  const made: MadeNode[] = []
  for (const run of runs) {
    const isDrawn = run.refusal === undefined && (pages === 'all' || expectsPages(run.address, expected))
    made.push(isDrawn ? { ...run, pages: await run.drawPages() } : run)
  }
  return made
}

/**
 * Writes a case's results as its new expectations, and removes expected files that it no longer makes. Runs synchronously, so
 * that a signal's handler never sees half of it.
 *
 * @param pages `all` for the pages of every document; `kept` where some are expected already
 * @returns the files that were written or removed, below the project's folder
 */
export async function updateCase(
  project: string,
  runs: readonly NodeRun[],
  expected: Expectations,
  pages: 'all' | 'kept',
): Promise<string[]> {
  const wanted = expectationsOf(await withPages(runs, expected, pages))
  const changed: string[] = []
  for (const [file, text] of wanted) {
    if (isSame(expected.files.get(file), text)) continue
    const path = join(project, expected.folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeWhole(path, text)
    changed.push(`${expected.folder}/${file}`)
  }
  for (const file of expected.files.keys()) {
    if (wanted.has(file)) continue
    rmSync(join(project, expected.folder, file))
    changed.push(`${expected.folder}/${file}`)
  }
  return changed
}

/** Writes atomically: an interruption leaves either the old or the new file. Names with a leading dot are not a project's. */
function writeWhole(path: string, text: string): void {
  const temporary = join(dirname(path), `.quire-${crypto.randomUUID()}.tmp`)
  try {
    writeFileSync(temporary, text, { flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
