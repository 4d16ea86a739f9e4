import { describe, expect, test } from 'bun:test'
import { plainPng } from '../../documents.ts'
import { dump, dumpShapes, layoutOf, p, picture, smallSection, textFrames, wordDocument } from '../../word.ts'

/* The small page: text from 50 to 250 pt across and from 50 to 350 down; a line is 11.5 pt high, 26 fill the page. */
const media = { 'logo.png': plainPng(4, 4, [255, 0, 0]) }
const floating = (wrap: string, heightPt: number, from = 'paragraph', offsetPt = 0) =>
  picture('logo', 80, heightPt)
    .replace(
      '<wp:inline>',
      '<wp:anchor><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH>' +
        `<wp:positionV relativeFrom="${from}"><wp:posOffset>${offsetPt * 12700}</wp:posOffset></wp:positionV>`,
    )
    .replace('<wp:docPr', `<${wrap}/><wp:docPr`)
    .replace('</wp:inline>', '</wp:anchor>')
const anchor = (drawing: string, text = '', properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r>${drawing}<w:t>${text}</w:t></w:r></w:p>`
const lines = (count: number) => Array.from({ length: count }, (_, index) => p(`l${index}`)).join('')
const pagesOf = (body: string) => layoutOf(wordDocument(body, { media })).pages

describe('a paragraph that moves to the next page with its floating object', () => {
  const body = (wrap: string) => lines(22) + anchor(floating(wrap, 100), 'caption') + p('after')

  test('has its text below the object there too', () => {
    const [first, second] = pagesOf(body('wp:wrapTopAndBottom'))
    expect(dump(first!)).toHaveLength(22)
    expect(dumpShapes(first!)).toEqual([])
    expect(dumpShapes(second!)).toEqual(['image 50.0,50.0 80.0×100.0'])
    expect(dump(second!)).toEqual(['50.0,159.4 caption', '50.0,170.9 after'])
  })

  test('leaves no hole in its old place', () => {
    const broken = p('a') + anchor(floating('wp:wrapTopAndBottom', 100), 'b', '<w:pageBreakBefore/>') + p('c')
    const [first, second] = pagesOf(broken)
    expect(dump(first!)).toEqual(['50.0,59.4 a'])
    expect(dump(second!)).toEqual(['50.0,159.4 b', '50.0,170.9 c'])
  })

  test('takes a heading that keeps with it along, above the object', () => {
    const heading = p('heading', '<w:keepNext/>')
    const [first, second] = pagesOf(lines(21) + heading + anchor(floating('wp:wrapTopAndBottom', 100), 'caption'))
    expect(dump(first!)).toHaveLength(21)
    expect(dump(second!)).toEqual(['50.0,59.4 heading', '50.0,170.9 caption'])
    expect(dumpShapes(second!)).toEqual(['image 50.0,61.5 80.0×100.0'])
  })
})

describe('a paragraph that holds only an object', () => {
  const object = (heightPt: number, text?: string, offsetPt = 0) => {
    const made = anchor(floating('wp:wrapTopAndBottom', heightPt, 'paragraph', offsetPt), text)
    return text === undefined ? made.replace('<w:t></w:t>', '') : made
  }

  test('stays with it at the bottom of the page, even if its own line has no room below', () => {
    const [first, second] = pagesOf(lines(22) + object(45) + p('after'))
    expect(dumpShapes(first!)).toEqual(['image 50.0,303.0 80.0×45.0'])
    expect(dump(second!)).toEqual(['50.0,59.4 after'])
  })

  test('stays with one that fills the first page, which the text leaves to it', () => {
    const [first, second] = pagesOf(object(300) + p('after'))
    expect(dumpShapes(first!)).toEqual(['image 50.0,50.0 80.0×300.0'])
    expect(dump(second!)).toEqual(['50.0,59.4 after'])
  })

  test('moves with one that is too tall for the page, as a paragraph with text does', () => {
    for (const body of [object(100), object(45, 'caption')]) {
      const [first, second] = pagesOf(lines(22) + body)
      expect(dumpShapes(first!)).toEqual([])
      expect(dumpShapes(second!)).toHaveLength(1)
    }
  })

  test('moves with several of which one ends below the page', () => {
    const two = (heightPt: number) =>
      anchor(
        floating('wp:wrapTopAndBottom', 40) +
          floating('wp:wrapTopAndBottom', heightPt).replace('<wp:posOffset>0<', '<wp:posOffset>1270000<'),
      ).replace('<w:t></w:t>', '')
    const images = (heightPt: number) =>
      pagesOf(lines(22) + two(heightPt) + p('after')).map((page) => dumpShapes(page).length)
    // From 303 pt down, 97 pt are left of the paper.
    expect(images(90)[0]).toBe(2)
    expect(images(100).slice(0, 2)).toEqual([0, 2])
  })

  test('moves if another object takes its place', () => {
    const [first, second] = pagesOf(lines(20) + object(45, 'above', 15) + object(30))
    expect(dumpShapes(first!)).toEqual(['image 50.0,295.0 80.0×45.0'])
    expect(dumpShapes(second!)).toEqual(['image 50.0,50.0 80.0×30.0'])
  })
})

test('a picture that does not fit beside an object moves below it', () => {
  const beside = (widthPt: number, heightPt: number) =>
    dumpShapes(
      pagesOf(
        anchor(floating('wp:wrapSquare wrapText="bothSides"', 60)) +
          `<w:p><w:r>${picture('logo', widthPt, heightPt)}</w:r></w:p>`,
      )[0]!,
    ).filter((shape) => !shape.includes('80.0×60.0'))
  // The first line is beside the object, whose right edge is at 130 pt, and leaves 120 pt of room.
  expect(beside(110, 20)).toEqual(['image 130.0,61.5 110.0×20.0'])
  expect(beside(130, 20)).toEqual(['image 50.0,110.0 130.0×20.0'])
})

test('a picture makes way for an object that starts beside its lower part', () => {
  const [page] = pagesOf(
    anchor(floating('wp:wrapTopAndBottom', 30, 'paragraph', 30), 'a') +
      `<w:p><w:r>${picture('logo', 20, 25)}</w:r></w:p>`,
  )
  expect(dumpShapes(page!).sort()).toEqual(['image 50.0,110.0 20.0×25.0', 'image 50.0,80.0 80.0×30.0'])
})

test('an empty paragraph makes way for objects like any other', () => {
  const object = anchor(floating('wp:wrapTopAndBottom', 100, 'paragraph', 20), 'a')
  expect(dump(pagesOf(`${object}<w:p/>${p('b')}`)[0]!)).toEqual(['50.0,59.4 a', '50.0,190.9 b'])
  const [, second] = pagesOf(`${lines(22)}${anchor(floating('wp:wrapTopAndBottom', 30, 'paragraph', 15), 'a')}<w:p/>`)
  expect(second).toBeDefined()
})

test('text goes around an object of a paragraph that follows a page break', () => {
  const breaking = '<w:p><w:r><w:t>a</w:t><w:br w:type="page"/></w:r></w:p>'
  const [, second] = pagesOf(breaking + anchor(floating('wp:wrapTopAndBottom', 100), 'b'))
  expect(dump(second!)).toEqual(['50.0,159.4 b'])
})

test('text goes around an object of a paragraph that asks for a page, while lines above it still wait for theirs', () => {
  const waiting = `<w:p><w:pPr><w:keepNext/></w:pPr><w:r><w:t>a</w:t><w:br w:type="page"/><w:t>b</w:t></w:r></w:p>`
  const text = 'c</w:t><w:br/><w:t>d'
  const asking = anchor(floating('wp:wrapTopAndBottom', 100), text, '<w:pageBreakBefore/>')
  expect(pagesOf(waiting + asking).map((page) => dump(page))).toEqual([
    ['50.0,59.4 a'],
    ['50.0,59.4 b'],
    ['50.0,159.4 c', '50.0,170.9 d'],
  ])
})

test('on a document grid, text below an object is on a line of the grid', () => {
  const section = `${smallSection}<w:docGrid w:type="lines" w:linePitch="400"/>`
  const baseline = (heightPt: number) => {
    const body = anchor(floating('wp:wrapTopAndBottom', heightPt), 'text')
    const [frame] = textFrames(layoutOf(wordDocument(body, { media, section })).pages[0]!)
    return frame!.y
  }
  const first = baseline(1)
  expect(baseline(15) - first).toBeCloseTo(0, 2)
  expect(baseline(25) - first).toBeCloseTo(20, 2)
  expect(baseline(39) - first).toBeCloseTo(20, 2)
})

test('a paragraph of blanks below an object takes no line there, but an empty one does', () => {
  const below = (text: string) => {
    const body = anchor(floating('wp:wrapTopAndBottom', 100), '', '').replace('<w:t></w:t>', text) + p('next')
    return dump(pagesOf(body)[0]!).at(-1)
  }
  expect(below('<w:t xml:space="preserve">  </w:t>')).toBe('50.0,159.4 next')
  expect(below('')).toBe('50.0,170.9 next')
  expect(below('<w:t xml:space="preserve"> x</w:t>')).toBe('50.0,170.9 next')
})

test('lines that went around an object and leave its page are set again, as wide as their column', () => {
  // From the 21st line on, and to the foot of the page, text begins right of the object.
  const object = anchor(floating('wp:wrapSquare wrapText="bothSides"', 60), 'beside')
  const text = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'
  const kept = p(`${text} ${text}`, '<w:keepLines/>')
  const [first, second] = pagesOf(lines(20) + object + p('m') + kept).map((page) => dump(page))
  expect(first!.slice(-2).map((line) => line.split(',')[0])).toEqual(['130.0', '130.0'])
  expect(second!.length).toBeGreaterThan(3)
  expect(second!.every((line) => line.startsWith('50.0,'))).toBe(true)
  expect(second!.map((line) => line.replace(/^\S+ /, '')).join(' ')).toBe(`${text} ${text}`)
})

test('a floating object is drawn over the text or behind it, as it says', () => {
  const kinds = (behind: string) => {
    const object = floating('wp:wrapNone', 30).replace('<wp:anchor', `<wp:anchor behindDoc="${behind}"`)
    return pagesOf(anchor(object, 'text'))[0]!.frames.map(({ kind }) => kind)
  }
  expect(kinds('0')).toEqual(['text', 'image'])
  expect(kinds('1')).toEqual(['image', 'text'])
})
