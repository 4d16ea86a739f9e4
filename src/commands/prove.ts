import { parseArgs } from 'node:util'
import { isUuid } from '../core/ids.ts'
import { openDatabase } from '../db/connect.ts'
import { requireCurrentSchema } from '../db/migrate.ts'
import { openObjectStore } from '../objects/objects.ts'
import { gatherProof, ProofRefused } from '../proof/gather.ts'
import { type Command, UsageError } from './command.ts'
import { CommandFailure, writeOutput } from './files.ts'
import { readHeadFiles } from './verify-heads.ts'

/**
 * `quire prove <execution> -o <proof.zip> [--head <file>…]`: one file that shows, without this store, what an execution was
 * made of and what it made. It only reads, and may run while Quire serves.
 */
export const runProve: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { output: { type: 'string', short: 'o' }, head: { type: 'string', multiple: true } },
    allowPositionals: true,
  })
  const [id, ...more] = positionals
  if (id === undefined || more.length > 0 || values.output === undefined) {
    throw new UsageError("prove takes an execution's id and an output: quire prove <execution> -o proof.zip")
  }
  if (!isUuid(id)) throw new UsageError(`${id} is no id of an execution`)
  const heads = readHeadFiles(values.head)
  const config = context.prepare()
  const database = await openDatabase(config.databaseUrl, { readOnly: true })
  const objects = await openObjectStore(config.objectsUrl)
  try {
    await requireCurrentSchema(database)
    const proof = await database.snapshot((connection) => gatherProof({ connection, objects, heads }, id))
    writeOutput(values.output, proof)
    return 0
  } catch (error) {
    if (error instanceof ProofRefused) throw new CommandFailure(error.message)
    throw error
  } finally {
    await objects.close()
    await database.close()
  }
}
