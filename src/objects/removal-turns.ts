/**
 * Holds removing and storing apart where several processes share a store: no store answers how old an object is and removes it in
 * one step. One process at a time removes, in short turns. Whoever stores what was there already waits for the turn under way and
 * stores it again; turns that begin later find the object young (docs/decisions/0034).
 */
export interface RemovalTurns {
  /** Undefined while another has its turn. */
  take(): Promise<RemovalTurn | undefined>
  /** Waits until the turn under way has ended. True if there was none since that moment of the timers. */
  noneSince(atMs: number): Promise<boolean>
}

export interface RemovalTurn {
  /** Whether a removal that begins now takes effect before anybody takes the turn for over. */
  mayRemove(): boolean
  /** Only when no removal is without an answer. */
  end(): Promise<void>
}
