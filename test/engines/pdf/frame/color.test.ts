import { describe, expect, test } from 'bun:test'
import {
  channelsOf,
  encodeGamma,
  fromHsl,
  hex,
  mixColors,
  shaded,
  shadeFace,
  tinted,
  toHsl,
  withLightness,
} from '../../../../src/engines/pdf/frame/color.ts'

const rounded = (values: readonly number[]) => values.map((value) => Math.round(value * 1e4) / 1e4)

describe('A colour', () => {
  test('has three channels, of which none that can’t be read', () => {
    expect(channelsOf('FF8000')).toEqual([1, 128 / 255, 0])
    expect(channelsOf('')).toEqual([0, 0, 0])
    expect(channelsOf('zz00ff')).toEqual([0, 0, 1])
  })

  test('is written in capitals, with each channel within its bounds', () => {
    expect(hex([1, 0.5, 0])).toBe('FF8000')
    expect(hex([2, -1, 10 / 255])).toBe('FF000A')
  })

  test('is told by hue, saturation and lightness, and made of them again', () => {
    expect(rounded(toHsl([1, 0, 0]))).toEqual([0, 1, 0.5])
    expect(rounded(toHsl([0, 1, 0]))).toEqual([0.3333, 1, 0.5])
    expect(rounded(toHsl([0, 0, 1]))).toEqual([0.6667, 1, 0.5])
    expect(rounded(toHsl([1, 0, 0.5]))).toEqual([0.9167, 1, 0.5])
    expect(rounded(toHsl([0.5, 0.25, 0.25]))).toEqual([0, 0.3333, 0.375])
    expect(rounded(toHsl([1, 0.75, 0.75]))).toEqual([0, 1, 0.875])
    expect(toHsl([0.4, 0.4, 0.4])).toEqual([0, 0, 0.4])
    for (const color of ['FF0000', '00FF80', '1F4E79', 'C0C0C0', '804020', 'FEFDFC', '010203', '7F00FF', 'AABB00'])
      expect(hex(fromHsl(...toHsl(channelsOf(color))))).toBe(color)
    // A hue beyond the circle is the one that it comes to.
    expect(hex(fromHsl(1 + 1 / 3, 1, 0.5))).toBe('00FF00')
    expect(hex(fromHsl(-2 / 3, 1, 0.5))).toBe('00FF00')
  })

  test('keeps its hue with another lightness', () => {
    expect(withLightness('FF0000', (light) => light / 2)).toBe('800000')
    expect(withLightness('800000', (light) => light + (1 - light) / 2)).toBe('FF4040')
  })

  test('is tinted and shaded in linear light', () => {
    expect(tinted('FF0000', 1)).toBe('FF0000')
    expect(tinted('FF0000', 0)).toBe('FFFFFF')
    expect(tinted('000000', 0.5)).toBe('BCBCBC')
    expect(shaded('FFFFFF', 0.5)).toBe('BCBCBC')
    expect(shaded('FF8040', 0)).toBe('000000')
    expect(shaded('FF8040', 1)).toBe('FF8040')
    expect(shaded('0A0A0A', 0.5)).toBe('050505')
    expect(shaded('FF8040', 0.5)).toBe('BC5C2C')
    expect(tinted('FF8040', 0.5)).toBe('FFCDC0')
  })

  test('is straight below the threshold of sRGB’s curve, and within its bounds', () => {
    expect(encodeGamma(0.002)).toBeCloseTo(0.02584, 6)
    expect(encodeGamma(0.0031308)).toBeCloseTo(0.040449936, 6)
    expect(encodeGamma(0.5)).toBeCloseTo(0.735357, 5)
    expect(encodeGamma(-1)).toBe(0)
    expect(encodeGamma(2)).toBeCloseTo(1, 9)
  })

  test('is mixed channel by channel', () => {
    expect(mixColors('FF0000', '0000FF', 0)).toBe('FF0000')
    expect(mixColors('FF0000', '0000FF', 1)).toBe('0000FF')
    expect(mixColors('FF2010', '001030', 0.25)).toBe('BF1C18')
  })

  test('of a face of a shape is lighter or darker by two fifths or one', () => {
    expect(['lighten', 'lightenLess', 'darken', 'darkenLess', 'norm'].map((fill) => shadeFace('646464', fill))).toEqual(
      [...['A2A2A2', '838383', '3C3C3C', '505050', '646464']],
    )
  })
})
