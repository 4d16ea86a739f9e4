import { seedDemo } from '../../src/modules/intake-lab/intake-lab.service.ts'
import { startTestApp, type TestApp } from '../http/harness.ts'
import { createStepRunner } from '../modules/executions/run.ts'
import { Author } from '../support/author.ts'
import { openPage, type Page } from '../support/page.ts'

export interface DemoPage {
  app: TestApp
  page: Page
  author: Author
  /** Ids: of the last submission and of executions by how they ended; of the demo's contract, transformer, template and model. */
  made: Record<
    'submission' | 'case' | 'completed' | 'failed' | 'contracts' | 'transformers' | 'templates' | 'ingestion-models',
    string
  >
}

/** The console over the demo configuration, with the lab's four scenarios run, three of which complete. */
export async function openDemoPage(): Promise<DemoPage> {
  const app = await startTestApp('sqlite')
  // Instants of the database and those of the application are to fit together.
  app.clock.advance(Date.now() - Date.parse(app.clock.now()))
  await seedDemo(app.database, app.clock)
  const author = await Author.signIn(app, 'ada', ['administrator', 'operator'])
  const run = createStepRunner(app.database, app.pool, app.objects)
  const made: Record<string, string> = {}
  const { scenarios } = (await author.get('/intake-test-lab/scenarios')).body
  for (const { raw_input, metadata } of scenarios) {
    const body = { ingestion_model: 'clws-policy', raw_input, metadata }
    const { submission } = (await author.post('/submissions', body)).body
    const { id } = submission.executions[0]
    await run(id)
    made[(await author.get(`/executions/${id}`)).body.status] = id
    made.submission = submission.id
  }
  // What was made bears instants of the database, which goes on while a slow machine takes its time.
  app.clock.advance(1_200_000)
  for (const kind of ['contracts', 'transformers', 'templates', 'ingestion-models']) {
    made[kind] = (await author.get(`/${kind}`)).body[kind.replace('-', '_')][0].id
  }
  made.case = (await author.get('/cases')).body.cases[0].id
  return { app, page: await openPage(app), author, made: made as DemoPage['made'] }
}
