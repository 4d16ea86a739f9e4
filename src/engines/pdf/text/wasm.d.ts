/** A WebAssembly module imported with `{ type: 'file' }` is the path of the file, inside the executable too. */
declare module '*.wasm' {
  const path: string
  export default path
}
