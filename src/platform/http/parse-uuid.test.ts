import { describe, expect, test } from 'vitest'
import { parseUuid } from './parse-uuid.ts'

describe('a UUID', () => {
  const uuid = '3fa85f64-5717-4562-b3fc-2c963f66afa6'

  test.each([
    uuid,
    uuid.toUpperCase(),
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    `urn:uuid:${uuid.toUpperCase()}`,
  ])('the notation %s of a UUID is read', (value) => {
    expect(parseUuid(value)).toBe(uuid)
  })

  test.each([
    ['', 'invalid length: expected length 32 for simple format, found 0'],
    ['x', 'invalid character: found `x` at 1'],
    [` ${uuid}`, 'invalid character: found ` ` at 1'],
    [`{${uuid}`, 'invalid character: found `{` at 1'],
    [`URN:UUID:${uuid}`, 'invalid character: found `U` at 1'],
    ['😀', 'invalid character: found `😀` at 1'],
    ['{}', 'invalid group count: expected 5, found 1'],
    [`{${uuid.replaceAll('-', '')}}`, 'invalid group count: expected 5, found 1'],
    ['3fa85f64-57174-562-b3fc-2c963f66afa6', 'invalid group length in group 1: expected 4, found 5'],
    [`${uuid}0`, 'invalid group length in group 4: expected 12, found 13'],
  ])('the invalid UUID %o is refused', (value, error) => {
    expect(parseUuid(value)).toEqual({
      type: 'uuid_parsing',
      msg: `Input should be a valid UUID, ${error}`,
      ctx: { error },
    })
  })
})
