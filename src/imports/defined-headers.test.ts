import { describe, expect, test } from 'vitest'
import { mapColumns } from './columns.ts'

describe('a header that names a defined field', () => {
  const defined = ['Region 1', 'Region 11', 'State'].map((label) => ({
    key: label.toLowerCase().replace(' ', '_'),
    label,
  }))
  const definedOf = (headers: string[]) =>
    mapColumns(headers, 'contact', undefined, undefined, defined).columns.map(({ field }) => field)

  test('and has a number, fills this field, and not the field of the words before the number', () => {
    expect(definedOf(['Region 1', 'REGION_11', 'Region 2'])).toEqual([
      { custom: 'region_1' },
      { custom: 'region_11' },
      'region',
    ])
  })

  test('fills it if another column has the common field of this name', () => {
    expect(definedOf(['State'])).toEqual(['region'])
    expect(definedOf(['Region', 'State'])).toEqual(['region', { custom: 'state' }])
  })
})
