/**
 * The page's longest tasks in a workspace whose contract has 600 KB: opening it, selecting a word, typing, correcting, declaring
 * a path, discarding and restoring the text. The same with a template of 500 pages: replacing its file, showing its pages,
 * scrolling, following a binding, opening the workspace, selecting a word and a line, typing, dropping another file; and
 * comparing two such templates.
 *
 * Method: dist/quire serves the demo on loopback; headless Chromium goes through the steps five times, each in a tab of its own,
 * and its trace has the processor time of every task of the main thread. Run: bun run build && bun bench/workspace.bench.ts
 */
import { cleanUp } from '../test/support/cleanup.ts'
import { runDemo, startConsole } from '../test/support/console.ts'
import {
  compareTask,
  lengthenTemplate,
  type TemplateTasks,
  templateSteps,
  templateTasks,
} from '../test/support/template-tasks.ts'
import { enlargeContract, type WorkspaceTasks, workspaceTasks } from '../test/support/workspace-tasks.ts'
import { summary } from './figures.ts'

const VISITS = 5

const bench = await startConsole()
const made = await runDemo(bench.client)
await enlargeContract(bench.client, made.contract)
const visits: WorkspaceTasks[] = []
for (let visit = 0; visit < VISITS; visit++) {
  visits.push(await bench.visit('engineer', (page) => workspaceTasks(bench, page, made), { isNewTab: true }))
}
for (const step of ['opened', 'chosen', 'typed', 'mended', 'declared', 'discarded', 'broughtBack'] as const) {
  const tasks = visits.map((tasks) => tasks[step])
  console.log(summary(`longest task, ${step}, ms`, tasks, 'reach 50'))
}

const version = await lengthenTemplate(bench.client, made.template)
const walks: TemplateTasks[] = []
const comparisons: number[] = []
for (let visit = 0; visit < VISITS; visit++) {
  walks.push(await bench.visit('engineer', (page) => templateTasks(bench, page, made), { isNewTab: true }))
  const compared = await bench.visit('engineer', (page) => compareTask(bench, page, made, version), { isNewTab: true })
  comparisons.push(compared.longestMs)
}
for (const step of templateSteps) {
  const longest = walks.map((tasks) => tasks[step].longestMs)
  console.log(summary(`500 pages, longest task, ${step}, ms`, longest, 'reach 50'))
}
console.log(summary('500 pages, longest task, compared, ms', comparisons, 'reach 50'))
const firstPage = walks.map(({ shown }) => shown.wallMs)
console.log(summary('500 pages, from the draft to its first page, ms', firstPage, 'no reach'))
await bench.stop()
await cleanUp()
