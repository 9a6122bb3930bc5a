import { expect, test } from 'vitest'
import { colors } from './reference-page.ts'

/** The relative luminance of a color such as #595959 (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\da-f]{2}/g) ?? []).map((text) => {
    const share = Number.parseInt(text, 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

test.each([
  ['light', '#f6f6f6'],
  ['dark', '#1a1a1a'],
])(
  'the texts of the reference in the %s theme have a contrast of 4.5 on its gray areas',
  (theme, background) => {
    const [, rules = ''] = colors.split(`.${theme}-mode {`)
    const texts = rules.split('}')[0]!.match(/#[\da-f]{6}/g) ?? []
    expect(texts.length).toBeGreaterThan(2)
    for (const text of texts) expect([text, contrast(text, background) >= 4.5]).toEqual([text, true])
  },
)
