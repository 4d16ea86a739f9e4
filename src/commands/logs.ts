import { parseArgs } from 'node:util'
import { ExecutionFailed, type TraceEvent } from '../client/client.ts'
import { limits } from '../core/limits.ts'
import type { Command } from './command.ts'
import { eventLine, executionIdOf, orItsExecutions } from './executions.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'
import { withServer } from './remote.ts'

/**
 * `quire logs <execution> [--follow]`: the events of an execution, a line each; with `--follow` also those to come, until its
 * last one, and across restarts of the server. Ends with 1 where the execution has failed.
 */
export const runLogs: Command = async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { server: { type: 'string' }, follow: { type: 'boolean', short: 'f' }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const executionId = executionIdOf('logs', positionals)
  const print = (event: TraceEvent) => {
    if (values.json) printJson(event)
    else process.stdout.write(`${plain(eventLine(event).trimEnd())}\n`)
  }
  return withServer({ server: values.server, tellsWaiting: values.follow === true }, async (quire) => {
    if (values.follow !== true) {
      const asked = quire.getExecutionTrace({ params: { executionId } })
      const { events } = (await orItsExecutions(quire, executionId, asked)).body
      for (const event of events) print(event)
      return 0
    }
    try {
      const asked = quire.waitForExecution(executionId, { onEvent: print, timeoutMs: limits.followSeconds * 1000 })
      await orItsExecutions(quire, executionId, asked)
      return 0
    } catch (error) {
      // Its last event says why.
      if (error instanceof ExecutionFailed) return 1
      throw error
    }
  })
}
