/** What the test process must undo when the tests of a file end: bun runs no `exit` handlers, so test/preload.ts calls this. */
const actions: (() => void | Promise<void>)[] = []

export function onTestsEnd(action: () => void | Promise<void>): void {
  actions.push(action)
}

export async function cleanUp(): Promise<void> {
  for (const action of actions.splice(0).reverse()) await action()
}
