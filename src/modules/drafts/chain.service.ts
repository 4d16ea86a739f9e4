import { errorsOf, type Finding } from '../../core/finding.ts'
import type { PinnedFragment } from '../../core/fragment.ts'
import type { Connection } from '../../db/database.ts'
import { bindingsWith, type LinkedTemplate } from '../versions/fragments.service.ts'
import { readVersion } from '../versions/versions.reads.ts'
import { sourceOf } from '../versions/versions.service.ts'
import type { Judge } from './judge.service.ts'
import { judgedBefore, judgeKnown } from './judge-known.service.ts'

/** Whether frozen versions, given by their ids, fit together. */
export async function checkPinnedChain(
  { connection, judge }: { connection: Connection; judge: Judge },
  pin: {
    contractVersionId: string | undefined
    transformVersionId: string
    templateVersionId: string | undefined
    /** Templates that the template includes. */
    fragments?: readonly PinnedFragment[] | undefined
  },
): Promise<Finding[]> {
  const read = async (id: string | undefined) => (id === undefined ? undefined : readVersion(connection, id))
  const contract = await read(pin.contractVersionId)
  const transformer = await readVersion(connection, pin.transformVersionId)
  const template = await read(pin.templateVersionId)
  // Inside a transaction the answer must be known already; a file can't be part of the question's key.
  const link = async (linked: LinkedTemplate, key: string) =>
    judge === judgeKnown ? judgedBefore('linkedBindings', linked, key) : judge.ask('linkedBindings', linked)
  const bindings = template && (await bindingsWith(connection, template, pin.fragments ?? [], link))
  if (bindings?.ok === false) return errorsOf(bindings.findings)
  return judge.ask('chain', {
    contract: contract && sourceOf(contract).source,
    transformer: sourceOf(transformer),
    bindings: bindings?.value,
    reading: transformer.reading,
  })
}
