import type { CommandEntry } from './command.ts'

/** Commands that look at an installation and at the program itself; a part of table.ts. */
export const checkCommands: readonly CommandEntry[] = [
  {
    name: 'doctor',
    forms: ['[--json] [--strict]'],
    summary: 'say what is wrong with an installation, and what to do',
    details: [
      'It looks at settings, data directory, disks, memory, ports, proxies, database, object store, broker,',
      'certificates, fonts and clocks, also beside a server. It changes nothing: a probe that it writes it removes.',
    ],
    options: [
      ['--json', 'print JSON, for programs'],
      ['--strict', 'end with 3 when something should be looked at'],
    ],
    failure: 'something is wrong',
    remark: 'with --strict: nothing is wrong, and something should be looked at',
    examples: ['', '--json'],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  {
    name: 'audit',
    forms: ['export [--since <position|instant>] [--state <file>] [--follow]'],
    summary: 'print the audit trail as lines of JSON, to be kept elsewhere',
    details: [
      'Sealed records in the order of the chain, with positions and hashes; also beside the server. Each comes at',
      'least once: --state repeats lines after a kill, and leaves none out.',
    ],
    options: [
      ['--since <position|instant>', 'begin after this position, or with this time; with the first record otherwise'],
      ['--state <file>', 'go on after the position in this file, and write there how far it came'],
      ['-f, --follow', 'wait for further records, until it is ended'],
    ],
    failure: 'the store could not be read, nobody reads the lines, or the chain does not hold',
    examples: ['export --state audit.position >> audit.ndjson', 'export --since 2026-11-01T00:00:00Z'],
    load: async () => (await import('./audit.ts')).runAudit,
  },
  {
    name: 'licences',
    forms: ['[--texts]'],
    summary: 'list what this executable consists of, with licences',
    options: [['--texts', 'print the texts of the licences instead']],
    failure: 'it runs from source, and was not built',
    examples: ['--texts | less'],
    load: async () => (await import('./licences.ts')).runLicences,
  },
  {
    name: 'sbom',
    forms: [''],
    summary: 'print the bill of materials of this executable, CycloneDX in JSON',
    failure: 'it runs from source, and was not built',
    examples: ['> quire.cdx.json'],
    load: async () => (await import('./sbom.ts')).runSbom,
  },
]
