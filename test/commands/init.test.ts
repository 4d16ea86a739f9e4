import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { projectFiles, runInit } from '../../src/commands/init.ts'
import { demo } from '../../src/demo/demo.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { noContext } from './answering.ts'

test('a new project has every part of the demo’s letter, its cases among them, and the text beside its template', async () => {
  const files = await projectFiles()
  const { slug } = demo.ingestionModel
  expect(Object.keys(files).sort()).toEqual(
    [
      ...['README.md', `contracts/${slug}.schema.json`, `models/${slug}.yaml`, `templates/${slug}.docx`],
      ...[`templates/${slug}.docx.md`, `transformers/${slug}.yaml`],
      ...demo.scenarios.map(({ id }) => `cases/${slug}/${id}.json`),
    ].sort(),
  )
  expect(files[`contracts/${slug}.schema.json`]).toBe(demo.contract.schema)
  expect(files[`transformers/${slug}.yaml`]).toBe(demo.transformer.source)
  expect(files[`models/${slug}.yaml`]).toBe(demo.ingestionModel.source)
  expect(files[`templates/${slug}.docx`]).toEqual(await demo.template.bytes())
  for (const { id, raw_input } of demo.scenarios) expect(files[`cases/${slug}/${id}.json`]).toBe(raw_input)
  expect(demo.scenarios.length).toBeGreaterThan(0)
})

test('a folder that is a project already, and names that are none, are refused before anything is made', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'models'))
  writeFileSync(join(folder, 'models', 'own.yaml'), '')
  const refused = await rejectionOf(runInit([folder], noContext))
  expect(refused).toBeInstanceOf(CommandFailure)
  expect(String(refused)).toContain(`${join(folder, 'models')} is already there: the folder is a project`)
  for (const args of [['a', 'b'], [''], ['-']])
    expect(await rejectionOf(runInit(args, noContext))).toBeInstanceOf(UsageError)
  expect(readdirSync(folder)).toEqual(['models'])
})
