/** Numbers of the signals that end a command early, as POSIX has them. */
const signals = { SIGINT: 2, SIGTERM: 15 } as const

/**
 * Does work that leaves something behind if it is cut short, and clears that away where a person (Ctrl-C) or the system
 * ends it before: a copy of a database must not stay where nobody looks for it.
 *
 * @param clear is to be done at once: the process ends after it
 * @param work makes what is to be cleared away, so that no signal comes between the two
 */
export async function clearedIfInterrupted<T>(clear: () => void, work: () => Promise<T>): Promise<T> {
  const names = Object.keys(signals) as (keyof typeof signals)[]
  const end = (signal: keyof typeof signals) => {
    clear()
    // What a shell says of a program that the signal has ended.
    process.exit(128 + signals[signal])
  }
  for (const name of names) process.once(name, end)
  try {
    return await work()
  } finally {
    for (const name of names) process.off(name, end)
  }
}
