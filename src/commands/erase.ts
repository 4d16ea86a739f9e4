import { parseArgs } from 'node:util'
import type { Erasure, QuireClient } from '../client/client.ts'
import { type Command, UsageError } from './command.ts'
import { plainLines } from './plain.ts'
import { printJson } from './print-json.ts'
import { waitingFor } from './progress.ts'
import { withServer } from './remote.ts'

const words = { object_reference: 'the reference', reason: '--reason' }

/**
 * `quire erase <reference> --reason <text>`: erases all that a server has about an object, in as many erasures as it takes.
 * `--dry-run` counts instead, and `--list` prints the erasures that there were.
 */
export const runErase: Command = async (args) => {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { server: text, reason: text, 'dry-run': flag, list: flag, json: flag },
    allowPositionals: true,
  })
  const json = values.json === true
  const [reference, ...more] = positionals
  const server = { server: values.server, words }
  if (values.list) {
    if (reference !== undefined) throw new UsageError('--list takes no reference')
    return withServer(server, (quire) => listErasures(quire, json))
  }
  if (reference === undefined || more.length > 0) throw new UsageError('erase takes the reference of one object')
  const { reason } = values
  if (values['dry-run']) return withServer(server, (quire) => planErasure(quire, reference, json))
  if (reason === undefined) throw new UsageError('say why with --reason, or count with --dry-run')
  return withServer(server, (quire) => erase(quire, { reference, reason }, json))
}

async function planErasure(quire: QuireClient, reference: string, json: boolean): Promise<0> {
  const { body } = await waitingFor('counting', quire.planErasure({ body: { object_reference: reference } }))
  if (json) printJson(body)
  else {
    const { counts, refused_rows, dropped_files, remaining, at_work: atWork, holds } = body
    const parts = [
      `would erase ${counted({ ...counts, refused_rows, dropped_files })}`,
      remaining === 0 ? [] : `${remaining} more ${remaining === 1 ? 'submission' : 'submissions'} after those`,
      atWork === 0
        ? []
        : `${atWork} ${atWork === 1 ? 'execution has' : 'executions have'} not ended, and nothing is erased until then`,
      holds.length === 0
        ? []
        : `under the legal ${holds.length === 1 ? 'hold' : 'holds'} ${holds.join(', ')}, and nothing is erased until ${holds.length === 1 ? 'it is' : 'they are'} released`,
    ]
    process.stdout.write(`${parts.flat().join('; ')}\n`)
  }
  return 0
}

async function erase(quire: QuireClient, wanted: { reference: string; reason: string }, json: boolean): Promise<0> {
  for (;;) {
    const asked = quire.createErasure({
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: { object_reference: wanted.reference, reason: wanted.reason },
    })
    const { body } = await waitingFor('erasing', asked)
    const { erasure, refused_rows, dropped_files } = body
    if (json) printJson(erasure)
    else {
      const erased = counted({ ...erasure.counts, refused_rows, dropped_files })
      process.stdout.write(`erased ${erased} (erasure ${erasure.id})\n`)
    }
    if (body.remaining === 0) return 0
  }
}

async function listErasures(quire: QuireClient, json: boolean): Promise<0> {
  for (let cursor: string | undefined; ; ) {
    const { body } = await quire.listErasures({ query: cursor === undefined ? {} : { cursor } })
    for (const erasure of body.erasures) {
      if (json) printJson(erasure)
      else process.stdout.write(plainLines(`${lineOf(erasure)}\n`))
    }
    cursor = body.next_cursor
    if (cursor === undefined) return 0
  }
}

function lineOf({ id, erased_at: at, erased_by: by, status, reason, counts }: Erasure): string {
  const { submissions } = counts
  return `${at}  ${id}  ${status}  by ${by}  ${submissions} ${submissions === 1 ? 'submission' : 'submissions'}  ${reason}`
}

/** `2 submissions, 3 executions, …`; kinds without any are left out. */
export function counted(counts: Readonly<Record<string, number>>): string {
  const said = Object.entries(counts).flatMap(([name, count]) =>
    // A server of an earlier version says less.
    !count ? [] : [`${count} ${(count === 1 ? name.replace(/s$/, '') : name).replaceAll('_', ' ')}`],
  )
  return said.length === 0 ? 'nothing' : said.join(', ')
}
