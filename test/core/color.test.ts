import { expect, test } from 'bun:test'
import { readColor, themeColors } from '../../src/core/color.ts'

test('a colour is six digits in capitals, or a name of the theme', () => {
  expect(readColor('#00afB7')).toEqual({ kind: 'rgb', digits: '00AFB7' })
  expect(readColor('accent6')).toEqual({ kind: 'theme', name: 'accent6' })
})

test('every name of the theme stands for an element of its colour scheme', () => {
  expect(Object.fromEntries(themeColors)).toEqual({
    ...{ dark1: 'dk1', text1: 'dk1', light1: 'lt1', background1: 'lt1' },
    ...{ dark2: 'dk2', text2: 'dk2', light2: 'lt2', background2: 'lt2' },
    ...{ accent1: 'accent1', accent2: 'accent2', accent3: 'accent3' },
    ...{ accent4: 'accent4', accent5: 'accent5', accent6: 'accent6' },
  })
})

test.each(['00AFB7', '#00AFB', '#00AFB77', '#00AFBG', ' #00AFB7', '#00AFB7\n', 'accent7', 'Accent1', 'red', ''])(
  '"%s" is no colour',
  (text) => {
    expect(readColor(text)).toBeUndefined()
  },
)

test('only text can be a colour', () => {
  expect([readColor(undefined), readColor(null), readColor(112_233), readColor(['#112233'])]).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
})
