/** Lets what waits for the thread run before what follows: answers of others, timers, what arrived meanwhile. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
