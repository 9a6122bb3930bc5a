import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTextArray } from './text-array.ts'

// PostgreSQL 18 writes these texts.
test.each<[string, (string | null)[]]>([
  ['{}', []],
  ['{a}', ['a']],
  ['{a,b c,"d,e",NULL,"NULL","null"}', ['a', 'b c', 'd,e', null, 'NULL', 'null']],
  ['{"","",x,""}', ['', '', 'x', '']],
  ['{"a\\"b","\\\\","\\\\\\"","\\\\\\\\",x}', ['a"b', '\\', '\\"', '\\\\', 'x']],
  ['{"{a}",[1],"line\nbreak","\ttab"}', ['{a}', '[1]', 'line\nbreak', '\ttab']],
  ['{ä,"ß \\"ü\\"",\u{1f600}}', ['ä', 'ß "ü"', '\u{1f600}']],
])('the array %s has these items', (text, items) => {
  expect(parseTextArray(text)).toEqual(items)
})

test('each array has the items that PostgreSQL wrote', () => {
  const items = fc.array(fc.option(fc.string({ unit: 'grapheme' })))
  const written = (item: string | null) =>
    item === null ? 'NULL' : `"${item.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  fc.assert(
    fc.property(items, (all) => {
      expect(parseTextArray(`{${all.map(written).join()}}`)).toEqual(all)
    }),
  )
})
