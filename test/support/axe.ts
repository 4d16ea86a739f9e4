import { join } from 'node:path'
import type { Page } from 'playwright-core'

const source = Bun.file(join(import.meta.dir, '../../node_modules/axe-core/axe.min.js'))

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary?: string }[]
}

/**
 * What axe-core has to say against a page, one line a violation with the first places; empty when nothing.
 *
 * @param rules `colours` for a page whose other rules were asked in another theme already: only they depend on it
 */
export async function axeViolations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    // Evaluated by the debugger: the page's own policy refuses foreign scripts, and that shall stay so.
    const session = await page.context().newCDPSession(page)
    // Without the markup of what it looks at: nobody reads it, and writing it is a twentieth of the work.
    await session.send('Runtime.evaluate', { expression: `${await source.text()}\naxe.configure({ noHtml: true })` })
    await session.detach()
  }
  const violations = await page.evaluate(async (onlyColours) => {
    const { axe } = window as unknown as {
      axe: { run(root: Document, options: unknown): Promise<{ violations: Violation[] }> }
    }
    // By name: their tag has a stricter rule too, which isn't asked for otherwise.
    const only = onlyColours ? { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } } : {}
    return (await axe.run(document, { resultTypes: ['violations'], ...only })).violations
  }, rules === 'colours')
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`)
        .join(' | ')}`,
  )
}
