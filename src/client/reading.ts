/** Reading bodies that may be of any length, from a server that may be none. */

/** An answer that sending the request again can't mend. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer'
}

/** Fixed by the interface: the longest answer, a page of 100 executions with inputs and outputs of 0.5 MB each, is half of this. */
export const longestAnswerBytes = 268_435_456

/** Fixed by the interface: a problem has at most 100 issues, of some 5 KB each. */
export const longestProblemBytes = 1_048_576

/** Fixed by the interface: no artifact has more. */
export const longestArtifactBytes = 26_214_400

/** @throws UnusableAnswer for a body of more bytes */
export async function bytesOf(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
    if (value !== undefined) {
      chunks.push(value)
      length += value.length
    }
    if (length > most) {
      // Not awaited: a server that sends without end may not react to the cancellation, either.
      void reader?.cancel().catch(() => {})
      throw new UnusableAnswer(`the answer has more than ${most} bytes`)
    }
    if (done) break
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/**
 * The promise's value if it comes in time.
 * @throws Error after this many milliseconds
 */
export async function heardWithin<T>(
  promise: Promise<T>,
  ms: number,
  told = `nothing was heard for ${ms} ms`,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(told)), ms)
  })
  try {
    return await Promise.race([promise, silence])
  } finally {
    clearTimeout(timer)
  }
}
