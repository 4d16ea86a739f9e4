import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { projectLayout, reviewPathOf } from '../core/project-layout.ts'
import { demo } from '../demo/demo.ts'
import { starter } from '../demo/starter/starter.ts'
import { reviewTextOf } from '../engines/ooxml/document-markdown.ts'
import { makeFoldersOf } from '../project/archive.ts'
import { ProjectMemory } from '../project/memory.ts'
import { readProject } from '../project/project.ts'
import { testCases } from '../project/test-cases.ts'
import type { StepJob } from '../runner/job.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'
import { CommandFailure, folderNamed, writeOutput } from './files.ts'
import { printJson } from './print-json.ts'
import { openEngines } from './test.ts'

/**
 * `quire init [<folder>] [--empty] [--json]`: makes a project folder that `quire test` passes, with the demo's letter or a letter of
 * three lines. If one of its files exists already, nothing is written. A README of the folder's own is kept.
 */
export const runInit: Command = async (args, context) => {
  const options = { empty: { type: 'boolean' }, json: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [folder = '.', ...rest] = positionals
  if (rest.length > 0) throw new UsageError('init takes one folder: quire init letters')
  folderNamed(folder)
  const models = join(folder, projectLayout.ingestion_model.folder)
  if (existsSync(models) && readdirSync(models).length > 0) {
    throw new CommandFailure(`nothing was written, because ${models} is already there: the folder is a project`)
  }
  const configuration = await (values.empty === true ? starterFiles() : projectFiles())
  const all = Object.entries({ ...configuration, ...(await expectationsOf(configuration, context)) })
  const files = all.filter(([name]) => name !== readmeFile || !existsSync(join(folder, name)))
  const taken = files.map(([name]) => name).filter((name) => existsSync(join(folder, name)))
  if (taken.length > 0) throw new CommandFailure(`nothing was written, because ${taken.join(', ')} is already there`)
  const written: string[] = []
  for (const [name, content] of files) {
    const target = join(folder, name)
    makeFoldersOf(target)
    writeOutput(target, content)
    written.push(target)
    if (values.json !== true) process.stdout.write(`wrote ${target}\n`)
  }
  if (values.json === true) printJson({ written })
  else process.stdout.write(nextSteps(folder === '.' ? '' : ` ${folder}`))
  return 0
}

function nextSteps(where: string): string {
  return `Next: quire test${where}. After a change that you mean, quire test${where} --update writes down what the cases make.\n`
}

type Files = Readonly<Record<string, string | Uint8Array>>

/** The files of the demo's project by path, without the expectations of its cases. */
export async function projectFiles(): Promise<Files> {
  const { contract, transformer, template, ingestionModel, scenarios } = demo
  return filesOf({
    slug: ingestionModel.slug,
    contract: contract.schema,
    transformer: transformer.source,
    template: await template.bytes(),
    ingestionModel: ingestionModel.source,
    cases: Object.fromEntries(scenarios.map(({ id, raw_input }) => [id, raw_input])),
  })
}

/** A project of one letter with three lines. */
async function starterFiles(): Promise<Files> {
  return filesOf({ ...starter, template: await starter.template() })
}

/** The configuration of one document, all under one slug. */
interface DocumentFiles {
  slug: string
  contract: string
  transformer: string
  template: Uint8Array
  ingestionModel: string
  /** Inputs by the name of their case. */
  cases: Readonly<Record<string, string>>
}

function filesOf({ slug, contract, transformer, template, ingestionModel, cases }: DocumentFiles): Files {
  const path = `templates/${slug}.docx`
  return {
    [readmeFile]: readme,
    [`contracts/${slug}.schema.json`]: contract,
    [`transformers/${slug}.yaml`]: transformer,
    [path]: template,
    [reviewPathOf(path)]: reviewTextOf(basename(path), template),
    [`models/${slug}.yaml`]: ingestionModel,
    ...Object.fromEntries(Object.entries(cases).map(([name, input]) => [`cases/${slug}/${name}.json`, input])),
  }
}

/** What the cases make, as `quire test --update` writes it: made in a folder of its own, so that a failure leaves nothing behind. */
async function expectationsOf(files: Files, context: CommandContext): Promise<Files> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-init-'))
  const pool = openEngines(context, 1)
  try {
    for (const [name, content] of Object.entries(files)) {
      makeFoldersOf(join(folder, name))
      writeFileSync(join(folder, name), content)
    }
    const { outcome } = readProject(folder, new ProjectMemory())
    if (!outcome.ok) throw new Error('a new project is not as it should be')
    const perform = (job: StepJob) => pool.run(job)
    const options = { perform, atOnce: pool.size, tolerance: 0, update: 'kept', files: 'discarded' } as const
    const results = await testCases(outcome.value, outcome.value.cases, options)
    const written = results.flatMap(({ updated }) => updated)
    return Object.fromEntries(written.map((name) => [name, readFileSync(join(folder, name))]))
  } finally {
    await pool.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const readmeFile = 'README.md'

const readme = `# A Quire project

| folder | what is in it |
|---|---|
| \`contracts/\` | what inputs must be: JSON Schema |
| \`models/\` | ingestion models: which contract an input has, and what is made of it |
| \`transformers/\` | inputs to the data of a document |
| \`templates/\` | documents with tags, each with its text beside it for reviews (\`quire check --fix\` writes it) |
| \`families.json\` | names and descriptions, where they are not those of the files |
| \`activations.yaml\`, \`scheduled/\` | what comes into force later, and when |
| \`cases/<model>/\` | inputs, \`<name>.json\`, each with what is expected of it in \`<name>.expected/\` |

    quire check .
    quire test
    quire test --update
`
