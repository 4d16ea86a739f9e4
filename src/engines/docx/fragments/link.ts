/**
 * Links a template and all that it includes, at any depth, to one template: their text replaces the tags, with the styles,
 * lists, notes, pictures and links that it needs. The result is compiled and filled like any other.
 */
import { type Finding, fail, type Outcome, succeed } from '../../../core/finding.ts'
import { limits } from '../../../core/limits.ts'
import { conformanceOf } from '../../ooxml/namespaces.ts'
import { type OoxmlPackage, openPackage } from '../../ooxml/package.ts'
import { beforeEnd, PackageEdit } from '../../ooxml/package-edit.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { parsePlace } from '../scan/document-place.ts'
import { findNotes, type NoteKind } from '../scan/notes.ts'
import { declarationsOn } from '../scan/own-declarations.ts'
import { type Edit, edited } from './edits.ts'
import type { Catalogue } from './foreign.ts'
import { findIncludes, type Include, readStory, type Story } from './includes.ts'
import { type ForeignLooks, Looks, readLooks, writtenName } from './looks.ts'
import { Marks } from './marks.ts'
import { Prefixes } from './namespaces.ts'
import { CopiedParts } from './parts.ts'
import { type Content, type Origin, placedAt } from './placed.ts'
import { type CopyTask, copyText, sectionHint, sectionMessage } from './story.ts'
import { missingFragment, storiesOf } from './uses.ts'

/** A template that includes no other, and where its text is from. */
export interface LinkedTemplate {
  bytes: Uint8Array
  /** Maps a place in these bytes to the author's file: `clause>word/document.xml#3:5`. */
  placeOf(path: string): string
}

/**
 * @param fileOf the file of a template by its slug
 * @returns findings at the tags that can't be included: unknown ones, circles, those nested too deeply
 */
export function linkTemplate(
  bytes: Uint8Array,
  fileOf: (slug: string) => Uint8Array | undefined,
): Outcome<LinkedTemplate> {
  const opened = openPackage(bytes)
  if (!opened.ok) return opened
  const main = readStory(opened.value, opened.value.mainPart)
  const stories = storiesOf(opened.value)
  if (main === undefined || stories.every((story) => findIncludes(story).length === 0)) {
    return succeed({ bytes, placeOf: (path) => path })
  }
  const linker = new Linker(opened.value, main, bytes.length, fileOf)
  return linker.link(stories)
}

/** A part of the template that gains text. */
interface Target {
  part: string
  /** Empty for a new part. */
  story: Story | undefined
  prefixes: Prefixes
  edits: Edit[]
  appended: string
  origins: Origin[]
}

/** A template that is included, opened once. */
interface Fragment extends ForeignLooks {
  opened: OoxmlPackage
  story: Story
  body: XmlElement
  includes: Include[]
  notes: Map<NoteKind, { part: string; story: Story; byId: Catalogue['byId'] }>
}

/** Where an include is. */
interface Standing {
  target: Target
  /** The slugs that led here; the template itself is none. */
  chain: readonly string[]
}

class Linker {
  private readonly edit: PackageEdit
  private readonly looks: Looks
  private readonly marks: Marks
  private readonly parts: CopiedParts
  private readonly findings: Finding[] = []
  private readonly fragments = new Map<string, Fragment | undefined>()
  private readonly targets = new Map<string, Target>()
  private inclusions = 0
  private chars = 0

  constructor(
    private readonly opened: OoxmlPackage,
    private readonly main: Story,
    private fileBytes: number,
    private readonly fileOf: (slug: string) => Uint8Array | undefined,
  ) {
    this.edit = new PackageEdit(opened, conformanceOf(main.root.uri))
    this.looks = new Looks(opened, main.root)
    this.marks = new Marks(opened)
    this.parts = new CopiedParts(this.edit)
  }

  link(stories: readonly Story[]): Outcome<LinkedTemplate> {
    for (const story of stories) this.fill(story)
    if (this.findings.length > 0) return fail(...this.findings)
    this.looks.finish(this.edit, this.opened.mainPart)
    for (const target of this.targets.values()) this.write(target)
    const bytes = this.edit.bytes()
    const { targets } = this
    return succeed({
      bytes,
      placeOf(path) {
        const place = parsePlace(path)
        const origin = place && targets.get(place.part)?.origins[place.paragraph - 1]
        return place === undefined || origin === undefined ? path : `${origin.part}#${origin.number}:${place.position}`
      },
    })
  }

  /** Puts the text of included templates into a part of the template itself. */
  private fill(story: Story): void {
    const target = this.targetOf(story.part, story)
    const includes = new Map(findIncludes(story).map((include) => [include.paragraph.number, include]))
    target.origins = []
    for (const { number } of story.paragraphs) {
      const include = includes.get(number)
      if (include === undefined) {
        target.origins.push({ part: story.part, number })
        continue
      }
      const content = this.contentOf(include, { target, chain: [] }, include.place)
      if (content === undefined) continue
      const placed = placedAt(include, content, { part: story.part, number })
      target.edits.push({
        start: include.paragraph.element.start,
        end: include.paragraph.element.end,
        text: placed.xml,
      })
      target.origins.push(...placed.origins)
    }
  }

  /** The text of an included template for a part, with the templates nested in it. */
  private contentOf(include: Include, { target, chain }: Standing, place: string): Content | undefined {
    const { slug } = include
    const next = [...chain, slug]
    if (chain.includes(slug)) {
      return this.refuse(
        place,
        'docx.fragment_circle',
        `Templates include each other in a circle: ${next.join(' → ')}.`,
        'Take one of the tags out.',
      )
    }
    if (next.length > limits.fragmentDepth) {
      return this.refuse(
        place,
        'docx.fragment_depth',
        `Templates are included ${next.length} deep (${next.join(' → ')}); ${limits.fragmentDepth} are allowed.`,
        'Include them side by side.',
      )
    }
    if (++this.inclusions > limits.fragmentInclusions) {
      return this.refuse(
        place,
        'docx.fragment_count',
        `More than ${limits.fragmentInclusions} templates are included.`,
        'Divide the document.',
      )
    }
    const fragment = this.open(slug, place)
    if (fragment === undefined) return undefined
    const scope = String(this.inclusions)
    const nested = new Map<number, Content>()
    const edits: Edit[] = []
    for (const inner of fragment.includes) {
      if (inner.section !== '') this.refuse(place, 'docx.fragment_content', `${slug}: ${sectionMessage}`, sectionHint)
      const content = this.contentOf(inner, { target, chain: next }, `${slug}>${inner.place}`)
      if (content === undefined) return undefined
      const { element, number } = inner.paragraph
      const placed = placedAt(inner, content, { part: `${slug}>${fragment.story.part}`, number })
      nested.set(number, placed)
      edits.push({ start: element.start, end: element.end, text: placed.xml })
    }
    const blocks = childElements(fragment.body).filter(({ name }) => name !== 'w:sectPr')
    const declarations = target.prefixes.adopt(fragment.story.root)
    const copied = { story: fragment.story, elements: blocks, edits, declarations, scope, target, place }
    const xml = this.copy(fragment, copied)
    const part = `${slug}>${fragment.story.part}`
    const origins = fragment.story.paragraphs.flatMap(({ number }) => nested.get(number)?.origins ?? [{ part, number }])
    const kindOf = (block: XmlElement | undefined) => (block?.name === 'w:tbl' ? 'table' : 'text')
    return { xml, origins, begins: kindOf(blocks[0]), ends: kindOf(blocks.at(-1)) }
  }

  /** Text of a fragment as the part takes it; what it refers to is copied along. */
  private copy(fragment: Fragment, { story, elements, edits, declarations, scope, target, place }: Copied): string {
    const task: CopyTask = {
      source: story.source,
      elements,
      edits,
      declarations,
      marks: this.marks.forCopy(),
      styleOf: (id) => this.looks.style(fragment, id),
      listOf: (id) => this.looks.list(fragment, id, scope),
      relationOf: (id) => this.parts.relation(fragment, story.part, id, target.part),
      noteOf: (kind, id) => this.note(fragment, { kind, id, scope, target, place }),
      refuse: (code, message, hint) => void this.refuse(place, code, `${fragment.slug}: ${message}`, hint),
    }
    const xml = copyText(task)
    this.chars += xml.length
    if (this.chars > limits.xmlPartBytes) {
      this.refuse(place, 'docx.too_large', 'The included templates are too long together.', 'Divide the document.')
    }
    return xml
  }

  /** A note of a fragment among those of the document. @returns its id there */
  private note(fragment: Fragment, { kind, id, scope, target, place }: CopiedNote): string | undefined {
    const notes = fragment.notes.get(kind)
    const note = notes?.byId.get(id)
    if (notes === undefined || note === undefined) return undefined
    if (target.part !== this.opened.mainPart) {
      this.refuse(
        place,
        'docx.fragment_content',
        `${fragment.slug} has a ${kind}, which headers and footers can't have.`,
        'Include it in the body.',
      )
      return undefined
    }
    const own = this.notesTarget(kind, notes.story)
    const fresh = String(this.marks.freshNote(kind))
    const content = { story: notes.story, elements: childElements(note), edits: [], declarations: '' }
    const xml = this.copy(fragment, { ...content, scope, target: own, place })
    const declared = declarationsOn(note, own.prefixes.adopt(notes.story.root))
    own.appended += `<${note.written}${declared} ${writtenName(note, 'w:id')}="${fresh}">${xml}</${note.written}>`
    const part = `${fragment.slug}>${notes.part}`
    const within = notes.story.paragraphs.filter(
      ({ element }) => element.start >= note.start && element.end <= note.end,
    )
    own.origins.push(...within.map(({ number }) => ({ part, number })))
    return fresh
  }

  /** The document's notes; without any, new ones with the lines above them from the fragment's. */
  private notesTarget(kind: NoteKind, from: Story): Target {
    const known = findNotes(this.opened).find((notes) => notes.kind === kind)
    const story = known === undefined ? undefined : readStory(this.opened, known.part)
    if (known !== undefined && story !== undefined) return this.targetOf(known.part, story)
    const name = `word/${kind}s.xml`
    const existing = this.targets.get(name)
    if (existing !== undefined) return existing
    const ids = childElements(from.root).map(({ attributes }) => attributes['w:id'])
    this.marks.reserveNotes(kind, ids)
    const separators = childElements(from.root).filter(
      ({ attributes }) => (attributes['w:type'] ?? 'normal') !== 'normal',
    )
    const head = from.source.slice(0, from.root.openEnd)
    const text = `${head}${separators.map(({ start, end }) => from.source.slice(start, end)).join('')}</${from.root.written}>`
    const part = this.edit.freeName(`word/${kind}s`, '.xml')
    this.edit.addPart(part, text, `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}s+xml`)
    this.edit.relate(this.opened.mainPart, { type: `${kind}s`, target: part })
    const target: Target = {
      part,
      story: undefined,
      prefixes: new Prefixes(from.root),
      edits: [],
      appended: '',
      origins: [],
    }
    target.origins = from.paragraphs
      .filter(({ element }) => separators.some(({ start, end }) => element.start >= start && element.end <= end))
      .map(({ number }) => ({ part, number }))
    this.targets.set(name, target)
    return target
  }

  private targetOf(part: string, story: Story): Target {
    const known = this.targets.get(part)
    if (known !== undefined) return known
    const origins = story.paragraphs.map(({ number }) => ({ part, number }))
    const target: Target = { part, story, prefixes: new Prefixes(story.root), edits: [], appended: '', origins }
    this.targets.set(part, target)
    return target
  }

  private write({ part, story, prefixes, edits, appended }: Target): void {
    const { source = this.edit.textOf(part) ?? '' } = story ?? {}
    const filled = edited(source, { start: 0, end: source.length }, edits)
    this.edit.setText(part, prefixes.declareIn(appended === '' ? filled : beforeEnd(filled, appended)))
  }

  private open(slug: string, place: string): Fragment | undefined {
    if (!this.fragments.has(slug)) this.fragments.set(slug, this.read(slug, place))
    return this.fragments.get(slug)
  }

  private read(slug: string, place: string): Fragment | undefined {
    const bytes = this.fileOf(slug)
    if (bytes === undefined) {
      const { code, message, hint = '' } = missingFragment({ slug, path: place })
      return this.refuse(place, code, message, hint)
    }
    this.fileBytes += bytes.length
    if (this.fileBytes > limits.artifactBytes) {
      return this.refuse(
        place,
        'docx.too_large',
        'The included templates are too large together.',
        'Use smaller pictures.',
      )
    }
    const opened = openPackage(bytes)
    const story = opened.ok ? readStory(opened.value, opened.value.mainPart) : undefined
    const body = story && childNamed(story.root, 'w:body')
    if (!opened.ok || story === undefined || body === undefined) {
      const unread = opened.ok ? opened.value.readXmlDocument(opened.value.mainPart) : opened
      const [first] = unread.findings
      return this.refuse(
        place,
        'docx.fragment_unusable',
        `The template "${slug}" can't be included: ${first?.message ?? 'it has no text.'}`,
        first?.hint ?? 'Save it in Word again.',
      )
    }
    if (conformanceOf(story.root.uri) !== conformanceOf(this.main.root.uri)) {
      return this.refuse(
        place,
        'docx.fragment_form',
        `The template "${slug}" is saved in another form of the format (Strict or not).`,
        'Save both as Word Document (.docx).',
      )
    }
    const notes: Fragment['notes'] = new Map()
    for (const { kind, part } of findNotes(opened.value)) {
      const own = readStory(opened.value, part)
      if (own !== undefined) notes.set(kind, { part, story: own, byId: notesById(own, kind) })
    }
    return {
      ...readLooks(opened.value),
      ...{ slug, mapped: new Map(), opened: opened.value, story, body, notes },
      includes: findIncludes(story),
    }
  }

  private refuse(path: string, code: string, message: string, hint: string): undefined {
    const isTold = this.findings.some((finding) => finding.path === path && finding.message === message)
    if (!isTold && this.findings.length < limits.configurationIssues) {
      this.findings.push({ code, severity: 'error', message, hint, path })
    }
    return undefined
  }
}

interface Copied {
  story: Story
  elements: readonly XmlElement[]
  edits: Edit[]
  /** What the elements have to declare; nothing where the one around them does. */
  declarations: string
  scope: string
  target: Target
  /** The place of the tag that includes the text. */
  place: string
}

interface CopiedNote extends Pick<Copied, 'scope' | 'target' | 'place'> {
  kind: NoteKind
  id: string
}

function notesById({ root }: Story, kind: NoteKind): Catalogue['byId'] {
  return new Map(childElements(root, `w:${kind}`).map((note) => [note.attributes['w:id'] ?? '', note]))
}
