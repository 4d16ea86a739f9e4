import { join } from 'node:path'

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
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder, ...environment },
    stdin,
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** Runs one to its end. */
export async function runCommand(
  folder: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<CommandAnswer> {
  const child = startCommand(folder, args, environment)
  const [code, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { code, stdout, stderr }
}
