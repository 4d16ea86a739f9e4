import type { Block } from '../../model/document.ts'
import type { Context } from '../context.ts'
import { Distribution } from './distribute.ts'
import { noteFrames } from './note-bands.ts'
import type { Pass } from './pass.ts'

/** Halvings of a page's height that bring balanced columns within a point of each other. */
const BALANCE_STEPS = 9

/**
 * Lays out a section whose columns come out equally long because a continuous break ends it: its part on the last page
 * is laid out again and again, to find the shortest columns that keep the text on that page. Notes cannot be placed
 * twice, so a section that brings notes to that page stays as it is.
 */
export function distributeBalanced(pass: Pass, context: Context, blocks: readonly Block[]): void {
  const { work } = pass
  const distribution = new Distribution(pass, context, blocks)
  const sectionStart = distribution.checkpoint()
  distribution.run()
  const { page } = work
  const start = sectionStart.work.page === page ? sectionStart : distribution.pageStart
  if (start?.work.page !== page || start.notes !== noteFrames(page)) return
  const runWithin = (limit: number) => {
    distribution.restore(start)
    page.region.limit = limit
    distribution.run()
  }
  let low = page.region.top
  let high = page.bottom
  for (let step = 0; step < BALANCE_STEPS; step++) {
    const limit = (low + high) / 2
    runWithin(limit)
    if (work.page === page) high = limit
    else low = limit
  }
  runWithin(high)
  page.region.limit = Number.POSITIVE_INFINITY
}
