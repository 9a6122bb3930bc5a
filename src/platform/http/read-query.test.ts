import { expect, test } from 'vitest'
import { readQuery } from './read-query.ts'

test.each([
  ['city=Z%C3%BCrich&q=a+b%20c', 'Zürich', 'a b c'],
  ['city=Z%c3%bcrich%f0%9f%98%80', 'Zürich😀', null],
  ['city=Z%FCrich&q=%ff', 'Z\0rich', '\0'],
  ['city=%ED%A0%80%41&q=%EF%BF%BD', '\0A', '\ufffd'],
  ['city=100%&q=%zz', '100%', '%zz'],
])('the query %s', (text, city, q) => {
  const query = readQuery(text)
  expect([query.get('city'), query.get('q')]).toEqual([city, q])
})
