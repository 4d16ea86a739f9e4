import type { CellForm, FreshCounter, GridForm, HoleForm, RichForm, RowForm, Test } from '../plan/items.ts'
import type { ChartForm } from '../scan/charts.ts'
import type { Condition } from '../scan/condition.ts'
import type { Expression } from '../scan/expression.ts'
import type { NoteKind } from '../scan/notes.ts'
import type { AttributeNames } from '../scan/own-declarations.ts'
import type { BarcodeType, Filter, Merge, PictureSize, RichFormat } from '../scan/syntax.ts'

/** A step of a compiled part: a literal stretch of XML, or something that depends on the data. */
export type Op = string | Step

export type Step =
  | { op: 'text'; value: Expression; filters: Filter[]; form: ValueForm; place: string }
  | { op: 'break'; prefix: string; declares: string; names: AttributeNames }
  | { op: 'link'; address: Op[]; place: string }
  | { op: 'picture'; picture: Picture; form: HoleForm; place: string }
  | { op: 'rich'; value: Expression; format: RichFormat | undefined; form: RichForm; place: string }
  | { op: 'each'; list: Expression; restarts: boolean; body: Op[]; otherwise: Op[]; place: string }
  | { op: 'if'; condition: Condition; body: Op[]; otherwise: Op[]; place: string }
  | { op: 'check'; condition: Condition; ticked: string; empty: string; isInText: boolean; place: string }
  | { op: 'chart'; list: Expression; category: Expression; values: Expression[]; form: ChartForm; place: string }
  | { op: 'shade'; color: Expression; of: 'cell' | 'row'; place: string }
  | { op: 'merge'; way: 'down' | 'across'; by: Merge; place: string }
  | { op: 'grid'; form: GridForm; body: Op[] }
  | { op: 'columns' }
  | { op: 'row'; form: RowForm; body: Op[] }
  | { op: 'cell'; form: CellForm; body: Op[] }
  | { op: 'with'; value: Expression; isOptional: boolean; body: Op[]; otherwise: Op[]; place: string }
  | { op: 'keep'; prefix: string; body: Op[] }
  | { op: 'any'; tests: Test[]; body: Op[] }
  | { op: 'table'; body: Op[] }
  | { op: 'once'; text: string }
  | { op: 'tail'; text: string }
  | { op: 'fresh'; counter: FreshCounter; slot: string; text: string }
  /** `note` names a program of the template's notes: `footnote:2`. */
  | { op: 'note'; note: string }
  | { op: 'noteId' }
  | { op: 'notes'; kind: NoteKind }
  | { op: 'number'; numId: string; before: string; after: string }
  /** In watched programs only: the step comes next. */
  | { op: 'watch'; step: Step }

export type StepOf<Name extends Step['op']> = Extract<Step, { op: Name }>

/** How a text value is written. */
export type ValueForm =
  | HoleForm
  /** In the address of a link; `isWhole` if the address begins with it, so that it isn't just a parameter. */
  | { kind: 'address'; isWhole: boolean }

export type Picture =
  | { kind: 'image'; value: Expression; size: PictureSize }
  | { kind: 'qr'; value: Expression; size: PictureSize }
  | { kind: 'barcode'; value: Expression; size: PictureSize; symbology: BarcodeType }
