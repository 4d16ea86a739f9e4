/**
 * Writes `src/modules/auth/common-passwords.txt` from the list of leaked passwords of @zxcvbn-ts/language-common: `bun
 * scripts/build-common-passwords.ts`. The file is committed, and `test/scripts/build-common-passwords.test.ts` compares it with
 * this output.
 */
import { join } from 'node:path'
import { reduced } from '../src/modules/auth/common-passwords.ts'

const SOURCE = '@zxcvbn-ts/language-common'
/** The list is ordered by how often a password leaked. Further down are dictionary words that few people use. */
const MOST = 30_000

/**
 * The entry that the check looks up: a password's word, with digits that are inside it. The check itself knows passwords of
 * digits only.
 */
function entryOf(password: string): string | undefined {
  const { word, plain } = reduced(password)
  const isMixed = /[a-z]\d+[a-z]/.test(plain)
  const [entry, least] = isMixed ? [plain, 6] : [word, 4]
  return entry.length >= least ? entry : undefined
}

export async function commonPasswords(): Promise<string> {
  const { default: passwords } = (await import(`${SOURCE}/src/passwords.json`)) as { default: string[] }
  const { version } = (await import(`${SOURCE}/package.json`)) as { version: string }
  const entries = new Set(passwords.slice(0, MOST).map(entryOf))
  return [
    `# Made by scripts/build-common-passwords.ts from the ${MOST.toLocaleString('en')} commonest passwords of ${SOURCE} ${version},`,
    '# which zxcvbn-ts (github.com/zxcvbn-ts/zxcvbn) publishes under the MIT licence.',
    ...[...entries].filter((entry) => entry !== undefined).sort(),
    '',
  ].join('\n')
}

if (import.meta.main) {
  const text = await commonPasswords()
  await Bun.write(join(import.meta.dir, '../src/modules/auth/common-passwords.txt'), text)
  console.log(`${text.split('\n').length - 3} entries, ${text.length} bytes`)
}
