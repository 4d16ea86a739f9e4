import { describe, expect, test } from 'bun:test'
import { layoutOf, renderingOf, textFrames, wordDocument } from './word.ts'

const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`

function shown(math: string): string {
  const docx = wordDocument(`<w:p><m:oMath>${math}</m:oMath></w:p>`)
  return textFrames(layoutOf(docx).pages[0]!)
    .map((frame) => frame.text)
    .join('')
}

describe('equations', () => {
  test('keep their meaning on one line', () => {
    const sum = `${r('a')}${r('+')}${r('b')}`
    expect(shown(`<m:f><m:num>${sum}</m:num><m:den>${r('2')}</m:den></m:f>`)).toBe('(a+b)/2')
    expect(shown(`<m:sSup><m:e>${r('x')}</m:e><m:sup>${r('2')}</m:sup></m:sSup>`)).toBe('x^2')
    expect(shown(`<m:sSub><m:e>${r('x')}</m:e><m:sub>${r('i+1')}</m:sub></m:sSub>`)).toBe('x_(i+1)')
    expect(shown(`<m:rad><m:deg/><m:e>${r('x')}</m:e></m:rad>`)).toBe('√(x)')
    expect(shown(`<m:rad><m:deg>${r('n')}</m:deg><m:e>${r('x')}</m:e></m:rad>`)).toBe('n√(x)')
    expect(shown(`<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${r('x')}</m:e></m:d>`)).toBe(
      '[x]',
    )
    const nary = `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup><m:e>${r('i')}</m:e></m:nary>`
    expect(shown(nary)).toBe('∑_(i=1)^n i')
    const row = (...cells: string[]) => `<m:mr>${cells.map((cell) => `<m:e>${r(cell)}</m:e>`).join('')}</m:mr>`
    expect(shown(`<m:m>${row('1', '0')}${row('0', '1')}</m:m>`)).toBe('[1, 0; 0, 1]')
  })

  test('are reported as shown on one line', () => {
    const { report } = renderingOf(wordDocument(`<w:p><m:oMath>${r('x')}</m:oMath></w:p>`))
    expect(report.map(({ message }) => message)).toContain(
      'm:oMath is not supported; the equation is shown as linear text.',
    )
  })
})
