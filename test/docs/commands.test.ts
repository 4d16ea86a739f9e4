import { expect, test } from 'bun:test'
import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { demo } from '../../src/demo/demo.ts'
import { folderWith } from '../project/fixture.ts'
import { ApiClient, untilEnded } from '../support/client.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { freePort } from '../support/postgres.ts'
import { findBinary } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { allBlocks, nameOf, pageNames, placeOf, readPage, root } from './pages.ts'
import { expectPicture } from './pictures.ts'
import { comparable, openShell, patternOf, shownCommands } from './shell.ts'
import { followPage, isCommands, letterFiles, type Reader, shownAddress, type Walk } from './walks.ts'

const gitIdentity = '-c user.name=Ann -c user.email=ann@example.com'
const pythonExample = '"""Usage: submit.py submission.json ORDER-NUMBER"""'

const makesIdentity = 'age-keygen -o backup-identity.txt    # once, on another machine; prints the recipient'
const hasAge = Bun.which('age-keygen') !== null

/** What README begins with, in English and in German. */
const firstSteps: Walk['apart'] = {
  'sh scripts/start.sh': 'installs packages into the clone, takes the ones away that tests need, and serves',
  'sh scripts/test.sh': 'runs this test',
  'quire serve': async (reader, { text }) => {
    const { address, stop } = await startShown(reader, text)
    const { output } = await reader.shell.run('cat shown')
    const shown = reader.blockNamed('  Quire 0.33.0').text.trimEnd().split('\n')
    expect(comparable(output).replace(address, shownAddress)).toMatch(patternOf(shown))
    await stop()
  },
  'quire user add billing --service --role operator': async (reader, { text }) => {
    const output = await reader.follow(text)
    reader.replace('qr_…', /\bqr_\w+/.exec(output)?.[0] ?? '')
  },
  'api=http://127.0.0.1:8080': async (reader, { text }) => {
    const { stop } = await startShown(reader, 'quire serve')
    const [submit = '', rest = ''] = text.split('\n\n')
    const answer = JSON.parse(await reader.follow(submit))
    reader.replace('EXECUTION', answer.submission.executions[0].id)
    const [read = '', download = ''] = rest.split('\n')
    const execution = await until('the documents are made', async () => {
      const { status, artifacts } = JSON.parse(await reader.follow(read))
      return status === 'completed' ? { artifacts } : status === 'failed' ? Promise.reject(status) : undefined
    })
    reader.replace('ARTIFACT', execution.artifacts[1].id)
    await reader.follow(download)
    expect((await reader.shell.run('head -c 5 *.pdf')).output).toBe('%PDF-')
    await stop()
  },
}

const walks: readonly Walk[] = [
  { page: 'README.md', apart: firstSteps },
  { page: 'docs/erste-schritte.md', apart: firstSteps },
  {
    page: 'docs/case-generation.md',
    apart: {
      'QUIRE_JSON_SCHEMA_SUITE=path/to/JSON-Schema-Test-Suite QUIRE_REAL_SCHEMAS=path/to/schemastore/src/schemas/json \\':
        'takes two repositories that are not here, and minutes',
    },
  },
  {
    page: 'docs/ci.md',
    hasServer: true,
    apart: {
      'git clone https://git.example.com/you/letters.git && cd letters': async (reader, { text }) => {
        const origin = temporaryFolder()
        const commit = `git ${gitIdentity} commit -qm Begin`
        await reader.follow(`quire init ${origin}`)
        await reader.follow(`(cd ${origin} && git init -qb main && git add . && ${commit})`)
        reader.replace('https://git.example.com/you/letters.git', `${origin} letters`)
        reader.replace('https://files.example.com/quire', `file://${findBinary()}`)
        expect(text.trim().split('\n')).toHaveLength(3)
        expect(await reader.follow(text)).toContain('4 passed, 0 failed')
      },
      'cp ../quire/scripts/ci/pre-commit.sh .git/hooks/pre-commit': async (reader, { text }) => {
        reader.replace('../quire/', `${root}/`)
        await reader.follow(text)
        expect(await reader.follow(`touch new; git add new; git ${gitIdentity} commit -qm Empty`)).toBe('')
        const commit = `echo more >> cases/clws-policy/monthly.expected/letter/document.txt; git ${gitIdentity} commit -qam Less`
        expect((await reader.shell.run(commit)).output).toContain('Nothing was committed.')
      },
      'docker build -t quire --build-arg QUIRE_REVISION="$(git rev-parse HEAD)" .':
        'takes a container engine, and images from the network; test/packaging checks both recipes',
      'docker run --rm --volume "$PWD:/project" quire-ci': 'takes a container engine, and images from the network',
      'docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/project" --workdir /project quire test --junit results.xml':
        'takes a container engine, and images from the network',
    },
  },
  {
    page: 'docs/json-schema.md',
    apart: {
      'QUIRE_JSON_SCHEMA_SUITE=path/to/JSON-Schema-Test-Suite bun test test/engines/schema/suite.test.ts':
        'takes the official suite; where its package is installed, the tests run this file anyway',
    },
  },
  {
    page: 'docs/durability.md',
    apart: {
      'quire verify --save-head kept-heads.jsonl': async (reader, { text }) => {
        await (await startShown(reader, 'quire serve')).stop()
        expect(await reader.follow(text)).toContain('1 kept head: ')
      },
    },
  },
  {
    page: 'docs/proofs.md',
    apart: {
      'quire prove EXECUTION -o proof.zip': async (reader, { text }) => {
        const [username, password] = ['admin', 'a password for tests only']
        const { address, stop } = await startShown(reader, `QUIRE_ADMIN_PASSWORD="${password}" quire serve`)
        const client = new ApiClient(`http://${address}`)
        await client.login(username, password)
        const { raw_input } = demo.scenarios[0]
        const body = { ingestion_model: demo.ingestionModel.slug, raw_input }
        const key = { 'idempotency-key': crypto.randomUUID() }
        const { submission } = (await client.post('/api/v1/submissions', body, key)).body
        reader.replace('EXECUTION', (await untilEnded(client, submission.executions[0].id)).id)
        await stop()
        expect(await reader.follow(text)).toContain('hashes, all the same')
      },
    },
  },
  {
    page: 'docs/operations.md',
    notRun: hasAge ? {} : { [makesIdentity]: 'wants the program age, which is not here' },
    apart: {
      'quire doctor            # with the settings, the folder and the user of the service; also while it runs': async (
        reader,
        { text },
      ) => {
        // Something else may listen on the port that it looks at, which is wrong, and told.
        const { code, output } = await reader.shell.run(text)
        expect([0, 1]).toContain(code)
        expect(output).toMatch(/\nok {5}database {6}file:.* first start\n/)
      },
      'quire retention plan retention.yaml    # counts what would go now, and changes nothing': async (
        reader,
        { text },
      ) => {
        const [shown] = blocks.filter(({ text: yaml }) => yaml.startsWith('# retention.yaml'))
        await besideServer(reader, async () => {
          await reader.follow(`cat > retention.yaml <<'YAML'\n${shown?.text}\nYAML`)
          expect(await reader.follow(text)).toContain('3650')
        })
      },
      'quire hold CLW-2026-000417 --reason "case 12 O 34/26"': async (reader, { text }) => {
        await besideServer(reader, async (client) => {
          const [place = '', ...rest] = text.split('\n')
          await reader.follow(place)
          reader.replace('HOLD', (await client.get('/api/v1/holds')).body.holds[0].id)
          expect(await reader.follow(rest.join('\n'))).toContain('is over')
        })
      },
      'QUIRE_LISTEN=0.0.0.0:8443 QUIRE_ORIGINS=https://quire.example.com:8443 \\':
        'wants a certificate; test/http/tls serves with one',
      'quire erase CLW-2026-000417 --dry-run                      # counts, and changes nothing': async (
        reader,
        { text },
      ) => {
        await reader.follow('cd "$(mktemp -d)"')
        const password = 'a password for tests only'
        const { address, stop } = await startShown(reader, `QUIRE_ADMIN_PASSWORD="${password}" quire serve`)
        const client = new ApiClient(`http://${address}`)
        await client.login('admin', password)
        const { raw_input, metadata } = demo.scenarios[0]
        const about = { ...metadata, source_object: 'CLW-2026-000417' }
        const body = { ingestion_model: demo.ingestionModel.slug, raw_input, metadata: about }
        const { submission } = (
          await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
        ).body
        await untilEnded(client, submission.executions[0].id)
        await reader.follow(`export QUIRE_SERVER=http://${address} QUIRE_USERNAME=admin QUIRE_PASSWORD="${password}"`)
        expect(await reader.follow(text)).toContain('request 2026-17')
        await stop()
        await reader.follow('unset QUIRE_SERVER QUIRE_USERNAME QUIRE_PASSWORD; cd - > folder-before')
      },
      'QUIRE_REPLICA_URL=file:/mnt/nas/quire quire serve': async (reader, { text }) => {
        await reader.follow('before=$PWD; cd "$(mktemp -d)"')
        const replica = temporaryFolder()
        reader.replace('/mnt/nas/quire', replica)
        const [serve = '', verify = '', restore = '', restoreAt = ''] = text.split('\n')
        const { stop } = await startShown(reader, serve)
        await until('the replica has a first copy', async () => {
          return (await reader.shell.run(verify.replace('/mnt/nas/quire', replica))).code === 0
        })
        await stop()
        await reader.follow(`mkdir elsewhere; cd elsewhere\n${restore}\nquire verify`)
        reader.replace('2026-11-23T09:30:00Z', new Date().toISOString())
        await reader.follow(`${restoreAt}\nquire verify`)
        await reader.follow('cd "$before"')
      },
      'quire backup /backups/2026-11-20.tar    # a tar; any other name makes a folder; while serving': async (
        reader,
        { text },
      ) => {
        await reader.follow('quire demo')
        reader.replace('/backups/', `${temporaryFolder()}/`)
        const [backup = '', verify = '', restore = ''] = text.split('\n')
        await reader.follow(`${backup}\n${verify}`)
        await reader.follow(`mkdir elsewhere; cd elsewhere\n${restore}\nquire verify`)
      },
      [makesIdentity]: async (reader, { text }) => {
        const identity = await generateX25519Identity()
        const [, backup = '', verify = '', restore = ''] = text.split('\n')
        await reader.follow(hasAge ? makesIdentity : `echo ${identity} > backup-identity.txt`)
        const [own = ''] = /AGE-SECRET-KEY-1\w+/.exec(await reader.follow('cat backup-identity.txt')) ?? []
        reader.replace('age1…', await identityToRecipient(own))
        await reader.follow(`${backup}\n${verify}`)
        const elsewhere = 'before=$PWD; mkdir other; mv backup-identity.txt other; cd other'
        await reader.follow(`${elsewhere}\n${restore}\nquire verify\ncd "$before"`)
      },
    },
  },
  {
    page: 'docs/client.md',
    apart: {
      'bun run build:packages client': 'is run, with what it makes, by test/packages',
    },
  },
  {
    page: 'docs/programs.md',
    apart: {
      'quire user add billing --service --role operator': async (reader, { text }) => {
        const output = await reader.follow(text)
        reader.replace('qr_…', /\bqr_\w+/.exec(output)?.[0] ?? '')
        const { address } = await startShown(reader, 'quire serve')
        await reader.follow(`export QUIRE_SERVER=http://${address}`)
      },
      "cat > submit.sh <<'END'": async (reader, { text }) => {
        await reader.follow(text)
        await makesPdf(reader)
        expect(await refusedBy(reader, 'sh submit.sh')).toMatch(/execution \S+ failed: "failure":.*\/instalments/)
      },
      'python3 submit.py submission.json 4712': async (reader, { text }) => {
        if (Bun.which('python3') === null) return
        await Bun.write(join(reader.shell.folder, 'submit.py'), reader.blockNamed(pythonExample).text)
        const names = (await reader.follow(text)).trim().split('\n')
        expect(names.map((name) => name.replace(/^.*\./, ''))).toEqual(['docx', 'pdf'])
        await makesPdf(reader)
        expect(await refusedBy(reader, 'python3 submit.py')).toMatch(
          /^\S+ failed: .*(?:\n {2}\/\S+: .+)*\n {2}\/instalments\/1\/amount: must be a number/,
        )
        const { output } = await reader.shell.run('QUIRE_TOKEN=qr_wrong python3 submit.py submission.json 4714')
        expect(output).toStartWith('/submissions: 401 authentication_required: ')
      },
    },
    files: () => submissionFile(3, 'wrong.json'),
  },
  {
    page: 'docs/templates.md',
    files: async () => ({
      ...(await letterFiles()),
      'letters/contracts/policy.json': demo.contract.schema,
      'data.json': JSON.stringify(await letterData()),
    }),
  },
  {
    page: 'docs/testing.md',
    hasServer: true,
    apart: {
      'bun run build:packages testing': 'is run, with what it makes, by test/packages',
      'quire export letters': async (reader, { text }) => {
        await reader.follow('cd ..; rm -r letters')
        await reader.follow(text)
        await reader.follow('cd letters; mkdir -p cases/clws-policy')
        const [{ raw_input }] = demo.scenarios
        await Bun.write(join(reader.shell.folder, 'letters/cases/clws-policy/one.json'), raw_input)
      },
    },
  },
  {
    page: 'docs/tutorial.md',
    notRun: {
      'git clone https://git.example.com/you/quire.git': 'this clone is there already',
      'sh quire/scripts/ci/install.sh ~/bin': 'takes packages from the network; test/scripts/ci runs it',
    },
    apart: {
      'git clone https://git.example.com/you/quire.git': async (reader) => {
        // The clone is this one, and what it would build takes packages from the network: the tests have it on PATH.
        symlinkSync(root, join(reader.shell.folder, 'quire'))
        const address = `127.0.0.1:${await freePort()}`
        reader.replace(shownAddress, address)
        await reader.follow(`export QUIRE_LISTEN=${address} QUIRE_SERVER=http://${address}`)
        await reader.follow('export PATH="$HOME/bin:$PATH"')
      },
      'git add .': async (reader, { text }) => {
        const page = 'letters/cases/reminder/two-invoices.expected/letter/page-1.svg'
        expectPicture('tutorial-letter.svg', await Bun.file(join(reader.shell.folder, page)).text())
        await reader.follow(text)
      },
      'kill "$server"': async (reader, { text }) => {
        const pdf = await Bun.file(join(reader.shell.folder, 'documents/daly-2026-11-letter.pdf')).text()
        expect(pdf).toStartWith('%PDF-')
        await reader.follow(text)
      },
    },
  },
  { page: 'docs/commands.md' },
  { page: 'docs/webhooks.md' },
]

/** Runs commands beside a server of their own with the demo, as its administrator. */
async function besideServer(reader: Reader, act: (client: ApiClient) => Promise<void>): Promise<void> {
  await reader.follow('cd "$(mktemp -d)"')
  const password = 'a password for tests only'
  const serve = `QUIRE_DEMO=true QUIRE_ADMIN_PASSWORD="${password}" quire serve`
  const { address, stop } = await startShown(reader, serve)
  const client = new ApiClient(`http://${address}`)
  await client.login('admin', password)
  await reader.follow(`export QUIRE_SERVER=http://${address} QUIRE_USERNAME=admin QUIRE_PASSWORD="${password}"`)
  await act(client)
  await stop()
  await reader.follow('unset QUIRE_SERVER QUIRE_USERNAME QUIRE_PASSWORD; cd - > folder-before')
}

const blocks = await allBlocks()
const commandBlocks = blocks.filter(isCommands)
const byPage = Map.groupBy(blocks, ({ page }) => page)

test('every fenced command of every page is run by a test, or left out by name with the reason', () => {
  expect(commandBlocks.length).toBeGreaterThan(5)
  const withCommands = [...new Set(commandBlocks.map(({ page }) => page))].sort()
  expect(walks.map(({ page }) => page).sort()).toEqual(withCommands)
  for (const { page, apart = {} } of walks) {
    const names = (byPage.get(page) ?? []).filter(isCommands).map(nameOf)
    expect([page, Object.keys(apart).filter((name) => !names.includes(name))]).toEqual([page, []])
  }
})

test('every fence says what it holds, in one of the usual words', () => {
  const known = ['console', 'json', 'python', 'sh', 'text', 'ts', 'xml', 'yaml']
  expect(blocks.filter(({ language }) => !known.includes(language)).map(placeOf)).toEqual([])
})

test('no command escapes: every page is read, every fence is of one kind, and commands are in blocks of commands', async () => {
  const top = readdirSync(root).filter((name) => name.endsWith('.md'))
  const folders = '{.ci,bench,docs,drizzle,packaging,scripts,src,test}'
  const pages = [...top, ...new Bun.Glob(`${folders}/**/*.md`).scanSync({ cwd: root, dot: true })]
  expect(pages.sort()).toEqual(pageNames().sort())
  for (const page of pages) {
    const others = (await readPage(page)).split('\n').filter((line) => /^ *(?:~~~|<pre)|^ *>.*```/.test(line))
    expect([page, others]).toEqual([page, []])
  }
  const called = /^ *(?:\$ |(?:\.\/|dist\/)?quire [a-z]|curl |sh |bun |git |docker )/m
  const escaped = blocks.filter((block) => !isCommands(block) && called.test(block.text))
  expect(escaped.map(placeOf)).toEqual([])
})

test.each(commandBlocks.map((block) => [placeOf(block), block] as const))('%s can be read by a shell', (_, block) => {
  const commands = block.language === 'sh' ? [block.text] : shownCommands(block.text).map(({ command }) => command)
  for (const command of commands) {
    const { exitCode, stderr } = Bun.spawnSync(['sh', '-n'], { stdin: Buffer.from(command) })
    expect([command, exitCode, stderr.toString()]).toEqual([command, 0, ''])
  }
})

test.each(walks.map((walk) => [walk.page, walk] as const))(
  'the commands of %s work as they are written',
  async (page, walk) => {
    await followPage(walk, byPage.get(page) ?? [])
  },
  300_000,
)

test('a block that shows other output than its command prints is found, with its place', async () => {
  const page = 'docs/testing.md'
  const block = (text: string) => [{ page, line: 7, language: 'console', text }]
  await followPage({ page }, block('$ echo one two\none …\n$ false\n$ echo $?\n1\n'))
  expect(await outcomeOf(followPage({ page }, block('$ echo one\ntwo\n')))).toThrow(`${page}:7: echo one\nshows:\ntwo`)
  expect(await outcomeOf(followPage({ page }, block('$ sh -c "exit 3"\n')))).toThrow('ended with 3')
  expect(await outcomeOf(followPage({ page }, [{ page, line: 7, language: 'sh', text: 'false\ntrue\n' }]))).toThrow(
    'the shell ended with 1 over:',
  )
})

test('a line that a test of its own passes over is found, with its place', async () => {
  const [page, line, language] = ['docs/testing.md', 7, 'sh']
  const blocks = [{ page, line, language, text: 'echo one\n\necho two\n' }]
  const apart = { 'echo one': async (reader: Reader) => void (await reader.follow('echo one')) }
  expect(await outcomeOf(followPage({ page, apart }, blocks))).toThrow(`${page}:7: nothing runs echo two`)
  await followPage({ page, apart, notRun: { 'echo two': 'is an example' } }, blocks)
})

test('what a block leaves in the shell is there for the next one, and ends with it', async () => {
  const shell = openShell(folderWith({}))
  await shell.run('name=Ann; mkdir letters; cd letters; sleep 600 & echo $! > pid')
  const { output } = await shell.run('echo $name; basename "$PWD"; cat pid')
  const [name, folder, pid] = output.split('\n')
  expect([name, folder]).toEqual(['Ann', 'letters'])
  await shell.close()
  await until('the sleeper has ended', () => Bun.spawnSync(['sh', '-c', `kill -0 ${pid}`]).exitCode !== 0)
})

test('the version that the pages show is the one that is built', async () => {
  const { version } = await Bun.file(join(import.meta.dir, '../../package.json')).json()
  expect(await readPage('README.md')).toContain(`Quire ${version}`)
})

/** A scenario of the demo as a program submits it. */
async function submissionFile(index: number, name: string): Promise<Record<string, string>> {
  const { raw_input, metadata } = demo.scenarios[index] ?? demo.scenarios[0]
  return { [name]: JSON.stringify({ ingestion_model: 'clws-policy', raw_input, metadata }) }
}

/** Whether the program downloaded a PDF, which is then removed. */
async function makesPdf({ shell }: Reader): Promise<void> {
  expect((await shell.run('head -c 5 *.pdf && rm *.pdf')).output).toBe('%PDF-')
}

/** What a program says of an input that its contract refuses. */
async function refusedBy({ shell }: Reader, program: string): Promise<string> {
  const { code, output } = await shell.run(`${program} wrong.json 4713`)
  expect([code, output]).toEqual([1, expect.stringContaining('failed')])
  return output
}

/** Starts the server by the page's own line, on a free port, in the background of its shell. */
async function startShown(reader: Reader, command: string): Promise<{ address: string; stop(): Promise<void> }> {
  const address = `127.0.0.1:${await freePort()}`
  reader.replace(shownAddress, address)
  await reader.follow(`QUIRE_LISTEN=${address} QUIRE_DEMO=true ${command.trim()} > shown 2> log &\nserver=$!`)
  await until('readiness', async () => (await fetch(`http://${address}/health/ready`).catch(() => undefined))?.ok)
  return { address, stop: async () => void (await reader.follow('kill $server; wait $server')) }
}

/** What the demo's transformer makes of its first scenario. */
async function letterData(): Promise<unknown> {
  const { compileTransformer, evaluateTransformer } = await import('../../src/engines/declarative/declarative.ts')
  const compiled = compileTransformer(demo.transformer.source, 'yaml')
  if (!compiled.ok) throw new Error('the demo compiles')
  const made = evaluateTransformer(compiled.value, JSON.parse(demo.scenarios[0].raw_input), { params: {} })
  if (!made.ok) throw new Error('the demo runs')
  return made.value.output
}
