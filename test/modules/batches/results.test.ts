import { beforeAll, expect, spyOn, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, type PDFRef } from 'pdf-lib'
import { demo } from '../../../src/demo/demo.ts'
import { readZip } from '../../../src/engines/ooxml/zip.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { runAll } from '../executions/run.ts'

/** What a reader of the outline sees: each title with the number of its page. */
function outlineOf(document: PDFDocument): [title: string, page: number][] {
  const refs = document.getPages().map(({ ref }) => ref)
  const outlines = document.catalog.lookup(PDFName.of('Outlines'), PDFDict)
  const entries: [string, number][] = []
  for (let item = outlines.lookupMaybe(PDFName.of('First'), PDFDict); item !== undefined; ) {
    const title = item.lookup(PDFName.of('Title'), PDFHexString).decodeText()
    const page = item.lookup(PDFName.of('Dest'), PDFArray).get(0) as PDFRef
    entries.push([title, refs.indexOf(page) + 1])
    item = item.lookupMaybe(PDFName.of('Next'), PDFDict)
  }
  return entries
}

describeOnBothDialects('results of batches', (dialect) => {
  let app: TestApp
  let operator: Author
  let batchId: string

  beforeAll(async () => {
    app = await startTestApp(dialect)
    await seedDemo(app.database, app.clock)
    operator = await Author.signIn(app, 'operator', ['operator'])
    const [monthly] = demo.scenarios
    const notice = JSON.parse(monthly.raw_input)
    const rows = ['CLW-2026-000001', '=cmd|calc', 'CLW-2026-000003'].map((number) =>
      JSON.stringify({ ...notice, policy: { ...notice.policy, number } }),
    )
    const broken = JSON.stringify({
      ...notice,
      policy: { ...notice.policy, number: 'CLW-2026-000004', annualPremium: '=1+1' },
    })
    const file = new TextEncoder().encode([...rows, broken].join('\n'))
    const fields = {
      ...{ ingestion_model: 'clws-policy', name: 'Märk/May.ndjson', object_reference_field: '/policy/number' },
      official_time: monthly.metadata.source_timestamp,
    }
    const made = await operator.form('POST', '/batches', fields, file, {}, 'application/x-ndjson')
    expect([made.status, made.body.rows]).toEqual([202, 4])
    batchId = made.body.id
    const feeder = app.openFeeder()
    await feeder.round()
    await runAll(app.database, app.pool, app.objects)
    await feeder.round()
    expect((await operator.get(`/batches/${batchId}`)).body.counts).toMatchObject({
      completed: 2,
      failed: 1,
      refused: 1,
    })
  })

  test('are a ZIP of all documents by row and reference, with the rows as a table that runs no formula', async () => {
    const { status, headers, body } = await operator.get(`/batches/${batchId}/results`)
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      ...[200, 'application/zip'],
      'attachment; filename="M-rk-May.zip"',
    ])
    const archive = readZip(body)
    if (!archive.ok) throw new Error(JSON.stringify(archive.findings))
    const names = [...archive.value.names]
    expect(names).toEqual([
      ...[
        '00001-CLW-2026-000001-letter.docx',
        '00001-CLW-2026-000001-letter.pdf',
        '00003-CLW-2026-000003-letter.docx',
        '00003-CLW-2026-000003-letter.pdf',
      ],
      'rows.csv',
    ])
    const rows = new TextDecoder().decode(body).split('rows.csv')[1]?.split('\r\n') ?? []
    expect(rows.find((line) => line.startsWith('2,2,refused'))).toContain(",'=cmd|calc,")
    expect(rows.find((line) => line.startsWith('3,3,completed'))).toEndWith(
      ',00003-CLW-2026-000003-letter.docx 00003-CLW-2026-000003-letter.pdf',
    )
    expect(rows.find((line) => line.startsWith('4,4,failed'))).toContain(
      'contract_violated,validate,/policy/annualPremium',
    )
  })

  test('give each row the state in which its files were read, even if it ends meanwhile', async () => {
    const { batchRows } = app.database.read.t
    const isLast = and(eq(batchRows.batchId, batchId), eq(batchRows.number, 4))
    const setState = (state: 'completed' | 'failed') =>
      app.database.write((tx) => tx.q.update(batchRows).set({ state }).where(isLast))
    const reading = spyOn(app.objects, 'get').mockImplementationOnce(async (hash) => {
      reading.mockRestore()
      await setState('completed')
      return app.objects.get(hash)
    })
    try {
      const { body } = await operator.get(`/batches/${batchId}/results`)
      expect(new TextDecoder().decode(body).split('rows.csv')[1]).toContain('\r\n4,4,failed,')
      expect((await operator.get(`/batches/${batchId}/rows?limit=10`)).body.rows[3].state).toBe('completed')
    } finally {
      await setState('failed')
    }
  })

  test('are one PDF for print, with a bookmark for each document', async () => {
    const { status, headers, body } = await operator.get(`/batches/${batchId}/results?form=pdf`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(body.length).toBe(Number(headers.get('content-length')))
    const document = await PDFDocument.load(body)
    const pages = document.getPageCount() / 2
    expect(pages).toBeGreaterThanOrEqual(1)
    expect(outlineOf(document)).toEqual([
      ['1 · CLW-2026-000001 · letter', 1],
      ['3 · CLW-2026-000003 · letter', pages + 1],
    ])
    const one = await operator.get(`/batches/${batchId}/results?form=pdf&from_row=2&to_row=3`)
    expect(outlineOf(await PDFDocument.load(one.body))).toEqual([['3 · CLW-2026-000003 · letter', 1]])
    const none = await operator.get(`/batches/${batchId}/results?form=pdf&from_row=4`)
    expect([none.status, none.body.detail]).toEqual([409, 'No row of these has made a PDF yet. Wait for one.'])
  })

  test('are downloaded by those who may, which the trail says', async () => {
    const auditor = await Author.signIn(app, 'auditor', ['auditor'])
    expect((await auditor.get(`/batches/${batchId}/results`)).status).toBe(403)
    const { audit } = (await auditor.get(`/audit?resource_id=${batchId}&action=batch.downloaded`)).body
    expect(audit[0].detail).toEqual({ form: 'pdf', rows: '2-3' })
  })

  test('tell of a document whose bytes are lost, and go on with the others', async () => {
    const { artifacts } = app.database.read.t
    const rows = await app.database.read.q.select().from(artifacts)
    const lost = rows.find(({ objectReference, kind }) => objectReference === 'CLW-2026-000001' && kind === 'pdf')!
    await app.objects.delete(lost.contentHash)
    const { body } = await operator.get(`/batches/${batchId}/results`)
    const archive = readZip(body)
    expect(archive.ok && [...archive.value.names]).not.toContain('00001-CLW-2026-000001-letter.pdf')
    expect(new TextDecoder().decode(body)).toContain(
      '00001-CLW-2026-000001-letter.docx 00001-CLW-2026-000001-letter.pdf (lost)',
    )
    const pdf = await operator.get(`/batches/${batchId}/results?form=pdf`)
    expect([pdf.status, pdf.body.code]).toEqual([410, 'content_unavailable'])
  })
})
