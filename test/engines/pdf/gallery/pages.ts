import { p } from '../word.ts'
import { type Exhibit, edges, exhibit, field, four, page, para, r, words } from './pieces.ts'

export const pageExhibits: readonly Exhibit[] = [
  exhibit(
    'pagination',
    [
      p(words.repeat(4), '<w:widowControl/>'),
      p('A heading stays with what follows it', '<w:keepNext/><w:spacing w:before="240"/>', '<w:b/><w:sz w:val="26"/>'),
      p(words.repeat(3), '<w:keepLines/>'),
      p('On a page of its own', '<w:pageBreakBefore/>', '<w:b/>'),
    ].join(''),
  ),
  exhibit(
    'headers, footers and fields',
    `${p(words.repeat(9))}${para('', r('The part about costs is on page '), field('PAGEREF costs', '9'), r('.'))}<w:p><w:bookmarkStart w:id="1" w:name="costs"/>${r('Costs')}<w:bookmarkEnd w:id="1"/></w:p>${p(words.repeat(9))}`,
    {
      settings:
        '<w:evenAndOddHeaders/><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>',
      headers: {
        first: p('The first page', '<w:jc w:val="center"/>', '<w:b/>'),
        odd: p('Odd page', '<w:jc w:val="right"/>'),
        even: p('Even page'),
      },
      footers: {
        foot: para('<w:jc w:val="center"/>', r('Page '), field('PAGE', '1'), r(' of '), field('NUMPAGES', '1')),
      },
      section: `<w:headerReference w:type="first" r:id="first"/><w:headerReference w:type="default" r:id="odd"/><w:headerReference w:type="even" r:id="even"/>${['first', 'default', 'even'].map((kind) => `<w:footerReference w:type="${kind}" r:id="foot"/>`).join('')}${page('<w:titlePg/>')}`,
    },
  ),
  exhibit(
    'sections and columns',
    p('One column above.', '<w:spacing w:after="120"/>') +
      `<w:p><w:pPr><w:sectPr>${page('', 'continuous')}</w:sectPr></w:pPr></w:p>` +
      p(words.repeat(2)) +
      `<w:p><w:pPr><w:sectPr>${page('<w:cols w:num="2" w:space="400" w:sep="1"/>', 'continuous')}</w:sectPr></w:pPr></w:p>` +
      p('One column below.'),
    { section: page('', 'continuous') },
  ),
  exhibit(
    'page borders and vertical alignment',
    p('In the middle of a framed page', '<w:jc w:val="center"/>', '<w:sz w:val="32"/>'),
    {
      section: page(
        `<w:pgBorders w:offsetFrom="page">${edges(four, 'w:val="double" w:sz="12" w:space="18" w:color="1F4E79"')}</w:pgBorders><w:vAlign w:val="center"/>`,
      ),
    },
  ),
  exhibit('line numbers', p(words.repeat(3)) + p(words, '<w:suppressLineNumbers/>') + p(words), {
    section: page('<w:lnNumType w:countBy="2" w:distance="200" w:restart="newPage"/>'),
  }),
  exhibit(
    'footnotes',
    para(
      '',
      r('A claim with its source'),
      '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="1"/></w:r>',
      r(' and another'),
      '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r>',
      r(`. ${words.repeat(2)}`),
    ),
    {
      footnotes: [1, 2]
        .map(
          (id) =>
            `<w:footnote w:id="${id}"><w:p><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteRef/></w:r>${r(id === 1 ? ' Site record 12.' : ` ${words}`, '<w:sz w:val="16"/>')}</w:p></w:footnote>`,
        )
        .join(''),
    },
  ),
]
