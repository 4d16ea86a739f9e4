/** A line on a terminal that says how far a long command is. Nothing is ever written where stderr is no terminal. */
export interface Progress {
  /** How far it is now: a few words, without a line break. */
  tell(text: string): void
  /** Takes the line away, so that something else can be printed; the next `tell` brings it back. */
  clear(): void
}

/** What a progress line is written to. */
export interface ProgressStream {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

/** Fixed by what people notice: shorter work needs no line, and more than ten changes a second can't be read. */
const firstMs = 1000
/** Fixed by the same. */
const everyMs = 100
/** Fixed by old terminals. */
const usualColumns = 80

/** @param now milliseconds that only grow */
export function createProgress(
  stream: ProgressStream = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  if (stream.isTTY !== true) return { tell() {}, clear() {} }
  const startedMs = now()
  let shownMs = Number.NEGATIVE_INFINITY
  let isShown = false
  return {
    tell(text) {
      const ms = now()
      if (ms - startedMs < firstMs || ms - shownMs < everyMs) return
      // One column stays free: terminals differ in what writing the last one does. A terminal without a size reports 0 columns.
      stream.write(`\r\x1b[2K${text.slice(0, (stream.columns || usualColumns) - 1)}`)
      shownMs = ms
      isShown = true
    },
    clear() {
      if (isShown) stream.write('\r\x1b[2K')
      isShown = false
    },
  }
}

/** Does work with a line about it, which is gone when the work has ended. */
export async function withProgress<Result>(work: (progress: Progress) => Promise<Result>): Promise<Result> {
  const progress = createProgress()
  try {
    return await work(progress)
  } finally {
    progress.clear()
  }
}

/**
 * Shows a line that counts the seconds until an answer is there; how far the server is, isn't known.
 *
 * @param what the work's name, such as `planning`
 */
export async function waitingFor<Result>(
  what: string,
  answer: Promise<Result>,
  progress: Progress = createProgress(),
): Promise<Result> {
  const startedMs = performance.now()
  const told = () => progress.tell(`${what}: ${Math.floor((performance.now() - startedMs) / 1000)} s`)
  const timer = setInterval(told, everyMs)
  try {
    return await answer
  } finally {
    clearInterval(timer)
    progress.clear()
  }
}

/** The same rows, with a line that counts them as they are taken: `looking at releases: 400`. */
export async function* told<Row>(progress: Progress, what: string, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  let count = 0
  for await (const row of rows) {
    progress.tell(`${what}: ${++count}`)
    yield row
  }
}
