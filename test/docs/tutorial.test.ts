import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { buildTutorialTemplate } from '../../scripts/build-tutorial-template.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { drawDocx } from '../../src/engines/pdf/pdf.ts'
import { root } from './pages.ts'
import { expectPicture } from './pictures.ts'

const template = await Bun.file(join(root, 'docs/tutorial/reminder.docx')).bytes()

test("the tutorial's template equals what its script builds, byte for byte", async () => {
  expect(sha256Hex(await buildTutorialTemplate())).toBe(sha256Hex(template))
})

test('the picture of the template shows the template', () => {
  const drawn = drawDocx(template, { fonts: embeddedFonts() })
  expect(drawn.ok && drawn.value.pages.length).toBe(1)
  if (drawn.ok) expectPicture('tutorial-template.svg', drawn.value.pages[0]?.svg ?? '')
})
