import { expect, test } from 'bun:test'
import { startTestApp } from '../http/harness.ts'
import { openPage } from '../support/page.ts'

test('a page has nothing in its memory of the pages before it in the process: who is signed in, or that the tab was left', async () => {
  const app = await startTestApp('sqlite')
  for (const person of ['ada', 'grace']) {
    const page = await openPage(app)
    try {
      expect(page.shown().join('\n')).toContain('Sign in')
      await page.signIn(person, 'administrator')
      // Signs out first, as a page is left.
      await page.signIn(`${person}-again`, 'administrator')
      await page.open('/contracts')
      await page.press('New contract')
      await page.fill('Name', `Of ${person}`)
      await page.press('Create')
      await page.write('Schema', '{"type": "string"}')
      expect(page.shown().join('\n')).not.toContain('no room')
    } finally {
      await page.close()
    }
  }
})
