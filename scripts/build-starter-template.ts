/**
 * Builds src/demo/starter/letter.docx, the template that `quire init --empty` writes: `bun scripts/build-starter-template.ts`. The
 * result is committed; the same script and packages give the same bytes.
 */
import { join } from 'node:path'
import { Document, Packer, Paragraph } from 'docx'
import { reproducibleDocx } from './reproducible-docx.ts'

const texts = ['Dear {{/name}},', 'Your text goes here.', 'Yours sincerely']

/** The bytes of src/demo/starter/letter.docx. */
export async function buildStarterTemplate(): Promise<Uint8Array> {
  const starter = new Document({
    styles: { default: { document: { run: { font: 'Calibri', size: 22 } } } },
    sections: [
      {
        properties: { page: { size: { width: 11906, height: 16838 } } },
        children: texts.map((text) => new Paragraph({ text, spacing: { after: 240 } })),
      },
    ],
  })
  return reproducibleDocx(new Uint8Array(await Packer.toArrayBuffer(starter)))
}

if (import.meta.main) {
  await Bun.write(join(import.meta.dir, '../src/demo/starter/letter.docx'), await buildStarterTemplate())
}
