import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { temporaryFolder } from '../support/database.ts'

const tests = resolve(import.meta.dir, '..')

// A worker's hooks run after each file. One process for all files, as on one core, would keep each file's servers to the end.
test('what a file of tests has begun ends before the next file, without workers as well', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'test'))
  const about = (name: string) => `import { afterAll, test } from 'bun:test'
    import { onTestsEnd } from '${tests}/support/cleanup.ts'
    afterAll(() => console.log('after ${name}'))
    test('${name}', () => {
      onTestsEnd(() => console.log('end of ${name}'))
      console.log('in ${name}')
    })`
  const files = ['one', 'two'].map((name) => {
    writeFileSync(join(folder, 'test', `${name}.test.ts`), about(name))
    return `./test/${name}.test.ts`
  })
  const run = Bun.spawn([process.execPath, 'test', '--preload', join(tests, 'preload.ts'), ...files], {
    ...{ cwd: folder, stdout: 'pipe', stderr: 'ignore' },
  })
  const said = (await new Response(run.stdout).text()).split('\n').filter((line) => /^(?:in|after|end of) /.test(line))
  expect(said).toEqual(['in one', 'after one', 'end of one', 'in two', 'after two', 'end of two'])
})
