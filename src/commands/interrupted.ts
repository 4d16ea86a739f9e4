/** Numbers of the signals that end a command early, as POSIX has them. */
const signals = { SIGINT: 2, SIGTERM: 15 } as const

/**
 * Does work that leaves something behind if it is interrupted, and removes that when a person (Ctrl-C) or the system
 * ends the process: a copy of a database must not stay where nobody looks for it.
 *
 * @param clear has to be synchronous: the process ends after it
 * @param work makes what `clear` removes, so that no signal comes between the two
 */
export async function clearedIfInterrupted<T>(clear: () => void, work: () => Promise<T>): Promise<T> {
  const names = Object.keys(signals) as (keyof typeof signals)[]
  const end = (signal: keyof typeof signals) => {
    clear()
    // The exit code that a shell has for a program that the signal ended.
    process.exit(128 + signals[signal])
  }
  for (const name of names) process.once(name, end)
  try {
    return await work()
  } finally {
    for (const name of names) process.off(name, end)
  }
}
