/** A text as a QR code: its dark modules as an SVG path in a square of `size`. The first call loads the library. */
export async function qrCodeOf(text: string): Promise<{ size: number; path: string }> {
  const { default: qrcode } = await import('qrcode-generator')
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const size = code.getModuleCount()
  const rows = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_none, x) => (code.isDark(y, x) ? `M${x} ${y}h1v1h-1z` : '')).join(''),
  )
  return { size, path: rows.join('') }
}
