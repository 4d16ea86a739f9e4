import { join } from 'node:path'
import type { Page } from 'playwright-core'

const source = Bun.file(join(import.meta.dir, '../../node_modules/axe-core/axe.min.js'))

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary?: string }[]
}

/** What axe-core has to say against a page, one line a violation with the first places; empty when nothing. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger: the page's own policy refuses foreign scripts, and that shall stay so.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: await source.text() })
  await session.detach()
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(root: Document, options: unknown): Promise<{ violations: Violation[] }> }
    }
    return (await axe.run(document, { resultTypes: ['violations'] })).violations
  })
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`)
        .join(' | ')}`,
  )
}
