import { existsSync } from 'node:fs'

/**
 * Starts the executable again in this process's place, with variables that the runtime reads before any code runs: that is the
 * only way to set its options. Process id, arguments, streams and folder stay the same. It does so once: if the variables are set
 * already, it does nothing, and neither where a process can't be replaced, as on Windows.
 */
export function restartWith(variables: Readonly<Record<string, string>>): void {
  const { execve, execPath, argv, argv0, env, platform } = process
  const isSet = Object.keys(variables).every((name) => env[name] !== undefined)
  if (isSet || execve === undefined || platform === 'win32') return
  // If the file was replaced or removed while it runs, continue with what is loaded.
  if (!existsSync(execPath)) return
  const given = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  try {
    execve.call(process, execPath, [argv0, ...argv.slice(2)], { ...variables, ...Object.fromEntries(given) })
  } catch {
    // A sandbox may forbid it; the command then only takes longer.
  }
}
