import type { Frame } from '../../frame/frame.ts'

/** The frames of a plot. The labels of all plots go on top of everything else. */
export interface Layers {
  marks: Frame[]
  labels: Frame[]
}

export function joinLayers(all: readonly Layers[]): Layers {
  return { marks: all.flatMap(({ marks }) => marks), labels: all.flatMap(({ labels }) => labels) }
}

/** All frames in the order in which they are painted. */
export function framesOf({ marks, labels }: Layers): Frame[] {
  return [...marks, ...labels]
}
