import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { permissionsOf, type Role } from '../../src/http/access.ts'
import { openWindow } from '../support/window.ts'

let keys: typeof import('../../src/console/keys.ts')
let session: typeof import('../../src/console/session.ts')
let stop: () => void
let giveBack: () => void
beforeEach(async () => {
  giveBack = openWindow()
  window.scrollTo = () => {}
  keys = await import('../../src/console/keys.ts')
  session = await import('../../src/console/session.ts')
  be('administrator')
  stop = keys.startKeys()
})
afterEach(() => {
  stop()
  giveBack()
})

function be(...roles: Role[]): void {
  const user = { id: 'u-1', username: 'ada', display_name: 'Ada', roles, permissions: permissionsOf(roles) }
  session.enter({ user, csrf_token: 'token', must_change_password: false } as never)
}

const codeOf = (key: string) => (/^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key)
/** Answers whether the console took the key, so that the browser does nothing with it. */
function press(key: string, more: KeyboardEventInit & { at?: EventTarget; ms?: number } = {}): boolean {
  const { at = document.body, ms, ...init } = more
  const event = new KeyboardEvent('keydown', {
    ...{ key, code: codeOf(key), bubbles: true, cancelable: true, composed: true },
    ...init,
  })
  if (ms !== undefined) Object.defineProperty(event, 'timeStamp', { value: ms })
  at.dispatchEvent(event)
  return event.defaultPrevented
}
const at = () => window.location.pathname
const shown = () => keys.overlay.value
const put = (html: string) => {
  document.body.innerHTML = html
  return document.body.firstElementChild as HTMLElement
}

describe('g and a letter', () => {
  test('lead to every screen of the navigation, each by its own letter', async () => {
    const { routes } = await import('../../src/console/navigation.ts')
    const led = routes.flatMap(({ pattern, entry }) => (entry === undefined ? [] : [{ pattern, key: entry.key }]))
    expect(led.length).toBeGreaterThan(15)
    for (const { pattern, key } of led.toReversed()) {
      expect([key, press('g'), press(key), at()]).toEqual([key, false, true, pattern])
    }
  })

  test('belong together for 1.2 s: a letter that comes later is one by itself', () => {
    press('g', { ms: 5_000 })
    expect([press('l', { ms: 6_200 }), at()]).toEqual([false, '/'])
    press('g', { ms: 7_000 })
    expect([press('l', { ms: 8_199 }), at()]).toEqual([true, '/lab'])
    // The page's first moments are no sequence that somebody began.
    expect([press('e', { ms: 8_200 }), at()]).toEqual([false, '/lab'])
  })

  test('are no sequence without g, even in the first moments of a page', () => {
    expect([press('l', { ms: 10 }), at()]).toEqual([false, '/'])
  })

  test('are over with the second key, whatever it is', () => {
    for (const second of ['g', '1', '/', '?', 'Escape']) {
      press('g')
      expect([second, press(second), press('l'), at(), shown()]).toEqual([second, false, false, '/', undefined])
    }
  })

  test('lead nowhere that the person may not see', () => {
    be('operator')
    press('g')
    expect([press('w'), at()]).toEqual([false, '/'])
    press('g')
    expect([press('e'), at()]).toEqual([true, '/executions'])
  })

  test('are the same with Caps Lock, and in alphabets without Latin letters by their place on the keyboard', () => {
    for (const [first, second, code] of [
      ['G', 'L', 'KeyL'],
      ['п', 'д', 'KeyL'],
      ['γ', 'λ', 'KeyL'],
      ['ㅎ', 'ㅣ', 'KeyL'],
    ] as const) {
      window.history.replaceState(null, '', '/')
      press(first, { code: 'KeyG' })
      expect([first, press(second, { code }), at()]).toEqual([first, true, '/lab'])
    }
  })

  test('are the letters that a Latin keyboard says, wherever it has them', () => {
    // Dvorak has l where QWERTY has p, and a German keyboard its y where others have z.
    press('g', { code: 'KeyU' })
    expect([press('l', { code: 'KeyP' }), at()]).toEqual([true, '/lab'])
    press('g', { code: 'KeyU' })
    expect([press('ö', { code: 'Semicolon' }), at()]).toEqual([false, '/lab'])
  })

  test('are none with Shift: capitals are other keys', () => {
    expect(press('G', { shiftKey: true })).toBe(false)
    expect([press('l'), at()]).toEqual([false, '/'])
    press('g')
    expect([press('L', { shiftKey: true }), at()]).toEqual([false, '/'])
  })
})

describe('the keys of every screen', () => {
  test('/ goes to the screen’s own search, and where it has none to the palette', () => {
    expect([press('/'), shown()]).toEqual([true, 'palette'])
    keys.overlay.value = undefined
    put('<nav><input data-search></nav><main><input id="own" data-search></main>')
    expect([press('/'), shown(), document.activeElement?.id]).toEqual([true, undefined, 'own'])
  })

  test('? tells the keys, whichever keys a keyboard needs for it', () => {
    for (const init of [{ shiftKey: true, code: 'Slash' }, { code: 'Comma' }]) {
      keys.overlay.value = undefined
      expect([press('?', init), shown()]).toEqual([true, 'keys'])
    }
  })

  test('Ctrl or ⌘ with k opens the palette and closes it, from a field and a dialog as well', () => {
    const field = put('<dialog open><input></dialog>').firstElementChild!
    for (const [key, held] of [
      ['k', { ctrlKey: true }],
      ['k', { metaKey: true }],
      ['л', { ctrlKey: true, code: 'KeyK' }],
    ] as const) {
      expect([press(key, { at: field, ...held }), shown()]).toEqual([true, 'palette'])
      expect([press(key, { at: field, ...held }), shown()]).toEqual([true, undefined])
    }
    keys.overlay.value = 'keys'
    expect([press('k', { ctrlKey: true }), shown()]).toEqual([true, 'palette'])
  })

  test('none is the console’s while somebody holds another key with it', () => {
    for (const held of ['ctrlKey', 'metaKey', 'altKey'])
      for (const key of ['/', '?', 'g']) {
        expect([held, key, press(key, { [held]: true }), shown()]).toEqual([held, key, false, undefined])
        expect([press('l'), at()]).toEqual([false, '/'])
      }
    for (const more of ['shiftKey', 'altKey'])
      expect([more, press('k', { ctrlKey: true, [more]: true }), shown()]).toEqual([more, false, undefined])
    expect([press('k'), shown()]).toEqual([false, undefined])
  })

  test.each(['<input>', '<textarea></textarea>', '<select></select>', '<div contenteditable="true"></div>'])(
    'none is the console’s while somebody types into %s',
    (html) => {
      const field = put(html)
      for (const key of ['/', '?', 'g', 'l']) expect([key, press(key, { at: field })]).toEqual([key, false])
      expect([press('l'), shown(), at()]).toEqual([false, undefined, '/'])
    },
  )

  test('none is the console’s while somebody types into an editor, which is in a tree of its own', () => {
    const tree = put('<div></div>').attachShadow({ mode: 'open' })
    tree.innerHTML = '<textarea></textarea>'
    for (const key of ['/', '?', 'g', 'l'])
      expect([key, press(key, { at: tree.firstElementChild! })]).toEqual([key, false])
    expect([shown(), at()]).toEqual([undefined, '/'])
  })

  test.each(['search', 'number', 'date', 'password', 'email', 'unheard-of'])(
    'none is the console’s while somebody types into an input of the type %s',
    (type) => {
      const field = put(`<input type="${type}">`)
      for (const key of ['/', '?', 'g', 'l']) expect([key, press(key, { at: field })]).toEqual([key, false])
      expect([shown(), at()]).toEqual([undefined, '/'])
    },
  )

  test('they work on what takes no text, such as a button', () => {
    const button = put('<button></button>')
    press('g', { at: button })
    expect([press('l', { at: button }), at()]).toEqual([true, '/lab'])
  })

  test.each(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'])(
    'they work on an input that takes no text: %s',
    (type) => {
      const field = put(`<input type="${type}">`)
      press('g', { at: field })
      expect([press('l', { at: field }), at()]).toEqual([true, '/lab'])
      expect([press('?', { at: field }), shown()]).toEqual([true, 'keys'])
    },
  )

  test('none is the console’s while a dialog is open, and all are when it is closed', () => {
    const dialog = put('<dialog open></dialog>')
    for (const key of ['/', '?', 'g', 'l']) expect([key, press(key)]).toEqual([key, false])
    expect([shown(), at()]).toEqual([undefined, '/'])
    dialog.removeAttribute('open')
    expect([press('?'), shown()]).toEqual([true, 'keys'])
  })

  test('one that something on the page has taken is not taken twice', () => {
    document.body.addEventListener('keydown', (event) => event.preventDefault())
    for (const key of ['/', '?', 'g', 'l']) press(key)
    expect([shown(), at()]).toEqual([undefined, '/'])
  })

  test('none is listened for once the console stops', () => {
    stop()
    expect([press('?'), press('k', { ctrlKey: true }), shown()]).toEqual([false, false, undefined])
  })
})

describe('a command of a screen', () => {
  /** Shows a screen with a command, and answers how often it was done. */
  async function show(key: 'Enter' | 's', more: { hasAction?: boolean } = {}) {
    const { h, render } = await import('preact')
    const done: string[] = []
    function Screen({ action }: { action: (() => unknown) | undefined }) {
      keys.useCommand(key, action)
      return null
    }
    const draw = (action: (() => unknown) | undefined) => render(h(Screen, { action }), document.body)
    draw(more.hasAction === false ? undefined : () => done.push('first'))
    return { done, draw, leave: () => render(null, document.body) }
  }

  test('is done by Ctrl or ⌘ with its key from the moment the screen is there, wherever the focus is', async () => {
    const { done } = await show('s')
    const field = document.createElement('input')
    document.body.append(field)
    expect([press('s', { ctrlKey: true, at: field }), press('s', { metaKey: true })]).toEqual([true, true])
    expect(press('ы', { code: 'KeyS', ctrlKey: true })).toBe(true)
    expect(done).toHaveLength(3)
  })

  test('is not done by its key alone, by another, or with Shift or Alt', async () => {
    const { done } = await show('s')
    const pressed = [press('s'), press('Enter', { ctrlKey: true }), press('s', { ctrlKey: true, shiftKey: true })]
    expect([...pressed, press('s', { ctrlKey: true, altKey: true }), done]).toEqual([false, false, false, false, []])
  })

  test('is the newest one alone, none while the screen has none, and gone with the screen', async () => {
    const { done, draw, leave } = await show('Enter')
    draw(() => done.push('second'))
    expect([press('Enter', { ctrlKey: true }), done]).toEqual([true, ['second']])
    draw(undefined)
    expect([press('Enter', { ctrlKey: true }), done]).toEqual([false, ['second']])
    draw(() => done.push('third'))
    leave()
    expect([press('Enter', { ctrlKey: true }), done]).toEqual([false, ['second']])
  })
})
