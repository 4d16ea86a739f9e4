import { formatInstant, instantOf } from '../core/instant.ts'
import { partTitles } from '../core/retained-parts.ts'
import { PRODUCT_VERSION, REVISION } from '../core/version.ts'
import { findFonts } from '../font-files.ts'
import type { AuditHeadRow } from '../modules/audit/audit.store.ts'
import { type CheckedProof, checkProof } from '../proof/check.ts'
import { openPool } from '../runner/pool.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'

/** A proof that was submitted, and what it has to agree with. */
export interface GivenProof {
  path: string
  bytes: Uint8Array
  heads: readonly AuditHeadRow[]
  json: boolean
  /** Public key, hexadecimal. */
  key?: string
}

/** `quire verify <proof.zip>`: checks a proof by itself, and makes the documents again. Asks no store and no server. */
export async function verifyProof(
  { path, bytes, json, ...against }: GivenProof,
  context: CommandContext,
): Promise<ExitCode> {
  const config = context.readConfig()
  const fonts = config.fontFolders.length === 0 ? {} : { fonts: findFonts(config.fontFolders) }
  const pool = openPool({ size: 1, log: context.logFor(config), ...fonts })
  try {
    const checked = await checkProof(bytes, { run: (job) => pool.run(job), ...against })
    return tellProof(checked, { path, json, hasKey: against.key !== undefined })
  } finally {
    await pool.close()
  }
}

/** @param hasKey whether the caller named the key that has to have signed */
export function tellProof(
  { problems, differences, facts }: CheckedProof,
  { path, json, hasKey }: { path: string; json: boolean; hasKey: boolean },
): ExitCode {
  for (const problem of [...problems, ...differences]) process.stderr.write(`quire: ${path}: ${plain(problem)}\n`)
  if (problems.length > 0 || facts === undefined) {
    if (json) printJson({ path, problems, differences })
    return 1
  }
  const { execution, status, objectReference, submittedAt, madeBy, keys, files, remade, notRemade, removed } = facts
  const submitted = formatInstant(instantOf(submittedAt))
  if (json) {
    const about = { execution, status, object_reference: objectReference, submitted_at: submitted, made_by: madeBy }
    const left = removed.map(({ part, removedAt, rule, hashes }) => {
      return { part, removed_at: formatInstant(instantOf(removedAt)), policy: rule, hashes }
    })
    const more = removed.length === 0 ? {} : { removed: left, not_remade: notRemade }
    printJson({ path, ...about, keys, files, remade, ...more, problems, differences })
    return differences.length > 0 ? 3 : 0
  }
  process.stdout.write(`execution ${execution}, ${status}, of ${plain(objectReference)}, submitted at ${submitted}\n`)
  process.stdout.write(`${files} files as they were recorded, signed with the public key ${keys.join(', ')}\n`)
  for (const { part, removedAt, rule, hashes } of removed) {
    const of = hashes.length === 0 ? '' : `: SHA-256 ${hashes.join(', ')}`
    const under = `set ${rule.retention} of the retention policies, after ${rule.keep_days} days`
    const at = formatInstant(instantOf(removedAt))
    process.stdout.write(`its ${partTitles[part]} went at ${at} under ${under}${of}\n`)
  }
  if (!hasKey) process.stdout.write('compare that key with the one you know, or name it with --key\n')
  if (differences.length > 0) {
    const other =
      madeBy.engine_revision === REVISION
        ? ''
        : `; it was made by ${plain(madeBy.product_version)}, this is ${PRODUCT_VERSION}`
    process.stderr.write(`quire: ${path}: this build makes other bytes${other}\n`)
    return 3
  }
  process.stdout.write(`made again by this build: ${remade} hashes, all the same\n`)
  for (const [execution, steps] of Map.groupBy(notRemade, (one) => one.execution)) {
    const names = steps.map(({ step }) => step).join(', ')
    process.stdout.write(`not made again, because what they read was removed: ${names} of ${execution}\n`)
  }
  return 0
}
