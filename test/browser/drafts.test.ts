import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { Document, Packer, Paragraph } from 'docx'
import type { Page, Route } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, makeContract, open, settled, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

const person = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const letter = join(import.meta.dir, '../../src/demo/letter.docx')
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const stale = /status of (?:409|412)/

describe.skipIf(skipsBrowserTests('drafts in a browser'))('drafts in a browser', () => {
  let bench: ConsoleBench
  const at = (path: string) => bench.quire.origin + path
  const keyed = (headers: Record<string, string> = {}) => ({ 'idempotency-key': crypto.randomUUID(), ...headers })

  beforeAll(async () => {
    bench = await startConsole()
  }, testMs)

  afterAll(() => bench?.stop())

  /** A family of each kind that has an editor, with this text as revision 1, and how somebody else saves another. */
  const editors = [
    {
      kind: 'contract',
      label: 'Schema',
      text: '{\n  "type": "object",\n  "title": "a",\n  "description": "b",\n  "$comment": "c"\n}',
      async make(slug: string, text: string) {
        const { body } = await bench.client.post('/api/v1/contracts', { name: slug, description: '', schema: text })
        const path = `/contracts/${body.contract.id}`
        return {
          path,
          saved: async () => (await bench.client.get(`/api/v1${path}`)).body.schema as string,
          saveElsewhere: (schema: string, revision: number) =>
            bench.client.send('PUT', `/api/v1${path}`, {
              name: slug,
              description: '',
              schema,
              expected_revision: revision,
            }),
        }
      },
    },
    ...(['transformers', 'ingestion-models'] as const).map((plural) => ({
      kind: plural,
      label: 'Source',
      text:
        plural === 'transformers'
          ? 'transform: declarative-v1\noutput:\n  a: 1\n  b: 2\n  c: 3\n'
          : 'model: ingestion-model-v1\ncontract: { name: "Policy premium notice", version: 1 }\n# a\n# b\n# c\n',
      async make(slug: string, text: string) {
        const { body } = await bench.client.post(`/api/v1/${plural}`, { slug, name: slug, description: '' }, keyed())
        const path = `/${plural}/${body.resource_id}`
        const put = (source: string, condition: Record<string, string>) =>
          bench.client.send('PUT', `/api/v1${path}/draft`, { source, format: 'yaml' }, keyed(condition))
        await put(text, { 'if-none-match': '*' })
        return {
          path,
          saved: async () => (await bench.client.get(`/api/v1${path}/draft`)).body.source as string,
          saveElsewhere: (source: string, revision: number) => put(source, { 'if-match': `"${revision}"` }),
        }
      },
    })),
  ]

  async function type(page: Page, label: string, text: string): Promise<void> {
    await page.getByRole('textbox', { name: label }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
  }

  async function reload(page: Page): Promise<void> {
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
  }

  test('Compare shows the draft as it is saved, and what is typed beside it', async () => {
    const id = await makeContract(bench.client, 'compared after a save', person)
    await bench.visit('engineer', async (page) => {
      await open(page, at(`/contracts/${id}`))
      await type(page, 'Schema', JSON.stringify({ ...person, required: [] }))
      await page.keyboard.press('Control+s')
      await page.getByText('Revision 2, saved').waitFor()
      await page.getByRole('link', { name: 'Compare' }).click()
      await page.getByText('A compatible change').waitFor()
      expect(await page.getByText('No difference').count()).toBe(0)
      await page
        .getByRole('combobox', { name: 'To', exact: true })
        .locator('option', { hasText: 'revision 2' })
        .waitFor({ state: 'attached' })
      await page.getByRole('link', { name: 'Draft', exact: true }).click()
      await type(page, 'Schema', JSON.stringify({ ...person, type: 'array' }))
      await page.getByText('with unsaved changes').waitFor()
      await page.getByRole('link', { name: 'Compare' }).click()
      await page.getByText('A compatible change').waitFor()
      await page.getByRole('combobox', { name: 'To', exact: true }).selectOption('Unsaved changes')
      await page.getByText('A breaking change').waitFor()
    })
  })

  for (const { kind, label, text, make } of editors) {
    describe(kind, () => {
      test('a line saved elsewhere while one types outlives a reload and the save: both changes are kept', async () => {
        const family = await make(`merged-${kind}`, text)
        const [left, right] = [text.replace(/\ba\b/, 'their-a'), text.replace(/\bc\b/, 'my-c')]
        await bench.visit(
          'engineer',
          async (page) => {
            await open(page, at(family.path))
            await type(page, label, right)
            await page.getByText('Revision 1, with unsaved changes').waitFor()
            await family.saveElsewhere(left, 1)
            await reload(page)
            await page.getByText('Revision 2 was saved by somebody else meanwhile').waitFor()
            await page.getByText('Revision 2, with unsaved changes').waitFor()
            await page.getByText('What changed where').click()
            await page.getByText('Only they changed this: taken').waitFor()
            expect(await axeViolations(page)).toEqual([])
            await page.keyboard.press('Control+s')
            await page.getByText('Revision 3, saved').waitFor()
          },
          { expects: stale },
        )
        expect(await family.saved()).toBe(text.replace(/\ba\b/, 'their-a').replace(/\bc\b/, 'my-c'))
      })

      test('two changes of one line are shown side by side, and nothing is saved before a choice', async () => {
        const family = await make(`collided-${kind}`, text)
        const [left, right] = [text.replace(/\bb\b/, 'their-b'), text.replace(/\bb\b/, 'my-b')]
        await bench.visit(
          'engineer',
          async (page) => {
            await open(page, at(family.path))
            await type(page, label, right)
            await page.getByText('Revision 1, with unsaved changes').waitFor()
            await family.saveElsewhere(left, 1)
            await page.keyboard.press('Control+s')
            await page.getByRole('heading', { name: 'One place where two people wrote' }).waitFor()
            expect(await family.saved()).toBe(left)
            // It also waits over a reload, and a key doesn't get around it.
            await reload(page)
            const heading = page.getByRole('heading', { name: 'One place where two people wrote' })
            await heading.waitFor()
            await eventually(() => heading.evaluate((one) => one === document.activeElement), true)
            await page.keyboard.press('Control+s')
            expect(await axeViolations(page)).toEqual([])
            const place = page.getByRole('region', { name: /^Line \d+$/ })
            expect(await place.locator('figure').allTextContents()).toEqual([
              expect.stringContaining('b'),
              expect.stringContaining('their-b'),
              expect.stringContaining('my-b'),
            ])
            const go = page.getByRole('button', { name: 'Go on with the merged text' })
            expect(await go.isDisabled()).toBe(true)
            await place.getByLabel('Mine', { exact: true }).check()
            await go.click()
            await page.getByText('Revision 2, with unsaved changes').waitFor()
            await page.keyboard.press('Control+s')
            await page.getByText('Revision 3, saved').waitFor()
          },
          { expects: stale },
        )
        expect(await family.saved()).toBe(right)
      })

      test('what was discarded can be brought back, by its button and by undoing, also after a reload', async () => {
        const family = await make(`discarded-${kind}`, text)
        const changed = text.replace(/\bc\b/, 'my-c')
        await bench.visit('engineer', async (page) => {
          await open(page, at(family.path))
          const typed = () => page.getByRole('textbox', { name: label }).textContent()
          await type(page, label, changed)
          await page.getByRole('button', { name: 'Discard changes' }).click()
          await page.getByText('Revision 1, saved').waitFor()
          await eventually(async () => (await typed())?.includes('my-c'), false)
          await page.reload()
          await page.getByRole('button', { name: 'Bring them back' }).click()
          await page.getByText('Revision 1, with unsaved changes').waitFor()
          await eventually(async () => (await typed())?.includes('my-c'), true)
          await page.getByRole('button', { name: 'Discard changes' }).click()
          await page.getByText('Revision 1, saved').waitFor()
          await page.getByRole('textbox', { name: label }).focus()
          await page.keyboard.press('Control+z')
          await page.getByText('Revision 1, with unsaved changes').waitFor()
          await eventually(async () => (await typed())?.includes('my-c'), true)
          await page.keyboard.press('Control+s')
          await page.getByText('Revision 2, saved').waitFor()
          expect(await page.getByRole('button', { name: 'Bring them back' }).count()).toBe(0)
        })
        expect(await family.saved()).toBe(changed)
      })
    })
  }

  test('a draft that somebody else saved is not frozen before it was seen', async () => {
    const id = await makeContract(bench.client, 'frozen unseen', person)
    await bench.visit(
      'engineer',
      async (page) => {
        await open(page, at(`/contracts/${id}`))
        const theirs = { name: 'frozen unseen', description: '', schema: '{"type":"array"}', expected_revision: 1 }
        await bench.client.send('PUT', `/api/v1/contracts/${id}`, theirs)
        await page.getByRole('button', { name: 'Freeze a version' }).click()
        await page.getByText('Nothing was frozen').waitFor()
        await page.getByText('Revision 2, saved').waitFor()
        await eventually(() => page.getByRole('textbox', { name: 'Schema' }).textContent(), '{"type":"array"}')
        await page.getByRole('button', { name: 'Freeze a version' }).click()
        await page.getByText('Version 2 is frozen').waitFor()
      },
      { expects: stale },
    )
  })

  test('Ctrl-S saves under Caps Lock and on a keyboard without Latin letters, and Ctrl-K opens the palette there', async () => {
    const id = await makeContract(bench.client, 'saved in capitals', person)
    await bench.visit('engineer', async (page) => {
      await open(page, at(`/contracts/${id}`))
      await type(page, 'Schema', '{}')
      await page.getByText('Revision 1, with unsaved changes').waitFor()
      // As a browser sends it under Caps Lock: a capital without Shift.
      await page.keyboard.press('Control+S')
      await page.getByText('Revision 2, saved').waitFor()
      await type(page, 'Schema', '{ }')
      await page.getByText('Revision 2, with unsaved changes').waitFor()
      const press = (key: string, code: string) =>
        page.evaluate(
          (pressed) => window.dispatchEvent(new KeyboardEvent('keydown', { ...pressed, ctrlKey: true, bubbles: true })),
          { key, code },
        )
      await press('ы', 'KeyS')
      await page.getByText('Revision 3, saved').waitFor()
      await press('л', 'KeyK')
      await page.getByRole('combobox').waitFor()
    })
  })

  test('a draft that can’t be read says so, and keeps what was typed for when it can', async () => {
    const id = await makeContract(bench.client, 'read late', person)
    await bench.visit(
      'engineer',
      async (page) => {
        await open(page, at(`/contracts/${id}`))
        await type(page, 'Schema', '{"type":"array"}')
        await page.getByText('with unsaved changes').waitFor()
        let asked = 0
        await page.route(`**/api/v1/contracts/${id}`, (route) =>
          ++asked === 2 ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
        )
        await reload(page)
        await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
        await page.getByText('what you had typed and not saved').waitFor()
        await eventually(() => page.getByRole('textbox', { name: 'Schema' }).textContent(), '{"type":"array"}')
      },
      { expects: /503/ },
    )
  })

  test('a file that somebody else put in the place of a draft is not replaced unseen', async () => {
    const bytes = await Bun.file(letter).bytes()
    const about = { slug: 'uploaded-by-two', name: 'uploaded by two', description: '' }
    const { template } = (await bench.client.post('/api/v1/templates', about, keyed())).body
    const path = `/api/v1/templates/${template.id}`
    const put = (content: Uint8Array, condition: Record<string, string>) =>
      bench.client.send('PUT', `${path}/draft`, content, keyed({ 'content-type': docx, ...condition }))
    expect((await put(bytes, { 'if-none-match': '*' })).status).toBe(200)
    const theirs = await letterWith('their own words')
    const mine = await letterWith('my own words')
    await bench.visit(
      'engineer',
      async (page) => {
        // Nothing can be put in the place of a draft that isn't read yet: it would replace what nobody saw.
        const first = await holdReading(page, `${path}/draft`)
        await page.goto(at(`/templates/${template.id}`))
        await first.asked
        await page.getByRole('status', { name: 'Loading the draft' }).waitFor()
        const upload = page.locator('.drop input[type=file]')
        expect(await upload.count()).toBe(0)
        first.release()
        await settled(page)
        expect((await put(theirs, { 'if-match': '"1"' })).status).toBe(200)
        await upload.setInputFiles({ name: 'mine.docx', mimeType: docx, buffer: Buffer.from(mine) })
        await page.getByRole('heading', { name: 'Somebody else changed the file' }).waitFor()
        expect(await axeViolations(page)).toEqual([])
        expect((await bench.client.get(`${path}/draft`)).body.revision).toBe(2)
        await page.getByRole('button', { name: 'Keep theirs' }).click()
        await page.getByText('Put another file in its place').waitFor()
        const facts = page.locator('.facts').first()
        await eventually(async () => (await facts.textContent())?.includes('Revision2'), true)
        const again = await holdReading(page, `${path}/draft`)
        await upload.setInputFiles({ name: 'mine.docx', mimeType: docx, buffer: Buffer.from(mine) })
        await again.asked
        expect(await page.getByText('mine.docx is the draft now').count()).toBe(0)
        again.release()
        await page.getByText('mine.docx is the draft now').waitFor()
        await eventually(async () => (await facts.textContent())?.includes('Revision3'), true)
        // And frozen as it was seen, or not at all.
        await put(theirs, { 'if-match': '"3"' })
        await page.getByRole('button', { name: 'Freeze a version' }).click()
        await page.getByText('Nothing was frozen').waitFor()
        await eventually(async () => (await facts.textContent())?.includes('Revision4'), true)
      },
      { expects: stale },
    )
  })

  test('a dialog changes what was changed in it, and nothing that somebody else changed meanwhile', async () => {
    const id = await makeContract(bench.client, 'described', person)
    const account = { username: 'renamed', display_name: 'Once', roles: ['auditor'], password: 'a first password' }
    const { user } = (await bench.client.post('/api/v1/admin/users', account)).body
    await bench.visit('administrator', async (page) => {
      await open(page, at(`/contracts/${id}`))
      await page.getByRole('button', { name: 'Name and description' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Description').fill('mine')
      const schema = JSON.stringify(person)
      const theirs = { name: 'renamed by them', description: '', schema, expected_revision: 1 }
      expect((await bench.client.send('PUT', `/api/v1/contracts/${id}`, theirs)).status).toBe(200)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'renamed by them' }).waitFor()
      expect((await bench.client.get(`/api/v1/contracts/${id}`)).body).toMatchObject({
        name: 'renamed by them',
        description: 'mine',
      })

      await page.getByRole('button', { name: 'Name and description' }).click()
      await dialog.getByLabel('Description').fill('mine again')
      const other = { name: 'renamed by them', description: 'theirs', schema, expected_revision: 3 }
      expect((await bench.client.send('PUT', `/api/v1/contracts/${id}`, other)).status).toBe(200)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Somebody changed the description meanwhile').waitFor()

      await open(page, at('/users'))
      await page.getByRole('button', { name: /^Once/ }).click()
      await dialog.getByLabel('Name').fill('Twice')
      await bench.client.send('PATCH', `/api/v1/admin/users/${user.id}`, { roles: ['operator'] })
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: /^Twice/ }).waitFor()
      const { users } = (await bench.client.get('/api/v1/admin/users')).body
      expect(users.find((one: { id: string }) => one.id === user.id)).toMatchObject({
        display_name: 'Twice',
        roles: ['operator'],
      })
    })
  })
})

/** Holds what the page reads at this path, once it has `asked`, until `release`. */
async function holdReading(page: Page, path: string) {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const hold = async (route: Route) => {
    if (route.request().method() === 'GET') {
      ask()
      await released
    }
    await route.continue()
  }
  await page.route(`**${path}`, hold)
  return { asked, release }
}

/** A DOCX of one paragraph. */
function letterWith(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return Packer.toBuffer(new Document({ sections: [{ children: [new Paragraph(text)] }] })).then(
    (bytes) => new Uint8Array(bytes),
  )
}
