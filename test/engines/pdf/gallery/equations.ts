import { type Exhibit, exhibit } from './pieces.ts'

/** A run of an equation. */
export const run = (text: string, properties = '') =>
  `<m:r>${properties === '' ? '' : `<m:rPr>${properties}</m:rPr>`}<m:t xml:space="preserve">${text}</m:t></m:r>`
const part = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`
export const fraction = (over: string, under: string, properties = '') =>
  `<m:f>${part('fPr', properties)}${part('num', over)}${part('den', under)}</m:f>`
export const superscript = (base: string, sup: string) => `<m:sSup>${part('e', base)}${part('sup', sup)}</m:sSup>`
export const subscript = (base: string, sub: string) => `<m:sSub>${part('e', base)}${part('sub', sub)}</m:sSub>`
export const root = (radicand: string, degree = '') =>
  `<m:rad><m:radPr>${degree === '' ? '<m:degHide m:val="1"/>' : ''}</m:radPr>${part('deg', degree)}${part('e', radicand)}</m:rad>`
export const nary = (sign: string, [sub, sup]: readonly [string, string], operand: string, properties = '') =>
  `<m:nary><m:naryPr><m:chr m:val="${sign}"/>${properties}</m:naryPr>${part('sub', sub)}${part('sup', sup)}${part('e', operand)}</m:nary>`
export const between = (open: string, content: string, close: string) =>
  `<m:d><m:dPr><m:begChr m:val="${open}"/><m:endChr m:val="${close}"/></m:dPr>${part('e', content)}</m:d>`
export const matrix = (...rows: readonly (readonly string[])[]) =>
  `<m:m>${rows.map((row) => part('mr', row.map((cell) => part('e', cell)).join(''))).join('')}</m:m>`
export const accented = (base: string, mark: string) =>
  `<m:acc><m:accPr><m:chr m:val="${mark}"/></m:accPr>${part('e', base)}</m:acc>`
/** A paragraph with an equation on its own line. */
export const displayed = (content: string) => `<w:p><m:oMathPara><m:oMath>${content}</m:oMath></m:oMathPara></w:p>`

const upright = '<m:sty m:val="p"/>'
const limit = `<m:limLow>${part('e', run('lim', upright))}${part('lim', run('n→∞'))}</m:limLow>`

export const equationExhibits: readonly Exhibit[] = [
  exhibit(
    'formulas',
    [
      displayed(run('x=') + fraction(run('-b±') + root(superscript(run('b'), run('2')) + run('-4ac')), run('2a'))),
      displayed(
        superscript(between('(', run('x+a'), ')'), run('n')) +
          run('=') +
          nary(
            '∑',
            [run('k=0'), run('n')],
            between('(', fraction(run('n'), run('k'), '<m:type m:val="noBar"/>'), ')'),
          ) +
          superscript(run('x'), run('k')),
      ),
      displayed(nary('∫', [run('0'), run('∞')], superscript(run('e'), run('-x')) + run('dx'))),
      displayed(run('A=') + between('[', matrix([run('a'), run('b')], [run('c'), run('d')]), ']')),
      displayed(
        run('f=') + between('{', `<m:eqArr>${part('e', run('&amp;-x,'))}${part('e', run('&amp;x,'))}</m:eqArr>`, ''),
      ),
      displayed(
        `<m:func>${part('fName', limit)}${part('e', superscript(between('(', run('1+') + fraction(run('1'), run('n')), ')'), run('n')))}</m:func>`,
      ),
      displayed(
        [
          accented(run('v'), '\u20d7'),
          accented(run('x'), '\u0302'),
          `<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>${part('e', run('z'))}</m:bar>`,
          `<m:groupChr>${part('e', run('a+b'))}</m:groupChr>`,
          `<m:borderBox>${part('e', run('E'))}</m:borderBox>`,
          root(fraction(run('x'), run('y')), run('3')),
        ].join(run('+')),
      ),
      displayed(
        `<m:sPre>${part('sub', run('1'))}${part('sup', run('2'))}${part('e', run('H'))}</m:sPre>` +
          run('∈') +
          run('R', '<m:scr m:val="double-struck"/>') +
          run('αΩ'),
      ),
      `<w:p><w:r><w:t xml:space="preserve">Among text </w:t></w:r><m:oMath>${run('y=')}${fraction(run('a'), run('b'))}${run('+c')}</m:oMath><w:r><w:t xml:space="preserve"> it goes on.</w:t></w:r></w:p>`,
    ].join(''),
  ),
]
