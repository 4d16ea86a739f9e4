import { parseArgs } from 'node:util'
import type { Hold, QuireClient } from '../client/client.ts'
import { isUuid } from '../core/ids.ts'
import { type Command, UsageError } from './command.ts'
import { plainLines } from './plain.ts'
import { printJson } from './print-json.ts'
import { withServer } from './remote.ts'

const words = { object_reference: 'the reference', ingestion_model: '--model', reason: '--reason' }

/**
 * `quire hold <reference> --reason <text>`: places a legal hold on an object, or with `--model` on an ingestion model.
 * `--release` releases one, and `--list` prints all.
 */
export const runHold: Command = async (args) => {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { server: text, model: text, reason: text, release: text, list: flag, json: flag },
    allowPositionals: true,
  })
  const json = values.json === true
  const [reference, ...more] = positionals
  const { model, reason, release } = values
  const server = { server: values.server, words }
  const subjects = [reference, model, release].filter((one) => one !== undefined)
  if (values.list) {
    if (subjects.length > 0) throw new UsageError('--list takes no reference')
    return withServer(server, (quire) => listHolds(quire, json))
  }
  if (more.length > 0 || subjects.length !== 1) {
    throw new UsageError(
      'hold takes the reference of one object, --model with a slug, or --release with the id of a hold',
    )
  }
  if (release !== undefined && !isUuid(release)) {
    throw new UsageError(`--release takes the id of a hold, as quire hold --list prints it; "${release}" is none`)
  }
  if (reason === undefined) throw new UsageError('say why with --reason')
  return withServer(server, async (quire) => {
    const { body } =
      release === undefined
        ? await quire.placeHold({
            body: {
              ...(reference === undefined ? {} : { object_reference: reference }),
              ...(model === undefined ? {} : { ingestion_model: model }),
              reason,
            },
          })
        : await quire.releaseHold({ params: { holdId: release }, body: { reason } })
    if (json) printJson(body)
    else process.stdout.write(plainLines(`${lineOf(body)}\n`))
    return 0 as const
  })
}

async function listHolds(quire: QuireClient, json: boolean): Promise<0> {
  for (let cursor: string | undefined; ; ) {
    const { body } = await quire.listHolds({ query: cursor === undefined ? {} : { cursor } })
    for (const hold of body.holds) {
      if (json) printJson(hold)
      else process.stdout.write(plainLines(`${lineOf(hold)}\n`))
    }
    cursor = body.next_cursor
    if (cursor === undefined) return 0
  }
}

function lineOf(hold: Hold): string {
  const subject = hold.ingestion_model ?? hold.object_reference ?? hold.object_reference_hash
  const kind = hold.ingestion_model === undefined ? 'object' : 'model'
  const release =
    hold.released_at === undefined
      ? ''
      : `; released ${hold.released_at} by ${hold.released_by}: ${hold.release_reason}`
  return `${hold.placed_at}  ${hold.id}  ${hold.status}  ${kind} ${subject}  by ${hold.placed_by}: ${hold.reason}${release}`
}
