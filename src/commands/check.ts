import { parseArgs } from 'node:util'
import type { Finding } from '../core/finding.ts'
import { readContract } from '../project/contract-files.ts'
import { absentPart, expandFolders, readChecked } from './check-files.ts'
import { unresolvedTemplate } from './check-pairs.ts'
import { checkScheduledStage, scheduledStages } from './check-schedule.ts'
import { checkStage, identify, textOf, unresolvedContract } from './check-stage.ts'
import { paintFor } from './colours.ts'
import { type Command, UsageError } from './command.ts'
import { CommandFailure, readInput, refuseTwoStandardInputs, standardInput } from './files.ts'
import { exitCodeOf, findingLines, findingsText } from './findings.ts'
import { expandInputs, type InputRules } from './inputs.ts'

/**
 * `quire check [<file|folder>…] [--contract <schema>] [--fix] [--json]`: checks contracts (JSON Schema), transformers and ingestion models
 * (YAML or JSON) and templates (DOCX), and prints every finding on stdout. A project's folder means all of its files; without a name it is
 * the working directory. With a contract, transformers are checked against it, and so are templates when no transformer is among the files;
 * with a transformer, templates are checked against what it writes. Without the option, transformers and the conditions of ingestion models
 * are checked against the contract that they name, if it is among the files; else a warning says that they were not. Contracts are also
 * reviewed: rules that can't matter, and lists without `maxItems` that the transformers loop over, are warnings. `--fix` formats
 * transformers, converts contracts of older drafts, and says what it did to each; in a project it also writes the texts beside templates.
 * `--annotate` writes a copy of the one template among the files, with its findings as Word comments.
 */
export const runCheck: Command = async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      contract: { type: 'string' },
      fix: { type: 'boolean' },
      annotate: { type: 'string' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  if (positionals.length === 0) positionals.push('.')
  const { contract: contractPath } = values
  refuseTwoStandardInputs([...positionals, ...(contractPath === undefined ? [] : [contractPath])])
  if (values.fix && positionals.includes(standardInput)) throw new UsageError('--fix writes files, and - is none')
  const paths = expandInputs(expandFolders(positionals), checkable).map(({ path }) => path)
  const found: Finding[] = []
  const byFile: [path: string, findings: readonly Finding[]][] = paths.map((path) => [path, []])
  const paint = paintFor(process.stdout)
  const say = (text: string) => void (values.json === true || process.stdout.write(text))
  const print = (path: string, findings: readonly Finding[]) => {
    found.push(...findings)
    byFile.push([path, findings])
    say(findingLines(path, findings, paint))
  }
  const files = paths.flatMap((path) => {
    try {
      const read = readChecked(path, positionals)
      if (read.ok) return [identify(path, read.value)]
      print(path, read.findings)
      return []
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error
      // What is wrong with one file keeps none of the others from being checked.
      print(path, [{ code: 'check.unreadable', severity: 'error', message: error.message.slice(path.length + 1) }])
      return []
    }
  })
  const contractText = values.contract === undefined ? undefined : textOf(readInput(values.contract))
  const givenContract = contractText === undefined ? undefined : readContract(contractText)
  const schema = givenContract?.ok ? givenContract.value : undefined
  const given =
    contractPath === undefined || contractText === undefined
      ? undefined
      : { path: contractPath, text: contractText, schema }
  const checking = { named: positionals, given, fixes: values.fix === true ? () => true : undefined, print, say }
  const { scheduled, findings: ofSchedule } = scheduledStages(files, positionals)
  const later = new Set(scheduled.flatMap(({ own }) => [...own]))
  const first = files.filter(({ path }) => !later.has(path))
  await checkStage({ ...checking, files: first, annotate: values.annotate })
  const keyOf = (path: string, finding: Finding) => `${path} ${JSON.stringify(finding)}`
  const known = new Set(byFile.flatMap(([path, findings]) => findings.map((finding) => keyOf(path, finding))))
  for (const stage of scheduled) {
    await checkScheduledStage(checking, stage, (path, finding) => known.has(keyOf(path, finding)))
  }
  for (const [path, findings] of ofSchedule) print(path, findings)
  const code = exitCodeOf(found)
  const lacks = [
    ...(found.some((finding) => finding.code === unresolvedContract) ? ['the contract'] : []),
    ...(found.includes(unresolvedTemplate) ? ['its template'] : []),
    ...(found.some((finding) => finding.code === absentPart) ? ['what is absent'] : []),
  ]
  const fine = lacks.length === 0 ? 'fine' : `fine, as far as could be told without ${lacks.join(' and ')}`
  const subject = paths.length === 1 ? '1 file is' : `${paths.length} files are`
  if (code === 0) say(`${subject} ${paint(fine, 'green')}\n`)
  if (values.json) process.stdout.write(findingsText(byFile, values))
  return code
}

/** What is checked of the files that a pattern finds. */
const checkable: InputRules = {
  endings: ['.json', '.yaml', '.yml', '.docx', '.dotx', '.docx.md', '.dotx.md'],
}
