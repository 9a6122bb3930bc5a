import { expect, test } from 'vitest'
import { isIllegalId } from './illegal-ids.ts'

const illegal = [
  ...['anonymous', 'Guest', 'DISTINCT_ID', 'distinctid', 'id', 'not_authenticated', 'email', 'Undefined'],
  ...['true', 'FALSE', '[object Object]', 'NaN', 'None', 'none', 'null', '0', '', '""', "'null'", '"None"'],
  ...['00000000-0000-0000-0000-000000000000', '---', "' '"],
]

test.each(illegal.map((id) => [id]))('the value %j is not an id', (id) => {
  expect(isIllegalId(id)).toBe(true)
})

test.each([['Null'], ['nan'], ['user-7'], ['007'], ['a0'], ['ids'], ['"'], ["o'neill"]])(
  'the value %j is an id',
  (id) => {
    expect(isIllegalId(id)).toBe(false)
  },
)
