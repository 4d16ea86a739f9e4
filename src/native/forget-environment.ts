import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'

/**
 * Removes variables from this process's environment, once they have been read. The system keeps a copy of a process's original
 * environment (`/proc/<pid>/environ`, `ps e`), which other processes of the same user can read; on Linux the values are
 * overwritten there as well, if the process may write to its own memory. A file (`QUIRE_…_FILE`) is better, because then no
 * variable was ever set.
 */
export function forgetVariables(names: readonly string[]): void {
  const present = names.filter((name) => process.env[name] !== undefined)
  if (present.length === 0) return
  for (const name of present) delete process.env[name]
  if (process.platform !== 'linux') return
  try {
    overwriteValues(new Set(present))
  } catch {
    // A sandbox may forbid even the process itself to do that. A file works there, too.
  }
}

/** The same for variables that libraries read later: they stay in `process.env`, but the system no longer shows them. */
export function hideVariables(names: readonly string[]): void {
  const values = names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [{ name, value }]
  })
  forgetVariables(names)
  for (const { name, value } of values) process.env[name] = value
}

function overwriteValues(names: ReadonlySet<string>): void {
  const { start, end } = environmentBlock()
  const memory = openSync('/proc/self/mem', 'r+')
  try {
    const block = Buffer.alloc(end - start)
    readSync(memory, block, 0, block.length, start)
    for (let at = 0; at < block.length; ) {
      const zero = block.indexOf(0, at)
      const stop = zero < 0 ? block.length : zero
      const equals = block.indexOf('=', at)
      if (equals > at && equals < stop && names.has(block.toString('latin1', at, equals))) {
        const length = stop - equals - 1
        writeSync(memory, Buffer.alloc(length), 0, length, start + equals + 1)
      }
      at = stop + 1
    }
  } finally {
    closeSync(memory)
  }
}

/** Fields 50 and 51 of proc(5): where the environment was at the start of the process. */
function environmentBlock(): { start: number; end: number } {
  const text = readFileSync('/proc/self/stat', 'latin1')
  // The second field is the program's name in parentheses, with any character in it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { start: Number(fields[47]), end: Number(fields[48]) }
}
