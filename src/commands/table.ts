import type { Command } from './command.ts'

/** What the command line knows of a command before it loads its code. */
export interface CommandEntry {
  readonly name: string
  /** Every way to call it: the arguments after its name. */
  readonly forms: readonly string[]
  /** What it does, in a few words for the list. */
  readonly summary: string
  /** What its own help says beside that; lines of at most 100 characters. */
  readonly details?: readonly string[]
  readonly options?: readonly (readonly [option: string, meaning: string])[]
  /** What exit code 1 says, where the command can end so. */
  readonly failure?: string
  /** Imports its code, so that a command costs nothing until it is called. */
  load(): Promise<Command>
}

/** Every command, in the order in which help lists them. `help` itself is main.ts's. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'serve',
    forms: ['[--accept-store]'],
    summary: 'serve the API, the console and the workers',
    options: [['--accept-store', 'serve what the settings name, although another store was here; for one start']],
    details: ['SIGTERM or SIGINT stops it within 10 seconds; a second one ends it at once.'],
    failure: 'it could not start, or not stop cleanly',
    load: async () => (await import('./serve.ts')).runServe,
  },
  {
    name: 'migrate',
    forms: ['[--check]'],
    summary: 'bring the database schema up to date, or say what is missing',
    options: [['--check', 'change nothing; list the migrations that are missing']],
    failure: 'with --check, migrations are missing',
    load: async () => (await import('./migrate.ts')).runMigrate,
  },
  {
    name: 'user',
    forms: [
      'add <username> --role <role>… [--name <display name>]',
      'list',
      'reset-password <username>',
      'disable <username>',
      'enable <username>',
    ],
    summary: 'manage accounts without a running server',
    details: ["Passwords are generated and printed once, so that none ends up in a shell's history."],
    options: [
      ['--role <role>', 'administrator, engineer, operator, auditor or business_viewer; may be repeated'],
      ['--name <display name>', 'what people see; the username where it is left out'],
    ],
    failure: 'there is no such user, the name is taken, or no administrator would be left',
    load: async () => (await import('./user.ts')).runUser,
  },
  {
    name: 'demo',
    forms: [''],
    summary: 'put the demo configuration into the store',
    failure: 'the store could not be written',
    load: async () => (await import('./demo.ts')).runDemo,
  },
  {
    name: 'compose',
    forms: ['<template.docx> <data.json> -o <out.docx>'],
    summary: 'fill a template with JSON',
    details: ['Findings go to stderr. Where one of them is an error, nothing is written.'],
    options: [['-o, --output <out.docx>', 'the document to write']],
    failure: 'the template or the data has errors',
    load: async () => (await import('./compose.ts')).runCompose,
  },
  {
    name: 'render',
    forms: ['<in.docx> -o <out.pdf> [--report]'],
    summary: 'render a DOCX as PDF',
    details: ['Fonts of the folders that QUIRE_FONTS names come before those of the executable.'],
    options: [
      ['-o, --output <out.pdf>', 'the PDF to write'],
      ['--report', 'list what could not be shown as written, and which fonts replace others'],
    ],
    failure: 'the file is no usable DOCX',
    load: async () => (await import('./render.ts')).runRender,
  },
  {
    name: 'check',
    forms: ['<file>… [--contract <schema.json>] [--fix]'],
    summary: 'check contracts, transformers, ingestion models and templates',
    details: [
      'With a contract, transformers are checked against it, and so are templates when no transformer is',
      'among the files. With a transformer, templates are checked against what it writes.',
      'Without --contract, transformers and the conditions of ingestion models are checked against the',
      'contract that they name, if a file has that name or title; else a warning says that they were not.',
    ],
    options: [
      ['--contract <schema.json>', 'the JSON Schema of the input'],
      ['--fix', 'format transformers'],
    ],
    failure: 'a finding is an error',
    load: async () => (await import('./check.ts')).runCheck,
  },
  {
    name: 'init',
    forms: ['[<folder>]'],
    summary: 'make a project folder: configuration and cases as files',
    details: ['It begins with the demo. Files that are there stay as they are, and then nothing is written.'],
    failure: 'a file is in the way, or could not be written',
    load: async () => (await import('./init.ts')).runInit,
  },
  {
    name: 'test',
    forms: ['[<folder>] [--case <text>]… [--update [--pages]] [--watch]'],
    summary: 'run the cases of a project folder and compare what they make',
    details: [
      'Expected is what is in <case>.expected/<node>: output.json, document.txt, page-<n>.svg, or',
      'refusal.json. A case without it is right when nothing refuses it. A report whose file is - goes to stdout.',
    ],
    options: [
      ['--case <text>', 'only cases whose path has this text; may be repeated'],
      ['--update', 'write what the cases make as what is expected'],
      ['--pages', 'with --update, the pages of every document too'],
      ['--tolerance <points>', 'how far a thing on a page may be from where it is expected; 0.5'],
      ['--watch', 'run what a change of files concerns, until it is ended'],
      ['--junit <file>', "JUnit's XML"],
      ['--tap <file>', 'the Test Anything Protocol'],
      ['--json <file>', 'counts and failures as JSON'],
      ['--html <file>', 'differences to look at, pages side by side'],
    ],
    failure: 'a case is not as expected, or the project can not be read',
    load: async () => (await import('./test.ts')).runTest,
  },
  {
    name: 'backup',
    forms: ['<folder|file.tar>'],
    summary: 'copy the database and its objects, checksummed, also while serving',
    failure: 'nothing was copied, or the copy could not be read back',
    load: async () => (await import('./backup.ts')).runBackup,
  },
  {
    name: 'restore',
    forms: ['<folder|file.tar> [--replace]'],
    summary: 'put a backup in place, once all of it was found right',
    options: [['--replace', 'take the place of the data that is there; a local database is kept aside']],
    failure: 'the backup is damaged, data is in its way, or writing failed; the database is the old one',
    load: async () => (await import('./restore.ts')).runRestore,
  },
  {
    name: 'verify',
    forms: ['[<folder|file.tar>]'],
    summary: 'check every hash of the store in use, or of a backup',
    failure: 'something is not as it was written',
    load: async () => (await import('./verify.ts')).runVerify,
  },
  {
    name: 'move',
    forms: ['[--from-database <url>] [--from-objects <url>]', '--undo'],
    summary: 'bring the data directory into the database and object store that are set',
    details: ['The same command goes on where it was stopped. The old files stay, and no longer serve.'],
    options: [
      ['--from-database <url>', 'the database to move; that of the data directory where it is left out'],
      ['--from-objects <url>', 'the object store to move; that of the data directory where it is left out'],
      ['--undo', 'let the database that is set serve again, although its store was moved away'],
    ],
    failure: 'not everything was moved',
    load: async () => (await import('./move.ts')).runMove,
  },
  {
    name: 'sweep',
    forms: ['[--delete]'],
    summary: 'list, or remove, objects that no row has named for a day',
    options: [['--delete', 'remove them']],
    failure: 'the store could not be read',
    load: async () => (await import('./sweep.ts')).runSweep,
  },
  {
    name: 'version',
    forms: [''],
    summary: 'print the versions',
    load: async () => (await import('./version.ts')).runVersion,
  },
]
