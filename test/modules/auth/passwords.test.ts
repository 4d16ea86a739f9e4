import { expect, test } from 'bun:test'
import { limits } from '../../../src/core/limits.ts'
import { isCommonPassword } from '../../../src/modules/auth/common-passwords.ts'
import { createPasswords, generatePassword, requireGoodPassword } from '../../../src/modules/auth/passwords.ts'

test('common passwords are recognised through digits, marks, repetition and disguise', () => {
  for (const password of [
    'password1234',
    'Password1234!',
    'P@ssw0rd!2024',
    '!!!!letmein!!!!',
    '123456789012',
    '111111111111',
    'abcdefghijkl',
    'qwertyuiop12',
    '1q2w3e4r5t6y',
    'adminadminadmin',
    'administrator1',
    'iloveyou2024',
    'changeme-1234',
  ]) {
    expect([password, isCommonPassword(password)]).toEqual([password, true])
  }
})

test('passwords that only contain a common word are not refused', () => {
  for (const password of [
    'a-long-and-odd-phrase',
    'correct horse battery staple',
    'quire-prints-invoices-2026',
    'mydragonatebreakfast',
    generatePassword(),
  ]) {
    expect([password, isCommonPassword(password)]).toEqual([password, false])
  }
})

test('leaked passwords are refused decorated, repeated, reversed and disguised, also those of digits and letters mixed', () => {
  for (const password of [
    'Slayer666-2026!',
    'counterstrike',
    'motherfucker',
    '!!ghbdtn-2026!!',
    'drowssap1234',
    '2026-nogard-2026',
    'ncc1701d-2026',
    '123qweasdzxc',
    '904718236551',
    'Chr1st0pher!',
  ]) {
    expect([password, isCommonPassword(password)]).toEqual([password, true])
  }
  for (const password of [
    'dragon-batman-owl',
    '7a#9g[e<,\\~?m@',
    'd r;a,g|o{n}4%q',
    'kolm-2-ratsu-9',
    'gedacht-gezwitschert',
  ]) {
    expect([password, isCommonPassword(password)]).toEqual([password, false])
  }
})

test('the names of the product and of the user are no passwords, alone, repeated, decorated or beside a common word', () => {
  const refused = (password: string, username: string) => {
    try {
      requireGoodPassword(password, username, 'The password')
      return false
    } catch {
      return true
    }
  }
  for (const [password, username] of [
    ['quirequire12', 'admin'],
    ['Qu1re-2026!!!!', 'admin'],
    ['quire-admin-2026', 'someone'],
    ['admin.quire.99', 'someone'],
    ['anna.mayer.2026', 'Anna.Mayer'],
    ['quireannamayer', 'anna.mayer'],
    ['Welcome-annamayer', 'anna.mayer'],
  ] as const) {
    expect([password, refused(password, username)]).toEqual([password, true])
  }
  for (const [password, username] of [
    ['anna.mayer.2026', 'someone'],
    ['quire-prints-invoices', 'someone'],
    ['nobody-expects-al', 'al'],
  ] as const) {
    expect([password, refused(password, username)]).toEqual([password, false])
  }
})

test('lengths are counted in characters, from 12 to 128', () => {
  const accepts = (password: string) => {
    try {
      requireGoodPassword(password, 'someone', 'The password')
      return true
    } catch {
      return false
    }
  }
  const varied = (length: number) => Array.from({ length }, (_, at) => '日本語鯨鮪鰻x9k'[at % 9]).join('')
  expect([accepts(varied(11)), accepts(varied(12)), accepts(varied(128)), accepts(varied(129))]).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('generated passwords pass the rules and do not repeat', () => {
  const made = new Set(Array.from({ length: 200 }, generatePassword))
  expect(made.size).toBe(200)
  for (const password of made) requireGoodPassword(password, 'admin', 'The password')
})

test('two Unicode spellings of one password are the same password', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('caf\u00e9 au lait matin')
  expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,')
  expect(await passwords.verify('cafe\u0301 au lait matin', hash)).toBe(true)
  expect(await passwords.verify('cafe au lait matin', hash)).toBe(false)
})

test('a password never fits an account that does not exist', async () => {
  expect(await createPasswords().verify('anything at all', undefined)).toBe(false)
})

test('more logins at once than may wait are sent away, and the rest are served', async () => {
  const passwords = createPasswords({ memoryCost: 64, timeCost: 1 })
  const most = limits.passwordHashesAtOnce + limits.passwordHashesWaiting
  const results = await Promise.allSettled(Array.from({ length: most + 3 }, () => passwords.verify('x', undefined)))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3)
  expect(await passwords.verify('x', undefined)).toBe(false)
})

test('few characters, or counting most of the way, are too common, and one step less is not', () => {
  for (const [password, isCommon] of [
    ['abcabcacbbac', true],
    ['azbzazbzaxzb', false],
    ['zyxwvutsrqpo', true],
    ['890123456789', true],
    ['kkmmnnppkkmm', false],
    // Nine of eleven steps are more than four fifths of them, eight are not.
    ['abcdefghij-q', true],
    ['abcdefghi-qx', false],
    ['acegikmoqsuw', false],
  ] as const) {
    expect([password, isCommonPassword(password)]).toEqual([password, isCommon])
  }
})

test('a word is common twice and thrice over, and not with another word behind it', () => {
  for (const [password, isCommon] of [
    ['dragondragon', true],
    ['batman-Batman-BATMAN', true],
    ['dragonbatman', false],
    ['batmanbatmanb', false],
    ['xdragondragon', false],
  ] as const) {
    expect([password, isCommonPassword(password)]).toEqual([password, isCommon])
  }
})

test('digits and marks are letters only between letters, each one its own', () => {
  for (const password of [
    'dr4g0n------',
    'm0nk3y-2024!',
    'p@$$w0rd----',
    '1111dragon!!',
    'wh1te-------',
    '7dragon77777',
  ]) {
    expect([password, isCommonPassword(password)]).toEqual([password, true])
  }
  for (const password of ['dr8g8n-88888', '2r4g0m-qzvkj']) {
    expect([password, isCommonPassword(password)]).toEqual([password, false])
  }
})

test('a refused password is told its rule: its length, the username, or that it is common', () => {
  const told = (password: string, username = 'long-enough-name') => {
    try {
      requireGoodPassword(password, username, 'The password')
    } catch (error) {
      return String((error as Error).message)
    }
    return undefined
  }
  expect(told('short')).toBe('The password must have 12 to 128 characters.')
  expect(told('Long-Enough-Name')).toBe('The password must not be the username. Choose another.')
  expect(told('password1234')).toBe(
    'The password is among the commonest passwords, or little more than a name. Choose one that nobody would guess.',
  )
  expect(told('long-enough-name-and-more')).toBeUndefined()
})

test('a generated password is five groups of five letters and digits that no two are taken for each other', () => {
  for (const password of Array.from({ length: 50 }, generatePassword)) {
    expect(password).toMatch(/^(?:[a-km-np-z2-9]{5}-){4}[a-km-np-z2-9]{5}$/)
  }
})

test('hashes at once are bounded, whoever waits is served in order, and turns are not lost to failures', async () => {
  const passwords = createPasswords({ memoryCost: 64, timeCost: 1 })
  const order: number[] = []
  const hash = await passwords.hash('x')
  await Promise.all(
    Array.from({ length: limits.passwordHashesAtOnce + 4 }, async (_, index) => {
      // What is no hash at all makes the verification itself fail.
      await passwords.verify('x', index === 0 ? 'no hash' : hash).catch(() => undefined)
      order.push(index)
    }),
  )
  expect(order).toHaveLength(limits.passwordHashesAtOnce + 4)
  const most = limits.passwordHashesAtOnce + limits.passwordHashesWaiting
  const all = await Promise.allSettled(Array.from({ length: most }, () => passwords.verify('x', hash)))
  expect(all.every((one) => one.status === 'fulfilled' && one.value)).toBe(true)
})

test('whoever is sent away because too many log in is told to come back in a second', async () => {
  const passwords = createPasswords({ memoryCost: 64, timeCost: 1 })
  const most = limits.passwordHashesAtOnce + limits.passwordHashesWaiting
  const results = await Promise.allSettled(Array.from({ length: most + 1 }, () => passwords.verify('x', undefined)))
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(reasons).toMatchObject([
    { code: 'rate_limited', detail: 'Too many logins at once. Try again in 1 s.', extras: { retryAfterSeconds: 1 } },
  ])
})
