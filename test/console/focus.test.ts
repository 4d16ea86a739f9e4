import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Window } from 'happy-dom'
import { openWindow } from '../support/window.ts'

let focus: typeof import('../../src/console/focus.ts')
let giveBack: () => void
let stop: () => void
beforeEach(async () => {
  giveBack = openWindow()
  focus = await import('../../src/console/focus.ts')
  stop = focus.keepFocus()
})
afterEach(() => {
  stop()
  giveBack()
})

const main = (html: string) => {
  document.body.innerHTML = `<main><h1 tabindex="-1" id="heading">Title</h1>${html}</main>`
}
const by = (id: string) => document.getElementById(id)!
const focused = () => document.activeElement?.id || document.activeElement?.localName
/** The observer has been told, and what it does is done. */
const settled = () => (window as unknown as Window).happyDOM.waitUntilComplete()
/** A browser lets the focus fall to the body, without telling anybody, when its element goes. */
async function take(...ids: string[]): Promise<void> {
  const elements = ids.map(by)
  const isLost = elements.some((element) => element.contains(document.activeElement))
  for (const element of elements) element.remove()
  if (isLost) expect(focused()).toBe('body')
  await settled()
}

describe('the focus of an element that goes away', () => {
  const groups: [name: string, html: string][] = [
    ['a row', '<table><tr id="group"><td>Left<button id="gone">x</button></td></tr></table>'],
    ['an entry', '<ul><li id="group">Left<button id="gone">x</button></li></ul>'],
    ['a set of fields', '<fieldset id="group">Left<button id="gone">x</button></fieldset>'],
    ['a form', '<form id="group">Left<button id="gone">x</button></form>'],
    ['a search', '<search id="group">Left<button id="gone">x</button></search>'],
    ['a group', '<div role="group" id="group">Left<button id="gone">x</button></div>'],
    ['a toolbar', '<div role="toolbar" id="group">Left<button id="gone">x</button></div>'],
  ]
  test.each(groups)('goes to %s around it, which a key does nothing on', async (_, html) => {
    main(html)
    by('gone').focus()
    await take('gone')
    expect([focused(), by('group').tabIndex]).toEqual(['group', -1])
  })

  test('goes to the nearest group that is left and says something', async () => {
    const nested =
      '<form id="form">Left<ul id="list"><li id="entry"><div role="group" id="buttons"><button id="gone">x</button></div></li></ul></form>'
    for (const gone of ['gone', 'buttons', 'entry', 'list']) {
      main(nested)
      by('gone').focus()
      await take(gone)
      expect([gone, focused()]).toEqual([gone, 'form'])
    }
    main(nested)
    by('buttons').append('Left')
    by('gone').focus()
    await take('gone')
    expect(focused()).toBe('buttons')
  })

  test('goes to the heading of the screen where nothing around it is small enough to be read out', async () => {
    main('<div id="part">Left<section>Left<button id="gone">x</button></section></div>')
    by('gone').focus()
    await take('gone')
    expect(focused()).toBe('heading')
    main('<form id="form"><button id="gone">x</button></form>')
    by('gone').focus()
    await take('form')
    expect(focused()).toBe('heading')
  })

  test('goes nowhere beyond the screen or dialog that it was in', async () => {
    document.body.innerHTML =
      '<form id="outside">Left<main><h1 tabindex="-1" id="heading">Title</h1><button id="gone">x</button></main></form>'
    by('gone').focus()
    await take('gone')
    expect(focused()).toBe('heading')
    main('<form id="form">Left<dialog open><button id="gone">x</button></dialog></form>')
    by('gone').focus()
    await take('gone')
    expect(focused()).toBe('heading')
  })

  test('stays where it is put by whatever took the element away', async () => {
    main('<form>Left<button id="gone">x</button></form><button id="next">y</button>')
    by('gone').focus()
    by('gone').remove()
    by('next').focus()
    await settled()
    expect(focused()).toBe('next')
  })

  test('stays lost where somebody had left the element before', async () => {
    main('<form>Left<button id="gone">x</button></form>')
    document.hasFocus = () => true
    by('gone').focus()
    by('gone').blur()
    await settled()
    await take('gone')
    expect(focused()).toBe('body')
  })

  test('comes back where only the window was left meanwhile', async () => {
    main('<form id="form">Left<button id="gone">x</button></form>')
    document.hasFocus = () => false
    by('gone').focus()
    by('gone').blur()
    await settled()
    await take('gone')
    expect(focused()).toBe('form')
  })

  test('is that of the editor around it, which has a tree of its own', async () => {
    main('<form id="form">Left<div id="editor"></div></form>')
    const tree = by('editor').attachShadow({ mode: 'open' })
    tree.innerHTML = '<textarea></textarea>'
    ;(tree.firstElementChild as HTMLElement).focus()
    await take('editor')
    expect(focused()).toBe('form')
  })

  test('is nobody’s where none had it, where another element goes, and once it is followed no more', async () => {
    main('<form>Left<button id="gone">x</button><button id="other">y</button><button id="third">z</button></form>')
    await take('other')
    expect(focused()).toBe('body')
    by('gone').focus()
    await take('third')
    expect(focused()).toBe('gone')
    stop()
    await take('gone')
    expect(focused()).toBe('body')
  })
})

describe('a dialog over the page', () => {
  /** Shown as a browser shows it: what is behind it takes no focus. */
  const show = () => {
    const dialog = document.createElement('dialog')
    dialog.innerHTML = '<button id="inside">x</button>'
    document.body.append(dialog)
    const behind = HTMLElement.prototype.focus
    HTMLElement.prototype.focus = function (options) {
      if (!dialog.open || dialog.contains(this)) behind.call(this, options)
    }
    const hide = focus.showOver(dialog)
    expect([dialog.open, by('inside').focus(), focused()]).toEqual([true, undefined, 'inside'])
    return () => {
      hide()
      HTMLElement.prototype.focus = behind
      expect(dialog.open).toBe(false)
      dialog.remove()
    }
  }

  test('gives the focus back to where it was', async () => {
    main('<button id="opener">x</button>')
    by('opener').focus()
    show()()
    await settled()
    expect(focused()).toBe('opener')
  })

  test('gives it to what is left around an element that has gone meanwhile, or that takes none any more', async () => {
    const html = '<ul><li id="entry">Left<button id="opener">x</button></li></ul>'
    main(html)
    by('opener').focus()
    const hide = show()
    by('opener').remove()
    hide()
    await settled()
    expect(focused()).toBe('entry')
    main(html)
    by('opener').focus()
    const hideAgain = show()
    by('opener').focus = () => {}
    hideAgain()
    await settled()
    expect(focused()).toBe('entry')
  })

  test('gives it to the heading of the screen where nothing had it', async () => {
    main('')
    show()()
    await settled()
    expect(focused()).toBe('heading')
  })

  test('gives it back into the editor that had it, in its tree of its own', async () => {
    main('<div id="editor"></div>')
    const tree = by('editor').attachShadow({ mode: 'open' })
    tree.innerHTML = '<textarea></textarea>'
    const field = tree.firstElementChild as HTMLElement
    field.focus()
    show()()
    await settled()
    expect(tree.activeElement?.localName).toBe('textarea')
  })
})
