import { confine } from '../../src/native/confine.ts'

/** Wants 4 GB after it was given 64 MB more than it had. */
confine({ memoryBytes: 64 * 2 ** 20, niceBy: 1 })
const kept: unknown[] = []
while (process.memoryUsage.rss() < 4 * 2 ** 30) {
  kept.push(Array.from({ length: 100_000 }, (_, index) => ({ index, text: `text ${index}` })))
}
process.exit(7)
