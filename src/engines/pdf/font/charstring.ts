/**
 * Outlines of PostScript glyphs: an interpreter of Type 2 charstrings (Adobe Technical Note 5177) that returns path
 * data. Hints are skipped; arithmetic operators, which fonts do not use, end the glyph.
 */
import { limits } from '../../../core/limits.ts'

/** Fixed by the specification: subroutines nest ten deep at most. */
const SUBR_DEPTH = 10
/** Fixed by the specification of CFF2: its stack has 513 places, that of CFF 48. */
const MAX_STACK = 513

export interface Subroutines {
  local(index: number): Uint8Array | undefined
  global(index: number): Uint8Array | undefined
}

/** The path of a charstring in font units, y upwards. */
export function pathOfCharstring(charstring: Uint8Array, subroutines: Subroutines): string {
  const interpreter = new Interpreter(subroutines)
  interpreter.run(charstring, 0)
  return interpreter.finish()
}

/** Looks up every subroutine that a charstring calls, at any depth; false if it can't be followed to its end. */
export function followCalls(charstring: Uint8Array, subroutines: Subroutines): boolean {
  const interpreter = new Interpreter(subroutines)
  interpreter.run(charstring, 0)
  return !interpreter.isCut
}

/** How far from one point to the next. */
type Shift = readonly [dx: number, dy: number]

/** The direction that a curve begins in. */
type Direction = 'up' | 'across'

class Interpreter {
  /** An operator, a call or a length was met that isn't followed here. */
  isCut = false
  private readonly stack: number[] = []
  private path = ''
  private isOpen = false
  private x = 0
  private y = 0
  private hints = 0
  private operators = 0
  private numbers = 0

  constructor(private readonly subroutines: Subroutines) {}

  finish(): string {
    this.close()
    return this.path
  }

  private cut(): true {
    this.isCut = true
    return true
  }

  /** Returns true when the glyph has ended. */
  run(code: Uint8Array, depth: number): boolean {
    const { stack } = this
    let at = 0
    while (at < code.length) {
      const byte = code[at++] ?? 0
      if (this.numbers > limits.fontGlyphNumbers) return this.cut()
      if (byte === 28) {
        this.push((((code[at] ?? 0) << 24) >> 16) | (code[at + 1] ?? 0))
        at += 2
      } else if (byte >= 32 && byte <= 246) this.push(byte - 139)
      else if (byte >= 247 && byte <= 250) this.push((byte - 247) * 256 + (code[at++] ?? 0) + 108)
      else if (byte >= 251 && byte <= 254) this.push(-(byte - 251) * 256 - (code[at++] ?? 0) - 108)
      else if (byte === 255) {
        const whole = (((code[at] ?? 0) << 24) >> 16) | (code[at + 1] ?? 0)
        this.push(whole + (((code[at + 2] ?? 0) << 8) | (code[at + 3] ?? 0)) / 65_536)
        at += 4
      } else {
        if (++this.operators > limits.fontGlyphOperators) return this.cut()
        if (byte === 11) return false
        if (byte === 14) return true
        if (byte === 10 || byte === 29) {
          const index = stack.pop() ?? 0
          const routine = byte === 10 ? this.subroutines.local(index) : this.subroutines.global(index)
          if (!routine || depth >= SUBR_DEPTH) return this.cut()
          if (this.run(routine, depth + 1)) return true
        } else if (byte === 19 || byte === 20) {
          this.hints += stack.length >> 1
          stack.length = 0
          at += (this.hints + 7) >> 3
        } else if (byte === 12) {
          if (!this.flex(code[at++] ?? 0)) return this.cut()
        } else this.draw(byte)
      }
    }
    return false
  }

  private push(value: number): void {
    this.numbers++
    if (this.stack.length < MAX_STACK) this.stack.push(value)
  }

  private draw(operator: number): void {
    const { stack } = this
    switch (operator) {
      case 1:
      case 3:
      case 18:
      case 23:
        this.hints += stack.length >> 1
        break
      case 4:
        this.move(0, stack.at(-1) ?? 0)
        break
      case 22:
        this.move(stack.at(-1) ?? 0, 0)
        break
      case 21:
        this.move(stack.at(-2) ?? 0, stack.at(-1) ?? 0)
        break
      case 5:
        this.lines(0, stack.length)
        break
      case 6:
      case 7:
        for (const [index, value] of stack.entries()) {
          if ((index % 2 === 0) === (operator === 6)) this.line(value, 0)
          else this.line(0, value)
        }
        break
      case 8:
        this.curves(0, stack.length)
        break
      case 24:
        this.lines(this.curves(0, stack.length - 2), stack.length)
        break
      case 25:
        this.curves(this.lines(0, stack.length - 6), stack.length)
        break
      case 26:
      case 27:
        this.straightCurves(operator === 26 ? 'up' : 'across')
        break
      case 30:
      case 31:
        this.alternatingCurves(operator === 31 ? 'across' : 'up')
        break
      default:
        this.isCut = true
    }
    stack.length = 0
  }

  private lines(from: number, to: number): number {
    let at = from
    for (; at + 2 <= to; at += 2) this.line(this.value(at), this.value(at + 1))
    return at
  }

  private curves(from: number, to: number): number {
    let at = from
    for (; at + 6 <= to; at += 6)
      this.curve(
        [this.value(at), this.value(at + 1)],
        [this.value(at + 2), this.value(at + 3)],
        [this.value(at + 4), this.value(at + 5)],
      )
    return at
  }

  /** A value of the stack; what is missing counts as 0. */
  private value(at: number): number {
    return this.stack[at] ?? 0
  }

  /** `vvcurveto` and `hhcurveto`: curves that begin and end in one direction. */
  private straightCurves(direction: Direction): void {
    const { length } = this.stack
    let at = length % 4 === 1 ? 1 : 0
    let aside = at === 1 ? this.value(0) : 0
    for (; at + 4 <= length; at += 4) {
      const [a, b, c, d] = [this.value(at), this.value(at + 1), this.value(at + 2), this.value(at + 3)]
      if (direction === 'up') this.curve([aside, a], [b, c], [0, d])
      else this.curve([a, aside], [b, c], [d, 0])
      aside = 0
    }
  }

  /** `vhcurveto` and `hvcurveto`: curves that begin in one direction and end in the other, alternately. */
  private alternatingCurves(first: Direction): void {
    const { length } = this.stack
    let direction = first
    for (let at = 0; at + 4 <= length; at += 4) {
      const [a, b, c, d] = [this.value(at), this.value(at + 1), this.value(at + 2), this.value(at + 3)]
      const last = length - at === 5 ? this.value(at + 4) : 0
      if (direction === 'across') this.curve([a, 0], [b, c], [last, d])
      else this.curve([0, a], [b, c], [d, last])
      direction = direction === 'across' ? 'up' : 'across'
    }
  }

  private flex(operator: number): boolean {
    const s = (index: number) => this.value(index)
    const { y } = this
    if (operator === 34) {
      this.curve([s(0), 0], [s(1), s(2)], [s(3), 0])
      this.curve([s(4), 0], [s(5), -s(2)], [s(6), 0])
    } else if (operator === 35) {
      this.curve([s(0), s(1)], [s(2), s(3)], [s(4), s(5)])
      this.curve([s(6), s(7)], [s(8), s(9)], [s(10), s(11)])
    } else if (operator === 36) {
      this.curve([s(0), s(1)], [s(2), s(3)], [s(4), 0])
      this.curve([s(5), 0], [s(6), s(7)], [s(8), y - (this.y + s(7))])
    } else if (operator === 37) {
      const dx = s(0) + s(2) + s(4) + s(6) + s(8)
      const dy = s(1) + s(3) + s(5) + s(7) + s(9)
      const isFlat = Math.abs(dx) > Math.abs(dy)
      this.curve([s(0), s(1)], [s(2), s(3)], [s(4), s(5)])
      this.curve([s(6), s(7)], [s(8), s(9)], isFlat ? [s(10), -dy] : [-dx, s(10)])
    } else return false
    this.stack.length = 0
    return true
  }

  private move(dx: number, dy: number): void {
    this.close()
    this.x += dx
    this.y += dy
    this.path += `M${this.place()}`
    this.isOpen = true
  }

  private line(dx: number, dy: number): void {
    this.x += dx
    this.y += dy
    this.path += `L${this.place()}`
  }

  /** A curve by its control points and its end, each relative to the one before. */
  private curve(...points: readonly [Shift, Shift, Shift]): void {
    let operator = 'C'
    for (const [dx, dy] of points) {
      this.x += dx
      this.y += dy
      this.path += `${operator}${this.place()}`
      operator = ' '
    }
  }

  private close(): void {
    if (this.isOpen) this.path += 'Z'
    this.isOpen = false
  }

  private place(): string {
    return `${Math.round(this.x)} ${Math.round(this.y)}`
  }
}
