import { compress, type ObjectNumber, type PdfFile } from './write.ts'

/**
 * The sixteen overprints of cyan, magenta, yellow and black on coated paper (the SWOP primaries, in sRGB). Rows:
 * without yellow and black, with yellow, with black, with both. Columns: paper, cyan, magenta, and both.
 */
const OVERPRINTS = [
  ['ffffff', '00adef', 'ec008c', '2e3192'],
  ['fff200', '00a650', 'ed1c24', '363639'],
  ['231f20', '000f24', '240000', '000002'],
  ['1c1a00', '001300', '220000', '000000'],
]

/**
 * Four inks as a colour space that defines its look in sRGB (8.6.6.5), because DeviceCMYK would need an output intent
 * of a press (ISO 19005-2, 6.2.4.3). Between the overprints the transform is linear in each ink.
 */
export function inkSpace(file: PdfFile): ObjectNumber {
  const samples = compress(Buffer.from(OVERPRINTS.flat().join(''), 'hex'))
  const look = file.addFiltered(
    '/FunctionType 0/Domain[0 1 0 1 0 1 0 1]/Range[0 1 0 1 0 1]/Size[2 2 2 2]/BitsPerSample 8/Filter/FlateDecode',
    samples,
  )
  return file.add(`[/DeviceN[/Cyan/Magenta/Yellow/Black]/DeviceRGB ${look} 0 R]`)
}
