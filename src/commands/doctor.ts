import { parseArgs } from 'node:util'
import { ConfigError } from '../config.ts'
import { PRODUCT_VERSION } from '../core/version.ts'
import { examine } from '../doctor/doctor.ts'
import { type Finding, wrong } from '../doctor/finding.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'

/** `quire doctor [--json] [--strict]`: what is wrong with an installation, and what to do. */
export const runDoctor: Command = async (args, context) => {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: 'boolean' }, strict: { type: 'boolean' } },
    allowPositionals: false,
  })
  return tell(findingsIn(context), values)
}

/** Prints the findings as they come, or as one object after the last. */
export async function tell(
  found: AsyncIterable<Finding>,
  { json = false, strict = false }: { json?: boolean | undefined; strict?: boolean | undefined },
): Promise<ExitCode> {
  const findings: Finding[] = []
  for await (const finding of found) {
    findings.push(finding)
    if (!json) process.stdout.write(linesOf(finding))
  }
  const count = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict).length
  const [wrongs, advices] = [count('wrong'), count('advice')]
  if (json) {
    printJson({ product: PRODUCT_VERSION, wrong: wrongs, advice: advices, findings })
  } else process.stdout.write(`\n${verdictOf(wrongs, advices)}\n`)
  return wrongs > 0 ? 1 : advices > 0 && strict ? 3 : 0
}

async function* findingsIn(context: CommandContext): AsyncGenerator<Finding> {
  try {
    yield* examine(context.prepare())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Without settings there is nothing else to look at.
    const [, what = error.message, remedy = 'mend the setting'] = /^(.*); (.*)$/s.exec(error.message) ?? []
    yield wrong('settings', what, remedy)
  }
}

const signs: Readonly<Record<Finding['verdict'], string>> = {
  fine: 'ok',
  advice: 'look',
  wrong: 'WRONG',
  unchecked: '–',
}

function linesOf({ check, verdict, found, remedy }: Finding): string {
  const line = `${signs[verdict].padEnd(5)}  ${check.padEnd(12)}  ${plain(found)}\n`
  return remedy === undefined ? line : `${line}${' '.repeat(21)}→ ${plain(remedy)}\n`
}

function verdictOf(wrongs: number, advices: number): string {
  const look = `${advices} to look at`
  if (wrongs > 0) return `${wrongs} wrong${advices > 0 ? `, ${look}` : ''}`
  return advices > 0 ? `nothing wrong, ${look}` : 'nothing wrong'
}
