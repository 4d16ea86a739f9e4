import { JoinedPdf } from '../engines/pdf/render/join.ts'
import type { EnginePort } from './engine-worker.ts'
import type { JoinAnswer, JoinRequest } from './join-process.ts'

/** The process's side of joining PDFs (join-process.ts): answers one request after the other. */
export function serveJoins(port: EnginePort): void {
  const joined = new JoinedPdf()
  let made: Uint8Array | undefined
  let at = 0

  async function answer(request: JoinRequest): Promise<JoinAnswer> {
    if ('document' in request) return { pages: await joined.add(request.document, request.title) }
    if ('finish' in request) {
      made = await joined.finish(request.finish)
      return { size: made.byteLength }
    }
    const chunk = made?.slice(at, at + request.take) ?? new Uint8Array(0)
    at += chunk.byteLength
    return { chunk }
  }

  port.onmessage = ({ data }: MessageEvent<JoinRequest>) => {
    void answer(data)
      .catch((error: unknown): JoinAnswer => ({ fault: error instanceof Error ? error.message : String(error) }))
      .then((said) => port.postMessage(said, []))
  }
}
