import { afterEach, beforeEach, spyOn } from 'bun:test'

/** What was printed in this process. */
export interface Printed {
  stdout: string
  stderr: string
}

/** Catches what is printed in this process, for all tests of a file, each of which begins with nothing printed. */
export function catchPrinted(): Printed {
  const printed = { stdout: '', stderr: '' }
  let spies: { mockRestore(): void }[]
  beforeEach(() => {
    Object.assign(printed, { stdout: '', stderr: '' })
    spies = (['stdout', 'stderr'] as const).map((stream) =>
      spyOn(process[stream], 'write').mockImplementation((text, ...more) => {
        printed[stream] += typeof text === 'string' ? text : Buffer.from(text).toString()
        for (const each of more) if (typeof each === 'function') each()
        return true
      }),
    )
  })
  afterEach(() => {
    for (const spy of spies) spy.mockRestore()
  })
  return printed
}
