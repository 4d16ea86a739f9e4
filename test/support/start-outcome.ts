import { startCommand } from './command.ts'
import { freePort } from './postgres.ts'

/** How a `quire serve` came out: `serves` once it is ready (it is stopped then), or what it said when it ended by itself. */
export async function startOutcome(
  folder: string,
  settings: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<string> {
  const port = await freePort()
  const child = startCommand(folder, ['serve', ...args], { QUIRE_LISTEN: `127.0.0.1:${port}`, ...settings })
  const said = new Response(child.stderr).text()
  void new Response(child.stdout).text()
  for (;;) {
    if (child.exitCode !== null) return said
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) break
    await Bun.sleep(50)
  }
  child.kill()
  await child.exited
  return 'serves'
}
