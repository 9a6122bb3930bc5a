import { expect, test } from 'vitest'
import { sessionTokenIn } from './console-cookies.ts'

const token = 'a'.repeat(43)

test.each<[string, string | undefined, string | null]>([
  ['no cookie', undefined, null],
  ['the cookie alone', `crosswalk=${token}`, token],
  ['with TLS', `__Host-crosswalk=${token}`, token],
  ['among others', `a=b; crosswalk=${token}; c=d`, token],
  ['without spaces', `a=b;crosswalk=${token};c=d`, token],
  ['the second of two, if the first is no token', `crosswalk=x; crosswalk=${token}`, token],
  ['another cookie whose name ends alike', `my-crosswalk=${token}`, null],
  ['another cookie whose value has the name', `a=crosswalk=${token}`, null],
  ['a longer name', `crosswalk-sso=${token}`, null],
  ['a value that is too long', `crosswalk=${token}a`, null],
])('the session of a Cookie header is found: %s', (_what, header, found) => {
  expect(sessionTokenIn(header)).toBe(found)
})

test('a Cookie header of 15 KB is searched in little time', () => {
  const headers = ['a=b; '.repeat(3_000), 'crosswalk=b; '.repeat(1_150), `;${' '.repeat(15_000)}crosswalk=`]
  for (const header of headers) {
    const times = Array.from({ length: 10 }, () => {
      const began = performance.now()
      for (let call = 0; call < 20; call++) expect(sessionTokenIn(header)).toBe(null)
      return performance.now() - began
    })
    // To split the first header 20 times takes 10 ms.
    expect(Math.min(...times)).toBeLessThan(5)
  }
})
