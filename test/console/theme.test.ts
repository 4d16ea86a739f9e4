import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openWindow } from '../support/window.ts'

describe('the theme', () => {
  let theme: typeof import('../../src/console/theme.ts')
  let giveBack: () => void
  beforeEach(async () => {
    giveBack = openWindow()
    theme = await import('../../src/console/theme.ts')
  })
  afterEach(() => giveBack())
  /** What is chosen, what the styles go by, and what the browser keeps. */
  const now = () => [
    theme.theme.value,
    document.documentElement.dataset.theme,
    window.localStorage.getItem('quire.theme') ?? undefined,
  ]

  test.each(['light', 'dark'] as const)('%s is shown at once and kept for the next page', (choice) => {
    theme.setTheme(choice)
    expect(now()).toEqual([choice, choice, choice])
    theme.theme.value = 'system'
    delete document.documentElement.dataset.theme
    theme.startTheme()
    expect(now()).toEqual([choice, choice, choice])
  })

  test('of the system is shown where nothing is kept, and chosen by keeping nothing', () => {
    theme.startTheme()
    expect(now()).toEqual(['system', undefined, undefined])
    theme.setTheme('dark')
    theme.setTheme('system')
    expect(now()).toEqual(['system', undefined, undefined])
  })

  test('of the system is shown where what is kept is none', () => {
    for (const kept of ['', 'sepia', 'system', 'Dark']) {
      window.localStorage.setItem('quire.theme', kept)
      theme.startTheme()
      expect([kept, ...now()]).toEqual([kept, 'system', undefined, undefined])
    }
  })

  test('is shown also where the browser keeps nothing', () => {
    Object.defineProperty(window, 'localStorage', { value: undefined })
    theme.startTheme()
    theme.setTheme('dark')
    expect([theme.theme.value, document.documentElement.dataset.theme]).toEqual(['dark', 'dark'])
  })
})
