/**
 * Keeps removing and storing apart if several processes share a store: no store checks an object's age and removes it in one
 * step. One process at a time removes, in short turns. A process that stores an existing object waits for the current turn and
 * stores it again; later turns find the object young (docs/decisions/0034).
 */
export interface RemovalTurns {
  /** Undefined while another process has its turn. */
  take(): Promise<RemovalTurn | undefined>
  /** Waits until the current turn has ended. True if there was none since that moment, by the timers' clock. */
  noneSince(atMs: number): Promise<boolean>
}

export interface RemovalTurn {
  /** Whether a removal that begins now takes effect before others may consider the turn over. */
  mayRemove(): boolean
  /** Call it only when every removal has been answered. */
  end(): Promise<void>
}
