import { type Static, Type } from '@sinclair/typebox'
import { fileFormats } from '../../core/formats.ts'
import { limits } from '../../core/limits.ts'
import { drawnFonts } from '../../http/drawn-fonts.ts'
import { pageOf } from '../../http/paging.ts'
import { configurationIssue, correlationId, hash, object, oneOf, slug, text, timestamp, uuid } from '../../http/wire.ts'
import { configurationKind, familyDescription, familyName } from '../families/families.model.ts'
import { transformerParams, versionStatus } from '../versions/versions.model.ts'

/** Wire shapes of templates. The older and the canonical surface share one record. */
const positive = Type.Integer({ minimum: 1 })
const byteSize = Type.Integer({ minimum: 1, maximum: limits.artifactBytes })

const bindingUse = object(
  {
    as: oneOf(['members', 'number', 'date', 'time', 'color', 'test', 'equal', 'order'], {
      description:
        'A format of numbers or dates (`time`: a pattern with hours, minutes or seconds), or a condition: `test` asks ' +
        'whether there is something, `equal` and `order` compare.',
    }),
    values: Type.Optional(
      Type.Array(Type.Union([text(), Type.Number(), Type.Boolean(), Type.Null()]), {
        description: 'What the tag itself compares with.',
      }),
    ),
    pointers: Type.Optional(
      Type.Array(text(), { description: 'JSON Pointers to what it compares with, where the data has that.' }),
    ),
  },
  {
    description:
      'What the tag does with the value, where that decides which types make sense. Absent if any value of the shape ' +
      'will do, and in versions that were frozen before it was recorded.',
  },
)

export const binding = object(
  {
    pointer: text(),
    shape: oneOf(['scalar', 'list', 'object', 'flag', 'image', 'rich']),
    required: Type.Boolean(),
    /** Package part, 1-based paragraph in it, 0-based character in that paragraph's text. */
    part: text(),
    paragraph: Type.Integer({ minimum: 0 }),
    position: Type.Integer({ minimum: 0 }),
    use: Type.Optional(bindingUse),
  },
  { $id: 'Binding' },
)

/** Templates that a version, the draft or a trial's file includes. */
const includes = Type.Optional(
  Type.Array(slug, {
    description:
      'Slugs of the templates that its tags include, each once. Absent without any; `bindings` are its own alone.',
  }),
)

export const templateVersion = object(
  {
    id: uuid,
    kind: configurationKind,
    family_id: uuid,
    number: positive,
    byte_size: byteSize,
    content_hash: hash,
    source_revision: positive,
    status: versionStatus,
    bindings: Type.Array(binding),
    fragments: includes,
    created_at: timestamp,
    created_by: uuid,
    published_at: Type.Optional(timestamp),
  },
  { $id: 'TemplateVersion' },
)
export type TemplateVersion = Static<typeof templateVersion>

export const template = object(
  {
    kind: configurationKind,
    id: uuid,
    slug,
    name: text({ minLength: 1 }),
    description: text(),
    draft_revision: Type.Integer({ minimum: 0 }),
    created_at: timestamp,
    updated_at: timestamp,
    versions: Type.Array(templateVersion, { maxItems: limits.versionsShown }),
    included_by: Type.Optional(
      Type.Array(
        object({
          template_id: uuid,
          slug,
          version: positive,
          chain: Type.Array(slug, { description: 'From that template down to this one.' }),
        }),
        {
          description:
            'Templates in force that include it, directly or through others; activating a version of it changes what they ' +
            'make. Only of one template that is read by itself, and absent without any.',
        },
      ),
    ),
  },
  { $id: 'Template' },
)
export type Template = Static<typeof template>

export const wrappedTemplate = object({ template })
export const wrappedTemplateVersion = object({ version: templateVersion })
export const templateList = pageOf('templates', template)
export const templateVersionList = pageOf('versions', templateVersion)

export const templateDraft = object(
  {
    id: uuid,
    slug,
    name: text({ minLength: 1 }),
    description: text(),
    format: Type.Literal('docx'),
    media_type: Type.Literal(fileFormats.docx.mediaType),
    byte_size: byteSize,
    content_hash: hash,
    revision: positive,
    updated_at: timestamp,
    /** Absent if the file has mistakes. */
    bindings: Type.Optional(Type.Array(binding)),
    fragments: includes,
  },
  { $id: 'TemplateDraft' },
)
export type TemplateDraft = Static<typeof templateDraft>

export const templateFonts = object({ fonts: drawnFonts }, { $id: 'TemplateFonts' })
export type TemplateFonts = Static<typeof templateFonts>

export const newTemplateFields = object({ name: familyName, description: familyDescription })
export const draftFileFields = object({
  name: Type.Optional(familyName),
  description: Type.Optional(familyDescription),
})

/** The interface's "artifact proof". */
const proof = object(
  {
    media_type: oneOf([fileFormats.docx.mediaType, fileFormats.pdf.mediaType]),
    byte_size: byteSize,
    content_hash: hash,
  },
  { $id: 'ArtifactProof' },
)
export type ArtifactProof = Static<typeof proof>

/** The interface's "Template test result". */
export const templateTestResult = object(
  {
    valid: Type.Boolean(),
    result: Type.Optional(
      object({
        template_id: uuid,
        draft_revision: positive,
        template_hash: hash,
        input_hash: hash,
        bindings_hash: hash,
        docx: proof,
        pdf: proof,
      }),
    ),
    errors: Type.Array(configurationIssue, { maxItems: limits.configurationIssues }),
    bindings: Type.Optional(
      Type.Array(binding, { description: 'Of a file that was sent; absent if it has mistakes.' }),
    ),
    fragments: includes,
    correlation_id: correlationId,
  },
  { $id: 'TemplateTestResult' },
)
export type TemplateTestResult = Static<typeof templateTestResult>

/** Text fields beside a file that is tried before it is saved. */
export const testFileFields = object({
  data: text({ maxLength: limits.templateTestBodyBytes, description: 'The data, as JSON.' }),
})

export const previewBody = object({
  transform_version_id: uuid,
  case_id: uuid,
  params: Type.Optional(transformerParams),
})
export type TemplateToPreview = Static<typeof previewBody>

export const templatePreview = object(
  {
    template_version_id: uuid,
    transform_version_id: uuid,
    case_id: uuid,
    input_hash: hash,
    output: Type.Unknown(),
    output_hash: hash,
    /** True if every required binding has a value. */
    resolved: Type.Boolean(),
    bindings: Type.Array(
      object({
        pointer: text(),
        part: text(),
        paragraph: Type.Integer({ minimum: 0 }),
        position: Type.Integer({ minimum: 0 }),
        required: Type.Boolean(),
        resolved: Type.Boolean(),
        /** The first value of the binding, as text, cut at 200 characters; absent for lists and objects. */
        value: Type.Optional(text({ maxLength: limits.shownValueChars })),
      }),
    ),
    docx: Type.Optional(proof),
    pdf: Type.Optional(proof),
    errors: Type.Array(object({ path: text(), message: text({ minLength: 1 }) }), { maxItems: limits.stepIssues }),
  },
  { $id: 'TemplatePreview' },
)
export type TemplatePreview = Static<typeof templatePreview>

const points = Type.Number()

/** A filled template's pages as pictures, with the places of the tags' values. */
export const templatePages = object(
  {
    /** The document's pages; very long documents are drawn only in part. */
    total_pages: positive,
    bindings: Type.Optional(Type.Array(binding, { description: 'Of a file that was sent to be tried.' })),
    fragments: includes,
    pages: Type.Array(
      object({
        /** Points. */
        width: points,
        height: points,
        svg: text(),
        /** In points from the page's top left; tags are named by their binding. */
        marks: Type.Array(
          object({
            part: text(),
            paragraph: Type.Integer({ minimum: 0 }),
            position: Type.Integer({ minimum: 0 }),
            pointer: Type.Optional(
              text({
                description:
                  'JSON Pointer of the value in the data, in its turn of the loops. Absent where it comes from no one place.',
              }),
            ),
            x: points,
            y: points,
            width: points,
            height: points,
          }),
        ),
      }),
      { maxItems: limits.drawnPages },
    ),
  },
  { $id: 'TemplatePages' },
)
export type TemplatePages = Static<typeof templatePages>

/** The media type whose mention in Accept asks for `TemplatePages` instead of the report. */
export const pagesMediaType = 'application/vnd.quire.pages+json'
