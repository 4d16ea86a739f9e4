import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { formatNumber } from '../../../../src/engines/pdf/model/number-format.ts'

const row = (code: string | undefined, ...values: number[]) => values.map((value) => formatNumber(value, code))

describe('A number without a format', () => {
  test('has up to ten significant digits, and powers of ten beyond eleven places', () => {
    expect(row(undefined, 0, 5, -5, 0.1 + 0.2, 1 / 3, 12_345_678_901)).toEqual([
      ...['0', '5', '-5', '0.3', '0.3333333333', '12345678900'],
    ])
    expect(row('General', 99_999_999_900, 1e11, -1.5e12, 1e-6, 1.5e-7, 1.234567e-12)).toEqual([
      ...['99999999900', '1E+11', '-1.5E+12', '0.000001', '1.5E-07', '1.23457E-12'],
    ])
    expect(row(' general ', 2.5)).toEqual(['2.5'])
    expect(row('', 2.5)).toEqual(['2.5'])
    expect(row('[Red]', 2.5)).toEqual(['2.5'])
  })

  test('is nothing where it is none', () => {
    expect(row('0', Number.NaN, Number.POSITIVE_INFINITY)).toEqual(['', ''])
  })
})

describe('The sections of a format', () => {
  test('are for numbers above zero, below, and zero itself', () => {
    expect(row('0;(0);"nil"', 3, -3, 0)).toEqual(['3', '(3)', 'nil'])
    expect(row('0.0;(0)', 3, -3, 0)).toEqual(['3.0', '(3)', '0.0'])
    expect(row('0', 3, -3, 0)).toEqual(['3', '-3', '0'])
    expect(row('0;;"nil"', 3, -3, 0)).toEqual(['3', '3', 'nil'])
  })

  test('end at a semicolon, unless it is quoted or escaped', () => {
    expect(row('0";"0;"x"', 12)).toEqual(['12;'])
    expect(row('0\\;;"x"', 7, -7)).toEqual(['7;', 'x'])
  })

  test('lose their conditions, colours and currencies in brackets', () => {
    expect(row('[Red][>=100]0', 120)).toEqual(['120'])
    expect(row('[$€-407] 0', 5)).toEqual(['5'])
  })

  test('are read up to the limit of their length', () => {
    expect(formatNumber(1, 'x'.repeat(limits.chartFormatChars + 1)).length).toBe(limits.chartFormatChars)
  })
})

describe('Digits', () => {
  test('are as many as required, and no more than allowed', () => {
    expect(row('0.00', 1, 1.239)).toEqual(['1.00', '1.24'])
    expect(row('0.0#', 1, 1.25, 1.2)).toEqual(['1.0', '1.25', '1.2'])
    expect(row('0.##', 1, 1.5, 10)).toEqual(['1', '1.5', '10'])
    expect(row('#.##', 0.5, 0, 10)).toEqual(['.5', '', '10'])
    expect(row('?0', 5)).toEqual(['5'])
    expect(row('000', 7, -7, 1234)).toEqual(['007', '-007', '1234'])
    expect(formatNumber(1, `0.${'0'.repeat(90)}`)).toBe(`1.${'0'.repeat(limits.chartFormatDecimals)}`)
    expect(formatNumber(1, '0'.repeat(90))).toBe('1'.padStart(limits.chartFormatDecimals, '0'))
  })

  test('are grouped by thousands, or divided by them where a comma comes last', () => {
    expect(row('#,##0', 0, 999, 1_000, 1_234_567, -1_234)).toEqual(['0', '999', '1,000', '1,234,567', '-1,234'])
    expect(row('#,##0.00', 1_234.5)).toEqual(['1,234.50'])
    expect(row('0,', 1_234)).toEqual(['1'])
    expect(row('0.0,,', 2_500_000)).toEqual(['2.5'])
    expect(row('#,##0,', 5_000_000)).toEqual(['5,000'])
    expect(row('0,"k"', 2_000)).toEqual(['2k'])
    expect(row('0,,,,,,,', 5e18)).toEqual(['5'])
  })

  test('count hundredths for each percent sign, up to three', () => {
    expect(row('0%', 0.256, -0.5)).toEqual(['26%', '-50%'])
    expect(row('0%%', 0.5)).toEqual(['5000%%'])
    expect(row('0%%%%', 0.000_001)).toEqual(['1%%%%'])
    expect(row('0"%"', 5)).toEqual(['5%'])
  })

  test('have no sign where nothing is left of a negative number', () => {
    expect(row('0', -0.4)).toEqual(['0'])
    expect(row('0.0', -0.04, -0.06)).toEqual(['0.0', '-0.1'])
    expect(row('#,##0', -1_000)).toEqual(['-1,000'])
  })

  test('are a power of ten in scientific notation, with the sign that the format asks for', () => {
    expect(row('0.00E+00', 12_345, 0.00012, 0, -12_345)).toEqual(['1.23E+04', '1.20E-04', '0.00E+00', '-1.23E+04'])
    expect(row('0.0E-0', 12_345, 0.5)).toEqual(['1.2E4', '5.0E-1'])
    expect(row('0e+0', 12)).toEqual(['1E+1'])
    // Rounding up to ten is one of the next power.
    expect(row('0E+0', 9.6, 99.6)).toEqual(['1E+1', '1E+2'])
    expect(row('0.0E+0', 9.96)).toEqual(['1.0E+1'])
  })

  test('of a number beyond any format are left as they are', () => {
    expect(row('0', 1e22)).toEqual(['1e+22'])
  })
})

describe('Around the digits', () => {
  test('are quoted texts, escaped characters and blanks of a width, without what fills a cell', () => {
    expect(row('"EUR" 0.0', 5)).toEqual(['EUR 5.0'])
    expect(row('\\n0\\"', 5)).toEqual(['n5"'])
    expect(row('0_)"a"', 5)).toEqual(['5 a'])
    expect(row('0_)', 5)).toEqual(['5'])
    expect(row('*-0', 5)).toEqual(['5'])
    expect(row('0 "open', 5)).toEqual(['5 open'])
    expect(row('0\\', 5)).toEqual(['5'])
    expect(row('a@b', 5)).toEqual(['a5b'])
    expect(row('"0"', 5)).toEqual(['0'])
  })

  test('stay the signs of the format, and only the first digits show the number', () => {
    expect(row('0-0', 5)).toEqual(['05-'])
    expect(row('x.0', 5)).toEqual(['x5.0'])
    expect(row('x.', 5)).toEqual(['x'])
    expect(row('0Euro', 5)).toEqual(['5Euro'])
  })
})

describe('A date', () => {
  const day = 37_261
  const at = (hours: number, minutes: number, seconds: number) =>
    day + (hours * 3_600 + minutes * 60 + seconds) / 86_400

  test('has day, month and year in figures or in words', () => {
    expect(row('d.m.yy', day)).toEqual(['5.1.02'])
    expect(row('dd/mm/yyyy', day)).toEqual(['05/01/2002'])
    expect(row('ddd, mmm', day)).toEqual(['Sat, Jan'])
    expect(row('dddd, mmmm', day)).toEqual(['Saturday, January'])
    expect(row('mmmmm', day)).toEqual(['J'])
    expect(row('mmmmmm', day)).toEqual(['January'])
    expect(row('y yyy', day)).toEqual(['02 2002'])
    expect(row('D.M.YYYY', day)).toEqual(['5.1.2002'])
  })

  test('counts from 1900, which is a leap year for spreadsheets', () => {
    expect(row('d.m.yyyy', 1, 59, 61, 366)).toEqual(['1.1.1900', '28.2.1900', '1.3.1900', '31.12.1900'])
    expect(row('d.m.yyyy', 2_958_465, -1, 2_958_467)).toEqual(['31.12.9999', '-1', '2958467'])
    expect(row('d.m.yyyy', 0, 2_958_466)).toEqual(['31.12.1899', '1.1.10000'])
  })

  test('has hours, minutes and seconds, of half a day where it says so', () => {
    expect(row('h:m:s', at(9, 5, 7))).toEqual(['9:5:7'])
    expect(row('hh:mm:ss', at(9, 5, 7), at(21, 45, 59))).toEqual(['09:05:07', '21:45:59'])
    const half = 'h:mm AM/PM'
    expect(row(half, at(0, 30, 0), at(11, 59, 0), at(12, 0, 0), at(23, 15, 0))).toEqual([
      ...['12:30 AM', '11:59 AM', '12:00 PM', '11:15 PM'],
    ])
    expect(row('h a/p', at(15, 0, 0))).toEqual(['3 PM'])
    // Half a second before midnight is midnight.
    expect(row('hh:mm:ss', at(23, 59, 59.6))).toEqual(['00:00:00'])
  })

  test('tells months from minutes by the hours before them', () => {
    expect(row('m/d h:mm m', at(14, 30, 0))).toEqual(['1/5 14:30 1'])
    expect(row('mm hh', at(14, 30, 0))).toEqual(['01 14'])
  })

  test('takes the same letter for minutes before seconds', () => {
    expect(row('mm:ss', at(9, 5, 7))).toEqual(['05:07'])
    expect(row('m" min "s', at(9, 5, 7))).toEqual(['5 min 7'])
    expect(row('d.m. ss', at(9, 5, 7))).toEqual(['5.5. 07'])
    expect(row('m d s', at(9, 5, 7))).toEqual(['1 5 7'])
  })

  test('counts whole hours, minutes or seconds in brackets', () => {
    expect(row('[h]:mm:ss', 1.5, 0.25)).toEqual(['36:00:00', '6:00:00'])
    expect(row('[mm]:ss', 1 / 24 + 1 / 86_400, 1 / 1440)).toEqual(['60:01', '01:00'])
    expect(row('[s]', 1 / 24)).toEqual(['3600'])
    expect(row('[Red]h:mm', 0.5)).toEqual(['12:00'])
  })

  test('keeps the texts that are quoted or escaped', () => {
    expect(row('d"day"\\d', day)).toEqual(['5dayd'])
    expect(row('"d"0', 5)).toEqual(['d5'])
    expect(row('yyyy.00', day)).toEqual(['2002.00'])
  })
})
