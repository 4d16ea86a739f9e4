/**
 * The longest tasks of the page in a workspace whose contract has 600 KB: opened, a word chosen, typed
 * in, mended, a path declared, what was typed discarded and brought back.
 *
 * Method: dist/quire serves the demo on loopback; headless Chromium goes through the steps five times, each in a tab of its own,
 * and its trace gives the processor's time of every task of the main thread. Run: bun run build && bun bench/workspace.bench.ts
 */
import { cleanUp } from '../test/support/cleanup.ts'
import { runDemo, startConsole } from '../test/support/console.ts'
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
await bench.stop()
await cleanUp()
