import { confine } from '../native/confine.ts'
import { type EngineRole, engineRoles, type FromProcess } from '../runner/engine-process.ts'
import type { EnginePort } from '../runner/engine-worker.ts'
import { MessageJoiner, type MessagePiece } from '../runner/message-pieces.ts'
import { type ExitCode, UsageError } from './command.ts'

/** How much each role steps back for the requests: a preview should not wait for documents. */
const niceBy: Readonly<Record<EngineRole, number>> = { engines: 10, judge: 5, joins: 10 }
/** Each role loads only what it serves: a judge starts while somebody waits for a plan. */
const serve: Readonly<Record<EngineRole, (port: EnginePort) => Promise<void>>> = {
  engines: async (port) => (await import('../runner/serve-engines.ts')).serveEngines(port),
  judge: async (port) => (await import('../modules/drafts/judge.side.ts')).serveQuestions(port),
  joins: async (port) => (await import('../runner/serve-joins.ts')).serveJoins(port),
}

/**
 * A process that `quire serve` starts for its engines (runner/engine-process.ts). It lives as long as its channel.
 *
 * @throws UsageError for somebody who starts it by hand
 */
export async function runEngineProcess([role, memoryBytes]: readonly string[]): Promise<ExitCode> {
  const known = engineRoles.find((each) => each === role)
  if (known === undefined || process.send === undefined) {
    throw new UsageError('engine-process is started by quire serve, for its engines')
  }
  const say = (message: FromProcess) => process.send?.(message)
  const port: EnginePort = { onmessage: null, postMessage: (answer) => say({ answer }) }
  await serve[known](port)
  const unconfined = confine({ memoryBytes: Number(memoryBytes), niceBy: niceBy[known] })
  process.on('disconnect', () => process.exit())
  const joiner = new MessageJoiner()
  process.on('message', (piece: MessagePiece) => {
    const whole = joiner.take(piece)
    if (whole !== undefined) port.onmessage?.(new MessageEvent('message', { data: whole.message }))
  })
  say({ open: { unconfined } })
  return 0
}
