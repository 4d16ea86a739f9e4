import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { demo } from '../demo/demo.ts'
import { type Command, UsageError } from './command.ts'
import { CommandFailure, writeOutput } from './files.ts'

/**
 * `quire init [<folder>]`: makes a project folder with the demo's letter, which `quire test` passes. Files that are there
 * are never written over: then nothing is written.
 */
export const runInit: Command = async (args) => {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true })
  const [folder = '.', ...rest] = positionals
  if (rest.length > 0) throw new UsageError('init takes one folder: quire init letters')
  const { contract, transformer, template, ingestionModel, scenarios } = demo
  const files = new Map<string, string | Uint8Array>([
    ['README.md', readme],
    [`contracts/${contract.slug}.schema.json`, contract.schema],
    [`transformers/${transformer.slug}.yaml`, transformer.source],
    [`templates/${template.slug}.docx`, await template.bytes()],
    [`models/${ingestionModel.slug}.yaml`, ingestionModel.source],
    ...scenarios.map(({ id, raw_input }) => [`cases/${ingestionModel.slug}/${id}.json`, raw_input] as const),
  ])
  const taken = [...files.keys()].filter((name) => existsSync(join(folder, name)))
  if (taken.length > 0) throw new CommandFailure(`nothing was written, because ${taken.join(', ')} is already there`)
  for (const [name, content] of files) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeOutput(path, content)
    process.stdout.write(`wrote ${path}\n`)
  }
  const where = folder === '.' ? '' : ` ${folder}`
  process.stdout.write(
    `Next: quire test${where} --update writes down what the cases make, quire test${where} compares.\n`,
  )
  return 0
}

const readme = `# A Quire project

| folder | what is in it |
|---|---|
| \`contracts/\` | what inputs must be: JSON Schema |
| \`models/\` | ingestion models: which contract an input has, and what is made of it |
| \`transformers/\` | inputs to the data of a document |
| \`templates/\` | documents with tags |
| \`cases/<model>/\` | inputs, \`<name>.json\`, each with what is expected of it in \`<name>.expected/\` |

    quire check contracts/* models/* transformers/* templates/*
    quire test
    quire test --update
`
