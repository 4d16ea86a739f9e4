import { beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { parseAction } from '@actions/workflow-parser/actions/index'
import { parse } from 'yaml'
import { sha256Hex } from '../../src/core/hash.ts'
import { blocksOf } from '../docs/pages.ts'
import { openShell, type Shell } from '../docs/shell.ts'
import { folderWith, greeting } from '../project/fixture.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { findBinary } from '../support/quire.ts'

const ci = join(import.meta.dir, '../../scripts/ci')
const read = (name: string) => readFileSync(join(ci, name), 'utf8')
const trace = new NoOperationTraceWriter()
const installScript = join(ci, 'install.sh')

/** Where the executable can be fetched. */
let files: { url: string; sha256: string; requests: number }

beforeAll(async () => {
  const sha256 = sha256Hex(await Bun.file(findBinary()).bytes())
  const state = { url: '', sha256, requests: 0 }
  const server = Bun.serve({
    port: 0,
    fetch: () => {
      state.requests++
      return new Response(Bun.file(findBinary()))
    },
  })
  onTestsEnd(() => server.stop(true))
  state.url = `http://127.0.0.1:${server.port}/quire`
  files = state
})

/** Another greeting than the expectations have. */
function breakTemplate(folder: string): void {
  const transformer = join(folder, 'transformers/greeting.yaml')
  writeFileSync(
    transformer,
    readFileSync(transformer, 'utf8').replace('name: /name', 'name: { $case: /name, to: upper }'),
  )
}

/** The project of a greeting with what its cases make written down. */
async function testedProject(): Promise<string> {
  const folder = folderWith(greeting)
  const { code, output } = await shellOf(folder).run('quire test --update')
  expect([code, output]).toEqual([0, expect.stringContaining('2 passed')])
  return folder
}

/** A shell with a git that is nobody's in particular. */
function shellOf(folder: string): Shell {
  const identity = { GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.com' }
  return openShell(folder, {
    ...identity,
    GIT_COMMITTER_NAME: identity.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: identity.GIT_AUTHOR_EMAIL,
    GIT_CONFIG_NOSYSTEM: '1',
  })
}

describe('for GitHub', () => {
  interface Step {
    name: string
    run?: string
    uses?: string
    shell?: string
    env?: Record<string, string>
    'working-directory'?: string
  }
  const action: { inputs: Record<string, { default?: string }>; runs: { steps: Step[] } } = parse(
    read('action/action.yml'),
  )

  test('the action and the example of a workflow are what the own parser of GitHub takes', () => {
    const name = 'action.yml'
    const errorsOf = ({ context }: { context: { errors: { getErrors(): { message: string }[] } } }) =>
      context.errors.getErrors().map(({ message }) => message)
    expect(errorsOf(parseAction({ name, content: read('action/action.yml') }, trace))).toEqual([])
    expect(errorsOf(parseWorkflow({ name, content: read('github-workflow.yml') }, trace))).toEqual([])
    const broken = read('action/action.yml')
      .replace('shell: bash', 'shel: bash')
      .replace('inputs.url }}', 'input.url }}')
    expect(errorsOf(parseAction({ name, content: broken }, trace)).length).toBeGreaterThan(1)
  })

  test('no step of the action writes an input into its script, where it could be run', () => {
    for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{')
  })

  /** Runs the steps of the action as a runner does, without those that are other actions. */
  async function runAction(workspace: string, inputs: Record<string, string>) {
    const runner = temporaryFolder()
    const fileOf = (name: string) => {
      writeFileSync(join(runner, name), '')
      return join(runner, name)
    }
    const path = fileOf('path')
    const summary = fileOf('summary')
    const meant = (text: string) =>
      text.replaceAll(/\$\{\{ (\w+)\.(\w+) \}\}/g, (_, context: string, key: string) =>
        context === 'inputs' ? (inputs[key] ?? action.inputs[key]?.default ?? '') : `${context}.${key}`,
      )
    let code = 0
    let output = ''
    for (const step of action.runs.steps.filter(({ uses }) => uses === undefined)) {
      if (code !== 0) break
      const added = readFileSync(path, 'utf8').trim()
      const child = Bun.spawn([step.shell ?? '', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''], {
        cwd: join(workspace, meant(step['working-directory'] ?? '.')),
        env: {
          PATH: `${added}:${process.env.PATH}`,
          RUNNER_TEMP: runner,
          GITHUB_ACTION_PATH: join(ci, 'action'),
          GITHUB_PATH: path,
          GITHUB_OUTPUT: fileOf('output'),
          GITHUB_STEP_SUMMARY: summary,
          ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, meant(value)])),
        },
        stdout: 'pipe',
        stderr: 'pipe',
      })
      output += (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
      code = await child.exited
    }
    return { code, output, summary: readFileSync(summary, 'utf8'), reports: join(runner, 'quire-reports') }
  }

  test('its steps end well for a project that is as expected, and keep a report of one that is not', async () => {
    const folder = await testedProject()
    const inputs = { url: files.url, sha256: files.sha256 }
    const green = await runAction(folder, { ...inputs, arguments: '--case ann' })
    expect([green.code, green.output]).toEqual([0, expect.stringContaining('1 passed, 0 failed')])
    breakTemplate(folder)
    const red = await runAction(join(folder, 'cases'), { ...inputs, folder: '..' })
    expect([red.code, red.summary]).toEqual([1, expect.stringContaining('+Dear ANN of Ghent,')])
    expect(readFileSync(join(red.reports, 'results.xml'), 'utf8')).toContain('failures="2"')
    expect(readFileSync(join(red.reports, 'report.html'), 'utf8')).toContain('0 passed, 2 failed')
  })

  test('it runs nothing when the executable has another hash than was asked for', async () => {
    const { code, output } = await runAction(await testedProject(), { url: files.url, sha256: '0'.repeat(64) })
    expect([code, output]).toEqual([
      1,
      expect.stringContaining(`${'0'.repeat(64)} was expected; nothing was installed`),
    ])
  })
})

describe('for GitLab', () => {
  test('the job of the template passes and fails as the project does, with results in the merge request', async () => {
    const folder = await testedProject()
    copyFileSync(join(ci, 'quire.gitlab-ci.yml'), join(folder, 'quire.gitlab-ci.yml'))
    const example = read('gitlab-ci.yml').replace(/project: .*\n +file: .*/, 'local: quire.gitlab-ci.yml')
    expect(example).toContain('local:')
    writeFileSync(join(folder, '.gitlab-ci.yml'), example)
    const shell = shellOf(folder)
    await shell.run(
      'git init -qb main; git remote add origin https://git.example.com/you/letters.git; git add .; git commit -qm Begin',
    )
    const program = join(import.meta.dir, '../../node_modules/gitlab-ci-local/dist/index.js')
    const { code, output } = await shell.run(`${process.execPath} ${program} --preview 2> messages; cat messages >&2`)
    expect([code, output]).toEqual([0, expect.stringContaining('json schema validated')])
    const { quire: job } = parse(
      output.slice(output.indexOf('---')).replace(/\n(?:Using|Unable|parsing|json schema)[\s\S]*$/, '\n'),
    )
    expect(job.image.name).toBe('registry.example.com/your-group/quire-ci')
    expect(job.artifacts.reports.junit).toBe('./quire-results.xml')
    const run = () => shellOf(folder).run(['set -e', ...job.script].join('\n'))
    expect(await run()).toEqual({ code: 0, output: expect.stringContaining('2 passed, 0 failed') })
    breakTemplate(folder)
    expect(await outcomeOf(run())).toThrow('0 passed, 2 failed')
    expect(readFileSync(join(folder, job.artifacts.reports.junit), 'utf8')).toContain('failures="2"')
  })
})

describe('the page about CI', () => {
  test('shows the files themselves', async () => {
    const shown = (await blocksOf('docs/ci.md')).filter(({ language }) => language === 'yaml').map(({ text }) => text)
    expect(shown.slice(0, 2)).toEqual([read('github-workflow.yml'), read('gitlab-ci.yml')])
    const [hook] = parse(readFileSync(join(ci, '../../.pre-commit-hooks.yaml'), 'utf8'))
    expect(parse(shown[2] ?? '').repos[0].hooks).toEqual([{ id: hook.id }])
  })
})

describe('before a commit', () => {
  const hookSource = join(ci, 'pre-commit.sh')

  test('the description of the hook has what pre-commit requires, and runs a file that can be run', () => {
    const [hook, ...others] = parse(readFileSync(join(ci, '../../.pre-commit-hooks.yaml'), 'utf8'))
    expect(others).toEqual([])
    expect(Object.keys(hook).sort()).toEqual([
      'description',
      'entry',
      'files',
      'id',
      'language',
      'name',
      'require_serial',
    ])
    expect([hook.language, join(ci, '../..', hook.entry)]).toEqual(['script', hookSource])
    expect(statSync(hookSource).mode & 0o111).toBe(0o111)
    const files = new RegExp(hook.files)
    expect(['letters/models/a.yaml', 'cases/a/b.json'].every((path) => files.test(path))).toBe(true)
    expect(['docs/models.md', 'remodels/a.yaml'].some((path) => files.test(path))).toBe(false)
  })

  /** A repository with a project in a folder of its own, its hook in place. */
  async function repository(): Promise<{ folder: string; project: string; shell: Shell }> {
    const folder = temporaryFolder()
    const project = join(folder, 'our letters')
    cpSync(await testedProject(), project, { recursive: true })
    const shell = shellOf(folder)
    await shell.run('git init -qb main; git add .; git commit -qm Begin')
    copyFileSync(hookSource, join(folder, '.git/hooks/pre-commit'))
    return { folder, project, shell }
  }

  test('a commit that changes what a case makes is refused, and one that is as expected is made', async () => {
    const { project, shell } = await repository()
    breakTemplate(project)
    const refused = await shell.run('git commit -qam Shout')
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('+Dear ANN of Ghent,')])
    expect(refused.output).toContain('Nothing was committed.')
    expect((await shell.run('git log --format=%s')).output).toBe('Begin\n')
    const made = await shell.run(
      'cd "our letters" && quire test --update && git add . && git commit -qm Shout; git log --format=%s',
    )
    expect(made.output).toContain('quire: our letters\n')
    expect(made.output).toEndWith('Shout\nBegin\n')
  })

  test('what is staged counts, whatever lies in the folder', async () => {
    const { project, shell } = await repository()
    const model = join(project, 'models/greeting.yaml')
    const good = readFileSync(model, 'utf8')
    writeFileSync(join(project, 'cases/greeting/ann.json'), '{"name":"Ann","owes": 0}')
    await shell.run('git add .')
    writeFileSync(model, 'not yet')
    expect((await shell.run('git commit -qm Space')).code).toBe(0)
    await shell.run('git add .')
    writeFileSync(model, good)
    const refused = await shell.run('git commit -qm Half')
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('models/greeting.yaml')])
  })

  test('commits without a project, of a removed project and of one without cases are made', async () => {
    const { folder, shell } = await repository()
    writeFileSync(join(folder, 'README.md'), 'Ours.')
    mkdirSync(join(folder, 'templates'))
    writeFileSync(join(folder, 'templates/page.html'), '<p>')
    expect((await shell.run('git add .; git commit -qm Page')).code).toBe(0)
    expect((await shell.run('git rm -qr "our letters/cases"; git commit -qm Untested')).code).toBe(0)
    // What has no cases is still checked.
    writeFileSync(join(folder, 'our letters/contracts/person.schema.json'), '{"type": "objekt"}')
    expect((await shell.run('git commit -qam Typo')).code).toBe(1)
    await shell.run('git reset -q --hard')
    expect((await shell.run('git rm -qr "our letters"; git commit -qm Gone')).code).toBe(0)
  })

  test('with paths as arguments it tests their projects, also when nothing is staged', async () => {
    const { project, shell } = await repository()
    breakTemplate(project)
    await shell.run('git commit -qam Shout --no-verify')
    expect((await shell.run('.git/hooks/pre-commit')).code).toBe(0)
    expect((await shell.run('.git/hooks/pre-commit README.md')).code).toBe(0)
    expect((await shell.run('.git/hooks/pre-commit "our letters/cases/greeting/ann.json"')).code).toBe(1)
  })

  test('without quire on PATH a commit is refused with the remedy', async () => {
    const { project, shell } = await repository()
    breakTemplate(project)
    const { code, output } = await shell.run('PATH=/usr/bin:/bin git commit -qam Shout')
    expect([code, output]).toEqual([1, expect.stringContaining('quire is not on PATH')])
  })
})

describe('the installation', () => {
  test('fetches the executable once, and leaves nothing that has another hash', async () => {
    const folder = join(temporaryFolder(), 'programs')
    const install = (sha256: string) => Bun.spawn(['sh', installScript, folder, files.url, sha256], { stderr: 'pipe' })
    const wrong = install('f'.repeat(64))
    expect(await wrong.exited).toBe(1)
    expect(await new Response(wrong.stderr).text()).toContain(`has the SHA-256 ${files.sha256}`)
    expect([...new Bun.Glob('**').scanSync(folder)]).toEqual([])
    expect(await install(files.sha256).exited).toBe(0)
    expect(Bun.spawnSync([join(folder, 'quire'), 'version']).success).toBe(true)
    const before = files.requests
    expect(await install(files.sha256).exited).toBe(0)
    expect(files.requests).toBe(before)
  })

  test('builds the executable once for the same sources, and again for others', async () => {
    const clone = folderWith({
      ...Object.fromEntries(['package.json', 'bun.lock', 'tsconfig.json', 'CHANGELOG.md'].map((name) => [name, name])),
      ...Object.fromEntries(
        ['src/a.ts', 'drizzle/a.sql', 'patches/a.patch', 'scripts/build.ts'].map((name) => [name, name]),
      ),
      'scripts/prepare.sh': 'echo "packages: $QUIRE_PACKAGES" >> builds.log\n',
      'bin/bun':
        '#!/bin/sh\necho "$@" >> builds.log\nfor last; do :; done\necho built > "$(echo "$last" | cut -c 11-)"\n',
    })
    mkdirSync(join(clone, 'scripts/ci'))
    copyFileSync(installScript, join(clone, 'scripts/ci/install.sh'))
    chmodSync(join(clone, 'bin/bun'), 0o755)
    const folder = join(temporaryFolder(), 'programs')
    const log = join(clone, 'builds.log')
    const install = () =>
      Bun.spawnSync(['sh', join(clone, 'scripts/ci/install.sh'), folder], {
        env: { PATH: `${join(clone, 'bin')}:${process.env.PATH}` },
      }).exitCode
    const builds = () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('scripts/build.ts')).length
    expect([install(), builds(), existsSync(join(folder, 'quire'))]).toEqual([0, 1, true])
    expect(readFileSync(log, 'utf8')).toContain('packages: production\n')
    writeFileSync(join(clone, 'src/assets.generated.pack'), 'made by the build')
    expect([install(), builds()]).toEqual([0, 1])
    writeFileSync(join(clone, 'src/a.ts'), 'changed')
    expect([install(), builds()]).toEqual([0, 2])
  })

  test('says how it is used when it is used otherwise', () => {
    for (const args of [[], ['a', 'b'], ['a', 'b', 'c', 'd']]) {
      const { exitCode, stderr } = Bun.spawnSync(['sh', installScript, ...args])
      expect([exitCode, stderr.toString()]).toEqual([2, 'usage: sh scripts/ci/install.sh FOLDER [URL SHA256]\n'])
    }
  })
})
