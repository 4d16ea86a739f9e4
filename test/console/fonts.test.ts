import { describe, expect, test } from 'bun:test'
import { guessedWords, wordsOf } from '../../src/console/views/template/fonts.tsx'

const font = (match: Parameters<typeof wordsOf>[0]['match'], family = 'Aptos') => ({
  family,
  drawn_with: 'Carlito',
  match,
})

describe('the fonts of a template', () => {
  test('say how each family is shown', () => {
    expect(
      (['itself', 'twin', 'measured', 'guessed', 'borrowed'] as const).map((match) => wordsOf(font(match))),
    ).toEqual([
      'is here',
      'as Carlito, which has the same widths',
      'as Carlito, at its own widths',
      'as Carlito, by guess',
      'lends characters that others lack',
    ])
  })

  test('warn of all that are guessed, by name', () => {
    expect(guessedWords([font('guessed', 'Papyrus')])).toStartWith('Papyrus is not here: another font takes the place')
    expect(guessedWords([font('guessed', 'A'), font('guessed', 'B'), font('guessed', 'C')])).toStartWith(
      'A, B and C are not here',
    )
  })
})
