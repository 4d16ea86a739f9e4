import { type Conformance, relationshipUri } from '../../ooxml/namespaces.ts'
import { escapeAttribute } from '../../ooxml/xml-write.ts'
import type { PictureSize } from '../scan/syntax.ts'
import type { LoadedPicture } from './pictures.ts'

/** Width and height on paper, from the tag; a missing one follows in proportion. */
export function sizeOnPaper(picture: LoadedPicture, size: PictureSize): { widthEmu: number; heightEmu: number } {
  const { widthEmu, heightEmu } = size
  if (widthEmu !== undefined && heightEmu !== undefined) return { widthEmu, heightEmu }
  const ratio = picture.heightEmu / picture.widthEmu
  if (widthEmu !== undefined) return { widthEmu, heightEmu: Math.max(1, Math.round(widthEmu * ratio)) }
  if (heightEmu !== undefined) return { widthEmu: Math.max(1, Math.round(heightEmu / ratio)), heightEmu }
  return { widthEmu: picture.widthEmu, heightEmu: picture.heightEmu }
}

const uris = {
  transitional: {
    wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
    a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
    pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  },
  strict: {
    wp: 'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing',
    a: 'http://purl.oclc.org/ooxml/drawingml/main',
    pic: 'http://purl.oclc.org/ooxml/drawingml/picture',
  },
}

const svgUri = 'http://schemas.microsoft.com/office/drawing/2016/SVG/main'

/** Where a drawing goes, and the names that its part uses for it. */
export interface DrawingPlace {
  relationshipId: string
  /** The relationship to the same picture as SVG, if it is one. */
  svgId?: string
  drawingId: number
  conformance: Conformance
  /** What the part writes before WordprocessingML names: `w:`. */
  prefix: string
  /** What an element of that prefix has to declare there. */
  declares?: string | undefined
  /** Alternative text. */
  alternative?: string
}

/** An inline picture (ECMA-376 part 1, 20.4.2.8) that declares its own namespaces, so that it fits into any part. */
export function drawingXml(picture: LoadedPicture, size: PictureSize, place: DrawingPlace): string {
  const { relationshipId, svgId, drawingId, conformance, prefix, declares = '', alternative = '' } = place
  const { wp, a, pic } = uris[conformance]
  const r = relationshipUri(conformance)
  const { widthEmu, heightEmu } = sizeOnPaper(picture, size)
  const extent = `cx="${widthEmu}" cy="${heightEmu}"`
  const described = alternative === '' ? '' : ` descr="${escapeAttribute(alternative)}"`
  const blip = `<a:blip xmlns:r="${r}" r:embed="${relationshipId}"`
  const filled = svgId === undefined ? `${blip}/>` : `${blip}>${withSvg(svgId, conformance, 'alone')}</a:blip>`
  const name = `name="Picture ${drawingId}"${described}`
  return (
    `<${prefix}drawing${declares}><wp:inline xmlns:wp="${wp}" distT="0" distB="0" distL="0" distR="0">` +
    `<wp:extent ${extent}/><wp:docPr id="${drawingId}" ${name}/>` +
    `<wp:cNvGraphicFramePr><a:graphicFrameLocks xmlns:a="${a}" noChangeAspect="1"/></wp:cNvGraphicFramePr>` +
    `<a:graphic xmlns:a="${a}"><a:graphicData uri="${pic}"><pic:pic xmlns:pic="${pic}">` +
    `<pic:nvPicPr><pic:cNvPr id="${drawingId}" ${name}/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill>${filled}<a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>` +
    `</pic:pic></a:graphicData></a:graphic></wp:inline></${prefix}drawing>`
  )
}

/**
 * Where Word looks for the SVG drawing of a picture ([MS-ODRAWXML], `svgBlip`): an extension in a list of them, which
 * ends an `a:blip`.
 */
export function withSvg(svgId: string, conformance: Conformance, place: 'alone' | 'inList'): string {
  const { a } = uris[conformance]
  const r = relationshipUri(conformance)
  const extension =
    `<a:ext xmlns:a="${a}" uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}">` +
    `<asvg:svgBlip xmlns:asvg="${svgUri}" xmlns:r="${r}" r:embed="${svgId}"/></a:ext>`
  return place === 'inList' ? extension : `<a:extLst xmlns:a="${a}">${extension}</a:extLst>`
}
