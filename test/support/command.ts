import { join } from 'node:path'
import { bareEnvironment } from './environment.ts'
import { freePort } from './postgres.ts'

export interface CommandAnswer {
  code: number
  stdout: string
  stderr: string
}

/** Starts one command of the program in a folder, with these settings and nothing else of this process's environment. */
export function startCommand(
  folder: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  stdin: 'ignore' | Bun.BunFile = 'ignore',
) {
  // The second isn't called QUIRE_…: whatever inherits it would warn of a setting that there is none of.
  const given = process.env.QUIRE_BINARY || process.env.TEST_COMMANDS
  const program = given ? [given] : [process.execPath, join(import.meta.dir, '../../src/main.ts')]
  return Bun.spawn([...program, ...args], {
    cwd: folder,
    env: { ...bareEnvironment, TMPDIR: folder, ...environment },
    stdin,
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** Runs one to its end. A server that isn't told where to listen does so on a port of its own, not on everybody's. */
export async function runCommand(
  folder: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<CommandAnswer> {
  const listening = args[0] === 'serve' ? { QUIRE_LISTEN: `127.0.0.1:${await freePort()}` } : undefined
  const child = startCommand(folder, args, { ...listening, ...environment })
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code, stdout, stderr }
}
