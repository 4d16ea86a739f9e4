import { namespaces, p } from '../word.ts'
import { type Exhibit, edges, exhibit, four, page, para, r, words } from './pieces.ts'
import { cell, padded, row, ruled, table } from './tables.ts'

const style = (id: string, inside: string, type = 'paragraph') =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${id}"/>${inside}</w:style>`
const listLevel = (level: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${(level + 1) * 400}" w:hanging="400"/></w:pPr></w:lvl>`
const item = (text: string, level: number, list: number) =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)
const tabStops = (stops: readonly (readonly [kind: string, at: number, leader?: string])[]) =>
  `<w:tabs>${stops.map(([kind, at, leader]) => `<w:tab w:val="${kind}" w:pos="${at}"${leader ? ` w:leader="${leader}"` : ''}/>`).join('')}</w:tabs>`
const tab = '<w:r><w:tab/></w:r>'
const absolute = (align: string) => `<w:r><w:ptab w:relativeTo="margin" w:alignment="${align}" w:leader="none"/></w:r>`

export const textExhibits: readonly Exhibit[] = [
  exhibit(
    'style cascade and theme',
    [
      para(
        '<w:pStyle w:val="Lead"/>',
        r('From the style, based on another. '),
        r('A character style. ', '<w:rStyle w:val="Loud"/>'),
        r('Direct.', '<w:i/><w:color w:val="C00000"/>'),
      ),
      para(
        '<w:pStyle w:val="Quiet"/>',
        r('The base style by itself, '),
        r('and toggled back', '<w:rStyle w:val="Loud"/><w:b w:val="0"/>'),
        r('.'),
      ),
      para(
        '',
        r('Theme colour and a tint of it', '<w:color w:val="4472C4" w:themeColor="accent1"/>'),
        r(' and its shade.', '<w:color w:val="2F5496" w:themeColor="accent1" w:themeShade="BF"/>'),
      ),
    ].join(''),
    {
      styles:
        style(
          'Quiet',
          '<w:pPr><w:spacing w:after="120"/></w:pPr><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia"/><w:sz w:val="22"/><w:color w:val="595959"/></w:rPr>',
        ) +
        style(
          'Lead',
          '<w:basedOn w:val="Quiet"/><w:pPr><w:jc w:val="center"/></w:pPr><w:rPr><w:sz w:val="28"/><w:color w:val="1F4E79"/></w:rPr>',
        ) +
        style('Loud', '<w:rPr><w:b/><w:caps/></w:rPr>', 'character'),
      others: {
        'theme/theme1.xml': `<a:theme ${namespaces}><a:themeElements><a:clrScheme name="x"><a:accent1><a:srgbClr val="1F7A4D"/></a:accent1></a:clrScheme></a:themeElements></a:theme>`,
      },
      extraRelationships:
        '<Relationship Id="theme" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme" Target="theme/theme1.xml"/>',
    },
  ),
  exhibit(
    'line and paragraph spacing',
    [
      p(words, '<w:spacing w:after="120" w:line="360" w:lineRule="auto"/>'),
      p('Exactly twelve points.', '<w:spacing w:line="240" w:lineRule="exact"/>', '<w:sz w:val="36"/>'),
      p('At least thirty points.', '<w:spacing w:before="200" w:line="600" w:lineRule="atLeast"/>'),
      p('Neighbours of one style', '<w:pStyle w:val="Close"/>'),
      p('leave out the space between them.', '<w:pStyle w:val="Close"/>'),
      p('Automatic space above and below.', '<w:spacing w:beforeAutospacing="1" w:afterAutospacing="1"/>'),
      p('The end.'),
    ].join(''),
    { styles: style('Close', '<w:pPr><w:spacing w:before="200" w:after="200"/><w:contextualSpacing/></w:pPr>') },
  ),
  exhibit('document grid', p(words.repeat(2)), { section: page('<w:docGrid w:type="lines" w:linePitch="440"/>') }),
  exhibit(
    'alignment',
    ['left', 'right', 'center', 'both', 'distribute']
      .map((side) => p(words, `<w:jc w:val="${side}"/><w:spacing w:after="80"/>`))
      .join('') + p(words, '<w:ind w:left="600" w:right="400" w:hanging="300"/><w:jc w:val="both"/>'),
  ),
  exhibit(
    'looks of runs',
    para(
      '<w:spacing w:line="360" w:lineRule="auto"/>',
      r('bold ', '<w:b/>'),
      r('italic ', '<w:i/>'),
      r('both ', '<w:b/><w:i/>'),
      ...['single', 'double', 'thick', 'dotted', 'dash', 'wave', 'words'].map(
        (kind) => r(`${kind} line`, `<w:u w:val="${kind}"/>`) + r(' '),
      ),
      r('struck ', '<w:strike/>'),
      r('twice ', '<w:dstrike/>'),
      r('Small Capitals ', '<w:smallCaps/>'),
      r('capitals ', '<w:caps/>'),
      r('x'),
      r('2', '<w:vertAlign w:val="superscript"/>'),
      r(' H'),
      r('2', '<w:vertAlign w:val="subscript"/>'),
      r('O '),
      r('raised ', '<w:position w:val="8"/>'),
      r('wide ', '<w:spacing w:val="60"/>'),
      r('stretched ', '<w:w w:val="150"/>'),
      r('marked', '<w:highlight w:val="yellow"/>'),
      r(' '),
      r('shaded', '<w:shd w:val="clear" w:fill="DDEBF7"/>'),
      r(' '),
      r('boxed', '<w:bdr w:val="single" w:sz="6" w:space="1" w:color="C00000"/>'),
      r(' '),
      r('emphasis', '<w:em w:val="dot"/>'),
      r(' hidden', '<w:vanish/>'),
      r(' big', '<w:sz w:val="40"/>'),
    ),
  ),
  exhibit(
    'fonts',
    ['Calibri', 'Arial', 'Times New Roman', 'Courier New', 'Georgia', 'Cambria', 'Segoe UI', 'Consolas', 'Garamond']
      .map((name) =>
        p(
          `${name}: Quick zephyrs blow, 0123 äöü €`,
          '',
          `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"/><w:sz w:val="24"/>`,
        ),
      )
      .join(''),
  ),
  exhibit(
    'borders and shading of paragraphs',
    [
      p(
        'A box around two paragraphs',
        `<w:pBdr>${edges(four, 'w:val="single" w:sz="8" w:space="4" w:color="1F4E79"')}</w:pBdr><w:shd w:val="clear" w:fill="F2F6FA"/>`,
      ),
      p(
        'that have the same borders.',
        `<w:pBdr>${edges(four, 'w:val="single" w:sz="8" w:space="4" w:color="1F4E79"')}</w:pBdr><w:shd w:val="clear" w:fill="F2F6FA"/>`,
      ),
      p(
        'A double rule above, a thick one below',
        '<w:spacing w:before="300"/><w:pBdr><w:top w:val="double" w:sz="6" w:space="3" w:color="C00000"/><w:bottom w:val="thinThickSmallGap" w:sz="24" w:space="3" w:color="C00000"/></w:pBdr>',
      ),
      p(
        'A bar at the left',
        '<w:spacing w:before="300"/><w:ind w:left="400"/><w:pBdr><w:left w:val="single" w:sz="24" w:space="8" w:color="70AD47"/></w:pBdr>',
      ),
    ].join(''),
  ),
  exhibit(
    'lists',
    [
      item('First', 0, 1),
      item('Its first part', 1, 1),
      item('and the part of that', 2, 1),
      item('Its second part', 1, 1),
      item('Second', 0, 1),
      item('A bullet', 0, 2),
      item('one inside', 1, 2),
      item('Roman', 0, 3),
      item('Roman again', 0, 3),
      item('With letters, and begun at five', 0, 4),
    ].join(''),
    {
      numbering:
        `<w:abstractNum w:abstractNumId="1">${listLevel(0, 'decimal', '%1.')}${listLevel(1, 'decimal', '%1.%2')}${listLevel(2, 'lowerLetter', '%1.%2.%3)')}</w:abstractNum>` +
        `<w:abstractNum w:abstractNumId="2">${listLevel(0, 'bullet', '•')}${listLevel(1, 'bullet', '–')}</w:abstractNum>` +
        `<w:abstractNum w:abstractNumId="3">${listLevel(0, 'upperRoman', '%1', '<w:suff w:val="space"/>')}</w:abstractNum>` +
        `<w:abstractNum w:abstractNumId="4">${listLevel(0, 'upperLetter', '(%1)')}</w:abstractNum>` +
        [1, 2, 3].map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`).join('') +
        '<w:num w:numId="4"><w:abstractNumId w:val="4"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>',
    },
  ),
  exhibit(
    'tabs',
    [
      para(
        tabStops([
          ['left', 1400],
          ['center', 3000],
          ['right', 5700],
        ]),
        r('none'),
        tab,
        r('left'),
        tab,
        r('centre'),
        tab,
        r('right'),
      ),
      para(
        tabStops([
          ['decimal', 2000],
          ['decimal', 4000],
        ]),
        tab,
        r('12.5'),
        tab,
        r('1,240.00'),
      ),
      para(
        tabStops([
          ['decimal', 2000],
          ['decimal', 4000],
        ]),
        tab,
        r('1.25'),
        tab,
        r('96.50'),
      ),
      para(tabStops([['right', 5700, 'dot']]), r('Findings'), tab, r('12')),
      para(tabStops([['right', 5700, 'hyphen']]), r('Costs'), tab, r('103')),
      para(
        tabStops([
          ['bar', 1000],
          ['left', 1200],
        ]),
        r('a bar'),
        tab,
        r('then text'),
      ),
      para('', r('default stops'), tab, r('one'), tab, tab, r('two')),
      para('', r('between the margins'), absolute('center'), r('middle'), absolute('right'), r('end')),
    ].join(''),
  ),
  exhibit(
    'hyphenation',
    p(
      'Internationalization departments characteristically underestimate responsibilities concerning documentation. '.repeat(
        2,
      ),
      '<w:jc w:val="both"/><w:ind w:right="2600"/>',
    ),
    {
      settings:
        '<w:autoHyphenation/><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>',
    },
  ),
  exhibit(
    'right to left',
    para(
      '<w:bidi/>',
      r('שלום עולם, זה מכתב קצר עם ', '<w:rtl/>'),
      r('English words'),
      r(' ומספר 2024 בתוכו.', '<w:rtl/>'),
    ) +
      table(
        `<w:bidiVisual/><w:tblW w:w="4000" w:type="dxa"/>${ruled}${padded}`,
        [2000, 2000],
        [row([cell('first, at the right'), cell('second')])],
      ) +
      p('From left to right again.'),
  ),
  exhibit(
    'controls, tracked changes and comments',
    `<w:p>${r('Named ')}<w:sdt><w:sdtPr><w:alias w:val="name"/></w:sdtPr><w:sdtContent>${r('in a control', '<w:b/>')}</w:sdtContent></w:sdt>${r(', with ')}<w:ins w:id="1" w:author="a">${r('inserted ')}</w:ins><w:del w:id="2" w:author="a"><w:r><w:delText>deleted </w:delText></w:r></w:del><w:commentRangeStart w:id="3"/>${r('text')}<w:commentRangeEnd w:id="3"/><w:r><w:commentReference w:id="3"/></w:r>${r('.')}</w:p>` +
      `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:sizeAuto/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>${r(' A ticked box')}</w:p>`,
  ),
  exhibit(
    'equations',
    '<w:p><m:oMath><m:r><m:t>E=m</m:t></m:r><m:sSup><m:e><m:r><m:t>c</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p><w:p><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></w:p>',
  ),
  exhibit(
    'links and bookmarks',
    `<w:p>${r('To ')}<w:hyperlink r:id="web">${r('example.com', '<w:color w:val="0563C1"/><w:u w:val="single"/>')}</w:hyperlink>${r(' or to ')}<w:hyperlink w:anchor="end">${r('the end', '<w:color w:val="0563C1"/><w:u w:val="single"/>')}</w:hyperlink></w:p><w:p><w:bookmarkStart w:id="1" w:name="end"/>${r('The end.')}<w:bookmarkEnd w:id="1"/></w:p>`,
    {
      extraRelationships:
        '<Relationship Id="web" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.com/" TargetMode="External"/>',
    },
  ),
  exhibit(
    'drop cap and frame',
    para(
      '<w:keepNext/><w:framePr w:dropCap="drop" w:lines="3" w:wrap="around" w:vAnchor="text" w:hAnchor="text"/><w:spacing w:line="680" w:lineRule="exact"/><w:textAlignment w:val="baseline"/>',
      r('T', '<w:position w:val="-6"/><w:sz w:val="82"/>'),
    ) +
      p(words.slice(1).repeat(2)) +
      p(
        'A frame beside the text',
        `<w:framePr w:w="1600" w:hSpace="140" w:wrap="around" w:vAnchor="text" w:hAnchor="margin" w:xAlign="right" w:y="100"/><w:pBdr>${edges(four, 'w:val="single" w:sz="6" w:space="2" w:color="808080"')}</w:pBdr>`,
      ) +
      p(words.repeat(2)),
  ),
]
