import { parseArgs } from 'node:util'
import type { Command } from './command.ts'
import { executionIdOf, executionText, orItsExecutions, saveArtifacts } from './executions.ts'
import { folderNamed } from './files.ts'
import { plainLines } from './plain.ts'
import { printJson } from './print-json.ts'
import { withServer } from './remote.ts'

/** `quire get <execution>`: what a server knows of an execution, and its documents. Ends with 1 for one that failed. */
export const runGet: Command = async (args) => {
  const text = { type: 'string' } as const
  const options = { server: text, output: { ...text, short: 'o' }, json: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const executionId = executionIdOf('get', positionals)
  const folder = values.output === undefined ? undefined : folderNamed(values.output)
  return withServer({ server: values.server }, async (quire) => {
    const { body } = await orItsExecutions(quire, executionId, quire.getExecution({ params: { executionId } }))
    if (values.json) printJson(body)
    else process.stdout.write(plainLines(executionText(body)))
    const paths = folder === undefined ? [] : await saveArtifacts(quire, body, folder)
    // With --json, stdout holds that alone.
    const stream = values.json ? process.stderr : process.stdout
    for (const path of paths) stream.write(`wrote ${path}\n`)
    return body.status === 'failed' ? 1 : 0
  })
}
