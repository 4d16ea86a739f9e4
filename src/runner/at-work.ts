import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'

/**
 * Which steps this process is working on, from the moment that a worker begins one until its outcome is recorded, in a file
 * beside the database. A claimed step that only waits can't have brought its process down: after a kill, the next start gives it
 * back uncounted, so that kills from outside don't use up the attempts of a whole queue. Nothing is synced: the file's content
 * survives the process, and after a power cut an attempt too many or too few may be counted.
 */
export interface AtWork {
  /** The steps that the previous run was working on; undefined if unknown. */
  readonly left: readonly string[] | undefined
  /** Forgets `left`, after those steps have been given back. */
  forget(): void
  begin(stepId: string): void
  /** Also for steps that never began. */
  end(stepId: string): void
  close(): void
}

/** Fixed by RFC 9562: the characters of a UUID. */
const ID_CHARS = 36
const SLOT_BYTES = ID_CHARS + 1
const FREE = `${' '.repeat(ID_CHARS)}\n`

/** @param slots how many steps there may be at once; a step without a slot isn't noted, and its attempt would not be counted */
export function openAtWork(path: string, slots: number): AtWork {
  const left = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => /^[0-9a-f-]{36}$/.test(line))
    : undefined
  const file = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600)
  const taken = new Map<string, number>()
  // One write of a few bytes: a kill comes before or after it.
  const write = (slot: number, text: string) => {
    try {
      writeSync(file, text, slot * SLOT_BYTES)
    } catch {
      // A failing disk must not end the process: at worst a kill counts an attempt too many or too few.
    }
  }
  return {
    left,
    forget() {
      for (let slot = 0; slot < Math.max(slots, left?.length ?? 0); slot++) write(slot, FREE)
    },
    begin(stepId) {
      if (taken.has(stepId)) return
      const used = new Set(taken.values())
      for (let slot = 0; slot < slots; slot++) {
        if (used.has(slot)) continue
        taken.set(stepId, slot)
        write(slot, `${stepId}\n`)
        return
      }
    },
    end(stepId) {
      const slot = taken.get(stepId)
      if (slot === undefined) return
      taken.delete(stepId)
      write(slot, FREE)
    },
    close: () => closeSync(file),
  }
}
