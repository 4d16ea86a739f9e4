import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** LibreOffice on this machine, which opens every composed document in the tests; undefined if there is none. */
export const office = Bun.which('soffice') ?? undefined
const pdfReader = Bun.which('pdftotext') ?? undefined

/** Never false in CI, where a missing LibreOffice has to fail. */
export const canOpen = office !== undefined && pdfReader !== undefined
if (!canOpen && process.env.CI === 'true') throw new Error('soffice and pdftotext must be installed in CI')
if (!canOpen) {
  process.stderr.write(
    'SKIPPED: documents are not opened in LibreOffice, because soffice or pdftotext is not installed.\n',
  )
}

/** Whether LibreOffice has its spreadsheets, which Debian has in a package of their own. Never false in CI. */
export const hasCalc = office !== undefined && existsSync(join(dirname(realpathSync(office)), 'libsclo.so'))
if (!hasCalc && process.env.CI === 'true') throw new Error('libreoffice-calc-nogui must be installed in CI')
if (!hasCalc) {
  process.stderr.write(
    'SKIPPED: workbooks of charts are not opened in LibreOffice Calc, because libreoffice-calc-nogui is not installed.\n',
  )
}

/** The cells of the first sheet of workbooks, row by row, as LibreOffice Calc reads them; by name. */
export function cellsInCalc(files: Record<string, Uint8Array>): Record<string, string[][]> {
  const rows = (csv: Uint8Array) =>
    new TextDecoder()
      .decode(csv)
      .replace(/\n$/, '')
      .split('\n')
      .map((row) => row.split('\t'))
  // Tabs between cells, no quotes, UTF-8, numbers as they are and not as they are shown.
  const target = 'csv:Text - txt - csv (StarCalc):9,,76,1,,0,false,false,false'
  return Object.fromEntries(Object.entries(convert(files, target, 'xlsx')).map(([name, csv]) => [name, rows(csv)]))
}

/** Converts files, by name, in one headless run with a profile of its own; those it could not open are missing. */
export function convert(
  files: Record<string, Uint8Array>,
  target: string,
  extension = 'docx',
): Record<string, Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-office-'))
  try {
    const [from, to] = [join(folder, 'in'), join(folder, 'out')]
    for (const one of [from, to]) mkdirSync(one)
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(from, `${name}.${extension}`), bytes)
    const paths = Object.keys(files).map((name) => join(from, `${name}.${extension}`))
    Bun.spawnSync(
      [
        office!,
        '--headless',
        '--norestore',
        `-env:UserInstallation=file://${folder}/profile`,
        '--convert-to',
        target,
        '--outdir',
        to,
        ...paths,
      ],
      { stdout: 'ignore', stderr: 'ignore', timeout: 120_000 },
    )
    const converted: Record<string, Uint8Array> = {}
    for (const file of readdirSync(to)) {
      converted[file.slice(0, file.lastIndexOf('.'))] = new Uint8Array(readFileSync(join(to, file)))
    }
    return converted
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The text of documents as LibreOffice shows them, white space as single blanks; by name. */
export function textsInOffice(files: Record<string, Uint8Array>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, pdf] of Object.entries(convert(files, 'pdf'))) {
    const run = Bun.spawnSync([pdfReader!, '-layout', '-', '-'], { stdin: pdf, stdout: 'pipe' })
    texts[name] = run.stdout.toString().replace(/\s+/g, ' ')
  }
  return texts
}
