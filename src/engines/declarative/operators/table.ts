/** Every operator of the language, in the order of the reference. */
import type { Operator, OperatorTable } from '../call.ts'
import { aggregateOperators } from './aggregates.ts'
import { arrayOperators } from './arrays.ts'
import { choiceOperators } from './choice.ts'
import { dateOperators } from './dates.ts'
import { foldOperators } from './fold.ts'
import { lookupOperators } from './lookup.ts'
import { missingOperators } from './missing.ts'
import { numberOperators } from './numbers.ts'
import { objectOperators } from './objects.ts'
import { pluralOperators } from './plural.ts'
import { stringOperators } from './strings.ts'
import { testOperators } from './tests.ts'
import { textOperators } from './text.ts'
import { zoneOperators } from './zones.ts'

const all: readonly Operator[] = [
  ...textOperators,
  ...stringOperators,
  ...numberOperators,
  ...pluralOperators,
  ...missingOperators,
  ...choiceOperators,
  ...lookupOperators,
  ...testOperators,
  ...arrayOperators,
  ...foldOperators,
  ...aggregateOperators,
  ...objectOperators,
  ...dateOperators,
  ...zoneOperators,
]

export const operators: OperatorTable = new Map(all.map((operator) => [operator.name, operator]))
