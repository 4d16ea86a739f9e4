/** What every input is held to, and how much of a round is kept. */
export const bounds = {
  /** Processor time for one input; issue 18 asks for it. */
  inputMs: 2_000,
  /** The longest input of any target, seeds included. */
  inputBytes: 200_000,
  /** What the process holds after a collection: far above what a decoded picture or a page takes. */
  processBytes: 1_500 * 1_048_576,
  /** How long a process may sit on one input before it counts as hanging: other work on the machine slows it too. */
  hangMs: 60_000,
  /** How long it may take to its first input: on a busy machine the readers are long in loading. */
  startMs: 600_000,
  /** Inputs with a new outcome that a round changes further, besides its seeds. */
  keptInputs: 400,
  /** Problems after which a round ends. */
  problems: 20,
} as const
