import { askServer, controlSocketOf } from '../control-socket.ts'
import type { CommandContext } from './command.ts'
import { toStdout } from './print-json.ts'

/** Has the process that serves the embedded database run the command; false if there is none. */
export async function ranBeside(context: CommandContext, command: string, args: readonly string[]): Promise<boolean> {
  const socket = controlSocketOf(context.prepare().databaseUrl)
  return socket !== undefined && (await askServer(socket, { command, args: [...args] }, toStdout))
}
