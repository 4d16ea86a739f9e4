import { Document, Packer, Paragraph, TextRun } from 'docx'
import { canonicalHash } from '../../src/core/canonical.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import type { Source } from '../../src/runner/job.ts'

/** A contract, a transformer and a template that fit together: the smallest letter there is. */
export const contractText = JSON.stringify({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['name', 'total'],
  properties: { name: { type: 'string', minLength: 1 }, total: { type: 'number', minimum: 0 } },
})

export const transformerText = `transform: declarative-v1
output:
  greeting: { $text: "Dear {name}", name: /name }
  total: { $format: /total, number: "#,##0.00" }
`

export const validInput = '{"name":"Ada","total":1234.5}'

export async function templateBytes(): Promise<Uint8Array> {
  const line = (text: string) => new Paragraph({ children: [new TextRun(text)] })
  const document = new Document({ sections: [{ children: [line('{{/greeting}},'), line('you owe {{/total}}.')] }] })
  return new Uint8Array(await Packer.toBuffer(document))
}

export async function letterSources(): Promise<{ contract: Source; transformer: Source; template: Source }> {
  const template = await templateBytes()
  return {
    contract: { hash: canonicalHash(JSON.parse(contractText)), format: 'json', content: contractText },
    transformer: { hash: sha256Hex(transformerText), format: 'yaml', content: transformerText },
    template: { hash: sha256Hex(template), format: 'docx', content: template },
  }
}
