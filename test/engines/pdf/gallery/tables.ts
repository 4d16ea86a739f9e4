import { p } from '../word.ts'
import { type Exhibit, edges, exhibit, four, words } from './pieces.ts'

export const cell = (text: string, properties = '', paragraph = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text, paragraph)}</w:tc>`
export const row = (cells: readonly string[], properties = '') =>
  `<w:tr><w:trPr>${properties}</w:trPr>${cells.join('')}</w:tr>`
export const table = (properties: string, grid: readonly number[], rows: readonly string[]) =>
  `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>${rows.join('')}</w:tbl>`
export const ruled = `<w:tblBorders>${edges([...four, 'insideH', 'insideV'], 'w:val="single" w:sz="4" w:color="808080"')}</w:tblBorders>`
export const padded = '<w:tblCellMar><w:left w:w="100" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar>'

export const tableExhibits: readonly Exhibit[] = [
  exhibit(
    'tables',
    table(
      `<w:tblW w:w="5760" w:type="dxa"/>${ruled}${padded}`,
      [1440, 2880, 1440],
      [
        row([
          cell('No', '<w:shd w:val="clear" w:fill="1F4E79"/>', ''),
          cell('Cover', '<w:shd w:val="clear" w:fill="D9E2F3"/>'),
          cell('Premium', '<w:shd w:val="clear" w:fill="D9E2F3"/>', '<w:jc w:val="right"/>'),
        ]),
        row([
          cell('1'),
          cell('Glass breakage for conservatories and skylights'),
          cell('96.50', '', '<w:jc w:val="right"/>'),
        ]),
        row(
          [
            cell('2', '<w:vMerge w:val="restart"/><w:vAlign w:val="center"/>'),
            cell('Bicycle theft'),
            cell('148.20', '', '<w:jc w:val="right"/>'),
          ],
          '<w:trHeight w:val="600" w:hRule="atLeast"/>',
        ),
        row(
          [
            cell('', '<w:vMerge/>'),
            cell('Bottom', '<w:vAlign w:val="bottom"/>'),
            cell('87.00', '<w:vAlign w:val="bottom"/>', '<w:jc w:val="right"/>'),
          ],
          '<w:trHeight w:val="500" w:hRule="exact"/>',
        ),
        row([
          cell('Total', '<w:gridSpan w:val="2"/>'),
          cell(
            '331.70',
            `<w:tcBorders>${edges(['top'], 'w:val="double" w:sz="6" w:color="C00000"')}</w:tcBorders>`,
            '<w:jc w:val="right"/>',
          ),
        ]),
      ],
    ) +
      p('') +
      table(
        `<w:tblW w:w="4000" w:type="pct"/><w:jc w:val="center"/><w:tblLayout w:type="autofit"/>${ruled}${padded}`,
        [1000, 1000],
        [row([cell('short'), cell('a cell whose text asks for most of the width')])],
      ) +
      p('') +
      table(
        `${ruled}${padded}<w:tblLayout w:type="fixed"/><w:tblInd w:w="400" w:type="dxa"/>`,
        [2400, 2400],
        [
          row([
            `<w:tc><w:tcPr/>${table(ruled, [900, 900], [row([cell('in'), cell('side')])])}${p('')}</w:tc>`,
            cell('beside a nested table'),
          ]),
        ],
      ),
  ),
  exhibit(
    'turned cells',
    table(
      `<w:tblW w:w="5000" w:type="dxa"/><w:tblLayout w:type="fixed"/>${ruled}${padded}`,
      [700, 700, 3600],
      [
        row([
          cell('Upwards', '<w:textDirection w:val="btLr"/><w:vAlign w:val="center"/>'),
          cell('Downwards', '<w:textDirection w:val="tbRl"/>'),
          cell(words),
        ]),
        row([cell('1'), cell('2'), cell('upright')]),
      ],
    ),
  ),
  exhibit(
    'conditional formats of a table style',
    table(
      '<w:tblStyle w:val="Grid"/><w:tblW w:w="5000" w:type="pct"/><w:tblLook w:firstRow="1" w:lastRow="1" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/>',
      [1920, 1920, 1920],
      ['Region', 'North', 'South', 'East', 'Sum'].map((name, at) =>
        row([cell(name), cell(at === 0 ? '2023' : `${at * 12}`), cell(at === 0 ? '2024' : `${at * 17}`)]),
      ),
    ),
    {
      styles:
        '<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/>' +
        `<w:tblPr><w:tblStyleRowBandSize w:val="1"/><w:tblBorders>${edges([...four, 'insideH'], 'w:val="single" w:sz="4" w:color="8EAADB"')}</w:tblBorders>${padded}</w:tblPr>` +
        '<w:tblStylePr w:type="firstRow"><w:rPr><w:b/><w:color w:val="FFFFFF"/></w:rPr><w:tcPr><w:shd w:val="clear" w:fill="4472C4"/></w:tcPr></w:tblStylePr>' +
        `<w:tblStylePr w:type="lastRow"><w:rPr><w:b/></w:rPr><w:tcPr><w:tcBorders>${edges(['top'], 'w:val="double" w:sz="4" w:color="4472C4"')}</w:tcBorders></w:tcPr></w:tblStylePr>` +
        '<w:tblStylePr w:type="firstCol"><w:rPr><w:i/></w:rPr></w:tblStylePr><w:tblStylePr w:type="band1Horz"><w:tcPr><w:shd w:val="clear" w:fill="D9E2F3"/></w:tcPr></w:tblStylePr></w:style>',
    },
  ),
  exhibit(
    'a table over pages',
    table(
      `<w:tblW w:w="5760" w:type="dxa"/>${ruled}${padded}`,
      [1440, 4320],
      [
        row([cell('No'), cell('The header row is repeated')], '<w:tblHeader/>'),
        ...Array.from({ length: 9 }, (_, at) =>
          row([cell(`${at + 1}`), cell(at === 5 ? words.repeat(3) : words)], at % 2 ? '<w:cantSplit/>' : ''),
        ),
      ],
    ),
  ),
  exhibit(
    'a floating table',
    table(
      `<w:tblpPr w:leftFromText="180" w:rightFromText="180" w:vertAnchor="text" w:horzAnchor="margin" w:tblpXSpec="right" w:tblpY="200"/><w:tblW w:w="2200" w:type="dxa"/>${ruled}${padded}`,
      [1100, 1100],
      [row([cell('Item'), cell('Sum')]), row([cell('Glass'), cell('96.50')]), row([cell('Theft'), cell('148.20')])],
    ) + p(words.repeat(3)),
  ),
]
